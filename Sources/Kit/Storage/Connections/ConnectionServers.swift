internal import PaviseTransport
internal import Synchronization

/// The record of a connection's servers, authenticated.
package final class ConnectionServers: ServerTrustStorage {
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

    /// Replaces it whole or not at all; it is on the disk when this returns.
    package func write(_ bytes: [UInt8]) throws { try files.write(bytes, to: .servers, of: id) }
}
