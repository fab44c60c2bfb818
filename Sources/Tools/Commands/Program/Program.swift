internal import PaviseArguments
internal import PavisePrimitives

/// The program `pavise`: its commands, and the way from words to a status. It never ends the process itself.
package enum Program {
    /// The version, as `pavise --version` prints it.
    package static let version = "0.1.0"

    /// Protects this process's memory, then runs the command that `words` (the program's name first) ask for.
    ///
    /// - Returns: The process's exit status: a ``ProgramStatus``, or one of ``SecurityTool``.
    package static func start(_ words: [String]) async -> Int32 {
        let environment = Environment.process
        do {
            try MemoryProtection.start()
            ProcessLimits.reportAsFailures()
        } catch {
            environment.console.show(CommandFailure(.failed, error.description), asJSON: false)
            return ProgramStatus.failed.rawValue
        }
        if let security = SecurityTool.words(in: words) { return SecurityTool.run(security, in: environment) }
        return await run(Array(words.dropFirst()), in: environment).rawValue
    }

    /// Runs one command.
    package static func run(_ words: [String], in environment: Environment) async -> ProgramStatus {
        if words.first == "security" {
            return ProgramStatus(rawValue: SecurityTool.run(words.dropFirst(), in: environment)) ?? .failed
        }
        var asJSON = false
        do {
            switch try Parser(root).parse(words) {
            case .version: try environment.console.show(text: "pavise \(version)\n")
            case .help(let path): try environment.console.show(text: help(for: path))
            case .run(let invocation):
                asJSON = invocation[Shared.json]
                try await action(at: invocation.path)?.run(invocation, environment)
            }
            return .done
        } catch {
            let failure = CommandFailure(describing: error)
            if !failure.isReported { environment.console.show(failure, asJSON: asJSON) }
            guard let error = error as? UsageError else { return failure.status }
            return action(at: error.path)?.usageStatus ?? failure.status
        }
    }

    /// The help of the command at `path`.
    package static func help(for path: [String]) -> String {
        if path.count == 2, path[0] == "security", let command = SecurityCommand.named(path[1]) {
            return SecurityHelp(command).text
        }
        guard let command = Parser(root).command(at: path) else { return "" }
        return HelpText(command, calledBy: [root.name] + path).text
    }

    /// The paths of all commands and groups, for tests of every help text.
    package static var paths: [[String]] {
        [[]] + groups.map { [$0.name] } + actions.map(\.path) + [["security"]]
            + SecurityCommand.all.map { ["security", $0.name] }
    }
}
