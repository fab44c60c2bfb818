/// What may be shown in a log: numbers, Booleans, durations, and the cases of types that this package made for it.
///
/// Nobody outside can add a type: a text that came from a person or a server would be public with one line of code,
/// and nobody would see it in a review. Words of your own are literals: ``LogCode``.
public protocol LogPublic: Sendable {
    /// What the line shows.
    var logText: String { get }
    /// Only types of this package have one, and none has that of another.
    static var logPublicProof: LogPublicProof<Self> { get }
}

/// Shows that `Value` was meant to be public. Only this package makes one.
public struct LogPublicProof<Value: LogPublic>: Sendable {
    package init() {}
}

/// A word of the program's own, written in its source: `"started"`. No text that is put together at run time becomes
/// one.
///
/// ```swift
/// log.error("sync ended: \(public: LogCode("conflict"))")
/// ```
public struct LogCode: LogPublic, ExpressibleByStringLiteral, Hashable {
    /// The word.
    public let logText: String

    /// The word of a literal.
    public init(stringLiteral value: StaticString) { logText = value.description }
    /// The same by name.
    public init(_ value: StaticString) { logText = value.description }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Self> { LogPublicProof() }
}

extension Bool: LogPublic {
    /// `true` or `false`.
    public var logText: String { description }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Self> { LogPublicProof() }
}

extension Duration: LogPublic {
    /// Seconds with three decimals, for example `1.250 s`.
    public var logText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let rest = String(abs(milliseconds % 1000))
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
    }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Self> { LogPublicProof() }
}

extension FixedWidthInteger where Self: LogPublic {
    /// In decimal digits.
    public var logText: String { String(self) }
}

extension Int: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Int> { LogPublicProof() }
}
extension Int8: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Int8> { LogPublicProof() }
}
extension Int16: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Int16> { LogPublicProof() }
}
extension Int32: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Int32> { LogPublicProof() }
}
extension Int64: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<Int64> { LogPublicProof() }
}
extension UInt: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<UInt> { LogPublicProof() }
}
extension UInt8: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<UInt8> { LogPublicProof() }
}
extension UInt16: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<UInt16> { LogPublicProof() }
}
extension UInt32: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<UInt32> { LogPublicProof() }
}
extension UInt64: LogPublic {
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof<UInt64> { LogPublicProof() }
}
