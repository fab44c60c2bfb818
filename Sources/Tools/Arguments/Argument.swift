/// A word in its place that must be given.
package struct Argument<Value: Sendable>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    /// Declares an argument, named in capitals.
    package init(
        _ placeholder: String, help: String,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: .argument, name: placeholder, letter: nil, placeholder: placeholder, help: help, isRequired: true,
            isRepeated: false, problem: problem(of: parse))
    }
}

extension Argument<String> {
    /// Declares an argument that is any text.
    package init(_ placeholder: String, help: String) { self.init(placeholder, help: help) { $0 } }
}

/// A word in its place that may be left out.
///
/// When fewer words are given than there are places, the optional places stay empty, the last one first.
package struct OptionalArgument<Value: Sendable>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    /// Declares an optional argument.
    package init(
        _ placeholder: String, help: String,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: .argument, name: placeholder, letter: nil, placeholder: placeholder, help: help, isRequired: false,
            isRepeated: false, problem: problem(of: parse))
    }
}

extension OptionalArgument<String> {
    /// Declares an optional argument that is any text.
    package init(_ placeholder: String, help: String) { self.init(placeholder, help: help) { $0 } }
}

/// The words at the end of a command, as many as are given: at least one, unless `isRequired` is false.
///
/// Only the last argument of a command may be one.
package struct RepeatedArgument<Value: Sendable>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    /// Declares an argument that may be repeated, named in capitals.
    package init(
        _ placeholder: String, help: String, isRequired: Bool = true,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: .argument, name: placeholder, letter: nil, placeholder: placeholder, help: help,
            isRequired: isRequired, isRepeated: true, problem: problem(of: parse))
    }
}

extension RepeatedArgument<String> {
    /// Declares a repeated argument that is any text.
    package init(_ placeholder: String, help: String) { self.init(placeholder, help: help) { $0 } }
}
