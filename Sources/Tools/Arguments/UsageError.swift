/// A command line that cannot be understood, and what to write instead.
///
/// The words never repeat the value of an argument: it may be a password that was typed in the wrong place.
package struct UsageError: Error, Hashable, Sendable {
    /// What is wrong.
    package enum Problem: Hashable, Sendable {
        case missingCommand
        case unknownCommand(String, nearest: String?)
        case unknownOption(String, nearest: String?)
        case missingValue(option: String, placeholder: String)
        case unexpectedValue(flag: String)
        case repeated(String)
        case missingArgument(String)
        case unexpectedArgument(expected: Int)
        case invalid(String, reason: String)
        /// A rule between parameters that the command itself knows, in whole sentences.
        case rule(String)
    }

    package let problem: Problem
    /// The words of the command that was meant, without the program's.
    package let path: [String]

    package init(_ problem: Problem, path: [String]) {
        self.problem = problem
        self.path = path
    }

    /// What to print: the problem, the nearest spelling, and where the help is.
    package func message(program: String) -> String {
        let help = ([program, "help"] + path).joined(separator: " ")
        return "\(sentence) See “\(help)”."
    }

    private var sentence: String {
        switch problem {
        case .missingCommand: "A command is missing."
        case .unknownCommand(let word, let nearest): "There is no command “\(Self.shown(word))”.\(Self.hint(nearest))"
        case .unknownOption(let word, let nearest): "There is no option “\(Self.shown(word))”.\(Self.hint(nearest))"
        case .missingValue(let option, let placeholder):
            """
            \(option) needs a value: write \(option) \(placeholder), or \(option)=\(placeholder) where it starts with \
            a dash.
            """
        case .unexpectedValue(let flag): "\(flag) takes no value."
        case .repeated(let option): "\(option) may be given only once."
        case .missingArgument(let placeholder): "\(placeholder) is missing."
        case .unexpectedArgument(0): "This command takes no arguments."
        case .unexpectedArgument(1): "This command takes one argument; there are more."
        case .unexpectedArgument(let count): "This command takes \(count) arguments; there are more."
        case .invalid(let name, let reason): "\(name) \(reason)."
        case .rule(let sentences): sentences
        }
    }

    private static func hint(_ nearest: String?) -> String { nearest.map { " Did you mean “\($0)”?" } ?? "" }

    // What came from outside may hold control sequences for the terminal, and any length.
    private static func shown(_ word: String) -> String {
        let scalars = word.unicodeScalars.prefix(48).map { scalar -> Character in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
            default: Character(scalar)
            }
        }
        return String(scalars) + (word.unicodeScalars.count > 48 ? "…" : "")
    }
}
