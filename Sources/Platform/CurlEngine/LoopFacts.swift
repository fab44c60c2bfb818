/// What the loop and its transfers share. Touched under the loop's lock alone.
final class LoopFacts {
    /// Milliseconds of a clock that nobody can set, as of the beginning of the loop's turn: a look at the clock for each line of
    /// a head would cost more than reading the line.
    private(set) var now = EventLoop.clock()
    private var unread: [StreamInbox] = []
    private var turns = 0

    /// Looks at the clock.
    func update() { now = EventLoop.clock() }

    /// Bytes lie in `inbox` whose reader was not told yet.
    func note(_ inbox: StreamInbox) {
        if !unread.contains(where: { $0 === inbox }) { unread.append(inbox) }
    }

    var hasUnread: Bool { !unread.isEmpty }

    /// Tells readers what lies there, at the latest four turns after the first byte came. A reader that is told of each record
    /// alone costs as much as the record.
    func tellReaders(now isNow: Bool) {
        guard hasUnread else { return }
        turns += 1
        guard isNow || turns > 4 else { return }
        turns = 0
        for inbox in unread { inbox.tell() }
        unread.removeAll(keepingCapacity: true)
    }
}
