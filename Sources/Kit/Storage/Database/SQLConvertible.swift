public import Foundation
public import PaviseProtectedStorage

/// A Swift type that a column can hold. What is stored comes back equal.
public protocol SQLConvertible: Sendable {
    /// What is stored.
    var sqlValue: SQLValue { get }
    /// The value that was stored as `sqlValue`; `nil` for anything else.
    init?(sqlValue: SQLValue)
}

extension SQLConvertible where Self: FixedWidthInteger {
    /// An integer.
    public var sqlValue: SQLValue { .integer(Int64(clamping: self)) }
    /// From an integer in the type's range.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue else { return nil }
        self.init(exactly: number)
    }
}

extension Int: SQLConvertible {}
extension Int64: SQLConvertible {}
extension Int32: SQLConvertible {}
extension Int16: SQLConvertible {}
extension Int8: SQLConvertible {}
extension UInt32: SQLConvertible {}
extension UInt16: SQLConvertible {}
extension UInt8: SQLConvertible {}

extension Bool: SQLConvertible {
    /// 1 or 0.
    public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
    /// From 1 or 0, and from nothing else.
    public init?(sqlValue: SQLValue) {
        guard case .integer(let number) = sqlValue, number == 0 || number == 1 else { return nil }
        self = number == 1
    }
}

extension Double: SQLConvertible {
    /// A number. SQLite has no NaN: it becomes NULL.
    public var sqlValue: SQLValue { isNaN ? .null : .real(self) }
    /// From a number; SQLite stores whole ones as integers in some columns.
    public init?(sqlValue: SQLValue) {
        switch sqlValue {
        case .real(let number): self = number
        case .integer(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: SQLConvertible {
    /// Text.
    public var sqlValue: SQLValue { .text(self) }
    /// From text.
    public init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self = text
    }
}

extension Data: SQLConvertible {
    /// Bytes.
    public var sqlValue: SQLValue { .blob([UInt8](self)) }
    /// From bytes.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let bytes) = sqlValue else { return nil }
        self.init(bytes)
    }
}

extension UUID: SQLConvertible {
    /// 16 bytes.
    public var sqlValue: SQLValue {
        let (a, b) = (uuid, [UInt8].self)
        return .blob(
            b.init([
                a.0, a.1, a.2, a.3, a.4, a.5, a.6, a.7, a.8, a.9, a.10, a.11, a.12, a.13, a.14, a.15,
            ]))
    }
    /// From 16 bytes.
    public init?(sqlValue: SQLValue) {
        guard case .blob(let b) = sqlValue, b.count == 16 else { return nil }
        self.init(
            uuid: (
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]
            ))
    }
}

extension Date: SQLConvertible {
    /// Seconds since 2001-01-01 00:00 UTC, as `Date` itself counts: it comes back equal.
    public var sqlValue: SQLValue { .real(timeIntervalSinceReferenceDate) }
    /// From a number of seconds.
    public init?(sqlValue: SQLValue) {
        guard let seconds = Double(sqlValue: sqlValue) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension SQLValue: SQLConvertible {
    /// Itself.
    public var sqlValue: SQLValue { self }
    /// Itself.
    public init?(sqlValue: SQLValue) { self = sqlValue }
}

extension Optional: SQLConvertible where Wrapped: SQLConvertible {
    /// The value, or NULL.
    public var sqlValue: SQLValue { self?.sqlValue ?? .null }
    /// From NULL, or what the type takes.
    public init?(sqlValue: SQLValue) {
        guard sqlValue != .null else {
            self = .none
            return
        }
        guard let value = Wrapped(sqlValue: sqlValue) else { return nil }
        self = .some(value)
    }
}

extension SQLConvertible where Self: RawRepresentable, RawValue: SQLConvertible {
    /// The raw value.
    public var sqlValue: SQLValue { rawValue.sqlValue }
    /// From a raw value that is one of the type's.
    public init?(sqlValue: SQLValue) {
        guard let raw = RawValue(sqlValue: sqlValue) else { return nil }
        self.init(rawValue: raw)
    }
}
