internal import PavisePrimitives

/// The record of a ``KnownServersStore`` as a file of mode 0600. It holds names of servers and contents of their
/// certificates, and no secret.
public struct ServerTrustFile: ServerTrustStorage {
    private let path: String

    /// The file at `path`, which need not be there yet. Its folder must be.
    public init(path: String) { self.path = path }

    /// All of it.
    ///
    /// - Throws: `SystemFailure` when it is there and cannot be read, or is larger than a record can be.
    public func read() throws -> [UInt8]? { try DurableFile.readIfPresent(path, limit: ServerTrustRecord.sizeLimit) }

    /// Replaces it whole or not at all; it is on the disk when this returns.
    public func write(_ bytes: [UInt8]) throws { try DurableFile.write(bytes, to: path) }
}

extension ServerTrustFile: SharedServerTrustStorage {
    /// Waits for other processes at most 10 s, blocking the thread. The lock is the file with `.lock` behind its name.
    package func alone(_ body: () throws -> Void) throws {
        let place = "\(path).lock"
        try FileLock.holding(place, wait: .seconds(10), or: { $0.asSystemFailure(place) as any Error }, body)
    }
}
