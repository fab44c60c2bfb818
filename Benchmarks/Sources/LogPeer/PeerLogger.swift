/// A logger in the shape that swift-log 1.x documents, for the measurement alone: the level is asked of the handler
/// behind an existential, a message is a `String` before anybody sees it, each call carries metadata, source and place.
/// Written from its documentation; nothing of it is copied.
public struct PeerLogger: Sendable {
    /// How much a line matters.
    public enum Level: Int, Sendable, Comparable {
        case trace, debug, info, notice, warning, error, critical

        @inlinable
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// What a line says.
    public struct Message: ExpressibleByStringInterpolation, Sendable {
        @usableFromInline let text: String

        @inlinable
        public init(stringLiteral value: String) { text = value }
        @inlinable
        public var description: String { text }
    }

    public typealias Metadata = [String: String]

    /// Who writes lines.
    public protocol Handler: Sendable {
        var level: Level { get set }
        var metadata: Metadata { get set }
        func log(
            _ level: Level, _ message: Message, _ metadata: Metadata?, source: String, file: String, function: String,
            line: UInt)
    }

    @usableFromInline var handler: any Handler
    public let label: String

    public init(label: String, _ handler: any Handler) {
        self.label = label
        self.handler = handler
    }

    @inlinable
    public func debug(
        _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil,
        source: @autoclosure () -> String? = nil, file: String = #fileID, function: String = #function,
        line: UInt = #line
    ) { log(.debug, message(), metadata(), source(), file, function, line) }

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
    public var bytes = 0
    public init() {}
}

public struct PeerHandler: PeerLogger.Handler {
    public var level: PeerLogger.Level
    public var metadata: PeerLogger.Metadata = [:]
    let count: PeerCount

    public init(_ level: PeerLogger.Level, _ count: PeerCount) {
        self.level = level
        self.count = count
    }

    public func log(
        _ level: PeerLogger.Level, _ message: PeerLogger.Message, _ metadata: PeerLogger.Metadata?, source: String,
        file: String, function: String, line: UInt
    ) { count.bytes += message.description.utf8.count }
}
