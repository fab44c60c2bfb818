internal import PavisePrimitives

/// A sealing key that is one of two: which one seals depends on something that changes, such as an app lock.
package protocol RotatingKey: SealingKey {
    /// Whether a key is still there that seals nothing any more: what it sealed has to be sealed again, and it has to
    /// go.
    func isRetiredKeyThere() throws(VaultFailure) -> Bool
    /// Destroys the key that seals nothing any more. One that is not there is fine.
    func destroyRetiredKey() throws(VaultFailure)
}

/// A store that can say what it has.
package protocol ListingStore: SecretStore {
    /// The names of all secrets of one account.
    func names(of account: String) throws(VaultFailure) -> Set<ItemName>
}

extension TokenVault {
    /// What a step of ``sealAgain(_:of:)`` is called with. A test stops the process there.
    package enum Step: String, Hashable, Sendable, CaseIterable {
        /// The key that seals from now on is made.
        case prepared
        /// One more item is sealed anew.
        case sealed
        /// The old key is destroyed.
        case destroyed

        /// What a test does after a step.
        @TaskLocal package static var observer: (@Sendable (Step) -> Void)?

        func reached() { Self.observer?(self) }
    }

    /// Whether there is something left to seal again: a key that seals nothing any more is still there.
    package func isRotationPending() throws(VaultFailure) -> Bool {
        try (key as? any RotatingKey)?.isRetiredKeyThere() ?? false
    }

    /// Seals all items of an account with the key that seals now, and destroys the one that did before: what it sealed,
    /// also a copy of it, opens nowhere from then on. Each item is written in one step; after a kill both keys are
    /// there, and this goes on where it is called again.
    ///
    /// - Parameters:
    ///   - names: Items to seal, beside those that the store knows of the account.
    ///   - own: Seals an item that more than one process writes; `false` for one that is read and written here.
    ///   - finish: Destroys the old key by the closure that it gets, while nobody else writes: what another process
    ///     sealed with that key since would be lost.
    /// - Returns: Whether every item was whole. One that is damaged opens with neither key, and stays as it is. What a
    ///   later version wrote is whole.
    package func sealAgain(
        _ names: Set<ItemName>, of account: String,
        with own: (ItemName) async throws(VaultFailure) -> Bool,
        finish: (_ destroy: () throws(VaultFailure) -> Void) async throws(VaultFailure) -> Void = {
            (destroy) async throws(VaultFailure) in try destroy()
        }
    ) async throws(VaultFailure) -> Bool {
        var all = names
        if let store = secrets as? any ListingStore { all.formUnion(try store.names(of: account)) }
        var present: [ItemName] = []
        for name in all.sorted(by: { $0.description < $1.description }) where try isThere(name) { present.append(name) }
        if !present.isEmpty { try key.prepare() }
        Step.prepared.reached()
        var isWhole = true
        for name in present {
            do throws(VaultFailure) {
                if try await !own(name) { try sealAgain(name) }
            } catch .newer {
                try sealUnread(name)
            } catch {
                guard !error.isPassing, error != .duplicate else { throw error }
                if case .denied = error { throw error }
                // What somebody else put there in another form is none of the vault's.
                if names.contains(name) { isWhole = false }
            }
            Step.sealed.reached()
        }
        try await finish { () throws(VaultFailure) in
            guard let rotating = key as? any RotatingKey else { return }
            try rotating.destroyRetiredKey()
        }
        Step.destroyed.reached()
        return isWhole
    }

    private func isThere(_ name: ItemName) throws(VaultFailure) -> Bool {
        do throws(VaultFailure) {
            if case .absent = try secrets.read(name) { return false }
        } catch {
            // What cannot be read is there, and says so when it is sealed again.
        }
        return true
    }

    // To open and to seal take as long as the secure element does: what a sign-out erased or a sign-in wrote by then is
    // not put back.
    private func sealAgain(_ name: ItemName) throws(VaultFailure) {
        for _ in 0..<3 {
            guard case .found(let before) = try secrets.read(name) else { return }
            guard case .found(let secret) = try read(name) else { return }
            let packet = try secret.withBytes { bytes throws(VaultFailure) in try sealed(bytes, as: name) }
            guard case .found(let now) = try secrets.read(name) else { return }
            guard now.matches(before) else { continue }
            return try packet.withSpan { span throws(VaultFailure) in try secrets.replace(span, as: name) }
        }
        throw .busy
    }

    /// Seals what a later version wrote as it is: nobody here can read it, and it has to open when that version is
    /// back.
    package func sealUnread(_ name: ItemName) throws(VaultFailure) {
        guard case .found(let packet) = try secrets.read(name) else { return }
        let content = try packet.withBytes { bytes throws(VaultFailure) in try key.open(bytes) }
        let sealed = try content.withBytes { plain throws(VaultFailure) in try key.seal(plain) }
        try sealed.withSpan { span throws(VaultFailure) in try secrets.replace(span, as: name) }
    }
}
