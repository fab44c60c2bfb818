internal import PavisePrimitives

/// The connections of a loopback listener, each with the little it has said so far.
///
/// Under a flood the newest come in at the expense of the oldest, but each stays for a moment: a browser says its
/// head at once, and a crowd of silent ones must not push it out between its connection and its first byte.
struct LoopbackConnections: ~Copyable {
    /// How many connections stay open; one more sends the oldest away.
    static let limit = 128
    /// How many come in before all are read.
    static let turn = 32
    /// How long none is closed.
    private static let moment = Duration.milliseconds(50)
    /// The longest request head, in bytes.
    private static let headLimit = 8192
    /// How long a connection may take to say its head.
    private static let timeout = Duration.seconds(5)

    private final class Connection {
        let stream: TCPStream
        var head: [UInt8] = []
        let came = ContinuousClock().now

        init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    private let host: String
    private let path: String
    private var connections: [Connection] = []

    init(host: String, path: String) {
        self.host = host
        self.path = path
    }

    /// Whether one more may come in. Whoever has to wait stays with the kernel, and may say its head meanwhile.
    var hasCapacity: Bool {
        guard connections.count >= Self.limit, let oldest = connections.first else { return true }
        return ContinuousClock().now >= oldest.came + Self.moment
    }

    mutating func enter(_ stream: consuming TCPStream) {
        if connections.count >= Self.limit { connections.removeFirst() }
        connections.append(Connection(stream))
    }

    /// Reads from each once.
    ///
    /// - Returns: Whether the callback came.
    mutating func step(_ judge: LoopbackListener.Judge) -> Bool {
        let now = ContinuousClock().now
        var remaining: [Connection] = []
        var isDone = false
        for connection in connections {
            guard !isDone, now < connection.came + Self.timeout else { continue }
            switch read(connection) {
            case .gone: continue
            case .silent:
                remaining.append(connection)
                continue
            case .said: break
            }
            switch LoopbackRequest(connection.head, limit: Self.headLimit) {
            case .incomplete: remaining.append(connection)
            case .unusable: answer(connection, LoopbackPage.notFound)
            case .get(let target, let named):
                isDone = serve(connection, target, named, judge)
            }
        }
        connections = remaining
        return isDone
    }

    private enum ReadOutcome {
        case said, silent, gone
    }

    private func read(_ connection: Connection) -> ReadOutcome {
        do {
            let more = try connection.stream.read(upTo: Self.headLimit, within: 0)
            connection.head += more
            return more.isEmpty ? .gone : .said
        } catch {
            return error.isTimeout ? .silent : .gone
        }
    }

    private func serve(_ connection: Connection, _ target: String, _ named: String, _ judge: LoopbackListener.Judge)
        -> Bool
    {
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        guard named == host, target[..<mark] == path, mark != target.endIndex,
            judge(String(target[target.index(after: mark)...]))
        else {
            answer(connection, LoopbackPage.notFound)
            return false
        }
        answer(connection, LoopbackPage.done)
        return true
    }

    private func answer(_ connection: Connection, _ page: [UInt8]) {
        try? connection.stream.write(page)
        connection.stream.shutDown()
    }
}
