internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

/// The record of a connection's servers, authenticated.
package final class ConnectionServers: SharedServerTrustStorage {
    private let files: ConnectionFiles
    private let id: ConnectionID
    private let known: Mutex<ConnectionKey?>

    /// - Parameter key: The key as it was read a moment ago, for the first reading.
    package init(_ files: ConnectionFiles, of id: ConnectionID, key: ConnectionKey?) {
        self.files = files
        self.id = id
        known = Mutex(key)
    }

    /// All of it.
    ///
    /// - Throws: ``ConnectionFileFailure``.
    package func read() throws -> [UInt8]? {
        guard let key = try known.withLock({ $0.take() }) ?? files.key(of: id) else {
            throw ConnectionFileFailure.withoutKey
        }
        return try files.read(.servers, of: id, key: key, limit: ServerTrustRecord.sizeLimit)
    }

    /// Holds `servers.lock` in the connection's folder, for which it waits at most 10 s, blocking the thread.
    package func alone(_ body: () throws -> Void) throws {
        try FileLock.holding(
            "\(files.path)/\(id)/servers.lock", wait: .seconds(10),
            or: { $0.mapped(held: .busy, system: ConnectionFileFailure.system) as any Error }, body)
    }

    /// Replaces it whole or not at all; it is on the disk when this returns.
    package func write(_ bytes: [UInt8]) throws { try files.write(bytes, to: .servers, of: id) }
}
