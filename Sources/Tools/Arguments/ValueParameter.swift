/// A parameter with a value: an option or an argument. `Arity` says which, how often it may be given, and so what an
/// ``Invocation`` has of it.
package struct ValueParameter<Value: Sendable, Arity: ParameterArity>: Declaration {
    package let parameter: Parameter
    let parse: @Sendable (String) throws(Parameter.Invalid) -> Value

    private init(
        _ kind: Parameter.Kind, _ name: String, letter: Character? = nil, placeholder: String, help: String,
        isRequired: Bool = Arity.isRequired, allowsEmpty: Bool = false,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.parse = parse
        parameter = Parameter(
            kind: kind, name: name, letter: letter, placeholder: placeholder, help: help, isRequired: isRequired,
            isRepeated: Arity.isRepeated,
            problem: { text in
                do throws(Parameter.Invalid) { _ = try parse(text) } catch { return error }
                return nil
            }, allowsEmpty: allowsEmpty)
    }
}

extension ValueParameter where Arity: ArgumentArity {
    /// Declares an argument, named in capitals.
    package init(
        _ placeholder: String, help: String, parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.init(.argument, placeholder, placeholder: placeholder, help: help, parse: parse)
    }

    /// Declares an argument that is any text.
    package init(_ placeholder: String, help: String) where Value == String {
        self.init(placeholder, help: help) { $0 }
    }
}

extension ValueParameter where Arity == OneOrMore {
    /// Declares an argument that may be repeated, and left out altogether where it is not required.
    package init(
        _ placeholder: String, help: String, isRequired: Bool,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.init(.argument, placeholder, placeholder: placeholder, help: help, isRequired: isRequired, parse: parse)
    }
}

extension ValueParameter where Arity: OptionArity {
    /// Declares an option whose text `parse` turns into a value. `parse` must give the same answer each time, and sees
    /// the empty text only where `allowsEmpty` says so.
    package init(
        _ name: String, letter: Character? = nil, value placeholder: String, help: String, allowsEmpty: Bool = false,
        parse: @escaping @Sendable (String) throws(Parameter.Invalid) -> Value
    ) {
        self.init(
            .option, name, letter: letter, placeholder: placeholder, help: help, allowsEmpty: allowsEmpty, parse: parse)
    }

    /// Declares an option whose value is any text; the empty one too where `allowsEmpty` says so.
    package init(
        _ name: String, letter: Character? = nil, value placeholder: String, help: String, allowsEmpty: Bool = false
    ) where Value == String {
        self.init(name, letter: letter, value: placeholder, help: help, allowsEmpty: allowsEmpty) { $0 }
    }
}

/// How often a parameter may be given.
package protocol ParameterArity: Sendable {
    /// Whether it must be given.
    static var isRequired: Bool { get }
    /// Whether it may be given several times.
    static var isRepeated: Bool { get }
}

/// That of a word in its place.
package protocol ArgumentArity: ParameterArity {}

/// That of a name followed by a value.
package protocol OptionArity: ParameterArity {}

/// That of what a command reads as a value or nothing.
package protocol GivenAtMostOnce: ParameterArity {}

/// That of what a command reads as a list.
package protocol GivenRepeatedly: ParameterArity {}

extension ParameterArity {
    /// Most may be left out.
    package static var isRequired: Bool { false }
    /// Most are given once.
    package static var isRepeated: Bool { false }
}

/// See ``Argument``.
package enum ExactlyOne: ArgumentArity { package static let isRequired = true }
/// See ``OptionalArgument``.
package enum AtMostOne: ArgumentArity, GivenAtMostOnce {}
/// See ``RepeatedArgument``.
package enum OneOrMore: ArgumentArity, GivenRepeatedly {
    package static let isRequired = true
    package static let isRepeated = true
}
/// See ``Option``.
package enum OneValue: OptionArity, GivenAtMostOnce {}
/// See ``RepeatedOption``.
package enum ManyValues: OptionArity, GivenRepeatedly { package static let isRepeated = true }

/// A word in its place that must be given.
package typealias Argument<Value: Sendable> = ValueParameter<Value, ExactlyOne>

/// A word in its place that may be left out.
///
/// When fewer words are given than there are places, the optional places stay empty, the last one first.
package typealias OptionalArgument<Value: Sendable> = ValueParameter<Value, AtMostOne>

/// The words at the end of a command, as many as are given. Only the last argument of a command may be one.
package typealias RepeatedArgument<Value: Sendable> = ValueParameter<Value, OneOrMore>

/// `--name VALUE`, `--name=VALUE`, `-n VALUE` or `-nVALUE`, at most once.
///
/// ```swift
/// static let port = Option("port", value: "PORT", help: "The port to listen on.") { text throws(Parameter.Invalid) in
///     guard let port = UInt16(text) else { throw Parameter.Invalid("is no port; use 1 to 65535") }
///     return port
/// }
/// ```
package typealias Option<Value: Sendable> = ValueParameter<Value, OneValue>

/// An option that may be given several times; the values keep their order.
package typealias RepeatedOption<Value: Sendable> = ValueParameter<Value, ManyValues>
