// The unified log, in memory, as far as Pavise names it: https://developer.apple.com/documentation/os/logger
// Pages: https://developer.apple.com/documentation/os/ and the name in lower case.
internal import Synchronization

/// What is shown of a value; without a word, a text is private.
public struct OSLogPrivacy: Hashable, Sendable {
    public static let `public` = OSLogPrivacy(isShown: true)
    public static let `private` = OSLogPrivacy(isShown: false)
    let isShown: Bool
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}
    public mutating func appendLiteral(_ literal: String) { text += literal }
    public mutating func appendInterpolation(
        _ argumentString: @autoclosure @escaping () -> String, privacy: OSLogPrivacy = .private
    ) { text += privacy.isShown ? argumentString() : "<private>" }
}

public struct OSLogMessage: ExpressibleByStringInterpolation {
    let text: String
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
    public init(stringLiteral value: String) { text = value }
}

public struct Logger: Sendable {
    private let subsystem: String
    private let category: String

    public init(subsystem: String, category: String) {
        self.subsystem = subsystem
        self.category = category
    }

    public func debug(_ message: OSLogMessage) { write("debug", message) }
    public func info(_ message: OSLogMessage) { write("info", message) }
    public func notice(_ message: OSLogMessage) { write("notice", message) }
    public func error(_ message: OSLogMessage) { write("error", message) }
    public func fault(_ message: OSLogMessage) { write("fault", message) }

    private func write(_ level: String, _ message: OSLogMessage) {
        WrittenLog.lines.withLock { $0.append("\(level) \(subsystem) \(category): \(message.text)") }
    }
}

/// What anybody reads in the log.
public enum WrittenLog {
    static let lines = Mutex<[String]>([])

    /// What was written since the last time.
    public static func take() -> [String] {
        lines.withLock { lines in
            defer { lines = [] }
            return lines
        }
    }
}
