internal import PavisePrimitives
internal import Synchronization

/// The keys of databases that are being opened. SQLite hands a file layer only a name, so the name carries a ticket.
enum OpenKeys {
    /// What a ticket stands for. The key is dropped as soon as the file is open.
    final class Entry: Sendable {
        let key: SecretBytes
        /// The file is made now, under a name that nobody else knows.
        let isNew: Bool
        /// For the database and for its log.
        let observers: (main: ChangeObserver, log: ChangeObserver)?
        /// Shut when the key is to be forgotten while the file is open.
        let gate: SealGate
        /// Whether checkpoints keep a list of the pages' tags; a file that has one keeps it in any case.
        let tracksPages: Bool

        init(
            key: consuming SecretBytes, isNew: Bool, gate: SealGate = SealGate(), tracksPages: Bool = false,
            observers: (main: ChangeObserver, log: ChangeObserver)? = nil
        ) {
            self.key = key
            self.isNew = isNew
            self.gate = gate
            self.tracksPages = tracksPages
            self.observers = observers
        }
    }

    private static let state = Mutex<(next: UInt64, entries: [UInt64: Entry])>((1, [:]))

    /// Deposits an entry for the time of `body`, which gets its ticket.
    static func withTicket<Result, Failure: Error>(
        _ entry: Entry, _ body: (UInt64) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let ticket = state.withLock { state in
            defer { state.next += 1 }
            state.entries[state.next] = entry
            return state.next
        }
        defer { state.withLock { _ = $0.entries.removeValue(forKey: ticket) } }
        return try body(ticket)
    }

    /// What was deposited, while its `body` runs.
    static func entry(_ ticket: UInt64) -> Entry? { state.withLock { $0.entries[ticket] } }
}
