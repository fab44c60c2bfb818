/// What may be shown in a log: numbers, Booleans, durations, and the cases of types that this package made for it.
///
/// Nobody outside can add a type: a text that came from a person or a server would be public with one line of code,
/// and nobody would see it in a review. Words of your own are literals: ``LogCode``.
public protocol LogPublic: Sendable {
    /// What the line shows.
    var logText: String { get }
    /// Only types of this package have one.
    static var logPublicProof: LogPublicProof { get }
}

/// Shows that a type was meant to be public. Only this package makes one.
public struct LogPublicProof: Sendable {
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
    public static var logPublicProof: LogPublicProof { LogPublicProof() }
}

extension Bool: LogPublic {
    /// `true` or `false`.
    public var logText: String { description }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof { LogPublicProof() }
}

extension Duration: LogPublic {
    /// Seconds with three decimals, for example `1.250 s`.
    public var logText: String {
        let milliseconds = components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
        let rest = String(abs(milliseconds % 1000))
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest) s"
    }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof { LogPublicProof() }
}

extension FixedWidthInteger where Self: LogPublic {
    /// In decimal digits.
    public var logText: String { String(self) }
    /// See ``LogPublic``.
    public static var logPublicProof: LogPublicProof { LogPublicProof() }
}

extension Int: LogPublic {}
extension Int8: LogPublic {}
extension Int16: LogPublic {}
extension Int32: LogPublic {}
extension Int64: LogPublic {}
extension UInt: LogPublic {}
extension UInt8: LogPublic {}
extension UInt16: LogPublic {}
extension UInt32: LogPublic {}
extension UInt64: LogPublic {}
