/// `--name VALUE`, `--name=VALUE`, `-n VALUE` or `-nVALUE`, at most once.
///
/// ```swift
/// static let port = Option("port", value: "PORT", help: "The port to listen on.") { text throws(Parameter.Invalid) in
///     guard let port = UInt16(text) else { throw Parameter.Invalid("is no port; use 1 to 65535") }
///     return port
/// }
/// ```
package struct Option<Value: Sendable>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    /// Declares an option whose text `parse` turns into a value. `parse` must give the same answer each time, and sees
    /// the empty text only where `allowsEmpty` says so.
    package init(
        _ name: String, letter: Character? = nil, value placeholder: String, help: String, allowsEmpty: Bool = false,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: .option, name: name, letter: letter, placeholder: placeholder, help: help, isRequired: false,
            isRepeated: false, problem: problem(of: parse), allowsEmpty: allowsEmpty)
    }
}

extension Option<String> {
    /// Declares an option whose value is any text; the empty one too where `allowsEmpty` says so.
    package init(
        _ name: String, letter: Character? = nil, value placeholder: String, help: String, allowsEmpty: Bool = false
    ) {
        self.init(name, letter: letter, value: placeholder, help: help, allowsEmpty: allowsEmpty) { $0 }
    }
}

/// An option that may be given several times; the values keep their order.
package struct RepeatedOption<Value: Sendable>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    /// Declares a repeated option.
    package init(
        _ name: String, letter: Character? = nil, value placeholder: String, help: String,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: .option, name: name, letter: letter, placeholder: placeholder, help: help, isRequired: false,
            isRepeated: true, problem: problem(of: parse))
    }
}

/// What `parse` has against a text.
func problem<Value>(
    of parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
) -> @Sendable (String) -> Parameter.Invalid? {
    { text in
        do throws(Parameter.Invalid) {
            _ = try parse(text)
            return nil
        } catch {
            return error
        }
    }
}
