package import PaviseArguments
internal import PavisePrimitives

/// The commands of a program, and the way from words to a status. It never ends the process itself.
package struct CommandSet: Sendable {
    /// The whole program as one command; its name is the program's.
    package let root: Command
    /// All commands with the words that name them, in the order of the help.
    package let actions: [(path: [String], action: Action)]

    package init(root: Command, actions: [(path: [String], action: Action)]) {
        self.root = root
        self.actions = actions
    }

    /// The subcommands of a root: single commands, and groups with an abstract of their own.
    package static func subcommands(
        of actions: [(path: [String], action: Action)], groups: [(name: String, abstract: String)]
    ) -> [Command] {
        var commands: [Command] = []
        for (path, action) in actions where !commands.contains(where: { $0.name == path[0] }) {
            guard path.count > 1 else {
                commands.append(action.command)
                continue
            }
            commands.append(
                Command(
                    path[0], abstract: groups.first { $0.name == path[0] }?.abstract ?? "",
                    subcommands: actions.filter { $0.path.count == 2 && $0.path[0] == path[0] }.map(\.action.command)))
        }
        return commands
    }

    /// Runs one command.
    package func run(_ words: [String], in environment: Environment) async -> ProgramStatus {
        if let refused = environment.refusal(ofBytesIn: words) { return refused }
        // Who reads JSON gets it also where the line is not understood.
        var asJSON = words.prefix { $0 != "--" }.contains("--json")
        do {
            switch try Parser(root).parse(words) {
            case .version: try environment.console.show(text: "\(root.name) \(Program.version)\n")
            case .help(let path): try environment.console.show(text: help(for: path))
            case .run(let invocation):
                asJSON = invocation[Shared.json]
                try await action(at: invocation.path)?.run(invocation, environment)
            }
            return .done
        } catch {
            guard let error = error as? UsageError else {
                let failure = environment.noted(CommandFailure(describing: error))
                if !failure.isReported { environment.console.show(failure, asJSON: asJSON) }
                return failure.status
            }
            environment.console.show(CommandFailure(.usage, error.message(program: root.name)), asJSON: asJSON)
            return .usage
        }
    }

    /// The help of the command at `path`; empty where there is none.
    package func help(for path: [String]) -> String {
        guard let command = Parser(root).command(at: path) else { return "" }
        return HelpText(command, calledBy: [root.name] + path).text
    }

    private func action(at path: [String]) -> Action? { actions.first { $0.path == path }?.action }
}

extension Environment {
    /// Refuses words (without the program's name) that are no text, and says so. Swift puts U+FFFD in the place of
    /// bytes that are no UTF-8: two names would be one, and the file that is written another's.
    ///
    /// - Returns: The status of the refusal; `nil` where all words are text.
    func refusal(ofBytesIn words: [String]) -> ProgramStatus? {
        guard words.contains(where: { $0.unicodeScalars.contains("\u{FFFD}") }) else { return nil }
        let message = "An argument has bytes that are no UTF-8, or U+FFFD. Nothing was done; write it in UTF-8."
        console.show(CommandFailure(.usage, message), asJSON: words.prefix { $0 != "--" }.contains("--json"))
        return .usage
    }
}
