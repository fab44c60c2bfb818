public import PavisePrimitives

/// What a log line says: literal text, and values that are private unless their type is public.
///
/// ```swift
/// log.error("sign-in of \(email) failed after \(public: tries) tries")
/// // sign-in of «private» failed after 3 tries
/// log.error("the server of \(hashed: email) answered \(public: status)")
/// // the server of «hashed 5f1d2c9a» answered 503
/// ```
///
/// There is no way to make one from a `String`: text of a person or a server gets in as a private value, or does not
/// compile. A private value is not even computed.
public struct LogMessage: ExpressibleByStringInterpolation, Sendable {
    /// Literal text and public values, in UTF-8.
    var text: [UInt8]
    /// Values that are shown as digits under the installation's key, and where.
    var hashed: [(place: Int, value: [UInt8])]

    /// A message without values.
    public init(stringLiteral value: StaticString) {
        text = Array(value.description.utf8)
        hashed = []
    }

    /// A message with values.
    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        hashed = stringInterpolation.hashed
    }

    /// The text of an entry; `key` makes the digits.
    func resolved(_ key: LogKey?) -> [UInt8] {
        guard !hashed.isEmpty else { return text }
        var result: [UInt8] = []
        var done = 0
        for (place, value) in hashed {
            result += text[done..<place]
            result += (key.map { "«hashed \($0.digits(of: value))»" } ?? "«hashed»").utf8
            done = place
        }
        return result + text[done...]
    }

    /// Collects the pieces of a message.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        var text: [UInt8] = []
        var hashed: [(place: Int, value: [UInt8])] = []
        private static let dark = Array("«private»".utf8)

        /// Called by the compiler.
        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 12 * interpolationCount)
        }

        /// The text between values.
        public mutating func appendLiteral(_ literal: StaticString) {
            text.append(contentsOf: literal.description.utf8)
        }

        /// A private value: the line shows `«private»`, and the expression is not evaluated.
        public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value) { text += Self.dark }

        /// A public value: an integer, a Boolean, a duration, a ``LogCode``, a case of this package's own types.
        public mutating func appendInterpolation<Value: LogPublic>(public value: Value) {
            text.append(contentsOf: value.logText.utf8)
        }

        /// A value that can be recognised and not read: 8 digits under the installation's key.
        public mutating func appendInterpolation(hashed value: String) {
            hashed.append((text.count, Array(value.utf8)))
        }

        /// An error: its domain and code, or its type and case. No text of it, no `userInfo`, no associated value.
        public mutating func appendInterpolation(error: some Error) {
            text.append(contentsOf: ErrorName.name(of: error).utf8)
        }

        /// Does not compile.
        @available(
            *, unavailable,
            message: "A secret is never in a log, not even as a place in a line. Say what is done with it."
        )
        public mutating func appendInterpolation(_ value: borrowing SecretBytes) {}

        /// Does not compile.
        @available(
            *, unavailable,
            message: "Text is never public in a log. Use \\(value), \\(hashed: value), or LogCode of a literal."
        )
        public mutating func appendInterpolation(public value: String) {}

        /// Does not compile.
        @available(
            *, unavailable,
            message: "Only integers, Bool, Duration, LogCode and Pavise's own types can be public in a log."
        )
        public mutating func appendInterpolation<Value>(public value: Value) {}
    }
}

/// The name of an error without anything that is in it.
enum ErrorName {
    static func name(of error: some Error) -> String {
        guard let name = caseName(of: error) else { return "\(error._domain) \(error._code)" }
        return "\(type(of: error)).\(name)"
    }

    private static func caseName(of error: some Error) -> String? {
        // Asked of the type: with Foundation an error itself is taken for an NSError, which has a description.
        let type: Any.Type = type(of: error)
        // Whoever describes a value himself may say anything of it, also in place of a case's name.
        guard !(type is any CustomReflectable.Type) else { return nil }
        let mirror = Mirror(reflecting: error)
        guard mirror.displayStyle == .enum else { return nil }
        // The label of a payload is the case's name; the payload is not described.
        if let name = mirror.children.first?.label { return name }
        // A case without one is described by its name.
        let isOwn = type is any CustomStringConvertible.Type || type is any CustomDebugStringConvertible.Type
        return isOwn || type is any TextOutputStreamable.Type ? nil : "\(error)"
    }
}
