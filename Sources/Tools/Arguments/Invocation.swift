/// What a person asked for: a command, and the values for its parameters. All values were checked.
package struct Invocation: Sendable {
    /// The words that name the command, without the program's.
    package let path: [String]
    private let values: [String: [String]]

    init(path: [String], values: [String: [String]]) {
        self.path = path
        self.values = values
    }

    /// The value of an option or of an optional argument; `nil` when it was not given.
    package subscript<Value>(_ parameter: ValueParameter<Value, some GivenAtMostOnce>) -> Value? {
        all(parameter).first
    }

    /// The values of what may be repeated, in their order; the parser has refused a command line without one where one
    /// is required.
    package subscript<Value>(_ parameter: ValueParameter<Value, some GivenRepeatedly>) -> [Value] { all(parameter) }

    /// Whether a flag was given.
    package subscript(_ flag: Flag) -> Bool { values[flag.parameter.spelling] != nil }

    /// The value of an argument.
    ///
    /// - Throws: ``UsageError`` when the command does not declare it; the parser has refused a missing one before.
    package func value<Value>(_ argument: Argument<Value>) throws(UsageError) -> Value {
        guard let value = all(argument).first else {
            throw UsageError(.missingArgument(argument.parameter.placeholder), path: path)
        }
        return value
    }

    private func all<Value, Arity>(_ parameter: ValueParameter<Value, Arity>) -> [Value] {
        (values[parameter.parameter.spelling] ?? []).compactMap { try? parameter.parse($0) }
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
