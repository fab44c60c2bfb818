/// What the loop and its transfers share. Touched under the loop's lock alone.
final class LoopFacts {
    /// Milliseconds of a clock that nobody can set, as of the beginning of the loop's turn: a look at the clock for
    /// each line of a head would cost more than reading the line.
    private(set) var now = EventLoop.clock()
    private var unread: [StreamInbox] = []
    private var lastTold = Int64.min
    private let queue: CommandQueue

    init(queue: CommandQueue) { self.queue = queue }

    /// Puts commands into the loop's queue, from any thread.
    var post: @Sendable (EngineCommand) -> Void { { [queue] in queue.post($0) } }

    /// Looks at the clock.
    func update() { now = EventLoop.clock() }

    /// Bytes lie in `inbox` whose reader was not told yet.
    func note(_ inbox: StreamInbox) {
        if !unread.contains(where: { $0 === inbox }) { unread.append(inbox) }
    }

    /// How long the loop may wait for more bytes before readers are told, in milliseconds; `nil` when they know all.
    ///
    /// The first bytes after a pause are told at once: as soon as a look at the sockets shows that no more are there.
    /// While bytes keep coming, a reader is told once in a millisecond: to wake it for each record costs as much as the
    /// record.
    var patience: Int32? {
        guard !unread.isEmpty else { return nil }
        return now > lastTold ? 0 : 1
    }

    /// Tells readers what lies there if their time has come.
    ///
    /// - Parameter isQuiet: Whether no socket had more bytes. Otherwise they wait for that, for two milliseconds at the
    ///   most.
    func tellReaders(isQuiet: Bool) {
        if now > (isQuiet ? lastTold : lastTold + 2) { tellReaders() }
    }

    /// Tells readers now: before the loop is left to its thread, too.
    func tellReaders() {
        guard !unread.isEmpty else { return }
        lastTold = now
        for inbox in unread { inbox.tell() }
        unread.removeAll(keepingCapacity: true)
    }
}
