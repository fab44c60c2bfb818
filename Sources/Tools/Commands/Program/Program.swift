internal import PaviseArguments
package import PaviseCrypto
internal import PaviseIntegrity
internal import PavisePrimitives

/// The program `pavise`: its commands, and the way from words to a status. It never ends the process itself.
package enum Program {
    /// The version, as `pavise --version` prints it.
    package static let version = BuildFacts.version

    /// Protects this process's memory, then runs the command that `words` (the program's name first) ask for.
    ///
    /// - Returns: The process's exit status: a ``ProgramStatus``, or one of ``SecurityTool``.
    package static func start(_ words: [String]) async -> Int32 {
        var words = words
        let isLogging = ProgramLog.take(from: &words)
        let opensNothing = opensNothing(words)
        let selfTest = { opensNothing ? nil : CryptoSelfTest.failure }
        return await Environment.start(selfTest: selfTest) { [words] environment in
            environment.logEvents(isLogging)
            // What tells why is run all the same.
            let tellsWhy = words.dropFirst().prefix(2) == ["device", "integrity"]
            if let refusal = tellsWhy ? nil : environment.integrityRefusal() ?? environment.versionRefusal(of: words) {
                environment.console.show(refusal, asJSON: words.contains("--json"))
                return refusal.status.rawValue
            }
            if let refused = environment.refusal(ofBytesIn: Array(words.dropFirst())) { return refused.rawValue }
            if let security = SecurityTool.words(in: words) { return SecurityTool.run(security, in: environment) }
            return await run(Array(words.dropFirst()), in: environment).rawValue
        }
    }

    /// Whether these words (the program's name first) ask for a text that stands in the program, and for nothing else:
    /// no answer of the cryptography can be wrong then.
    package static func opensNothing(_ words: [String]) -> Bool {
        let rest = Array(words.dropFirst())
        return rest.first == "help" || [["--version"], ["--help"], ["-h"], []].contains(rest)
    }

    /// Runs one command.
    package static func run(_ words: [String], in environment: Environment) async -> ProgramStatus {
        if let refused = environment.refusal(ofBytesIn: words) { return refused }
        if words.first == "security" {
            return ProgramStatus(rawValue: SecurityTool.run(words.dropFirst(), in: environment)) ?? .failed
        }
        // Its letters are described by the tool itself.
        if words.prefix(2) == ["help", "security"] {
            let asked = ["help"] + words.dropFirst(2)
            return ProgramStatus(rawValue: SecurityTool.run(asked[...], in: environment)) ?? .failed
        }
        if AuditorTool.takes(words) { return AuditorTool.run(words, in: environment) }
        if let moved = words.first, let place = elsewhere[moved] {
            let message = "“\(moved)” is no part of this program. It is in the program for tests: “\(place)”."
            environment.console.show(CommandFailure(.usage, message), asJSON: words.contains("--json"))
            return .usage
        }
        if words == ["--version", "--verbose"] { return showBuild(in: environment) }
        if words == ["help", "environment"] { return show(EnvironmentTopic.text, in: environment) }
        return await commands.run(SyncCommands.withRun(words), in: environment)
    }

    // What a person reports with a fault: of which build the program is.
    private static func showBuild(in environment: Environment) -> ProgramStatus {
        let facts = BuildFacts.current
        let switches = facts.switches.isEmpty ? "none" : facts.switches.joined(separator: ", ")
        let lines = [
            "pavise \(version)", "configuration: \(facts.configuration)", "compiler: \(facts.compiler)",
            "commit: \(facts.commit)", "build policy: \(facts.policy)", "switches for developers: \(switches)",
        ]
        let isDebug = facts.configuration == "debug"
        let differences = BuildDifference.all.map { $0.line(isDebug: isDebug) }
        return show((lines + differences).map { $0 + "\n" }.joined(), in: environment)
    }

    private static func show(_ text: String, in environment: Environment) -> ProgramStatus {
        do throws(SystemFailure) { try environment.console.show(text: text) } catch {
            let failure = CommandFailure(describing: error)
            environment.console.show(failure, asJSON: false)
            return failure.status
        }
        return .done
    }

    /// The help of the command at `path`.
    package static func help(for path: [String]) -> String {
        if path.count == 2, path[0] == "security", let command = SecurityCommand.named(path[1]) {
            return SecurityHelp(command).text
        }
        return commands.help(for: path)
    }

    /// The paths of all commands and groups, for tests of every help text.
    package static var paths: [[String]] {
        [[]] + groups.map { [$0.name] } + actions.map(\.path) + AuditorTool.names.sorted().map { [$0] } + [["security"]]
            + SecurityCommand.all.map { ["security", $0.name] }
    }
}

extension Environment {
    /// Keeps files off the numbers of standard streams that are closed, takes away the variables that libraries would
    /// write secrets for (``LibraryVariable``), protects this process's memory, computes known answers of each
    /// cryptographic primitive, then runs `body` with the process's own streams, home, clock and keychain.
    ///
    /// - Parameter selfTest: Gives the primitive whose answer is wrong; that of the process but for tests.
    /// - Returns: What `body` returns; the status of a failure, without running it, where the memory cannot be
    ///   protected or an answer is wrong.
    package static func start(
        selfTest: () -> CryptoSelfTest.Primitive? = { CryptoSelfTest.failure }, _ body: (Environment) async -> Int32
    ) async -> Int32 {
        let standard = Result { () throws(SystemFailure) in try StandardDescriptors.keepTaken() }
        LibraryVariable.takeAway()
        let environment = Environment.process
        for variable in LibraryVariable.told {
            environment.console.tell(.line("Note: \(variable.name) is set; it \(variable.reason)."))
        }
        do {
            try standard.get()
            try MemoryProtection.start()
            ProcessLimits.reportAsFailures()
        } catch {
            environment.console.show(CommandFailure(.failed, error.description), asJSON: false)
            return ProgramStatus.failed.rawValue
        }
        if let broken = selfTest() {
            let words =
                "The self-test of \(broken.rawValue) gave a wrong answer: a library was exchanged or is damaged. "
                + "Nothing was opened. Install OpenSSL and libargon2 anew."
            environment.console.show(CommandFailure(.failed, words), asJSON: false)
            return ProgramStatus.failed.rawValue
        }
        return await body(environment)
    }
}
