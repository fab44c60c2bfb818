/// A logger in the shape that swift-log 1.x documents, for the measurement alone: the level is asked of the handler
/// behind an existential, a message is a `String` before anybody sees it, each call carries metadata, source and place.
/// Written from its documentation; nothing of it is copied.
public struct PeerLogger: Sendable {
    /// How much a line matters.
    public enum Level: Int, Sendable, Comparable {
        /// The levels of swift-log, the lowest first.
        case trace, debug, info, notice, warning, error, critical

        /// Whether `one` matters less.
        @inlinable
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// What a line says.
    public struct Message: ExpressibleByStringInterpolation, Sendable {
        @usableFromInline let text: String

        /// A text.
        @inlinable
        public init(stringLiteral value: String) { text = value }
        /// The text.
        @inlinable
        public var description: String { text }
    }

    /// What is told beside a line.
    public typealias Metadata = [String: String]

    /// Who writes lines.
    public protocol Handler: Sendable {
        /// Lines below it are dropped.
        var level: Level { get set }
        /// What is told with each line.
        var metadata: Metadata { get set }
        /// Writes a line.
        func log(
            _ level: Level, _ message: Message, _ metadata: Metadata?, source: String, file: String, function: String,
            line: UInt)
    }

    @usableFromInline var handler: any Handler
    /// Which part of a program.
    public let label: String

    /// A logger of one part, whose lines `handler` writes.
    public init(label: String, _ handler: any Handler) {
        self.label = label
        self.handler = handler
    }

    /// A line for development.
    @inlinable
    public func debug(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) { log(.debug, message(), metadata(), source(), file, function, line) }

    /// A line about a failure.
    @inlinable
    public func error(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) { log(.error, message(), metadata(), source(), file, function, line) }

    @inlinable
    func log(
        _ level: Level, _ message: @autoclosure () -> Message, _ metadata: @autoclosure () -> Metadata?,
        _ source: @autoclosure () -> String?, _ file: String, _ function: String, _ line: UInt
    ) {
        guard handler.level <= level else { return }
        handler.log(
            level, message(), metadata(), source: source() ?? String(file.prefix { $0 != "/" }), file: file,
            function: function, line: line)
    }
}

/// Counts what it gets, as the sink of the other side does.
public final class PeerCount: @unchecked Sendable {
    /// The bytes so far.
    public var bytes = 0
    /// None yet.
    public init() {}
}

/// Writes nothing and counts.
public struct PeerHandler: PeerLogger.Handler {
    /// Lines below it are dropped.
    public var level: PeerLogger.Level
    /// What is told with each line.
    public var metadata: PeerLogger.Metadata = [:]
    let count: PeerCount

    /// A handler from `level` on.
    public init(_ level: PeerLogger.Level, _ count: PeerCount) {
        self.level = level
        self.count = count
    }

    /// Counts the bytes of a line.
    public func log(
        _ level: PeerLogger.Level, _ message: PeerLogger.Message, _ metadata: PeerLogger.Metadata?, source: String,
        file: String, function: String, line: UInt
    ) { count.bytes += message.description.utf8.count }
}
