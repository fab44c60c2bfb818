package import PaviseVault

extension SessionStore {
    /// The key that the session's tokens can be bound to; `nil` where this vault has none.
    package var bindingKey: (any DPoPKey)? { vault.bindingKey }

    /// Whether tokens of this connection were ever bound to a key: who signs in again is not bound to less (oauth D4).
    package func wasBound() throws(VaultFailure) -> Bool { try readable().record?.binding != nil }

    /// Makes the key for a sign-in: a fresh one, unless a session that lives is bound to the present one.
    ///
    /// - Throws: ``VaultFailure/keyLost`` where this vault has no such key.
    package func prepareBindingKey() async throws(VaultFailure) -> any DPoPKey {
        guard let key = vault.bindingKey else { throw .keyLost }
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            if try !isInUse(key) { try key.destroy() }
            try key.prepare()
        }
        return key
    }

    /// Destroys the key of a sign-in that came to nothing, unless a session that lives is bound to it.
    package func abandonBindingKey() async throws(VaultFailure) {
        guard let key = vault.bindingKey else { return }
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            if try !isInUse(key) { try key.destroy() }
        }
    }

    private func isInUse(_ key: any DPoPKey) throws(VaultFailure) -> Bool {
        guard let record = try readable().record, record.ending == nil, let binding = record.binding else {
            return false
        }
        do throws(VaultFailure) { return try DPoPProofWriter(key).thumbprint == binding } catch .keyLost {
            return false
        }
    }
}
