internal import PaviseJWT
internal import PaviseLog
internal import PavisePrimitives
package import PaviseVault
internal import SecurityFramework
internal import Synchronization

/// Where a lock keeps what it knows of orders. Its key is not the lock's: a wipe leaves it, or the order could be given
/// again.
package struct OrderStore: Sendable {
    /// Keeps the ledger; its binding key signs receipts.
    package var vault: TokenVault
    /// The ledger's name.
    package var name: ItemName

    package init(vault: TokenVault, name: ItemName) {
        self.vault = vault
        self.name = name
    }
}

extension AppLock {
    /// Who this installation is, for an administrator who wants to order something. The first call makes the
    /// identifier; a ledger that cannot be used any more is replaced, and then nobody's earlier order is for this
    /// installation.
    public func installation() throws(OrderFailure) -> LockInstallation {
        openOnce()
        return try withLedgerLock { store throws(OrderFailure) in
            let ledger = try readOrMakeLedger(store)
            let point = try signing { () throws(VaultFailure) in
                guard let key = store.vault.bindingKey else { throw .keyLost }
                try key.prepare()
                let point = try key.publicPoint()
                guard point.count == 65 else { throw .corrupt(.content) }
                return point
            }
            let key = JSONValue.fields([
                "kty": "EC", "crv": "P-256", "x": .string(Base64URL.encode(point[1..<33])),
                "y": .string(Base64URL.encode(point[33...])), "alg": "ES256", "kid": .string(ledger.installation),
            ])
            return LockInstallation(identifier: ledger.installation, key: key.text, created: ledger.created)
        }
    }

    /// Does what an administrator orders, once: what the app's push or poll delivered goes in here.
    ///
    /// The order is noted durably before anything is done. Where the program is killed, its next start goes on; an
    /// order that was noted is never taken a second time, also after a wipe. It needs no PIN and no open lock.
    ///
    /// - Parameters:
    ///   - text: A compact JWS of at most 4096 bytes.
    ///   - rules: Whose orders are obeyed.
    /// - Returns: The receipt; ``acknowledgement(of:)`` signs it.
    public func obey(_ text: String, by rules: OrderRules) throws(OrderFailure) -> OrderReceipt {
        openOnce()
        return try withLedgerLock { store throws(OrderFailure) in
            // Nothing can be for an installation that has not got a name yet.
            guard var ledger = try readLedger(store) else { throw .token(.audience) }
            let order = try taken(text, by: rules, ledger)
            resume(&ledger, store)
            try ledger.begin(order, at: parts.time.wallSeconds)
            try write(ledger, store)
            parts.trail?.record(AuditEvent(.orderTaken, ["action": "\(order.action)", "name": order.name]))
            AppLockStep.noted.reached()
            try carryOut(order.action, order.name, &ledger, store)
            guard let entry = ledger.entries.first(where: { $0.name == order.name }) else { throw .unavailable }
            return ledger.receipt(of: entry)
        }
    }

    // Whoever sends forged or stale orders is worth a line for an administrator.
    private func taken(
        _ text: String, by rules: OrderRules, _ ledger: OrderLedger
    ) throws(OrderFailure) -> RemoteOrder {
        do throws(OrderFailure) {
            return try RemoteOrder(text, by: rules, for: ledger.installation, at: parts.time.wallSeconds)
        } catch {
            parts.trail?.record(AuditEvent(.orderRefused, ["reason": error.description]))
            throw error
        }
    }

    /// The receipts of the last orders, in the order in which they came: to be sent again where nobody confirmed them.
    public func receipts() throws(OrderFailure) -> [OrderReceipt] {
        openOnce()
        return try withLedgerLock { store throws(OrderFailure) in
            guard let ledger = try readLedger(store) else { return [] }
            return ledger.entries.map { ledger.receipt(of: $0) }
        }
    }

    /// A receipt as a compact JWS (RFC 7515), signed by the secure element with the key that ``installation()`` tells.
    public func acknowledgement(of receipt: OrderReceipt) throws(OrderFailure) -> String {
        guard let signer = parts.orders?.vault.bindingKey else { throw .unavailable }
        let header = JSONValue.fields([
            "typ": .string(OrderRules.receiptType), "alg": "ES256", "kid": .string(receipt.installation),
        ])
        let input = [header, receipt.claims].map { Base64URL.encode(Array($0.text.utf8)) }.joined(separator: ".")
        let signature = try signing { () throws(VaultFailure) in try signer.sign(Array(input.utf8)) }
        return input + "." + Base64URL.encode(signature)
    }
}

extension AppLock {
    /// What is known of a wipe that was ordered and has not ended.
    enum OrderedWipe: Hashable {
        case none, ordered
        /// The ledger is gone or cannot be read.
        case unknown
        /// The keychain is locked.
        case locked
    }

    /// Whether a wipe was ordered that has not ended: nothing opens meanwhile, nor where nobody can say.
    var orderedWipe: OrderedWipe {
        guard let store = parts.orders else { return .none }
        do throws(OrderFailure) {
            let isOrdered = try readLedger(store)?.unfinished.contains { $0.action == .wipe } ?? false
            return isOrdered ? .ordered : .none
        } catch {
            return error == .unreadable(.storeLocked) ? .locked : .unknown
        }
    }

