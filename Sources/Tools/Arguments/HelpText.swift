/// The help of a command, 80 columns wide.
package struct HelpText: Sendable {
    private let command: Command
    private let words: [String]
    private static let width = 80
    private static let column = 28

    /// The help of `command`, which is called by typing `words` (the program's name first).
    package init(_ command: Command, calledBy words: [String]) {
        self.command = command
        self.words = words
    }

    /// The whole text, with a line end at its end.
    package var text: String {
        let parts = [
            Self.wrapped(command.abstract, indent: 0),
            "Usage: \(usage)",
            Self.paragraphs(command.discussion),
            Self.section("Arguments", command.arguments.map { ($0.placeholder, $0.help) }),
            Self.section("Commands", command.subcommands.map { ($0.name, $0.abstract) }),
            Self.section("Options", options),
            Self.examples(command.examples),
            command.subcommands.isEmpty ? "" : "“\(words[0]) help \(tail)COMMAND” says more about a command.",
        ]
        return parts.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    /// The line that says what may follow the command.
    package var usage: String {
        let places = command.arguments.map { place in
            let word = place.isRepeated ? "\(place.placeholder)…" : place.placeholder
            return place.isRequired ? word : "[\(word)]"
        }
        let options = command.namedParameters.isEmpty ? [] : ["[options]"]
        let commands = command.subcommands.isEmpty ? [] : ["COMMAND"]
        return (words + options + commands + places).joined(separator: " ")
    }

    private var tail: String { words.dropFirst().map { $0 + " " }.joined() }

    private var options: [(String, String)] {
        let own = command.namedParameters.map { parameter in
            let letter = parameter.letter.map { "-\($0), " } ?? "    "
            let value = parameter.kind == .option ? " \(parameter.placeholder)" : ""
            return (
                letter + parameter.spelling + value, parameter.help + (parameter.isRepeated ? " May be repeated." : "")
            )
        }
        let version = words.count == 1 ? [("    --version", "Show the version.")] : []
        return own + version + [("-h, --help", "Show this help.")]
    }

    /// The examples under their title; nothing when there are none.
    package static func examples(_ examples: [Command.Example]) -> String {
        guard !examples.isEmpty else { return "" }
        let lines = examples.map { "  \($0.line)\n" + wrapped($0.meaning, indent: 6) }
        return "Examples:\n" + lines.joined(separator: "\n")
    }

    /// Two columns under a title; nothing when there are no rows.
    package static func section(_ title: String, _ rows: [(String, String)]) -> String {
        guard !rows.isEmpty else { return "" }
        return "\(title):\n" + rows.map { row($0.0, $0.1) }.joined(separator: "\n")
    }

    private static func row(_ left: String, _ right: String) -> String {
        let text = wrapped(right, indent: column)
        let head = "  " + left
        guard head.count < column - 1 else { return "\(head)\n\(text)" }
        return head + text.dropFirst(head.count)
    }

    /// Text wrapped to the width; an empty line parts paragraphs.
    package static func paragraphs(_ text: String) -> String {
        text.split(separator: "\n\n").map { wrapped(String($0), indent: 0) }.joined(separator: "\n\n")
    }

    private static func wrapped(_ text: String, indent: Int) -> String {
        let margin = String(repeating: " ", count: indent)
        var lines: [String] = []
        var line = ""
        for word in text.split(whereSeparator: \.isWhitespace) {
            if !line.isEmpty && indent + line.count + 1 + word.count > width {
                lines.append(margin + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + word
        }
        return (lines + [margin + line]).filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
    }
}
