/// One line on its way to a sink, masked and encoded.
public struct LogEntry: Sendable {
    /// How much it matters.
    public let level: LogLevel
    /// The app or part.
    public let subsystem: StaticString
    /// The part of it.
    public let category: StaticString
    /// When it was written: milliseconds since 1970.
    public let milliseconds: Int64
    /// One line of UTF-8, at most 4 kB and what encoding adds.
    public let text: [UInt8]
}

/// Takes lines. It must not block: what it cannot take now is lost, and counted.
public protocol LogSink: Sendable {
    /// Takes one entry.
    ///
    /// - Returns: Whether it took it.
    func write(_ entry: LogEntry) -> Bool
}
