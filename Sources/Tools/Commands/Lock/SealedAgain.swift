internal import Pavise
internal import PavisePrimitives
internal import PaviseSession
internal import PaviseStorage
internal import PaviseVault

/// Writes what the connections keep once more, so that it is sealed as the lock says now: with the lock's key after a PIN was set,
/// without it before one is removed. Each item is written in one step: a kill in between leaves some of either kind, and both open.
struct SealedAgain {
    let environment: Environment

    /// Writes the secrets of all connections again. Where one cannot be written, the others are all the same.
    ///
    /// - Returns: The damaged connections that stay as they were: nobody can use them.
    /// - Throws: Why a connection that can be used stays as it was.
    func run() async throws -> [ConnectionID] {
        let connections = environment.connections
        var damaged: [ConnectionID] = []
        var reason: (any Error)?
        for row in try connections.list() {
            do {
                let vault = connections.vault(of: row.id)
                try await session(row.id, vault)
                try password(row.id, vault)
            } catch {
                if case .failure = row.descriptor { damaged.append(row.id) } else { reason = reason ?? error }
            }
        }
        try await connections.sealRevocationsAgain()
        if let reason { throw reason }
        return damaged
    }

    // Under the session's own lock, and only while nobody changes it: a refresh at the same time wins, and it seals anew by itself.
    private func session(_ id: ConnectionID, _ vault: TokenVault) async throws {
        let folder = "\(environment.home.connections)/\(id)"
        let store = SessionStore(vault: vault, name: .session(of: id), folder: folder)
        guard case .present(let record) = try store.load() else { return }
        _ = try await store.swap(record.stamp, for: record)
    }

    private func password(_ id: ConnectionID, _ vault: TokenVault) throws {
        guard case .found(let secret) = try vault.read(.password(of: id)) else { return }
        try secret.withBytes { bytes throws(VaultFailure) in try vault.store(bytes, as: .password(of: id)) }
    }
}
