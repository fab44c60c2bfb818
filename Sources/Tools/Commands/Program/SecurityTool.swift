internal import PaviseArguments
internal import PavisePrimitives

/// `pavise security …`, and the program itself when it is called through a link named `security`: the words, letters
/// and exit statuses of macOS's tool of that name, over this keychain.
package enum SecurityTool {
    /// The words behind `security`, when `words` (the program's name first) call it.
    package static func words(in words: [String]) -> ArraySlice<String>? {
        if words.first?.split(separator: "/").last == "security" { return words.dropFirst() }
        return words.dropFirst().first == "security" ? words.dropFirst(2) : nil
    }

    /// Runs one command, or with `-i` the commands on standard input.
    ///
    /// - Parameter input: Gives standard input; the process's own without it.
    /// - Returns: The exit status: 0 done, 2 usage, 1 refused, else the low byte of the keychain's status (44 not
    ///   found, 45 exists already, 36 locked, 51 wrong credential).
    package static func run(
        _ words: ArraySlice<String>, in environment: Environment, reading input: (() -> String?)? = nil
    ) -> Int32 {
        var rest = words
        while let word = rest.first, ["-q", "-v", "-l", "-i"].contains(word) { rest.removeFirst() }
        let flags = words.prefix(words.count - rest.count)
        guard !flags.contains("-i") else { return interpret((input ?? SecurityLine.standardInput)(), environment) }
        return run(rest, environment, isQuiet: flags.contains("-q"), isVisible: true)
    }

    private static func run(
        _ words: ArraySlice<String>, _ environment: Environment, isQuiet: Bool, isVisible: Bool
    ) -> Int32 {
        do {
            try perform(words, environment, isVisible)
            return 0
        } catch {
            let failure = SecurityFailure(describing: error)
            if !isQuiet { tell(failure, environment.console) }
            return failure.exitStatus
        }
    }

    // Each line is a command; the status is that of the last one.
    private static func interpret(_ text: String?, _ environment: Environment) -> Int32 {
        guard let text else {
            tell(.usage("standard input is no text, or longer than \(SecurityLine.limit) bytes"), environment.console)
            return 2
        }
        var status: Int32 = 0
        for line in text.split(whereSeparator: \.isNewline) {
            do throws(SecurityFailure) {
                let words = try SecurityLine.words(line)
                guard !words.isEmpty else { continue }
                guard words != ["quit"] else { break }
                status = run(words[...], environment, isQuiet: false, isVisible: false)
            } catch {
                tell(error, environment.console)
                status = error.exitStatus
            }
        }
        return status
    }

    private static func tell(_ failure: SecurityFailure, _ console: Console) {
        console.tell(.line("security: \(failure.message)"))
        if let usage = failure.usage { console.tell(.line(usage)) }
    }

    // Other users see the words of a command line, and not those of standard input.
    private static func perform(_ words: ArraySlice<String>, _ environment: Environment, _ isVisible: Bool) throws {
        guard let name = words.first else { throw SecurityFailure.usage("a command is missing; see “security help”") }
        guard !["help", "-h", "--help"].contains(name) else {
            return try help(words.dropFirst().first, environment)
        }
        guard let command = SecurityCommand.named(name) else { throw unknown(name) }
        let rest = words.dropFirst()
        guard rest.first != "-h", rest.first != "--help" else { return try help(name, environment) }
        do {
            try command.run(try SecurityArguments(rest, options: command.options, isVisible: isVisible), environment)
        } catch let failure as SecurityFailure where failure.exitStatus == 2 {
            throw SecurityFailure(
                exitStatus: 2, message: "\(name): \(failure.message)", usage: SecurityHelp(command).usage)
        }
    }

    private static func help(_ name: String?, _ environment: Environment) throws {
        guard let name else { return try environment.console.show(text: Program.help(for: ["security"])) }
        guard let command = SecurityCommand.named(name) else { throw unknown(name) }
        try environment.console.show(text: SecurityHelp(command).text)
    }

    private static func unknown(_ name: String) -> SecurityFailure {
        guard !elsewhere.contains(name) else {
            return .refused("\(name): not here: Pavise has one keychain of passwords, keys and certificates")
        }
        let word = UsageError(
            .unknownCommand(name, nearest: Spelling.nearest(to: name, among: SecurityCommand.all.map(\.name))), path: []
        )
        return .usage(word.message(program: "security"))
    }

    // Commands of the tool on macOS that have no meaning for this keychain, or none yet.
    private static let elsewhere: Set<String> = [
        "login-keychain", "create-keychain", "delete-keychain", "set-keychain-settings", "set-keychain-password",
        "add-certificates", "find-certificate", "find-identity", "delete-certificate", "delete-identity",
        "set-identity-preference", "get-identity-preference", "create-db", "export", "import", "cms", "install-mds",
        "add-trusted-cert", "remove-trusted-cert", "dump-trust-settings", "user-trust-settings-enable",
        "trust-settings-export", "trust-settings-import", "verify-cert", "authorize", "authorizationdb",
        "execute-with-privileges", "leaks", "smartcards", "translocate-policy-check", "list-smartcards",
        "export-smartcard", "set-generic-password-partition-list", "set-internet-password-partition-list",
        "set-key-partition-list", "find-key", "create-keypair", "csr", "requirement-evaluate", "filevault",
    ]
}

extension SecurityFailure {
    /// A failure for anything that a command may throw.
    init(describing error: any Error) {
        if let failure = error as? SecurityFailure {
            self = failure
            return
        }
        self.init(exitStatus: 1, message: CommandFailure(describing: error).message)
    }
}
