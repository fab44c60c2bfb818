package import PavisePrimitives
package import PaviseVault

/// Where one session's record lives: a sealed item, and a folder with the two locks that processes share.
///
/// `refresh.lock` is held for a whole refresh, so that one process at a time spends a refresh token. `record.lock` is held
/// for a comparison and a write only, so that signing out never waits for a slow server.
package struct SessionStore: Sendable {
    /// What the item holds.
    package enum Reading: Sendable {
        case absent
        case present(SessionRecord)
    }

    /// What became of a conditional write.
    package enum Swap: Sendable {
        /// Durable.
        case done
        /// Somebody else wrote meanwhile; nothing was changed.
        case conflict(Reading)
    }

    private let vault: TokenVault
    private let name: ItemName
    private let folder: String

    /// A store of the record `name`, with its locks in `folder`.
    package init(vault: TokenVault, name: ItemName, folder: String) {
        self.vault = vault
        self.name = name
        self.folder = folder
    }

    /// Reads the record. A tombstone is present, too.
    package func load() throws(VaultFailure) -> Reading {
        switch try vault.read(name) {
        case .absent: return .absent
        case .found(let secret):
            var bytes = secret.withBytes { span in span.indices.map { span[$0] } }
            defer { Wipe.bytes(&bytes) }
            return .present(try SessionRecord(decoding: bytes))
        }
    }

    /// Writes `record` if the stored one still is `expected`.
    package func swap(_ expected: Stamp, for record: SessionRecord) async throws(VaultFailure) -> Swap {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            let reading = try load()
            guard case .present(let stored) = reading, stored.stamp == expected else { return .conflict(reading) }
            try save(record)
            return .done
        }
    }

    /// Lets `change` see the record and say what to write instead; `nil` writes nothing.
    ///
    /// - Returns: What was there before.
    package func update(
        _ change: @Sendable (Result<Reading, VaultFailure>) throws(VaultFailure) -> SessionRecord?
    ) async throws(VaultFailure) {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            let reading: Result<Reading, VaultFailure>
            do throws(VaultFailure) {
                reading = .success(try load())
            } catch {
                reading = .failure(error)
            }
            if let record = try change(reading) { try save(record) }
        }
    }

    /// Makes the sealing key, at sign-in.
    package func prepare() throws(VaultFailure) { try vault.prepare() }

    /// Removes the item.
    package func erase() throws(VaultFailure) { try vault.erase(name) }

    /// Destroys the sealing key.
    package func destroyKey() throws(VaultFailure) { try vault.destroyKey() }

    /// Takes the lock that a whole refresh holds.
    package func refreshLock(wait: Duration) async throws(VaultFailure) -> FileLock {
        try await lock("refresh.lock", wait: wait)
    }

    private func save(_ record: SessionRecord) throws(VaultFailure) {
        var bytes = record.encoded()
        defer { Wipe.bytes(&bytes) }
        try vault.store(bytes.span, as: name)
    }

    private func locked<Value>(
        _ file: String, wait: Duration, _ body: () throws(VaultFailure) -> Value
    ) async throws(VaultFailure) -> Value {
        let lock = try await lock(file, wait: wait)
        let result = Result { () throws(VaultFailure) in try body() }
        _ = consume lock
        return try result.get()
    }

    private func lock(_ file: String, wait: Duration) async throws(VaultFailure) -> FileLock {
        do throws(FileLock.Failure) {
            return try await FileLock.acquire("\(folder)/\(file)", wait: wait)
        } catch {
            switch error {
            case .held: throw .busy
            case .system(let failure): throw .system(status: failure.code)
            }
        }
    }
}
