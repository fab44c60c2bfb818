#if canImport(os)
internal import os

/// The unified log. The text has nothing private in it any more, so it is public there: what was private is
/// `«private»` already, also for whoever reads the log back with `OSLogStore`, which gives Apple's own private
/// values in clear to the process itself.
public struct SystemLog: LogSink {
    /// The system's own.
    public init() {}

    /// Writes to the unified log.
    public func write(_ entry: LogEntry) -> Bool {
        let logger = Logger(subsystem: entry.subsystem.description, category: entry.category.description)
        let text = String(decoding: entry.text, as: UTF8.self)
        switch entry.level {
        case .debug: logger.debug("\(text, privacy: .public)")
        case .info: logger.info("\(text, privacy: .public)")
        case .notice: logger.notice("\(text, privacy: .public)")
        case .error: logger.error("\(text, privacy: .public)")
        case .fault: logger.fault("\(text, privacy: .public)")
        }
        return true
    }
}
#endif
