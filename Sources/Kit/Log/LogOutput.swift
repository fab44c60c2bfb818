public import PavisePrimitives
internal import Synchronization

/// Where lines go: sinks, the second net, the key for `hashed:` values, and the count of what was lost.
///
/// ```swift
/// let output = LogOutput(sinks: [SystemLog(), try SupportLog(folder: folder)], key: try? .ofInstallation())
/// let log = Log(subsystem: "org.example.diary", category: "sync", output: output)
/// ```
public final class LogOutput: Sendable {
    /// Lines below it are dropped before anything of them is computed.
    public let minimum: LogLevel
    private let sinks: [any LogSink]
    private let masker: Masker
    private let key: LogKey?
    private let time: TimeSource
    private let lost = Atomic<Int>(0)

    /// An output.
    ///
    /// - Parameters:
    ///   - sinks: Each gets each line.
    ///   - minimum: Lines below it are dropped.
    ///   - policy: What is masked.
    ///   - key: Makes the digits of `hashed:` values; without one they show as `«hashed»`.
    ///   - time: The clock of the entries.
    public init(
        sinks: [any LogSink], minimum: LogLevel = .debug, policy: MaskPolicy = .standard, key: LogKey? = nil,
        time: TimeSource = .system
    ) {
        self.sinks = sinks
        self.minimum = minimum
        masker = Masker(policy, key: key)
        self.key = key
        self.time = time
    }

    /// The system's log: journald, else `/dev/log`, else standard error; on Apple's systems the unified log.
    public static let standard = LogOutput(sinks: [SystemLog()])

    /// How many entries a sink could not take since the start, counted once for each sink.
    public var losses: Int { lost.load(ordering: .relaxed) }

    func write(_ level: LogLevel, _ subsystem: StaticString, _ category: StaticString, _ message: LogMessage) {
        let text = LineEncoding.encoded(masker.masked(LineEncoding.bounded(message.resolved(key))))
        let entry = LogEntry(
            level: level, subsystem: subsystem, category: category, milliseconds: time.wallMilliseconds, text: text)
        for sink in sinks where !sink.write(entry) { lost.wrappingAdd(1, ordering: .relaxed) }
    }
}

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
