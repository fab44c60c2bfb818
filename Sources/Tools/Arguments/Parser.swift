/// Turns the words of a command line into a ``Request``. Pure: it prints nothing and ends nothing.
package struct Parser: Sendable {
    /// The program itself: its name, and its commands as subcommands.
    package let program: Command

    /// A parser for `program`.
    package init(_ program: Command) { self.program = program }

    /// Reads the words behind the program's name.
    ///
    /// `--help` and `-h` anywhere before `--` ask for help, and so does the word `help` before a command;
    /// `--version` is understood before a command.
    package func parse(_ words: [String]) throws(UsageError) -> Request {
        if words.first == "--version" { return .version }
        if words.first == "help" { return .help(try resolve(Array(words.dropFirst())).path) }
        let found = try resolve(words)
        let rest = words.dropFirst(found.path.count)
        guard !rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) else {
            return .help(found.path)
        }
        guard found.command.subcommands.isEmpty else { throw UsageError(.missingCommand, path: found.path) }
        var reading = Reading(command: found.command, path: found.path)
        try reading.read(rest)
        return .run(Invocation(path: found.path, values: try reading.finished()))
    }

    /// The command with this path, or `nil`.
    package func command(at path: [String]) -> Command? {
        var command = program
        for word in path {
            guard let next = command.subcommands.first(where: { $0.name == word }) else { return nil }
            command = next
        }
        return command
    }

    // Follows the words down to the command they name; stops at the first word that is an option or an argument.
    private func resolve(_ words: [String]) throws(UsageError) -> (command: Command, path: [String]) {
        var command = program
        var path: [String] = []
        for word in words {
            guard !command.subcommands.isEmpty, word != "--help", word != "-h" else { break }
            guard !word.hasPrefix("-") else {
                throw UsageError(.unknownOption(Reading.name(of: word), nearest: nearestOption(to: word)), path: path)
            }
            guard let next = command.subcommands.first(where: { $0.name == word }) else {
                guard !word.isEmpty else { throw UsageError(.missingCommand, path: path) }
                let names = command.subcommands.map(\.name)
                throw UsageError(
                    .unknownCommand(word, nearest: Spelling.nearest(to: word, among: names)), path: path)
            }
            command = next
            path.append(word)
        }
        return (command, path)
    }

    private func nearestOption(to word: String) -> String? {
        Spelling.nearest(to: Reading.name(of: word), among: ["--version", "--help"])
    }
}
