internal import PaviseArguments

/// The help of a `security` command. Its letters come without long names, as on macOS.
struct SecurityHelp {
    private let command: SecurityCommand

    init(_ command: SecurityCommand) { self.command = command }

    /// The line that says what may follow the command.
    var usage: String {
        let options = command.options.isEmpty ? [] : ["[options]"]
        return "Usage: " + (["security", command.name] + options + [command.operands]).joined(separator: " ")
    }

    /// The whole text, with a line end at its end.
    var text: String {
        let parts = [
            command.abstract, usage, HelpText.paragraphs(command.discussion), options, examples,
            """
            Exit status: 0 done, 1 refused, 2 usage, 44 not found, 45 exists already,\n36 locked, 51 wrong credential.
            """,
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var options: String {
        let rows = command.options.sorted(by: isBefore).map { option in
            ("-\(option.letter) \(option.placeholder)", option.help)
        }
        return HelpText.section("Options", rows + [("-h", "Show this help.")])
    }

    private var examples: String { HelpText.examples(command.examples) }

    private func isBefore(_ one: SecurityOption, _ other: SecurityOption) -> Bool {
        let letters = (one.letter.lowercased(), other.letter.lowercased())
        return letters.0 == letters.1 ? one.letter > other.letter : letters.0 < letters.1
    }
}
