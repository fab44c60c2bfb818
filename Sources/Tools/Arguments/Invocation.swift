/// What a person asked for: a command, and the values for its parameters. All values were checked.
package struct Invocation: Sendable {
    /// The words that name the command, without the program's.
    package let path: [String]
    private let values: [String: [String]]

    init(path: [String], values: [String: [String]]) {
        self.path = path
        self.values = values
    }

    /// The value of an option, or `nil` when it was not given.
    package subscript<Value>(_ option: Option<Value>) -> Value? { first(option.parameter, option.parse) }

    /// The values of a repeated option in their order.
    package subscript<Value>(_ option: RepeatedOption<Value>) -> [Value] {
        (values[option.parameter.spelling] ?? []).compactMap { try? option.parse($0) }
    }

    /// Whether a flag was given.
    package subscript(_ flag: Flag) -> Bool { values[flag.parameter.spelling] != nil }

    /// The value of an optional argument.
    package subscript<Value>(_ argument: OptionalArgument<Value>) -> Value? {
        first(argument.parameter, argument.parse)
    }

    /// The values of a repeated argument in their order; the parser has refused a command line without any.
    package subscript<Value>(_ argument: RepeatedArgument<Value>) -> [Value] {
        (values[argument.parameter.spelling] ?? []).compactMap { try? argument.parse($0) }
    }

    /// The value of an argument.
    ///
    /// - Throws: ``UsageError`` when the command does not declare it; the parser has refused a missing one before.
    package func value<Value>(_ argument: Argument<Value>) throws(UsageError) -> Value {
        guard let value = first(argument.parameter, argument.parse) else {
            throw UsageError(.missingArgument(argument.parameter.placeholder), path: path)
        }
        return value
    }

    private func first<Value>(
        _ parameter: Parameter, _ parse: (String) throws(Parameter.Invalid) -> Value
    ) -> Value? {
        values[parameter.spelling]?.first.flatMap { try? parse($0) }
    }
}

/// What the parser understood.
package enum Request: Sendable {
    /// Do this.
    case run(Invocation)
    /// Show the help of the command with this path.
    case help([String])
    /// Show the program's version.
    case version
}
