internal import LogPeer
internal import PaviseLog
internal import Synchronization

/// Counts what it gets and keeps nothing.
private final class CountingSink: LogSink {
    let bytes = Atomic<Int>(0)
    func write(_ entry: LogEntry) -> Bool {
        bytes.wrappingAdd(entry.text.count, ordering: .relaxed)
        return true
    }
}

/// What the lines are about; the compiler does not know it.
private struct Upload {
    var title = "Night of the 27th, long and restless"
    var status = 503
    var tries = 3
    var account = "jane@example.org"
}

@inline(never)
private func dropped(_ log: Log, _ upload: Upload) {
    log.error("upload of \(upload.title) for \(upload.account) failed: status \(public: upload.status)")
}

@inline(never)
private func notBuilt(_ log: Log, _ upload: Upload) {
    log.debug("upload of \(upload.title) for \(upload.account) failed: status \(public: upload.status)")
}

@inline(never)
private func droppedByPeer(_ log: PeerLogger, _ upload: Upload) {
    log.debug("upload of \(upload.title) for \(upload.account) failed: status \(upload.status)")
}

@inline(never)
private func kept(_ log: Log, _ upload: Upload) {
    log.error(
        """
        upload of \(upload.title) for \(upload.account) failed after \(public: upload.tries) tries: status \
        \(public: upload.status), the rest of the queue waits for a network
        """)
}

@inline(never)
private func keptByPeer(_ log: PeerLogger, _ upload: Upload) {
    log.error(
        """
        upload of \(upload.title) for \(upload.account) failed after \(upload.tries) tries: status \(upload.status), \
        the rest of the queue waits for a network
        """)
}

/// A line that is dropped by its level, one that a release does not have, and one that is masked and given to a sink,
/// beside swift-log's shape without masking: microseconds.
func logLines(_ words: [String]) -> [(String, String)] {
    let rounds = words.first.flatMap { Int($0) } ?? 9
    let upload = Upload()
    let sink = CountingSink()
    let count = PeerCount()
    let quiet = Log(subsystem: "org.example", category: "a", output: LogOutput(sinks: [sink], minimum: .fault))
    let log = Log(subsystem: "org.example", category: "a", output: LogOutput(sinks: [sink]))
    let peer = PeerLogger(label: "org.example.a", PeerHandler(.info, count))
    let drop = Rounds(
        rounds, batch: 2_000_000, ours: { dropped(quiet, upload) }, peer: { droppedByPeer(peer, upload) })
    let none = Rounds(
        rounds, batch: 2_000_000, ours: { notBuilt(quiet, upload) }, peer: { droppedByPeer(peer, upload) })
    let keep = Rounds(rounds, batch: 100_000, ours: { kept(log, upload) }, peer: { keptByPeer(peer, upload) })
    let isWritten = sink.bytes.load(ordering: .relaxed) > 0 && count.bytes > 0
    return drop.report("dropped") + none.report("notBuilt") + keep.report("kept") + [("written", "\(isWritten)")]
}
