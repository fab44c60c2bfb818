internal import Foundation

/// One thread at a time on a connection; the thread that is inside may enter again, because a transaction's body runs
/// inside.
final class ConnectionLock: Sendable {
    private let lock = NSRecursiveLock()

    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }
}
