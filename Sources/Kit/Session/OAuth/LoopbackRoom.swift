internal import PavisePrimitives

/// The connections of a loopback listener, each with the little it has said so far.
struct LoopbackRoom: ~Copyable {
    /// How many connections stay open; one more sends the oldest away.
    private static let seats = 32
    /// The longest request head, in bytes.
    private static let headLimit = 8192
    /// How long a connection may take to say its head.
    private static let patience = Duration.seconds(5)

    private final class Guest {
        let stream: TCPStream
        var head: [UInt8] = []
        let leaves = ContinuousClock().now + LoopbackRoom.patience

        init(_ stream: consuming TCPStream) { self.stream = stream }
    }

    private let host: String
    private let path: String
    private var guests: [Guest] = []

    init(host: String, path: String) {
        self.host = host
        self.path = path
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
            guard !isDone, guest.leaves > now, hear(guest) else { continue }
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

    // False when the guest has gone.
    private func hear(_ guest: Guest) -> Bool {
        do {
            let more = try guest.stream.read(upTo: Self.headLimit, within: 0)
            guest.head += more
            return !more.isEmpty
        } catch {
            return error.isTimeout
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
        try? guest.stream.write(page.span)
        guest.stream.shutDown()
    }
}
