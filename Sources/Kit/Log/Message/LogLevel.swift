/// How much a line matters.
public enum LogLevel: UInt8, Comparable, Hashable, Sendable, CaseIterable {
    /// The path through the code.
    case debug
    /// What is worth knowing.
    case info
    /// What is worth telling.
    case notice
    /// Something failed.
    case error
    /// The program is wrong.
    case fault

    /// In the order of the cases.
    @inlinable
    public static func < (one: LogLevel, other: LogLevel) -> Bool { one.rawValue < other.rawValue }

    /// The severity of RFC 5424, table 2.
    package var severity: UInt8 {
        switch self {
        case .debug: 7
        case .info: 6
        case .notice: 5
        case .error: 3
        case .fault: 2
        }
    }
}
