#if canImport(Glibc)
internal import PavisePrimitives

/// The system's log: journald by its native protocol, else `/dev/log` (RFC 3164), else standard error with
/// journald's prefix `<3>`.
///
/// Which one is found at each entry: a service that comes back is used again, and a socket that a dead service left
/// is passed over. Nothing is waited for.
public struct SystemLog: LogSink {
    private let journal: LogSocket?
    private let syslog: LogSocket?
    private let descriptor: Int32
    private let paths: (journal: String, syslog: String)

    /// The system's own.
    public init() { self.init(journal: "/run/systemd/journal/socket", syslog: "/dev/log", descriptor: 2) }

    /// Sockets and a stream of a test's own.
    package init(journal: String, syslog: String, descriptor: Int32) {
        self.journal = try? LogSocket(journal)
        self.syslog = try? LogSocket(syslog)
        self.descriptor = descriptor
        paths = (journal, syslog)
    }

    /// Sends the entry to the first of the three that is there. One that is there and full loses it.
    public func write(_ entry: LogEntry) -> Bool {
        if let journal, LogSocket.isThere(paths.journal) {
            let delivery = journal.deliver(JournalEncoder.encode(entry), orAsFile: true)
            if delivery != .absent { return delivery == .taken }
        }
        if let syslog, LogSocket.isThere(paths.syslog) {
            let delivery = syslog.deliver(Self.syslogLine(entry), orAsFile: false)
            if delivery != .absent { return delivery == .taken }
        }
        return LogStream.write(Self.streamLine(entry), to: descriptor) == 0
    }

    // Facility 1, user-level messages.
    static func syslogLine(_ entry: LogEntry) -> [UInt8] {
        Array("<\(8 + entry.level.severity)>\(entry.subsystem): ".utf8) + entry.text
    }

    // A pipe takes 4096 bytes as one piece.
    static func streamLine(_ entry: LogEntry) -> [UInt8] {
        let line = Array("<\(entry.level.severity)>\(entry.subsystem) \(entry.category): ".utf8) + entry.text
        guard line.count > 4095 else { return line + [10] }
        let mark = LineEncoding.cutMark
        return LineEncoding.beginning(of: line, upTo: 4095 - mark.count) + mark + [10]
    }
}
#endif
