internal import PaviseTransport
internal import Synchronization

/// The record of servers of a connection that is not made yet.
final class ServerDraft: ServerTrustStorage {
    private let bytes = Mutex<[UInt8]?>(nil)

    func read() throws -> [UInt8]? { bytes.withLock { $0 } }
    func write(_ bytes: [UInt8]) throws { self.bytes.withLock { $0 = bytes } }

    /// What was written last.
    var content: [UInt8]? { bytes.withLock { $0 } }
}