    /// Goes on with orders that a crash or a failure interrupted. What fails now is tried again at the next start.
    func goOnWithOrders() {
        guard let store = parts.orders, let known = try? readLedger(store), !known.unfinished.isEmpty else { return }
        try? withLedgerLock { store throws(OrderFailure) in
            // Another process may have ended them meanwhile.
            guard var ledger = try readLedger(store) else { return }
            resume(&ledger, store)
        }
    }

    private func resume(_ ledger: inout OrderLedger, _ store: OrderStore) {
        for entry in ledger.unfinished { try? carryOut(entry.action, entry.name, &ledger, store) }
    }

    // Each action is safe to repeat; the ledger says that it is done only afterwards.
    private func carryOut(
        _ action: OrderedAction, _ name: String, _ ledger: inout OrderLedger, _ store: OrderStore
    ) throws(OrderFailure) {
        let result: OrderReceipt.Result
        do throws(AppLockFailure) { result = try act(action) } catch {
            switch error {
            case .notFinished(let reason), .notWritten(let reason): throw .notFinished(reason)
            default: throw .notFinished(error.description)
            }
        }
        AppLockStep.obeyed.reached()
        ledger.end(name, result, at: parts.time.wallSeconds)
        do throws(OrderFailure) { try write(ledger, store) } catch { throw .notFinished(error.description) }
        guard action == .wipe else { return }
        // The lock as the next start would find it.
        let (record, reading) = look()
        memory.withLock { $0.record = record }
        _ = handle(.opened(reading, now))
    }

    private func act(_ action: OrderedAction) throws(AppLockFailure) -> OrderReceipt.Result {
        let (record, reading) = lookAtRecord()
        if let record { parts.place.forget(place(record)) }
        switch action {
        case .lock:
            perform(handle(.lock))
            return reading == .absent ? .nothingToLock : .done
        case .signOut:
            perform(handle(.lock))
            do { try finalHandler(.endSession) } catch { throw .notFinished("\(error)") }
            return .done
        case .wipe:
            perform(handle(.opened(.ended(.wipe), now)))
            try wipe(record)
            return .done
        }
    }

    private func wipe(_ record: LockRecord?) throws(AppLockFailure) {
        if let record { return try finish(.wipe, record) }
        // No PIN, or a record that nobody can read: what is left of it goes first, the product's own things after it.
        try wipeInTrail { () throws(AppLockFailure) in
            perform([.dropKey])
            try removeRest(nil)
            do { try finalHandler(.wipe) } catch { throw .notFinished("\(error)") }
        }
    }
}

extension AppLock {
    func readLedger(_ store: OrderStore) throws(OrderFailure) -> OrderLedger? {
        let answer: StoreResult
        do throws(VaultFailure) { answer = try store.vault.read(store.name) } catch {
            throw .unreadable(LockDamage(error))
        }
        guard case .found(let secret) = answer else {
            // The key of receipts is made after the first ledger: with it there was one, and it was taken away.
            guard try !wasThere(store) else { throw .unreadable(.missing) }
            return nil
        }
        return try secret.withCopy { bytes throws(OrderFailure) in
            if OrderLedger.isNewer(bytes) { throw .unreadable(.newer) }
            guard let ledger = OrderLedger(bytes) else { throw .unreadable(.corrupt) }
            return ledger
        }
    }

    private func wasThere(_ store: OrderStore) throws(OrderFailure) -> Bool {
        guard let key = store.vault.bindingKey as? EnclaveKey else { return false }
        do throws(VaultFailure) { return try key.isThere() } catch { throw .unreadable(LockDamage(error)) }
    }

    private func readOrMakeLedger(_ store: OrderStore) throws(OrderFailure) -> OrderLedger {
        do throws(OrderFailure) {
            if let ledger = try readLedger(store) { return ledger }
        } catch {
            guard error == .unreadable(.corrupt) || error == .unreadable(.missing) else { throw error }
            // A new name makes every earlier order void: only where nothing is left that one could be about.
            guard lookAtRecord() == (nil, .absent), !parts.isInUse() else { throw error }
        }
        return try makeLedger(store)
    }

    /// Makes another installation, in store of whatever is there.
    func makeLedger(_ store: OrderStore) throws(OrderFailure) -> OrderLedger {
        guard let identity = try? Entropy.kernel.bytes(16) else {
            throw .notWritten("The kernel gave no random bytes.")
        }
        let ledger = OrderLedger(identity: identity, created: parts.time.wallSeconds)
        do throws(VaultFailure) { try store.vault.prepare() } catch { throw .notWritten(error.description) }
        try write(ledger, store)
        return ledger
    }

    private func write(_ ledger: OrderLedger, _ store: OrderStore) throws(OrderFailure) {
        do throws(VaultFailure) { try store.vault.store(ledger.encoded, as: store.name) } catch {
            throw .notWritten(error.description)
        }
    }

    private func signing<Value>(_ body: () throws(VaultFailure) -> Value) throws(OrderFailure) -> Value {
        do throws(VaultFailure) { return try body() } catch { throw .unreadable(LockDamage(error)) }
    }

    private func withLedgerLock<Value>(
        _ body: (OrderStore) throws(OrderFailure) -> Value
    ) throws(OrderFailure) -> Value {
        guard let store = parts.orders else { throw .unavailable }
        let outcome: Result<Value, OrderFailure>
        do throws(AppLockFailure) {
            outcome = try alone { () throws(AppLockFailure) in
                Result { () throws(OrderFailure) in try body(store) }
            }
        } catch {
            throw error == .busy ? .busy : .notWritten(error.description)
        }
        return try outcome.get()
    }
}
