// The handler by which libraries that log with swift-log (import Logging) write through Pavise. Add this file to your
// app, which has both packages, and call once at its start:
//
//     LoggingSystem.bootstrap { PaviseLogHandler(label: $0, LibraryLog(output)) }
//
// Metadata is not taken: its values are text that nobody has tagged. Pavise itself does not depend on swift-log.
import Logging
import PaviseLog

struct PaviseLogHandler: LogHandler {
    let label: String
    let log: LibraryLog
    var logLevel = Logger.Level.debug
    var metadata: Logger.Metadata = [:]

    init(label: String, _ log: LibraryLog) {
        self.label = label
        self.log = log
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(
        level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
        function: String, line: UInt
    ) {
        log.write(level.paviseLevel, from: label, message.description)
    }
}

extension Logger.Level {
    fileprivate var paviseLevel: LogLevel {
        switch self {
        case .trace, .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning, .error: .error
        case .critical: .fault
        }
    }
}
