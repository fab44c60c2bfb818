package import PavisePrimitives
package import PaviseVault

/// Where one session's record lives: a sealed item, and a folder with the two locks that processes share.
///
/// `refresh.lock` is held for a whole refresh, and no longer than its lease, so that one process at a time spends a
/// refresh token. `record.lock` is held for a comparison and a write only, so that signing out never waits for a slow
/// server.
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

    let vault: TokenVault
    private let name: ItemName
    private let folder: String
    /// Where the tokens of an ended session wait when their server was not reached; `nil` where they do not.
    let revocations: RevocationStore?
    /// Who gets none of the tokens.
    let others: MixUpGuard

    /// A store of the record `name`, with its locks in `folder`.
    package init(
        vault: TokenVault, name: ItemName, folder: String, revocations: RevocationStore? = nil,
        others: MixUpGuard = .none
    ) {
        self.vault = vault
        self.name = name
        self.folder = folder
        self.revocations = revocations
        self.others = others
    }

    /// Reads the record. A tombstone is present, too.
    package func load() throws(VaultFailure) -> Reading {
        switch try vault.read(name) {
        case .absent: return .absent
        case .found(let secret):
            return try secret.withCopy { bytes throws(VaultFailure) in .present(try SessionRecord(decoding: bytes)) }
        }
    }

    /// Writes `record` if the stored one still is `expected`. When the session ends with it, the key that its tokens
    /// are bound to goes first: they are then worth nothing, also if the write fails.
    package func swap(_ expected: TokenVersion, for record: SessionRecord) async throws(VaultFailure) -> Swap {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            let reading = try load()
            guard case .present(let stored) = reading, stored.stamp == expected else { return .conflict(reading) }
            if record.ending != nil, stored.binding != nil { try vault.destroyBindingKey() }
            try save(record)
            return .done
        }
    }

    /// Seals what is stored with the key that seals now, and runs `body`, while nobody else writes: the key that did
    /// before can go then. A record that is damaged stays as it is, and so does what a later version wrote.
    package func sealAgain(before body: () throws(VaultFailure) -> Void) async throws(VaultFailure) {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            do throws(VaultFailure) {
                if case .present(let record) = try load() { try save(record) }
            } catch .newer {
                try vault.sealUnread(name)
            } catch {
                guard error != .duplicate, !error.isPassing else { throw error }
                if case .denied = error { throw error }
            }
            try body()
        }
    }

    /// Seals the record with the key that seals now, and only while nobody changes it: a refresh at the same time wins,
    /// and it seals anew by itself. What a later version wrote stays as it is.
    package func sealAgain() async throws(VaultFailure) {
        do throws(VaultFailure) {
            guard case .present(let record) = try load() else { return }
            _ = try await swap(record.stamp, for: record)
        } catch .newer {
            try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
                try vault.sealUnread(name)
            }
        }
    }

    /// Notes how old the session `stamp` has become, and nothing else: a refresh that has begun meanwhile keeps its
    /// journal.
    func note(_ stamp: TokenVersion, at now: ClockReading) async throws(VaultFailure) {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            guard case .present(let stored) = try load(), stored.stamp == stamp, stored.ending == nil else { return }
            try save(stored.aged(to: now))
        }
    }

    /// Begins a session: makes the sealing key where there is none and writes the first record of a new epoch.
    ///
    /// What cannot be read any more (key lost, damage) is replaced; what is only locked stops the sign-in.
    ///
    /// - Parameters:
    ///   - epoch: The session that is replaced; `nil` replaces any, and none.
    ///   - check: Throws where the key that the tokens are bound to is not the one they were asked for with: a sign-out
    ///     that came in between has destroyed it.
    ///   - around: Called with `false` just before the record is written and with `true` just after: for what lies
    ///     beside it. Nobody else begins a session in between. What it gives before is called where the record was not
    ///     written, and the session before stands as it was: it puts back what lay beside that one.
    /// - Returns: `false`, and nothing was written, when the connection belongs to another user (connections C18).
    /// - Throws: ``VaultFailure/duplicate`` where another session than `epoch` lies there, or the end of that one.
    package func begin(
        _ make: @Sendable (TokenVersion) -> SessionRecord, at now: ClockReading, replacing epoch: UInt64? = nil,
        if check: @Sendable () throws(VaultFailure) -> Void = { () throws(VaultFailure) in },
        around: @Sendable (_ isBegun: Bool) -> (@Sendable () -> Void)? = { _ in nil }
    ) async throws(VaultFailure) -> Bool {
        try await locked("record.lock", wait: .seconds(10)) { () throws(VaultFailure) in
            try check()
            try vault.prepare()
            let old = try readable()
            // After damage the old epoch is unknown: the wall clock is later than any count of sign-ins.
            let unknown = TokenVersion(epoch: UInt64(max(1, now.wall)), generation: UInt64(max(1, now.wall)))
            let last =
                switch old {
                case .absent: TokenVersion(epoch: 0, generation: 0)
                case .present(let record): record.stamp
                case .lost: unknown
                }
            if let epoch, last.epoch != epoch { throw .duplicate }
            let record = make(last)
            if let known = old.record?.identity, known != record.identity { return false }
            let putBack = around(false)
            do throws(VaultFailure) { try save(record) } catch {
                // A write that failed at its very end may have happened: then what lay beside belongs to nobody.
                if let before = old.record, stands(before) { putBack?() }
                throw error
            }
            _ = around(true)
            // The session has begun. A key that stays goes with the next sign-in that makes one, or with a sign-out.
            if record.binding == nil, old.record?.binding != nil { try? vault.destroyBindingKey() }
            return true
        }
    }

    // Whether the stored record is this one, for certain.
    private func stands(_ record: SessionRecord) -> Bool {
        guard case .present(let stored)? = try? load() else { return false }
        return stored.stamp == record.stamp && stored.ending == record.ending
    }

    /// Ends the epoch and wipes the tokens in one durable write (SR17), then destroys the key that they are bound to.
    /// It waits for no refresh.
    ///
    /// - Parameter ended: Gets the record as it was, whose tokens may still be revoked, between the two; `nil` when
    ///   there was none to read.
    /// - Returns: What `ended` returns, and why the key is still there, if it is: the tokens are wiped then, too.
    package func signOut<Value>(
        at now: ClockReading, _ ended: (SessionRecord?) -> Value
    ) async throws(VaultFailure) -> (left: Value, failure: VaultFailure?) {
        try await locked("record.lock", wait: .seconds(10)) {
            () throws(VaultFailure) -> (left: Value, failure: VaultFailure?) in
            let last = ended(try endEpoch(at: now))
            do throws(VaultFailure) { try vault.destroyBindingKey() } catch { return (last, error) }
            return (last, nil)
        }
    }

    private func endEpoch(at now: ClockReading) throws(VaultFailure) -> SessionRecord? {
        switch Result(catching: { () throws(VaultFailure) in try readable() }) {
        case .success(.present(let record)):
            try save(record.ended(.signedOut, at: now))
            return record
        // What cannot be opened cannot be kept either, and an item of another installation looks like none.
        case .success(.absent), .success(.lost), .failure:
            try vault.erase(name)
            return nil
        }
    }

    /// What lies in the store, when only a passing trouble is an error.
    enum Remains {
        case absent
        case present(SessionRecord)
        /// There is one that will never open again.
        case lost

        var record: SessionRecord? { if case .present(let record) = self { record } else { nil } }
    }

    func readable() throws(VaultFailure) -> Remains {
        do throws(VaultFailure) {
            switch try load() {
            case .absent: return .absent
            case .present(let record): return .present(record)
            }
        } catch {
            guard !error.isPassing, error != .duplicate else { throw error }
            switch error {
            // Who went back to an older version keeps what the later one wrote, until they sign out.
            case .denied, .newer: throw error
            default: return .lost
            }
        }
    }

    /// Removes the item.
    package func erase() throws(VaultFailure) { try vault.erase(name) }

    /// Takes the lock that a whole refresh holds. A holder that hangs longer than its lease is replaced (SR19).
    package func refreshLock(
        wait: Duration, lease: Duration = .seconds(60), time: TimeSource = .system
    ) async throws(VaultFailure) -> LeaseLock {
        do throws(FileLock.Failure) {
            return try await LeaseLock.acquire("\(folder)/refresh.lock", wait: wait, lease: lease, time: time)
        } catch {
            throw VaultFailure(error)
        }
    }

    private func save(_ record: SessionRecord) throws(VaultFailure) {
        var bytes = record.encoded()
        defer { Wipe.bytes(&bytes) }
        try vault.store(bytes, as: name)
    }

    func locked<Value>(
        _ file: String, wait: Duration, _ body: () throws(VaultFailure) -> Value
    ) async throws(VaultFailure) -> Value {
        try await lock(file, wait: wait).holding(body)
    }

    private func lock(_ file: String, wait: Duration) async throws(VaultFailure) -> FileLock {
        do throws(FileLock.Failure) {
            return try await FileLock.acquire("\(folder)/\(file)", wait: wait)
        } catch {
            throw VaultFailure(error)
        }
    }
}
