/// Where in a refresh the process dies, each step on its own.
enum CrashPoint: String, CaseIterable {
    /// K1: the record was read, no lock is held.
    case beforeLock
    /// K1: the lock is held and the record was read again.
    case lockHeld
    /// K1: in front of the journal.
    case beforeJournal
    /// K2: within the write of the journal.
    case halfJournaled
    /// K2: the journal is durable.
    case journaled
    /// K2: in front of the request.
    case beforeSend
    /// K3: the authority has the request and does nothing.
    case requestSent
    /// K4: the authority rotated; its answer is on its way.
    case rotated
    /// K5: the answer is in memory.
    case answered
    /// K5: in front of the write of the new record.
    case beforeStore
    /// K6 and K7: within the write of the new record.
    case halfStored
    /// K8: the new record is durable, nobody was told.
    case stored
    /// After all of it.
    case finished

    /// The step at which the process kills itself; `nil` where the authority's side decides or a write is cut.
    var step: Step? {
        switch self {
        case .beforeLock: .didRead(1)
        case .lockHeld: .didRead(2)
        case .beforeJournal: .willWrite(1)
        case .journaled: .didWrite(1)
        case .beforeSend: .willSend
        case .answered: .didReceive
        case .beforeStore: .willWrite(2)
        case .stored: .didWrite(2)
        case .halfJournaled, .halfStored, .requestSent, .rotated, .finished: nil
        }
    }

    /// The write that is cut.
    var cutWrite: Int? {
        switch self {
        case .halfJournaled: 1
        case .halfStored: 2
        default: nil
        }
    }

    /// Whether an authority without grace may have spent the token while the store still has it. Always, or sometimes.
    var isLossy: Bool {
        switch self {
        case .rotated, .answered, .beforeStore, .halfStored: true
        default: false
        }
    }
}
