public import PavisePrimitives
internal import Synchronization

/// Where lines go: sinks, the second net, the key for `hashed:` values, and the count of what was lost.
///
/// ```swift
/// let output = LogOutput(sinks: [SystemLog(), try SupportLog(folder: folder)], key: try .ofInstallation())
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
        let text = shown(message.resolved(key))
        let entry = LogEntry(
            level: level, subsystem: subsystem, category: category, milliseconds: time.wallMilliseconds, text: text)
        for sink in sinks where !sink.write(entry) { lost.wrappingAdd(1, ordering: .relaxed) }
    }

    /// What a sink gets of a text: its beginning, masked, on one line.
    package func shown(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count > LineEncoding.limit else { return LineEncoding.encoded(masker.masked(bytes)) }
        return LineEncoding.encoded(masker.beginning(of: bytes, upTo: LineEncoding.limit) + LineEncoding.cutMark)
    }
}
