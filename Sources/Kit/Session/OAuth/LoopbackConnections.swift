internal import PavisePrimitives

/// The connections of a loopback listener, each with the little it has said so far.
///
/// Under a flood the newest come in at the expense of the oldest, but each keeps its seat for a moment: a browser says
/// its head at once, and a crowd of silent ones must not push it out between its connection and its first byte.
struct LoopbackConnections: ~Copyable {
    /// How many connections stay open; one more sends the oldest away.
    static let seats = 128
    /// How many come in before everybody is heard.
    static let turn = 32
    /// How long nobody is sent away.
    private static let moment = Duration.milliseconds(50)
    /// The longest request head, in bytes.
    private static let headLimit = 8192
    /// How long a connection may take to say its head.
    private static let patience = Duration.seconds(5)

    private final class Guest {
        let stream: TCPStream
        var head: [UInt8] = []
        let came = ContinuousClock().now

        init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    private let host: String
    private let path: String
    private var guests: [Guest] = []

    init(host: String, path: String) {
        self.host = host
        self.path = path
    }

    /// Whether one more may come in. Whoever has to wait stays with the kernel, and may say its head meanwhile.
    var hasCapacity: Bool {
        guard guests.count >= Self.seats, let oldest = guests.first else { return true }
        return ContinuousClock().now >= oldest.came + Self.moment
    }

    mutating func enter(_ stream: consuming TCPStream) {
        if guests.count >= Self.seats { guests.removeFirst() }
        guests.append(Guest(stream))
    }

    /// Hears everybody once.
    ///
    /// - Returns: Whether the callback came.
    mutating func step(_ judge: LoopbackListener.Judge) -> Bool {
        let now = ContinuousClock().now
        var remaining: [Guest] = []
        var isDone = false
        for guest in guests {
            guard !isDone, now < guest.came + Self.patience else { continue }
            switch hear(guest) {
            case .gone: continue
            case .silent:
                remaining.append(guest)
                continue
            case .said: break
            }
            switch LoopbackRequest(guest.head, limit: Self.headLimit) {
            case .incomplete: remaining.append(guest)
            case .unusable: answer(guest, LoopbackPage.notFound)
            case .get(let target, let named):
                isDone = serve(guest, target, named, judge)
            }
        }
        guests = remaining
        return isDone
    }

    private enum Hearing {
        case said, silent, gone
    }

    private func hear(_ guest: Guest) -> Hearing {
        do {
            let more = try guest.stream.read(upTo: Self.headLimit, within: 0)
            guest.head += more
            return more.isEmpty ? .gone : .said
        } catch {
            return error.isTimeout ? .silent : .gone
        }
    }

    private func serve(_ guest: Guest, _ target: String, _ named: String, _ judge: LoopbackListener.Judge) -> Bool {
        let mark = target.firstIndex(of: "?") ?? target.endIndex
        guard named == host, target[..<mark] == path, mark != target.endIndex,
            judge(String(target[target.index(after: mark)...]))
        else {
            answer(guest, LoopbackPage.notFound)
            return false
        }
        answer(guest, LoopbackPage.done)
        return true
    }

    private func answer(_ guest: Guest, _ page: [UInt8]) {
        try? guest.stream.write(page)
        guest.stream.shutDown()
    }
}
