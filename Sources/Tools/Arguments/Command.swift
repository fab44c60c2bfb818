/// A word that a person types after the program's name, and what may follow it.
///
/// A command is a value that describes; what it does is written elsewhere and finds its input in an ``Invocation``.
package struct Command: Sendable {
    /// A line to type, and what it does.
    package struct Example: Hashable, Sendable {
        package let line: String
        package let meaning: String
        package init(_ line: String, _ meaning: String) {
            self.line = line
            self.meaning = meaning
        }
    }

    /// The word itself.
    package let name: String
    /// One sentence.
    package let abstract: String
    /// What a person should know beyond that; paragraphs are parted by an empty line.
    package let discussion: String
    /// In the order of the help.
    package let parameters: [Parameter]
    package let examples: [Example]
    /// A command has either parameters or subcommands.
    package let subcommands: [Command]

    /// A command that does something.
    package init(
        _ name: String, abstract: String, discussion: String = "", parameters: [any Declaration] = [],
        examples: [Example] = []
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        self.parameters = parameters.map(\.parameter)
        self.examples = examples
        subcommands = []
    }

    /// A command that only groups others.
    package init(
        _ name: String, abstract: String, discussion: String = "", examples: [Example] = [], subcommands: [Command]
    ) {
        self.name = name
        self.abstract = abstract
        self.discussion = discussion
        parameters = []
        self.examples = examples
        self.subcommands = subcommands
    }

    var arguments: [Parameter] { parameters.filter { $0.kind == .argument } }
    var namedParameters: [Parameter] { parameters.filter { $0.kind != .argument } }
}
