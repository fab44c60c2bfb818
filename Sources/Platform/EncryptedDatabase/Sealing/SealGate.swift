internal import Synchronization

/// Stands between SQLite and the key of one connection. Once it is shut, no block is opened any more: what runs ends
/// with "locked". What is being committed is still sealed to its end, so that no commit is left in doubt.
///
/// The key itself goes with the connection, which is closed next.
final class SealGate: Sendable {
    private let shut = Atomic<Bool>(false)
    /// How many milliseconds a statement waits for a lock.
    let patience = Atomic<Int32>(0)

    var isShut: Bool { shut.load(ordering: .acquiring) }

    /// From now on nothing is opened.
    func close() { shut.store(true, ordering: .releasing) }

    /// The connection is being opened again.
    func open() { shut.store(false, ordering: .releasing) }
}
