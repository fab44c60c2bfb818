/// What a command accepts, without the type of its value: enough to parse and to print help.
package struct Parameter: Sendable {
    /// The three shapes.
    package enum Kind: Hashable, Sendable {
        /// A word in its place.
        case argument
        /// A name followed by a value.
        case option
        /// A name alone.
        case flag
    }

    /// Why a text is no value. The words end a sentence that starts with the option's name.
    package struct Invalid: Error, Hashable, Sendable {
        package let reason: String
        package init(_ reason: String) { self.reason = reason }
    }

    package let kind: Kind
    /// The long name without dashes; for an argument the word in capitals.
    package let name: String
    /// The letter behind one dash.
    package let letter: Character?
    /// The word that stands for the value, in capitals.
    package let placeholder: String
    /// One sentence.
    package let help: String
    /// Whether it must be given.
    package let isRequired: Bool
    /// Whether it may be given several times.
    package let isRepeated: Bool
    /// Says why a text is no value; `nil` for a good one.
    package let problem: @Sendable (String) -> Invalid?
    /// Whether the empty text is a value. Names, paths and addresses are never empty: `""` is mostly a variable of a
    /// script that was not set.
    package var allowsEmpty = false

    /// How a person writes it: `--name`, or the placeholder of an argument.
    package var spelling: String { kind == .argument ? placeholder : "--\(name)" }
}

/// Something that declares a ``Parameter``: an option, a flag or an argument.
package protocol Declaration: Sendable {
    /// The declaration without its type.
    var parameter: Parameter { get }
}
