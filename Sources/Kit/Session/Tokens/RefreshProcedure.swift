internal import PavisePrimitives
package import PaviseTransport
package import PaviseVault

/// One refresh from the lock to the durable result: lock, read again, journal, exchange, write, in this order.
///
/// It runs in a task that belongs to the session, never to a caller. Killed at any point, it leaves the old record, the
/// old record with its journal, or the new record.
package struct RefreshProcedure: Sendable {
    /// What came of it.
    package enum Outcome: Sendable {
        /// Another process refreshed meanwhile; its record is in force. No call was made.
        case adopted(SessionRecord)
        /// The server answered and the new record is durable.
        case renewed(SessionRecord)
        /// The server answered and the store took no write: the new record is in memory only (SR10).
        case renewedUnsaved(SessionRecord, VaultFailure)
        /// Nothing was decided.
        case transient(DegradedReason, retryAfter: Int64?)
        /// The server refused; the count is durable where the store allowed it.
        case rejected(code: String)
        /// The store cannot say or takes no write: no call was made.
        case store(VaultFailure)
        /// The session is over, durably. What is left of it has to be taken back at the server; `nil` where another
        /// process did that.
        case ended(ReloginReason, EndedSession?)
        /// The epoch changed: signed out, or somebody else signed in (SR18).
        case changed
    }

    private let store: SessionStore
    private let client: HTTPClient
    private let binding: DPoPBinding?
    private let environment: SessionEnvironment
    private let policy: RefreshPolicy
    /// Names the session object, so that it recognises its own journal entries.
    private let owner: UInt64

    /// A procedure over a store and a client, with what the tokens are bound to.
    package init(
        store: SessionStore, client: HTTPClient, binding: DPoPBinding? = nil, environment: SessionEnvironment,
        policy: RefreshPolicy,
        owner: UInt64
    ) {
        self.store = store
        self.client = client
        self.binding = binding
        self.environment = environment
        self.policy = policy
        self.owner = owner
    }

    private var now: ClockReading { ClockReading(environment.time) }

    /// Refreshes the token `stamp`.
    ///
    /// - Parameters:
    ///   - isForced: Whether a token of another process is not good enough (SR3).
    ///   - unsaved: A record that is newer than the store because a write failed. Its predecessor's refresh token is
    ///     spent.
    package func run(_ stamp: TokenVersion, isForced: Bool = false, unsaved: SessionRecord? = nil) async -> Outcome {
        let sleepsAgain = environment.stayAwake()
        defer { sleepsAgain() }
        // Who was stopped until its lease was over queues again, and takes what others have got meanwhile.
        for _ in 0..<3 {
            do throws(VaultFailure) {
                let lock = try await store.refreshLock(
                    wait: policy.lockWait, lease: policy.lockLease, time: environment.time)
                let outcome = await locked(stamp, isForced, unsaved, lock.lease)
                _ = consume lock
                if let outcome { return outcome }
            } catch {
                return gone() ? .changed : .store(error)
            }
        }
        return .transient(.network, retryAfter: nil)
    }

    // The folder with the locks goes away with the connection.
    private func gone() -> Bool {
        guard case .some(.absent) = try? store.load() else { return false }
        return true
    }

    // Nothing where the lease was over before there was an answer.
    private func locked(
        _ stamp: TokenVersion, _ isForced: Bool, _ unsaved: SessionRecord?, _ lease: LeaseLock.Lease
    ) async -> Outcome? {
        do throws(VaultFailure) {
            guard let record = try await current(unsaved) else { return .changed }
            guard record.epoch == stamp.epoch else { return .changed }
            switch record.ending {
            case .signedOut: return .changed
            case .relogin(let reason): return .ended(reason, nil)
            case nil: break
            }
            guard record.generation == stamp.generation || isForced else { return .adopted(record) }
            return try await spend(record, lease)
        } catch {
            return .store(error)
        }
    }

    // What is stored, or what should have been: a spent token is never taken back from the store (SR10, F18).
    private func current(_ unsaved: SessionRecord?) async throws(VaultFailure) -> SessionRecord? {
        guard case .present(let stored) = try store.load() else { return nil }
        guard let unsaved, unsaved.epoch == stored.epoch, unsaved.generation > stored.generation else { return stored }
        switch try await store.swap(stored.stamp, for: unsaved) {
        case .done: return unsaved
        case .conflict(.present(let other)): return other
        case .conflict(.absent): return nil
        }
    }

    // Within the lease the token is this process's alone. Later somebody else may spend it, so nothing is sent then:
    // the last look is immediately before the first byte. What was sent before the end and is not answered by then is
    // a lost answer, for this process and for the next holder, who finds the journal (SR12, SR19).
    //
    // An answer is stored whenever it comes: the write compares the generation, so what another holder got stays.
    private func spend(_ record: SessionRecord, _ lease: LeaseLock.Lease) async throws(VaultFailure) -> Outcome? {
        // Before the journal: nothing is spent at an authority that did not give it (oauth S2).
        guard !store.others.have(record.server) else { return .transient(.configuration, retryAfter: nil) }
        guard let token = record.refresh else { return await end(record, .expired) }
        guard try isProvable(record) else { return await end(record, .keyLost) }
        guard !lease.isOver(at: environment.time) else { return nil }
        let journaled = record.journaling(owner: owner, at: now)
        if !hasOwnJournal(record) {
            if case .conflict(let found) = try await journal(journaled, over: record) {
                return overtaken(record, by: found)
            }
        }
        // The write may have taken long: nothing was sent yet.
        if lease.isOver(at: environment.time) { return nil }
        let endpoint = TokenEndpoint(
            record.server, through: TokenSender(client, binding: binding), environment: environment, policy: policy)
        var answer = await endpoint.refresh(token, within: lease)
        // One immediate retry with the same token: servers with a grace window answer it (SR8).
        if case .transient(_, _, isLost: true) = answer, !Task.isCancelled {
            answer = await endpoint.refresh(token, within: lease)
        }
        if case .transient(_, _, let isLost) = answer, !Task.isCancelled, lease.isOver(at: environment.time) {
            // A lost answer that nobody else came for is told as one: there is nothing to adopt.
            guard isLost, case .present(let stored) = try store.load(), hasOwnJournal(stored) else { return nil }
        }
        return await settle(answer, journaled, endpoint)
    }

    // Bound tokens never go out without their key (oauth D4). A key that cannot be used now is the store's trouble.
    private func isProvable(_ record: SessionRecord) throws(VaultFailure) -> Bool {
        guard let binding else { return record.binding == nil }
        do throws(VaultFailure) {
            try binding.check()
            return record.binding == nil || record.binding == binding.thumbprint
        } catch .keyLost {
            return false
        }
    }

    // Nothing is spent yet. A store that fails once must not turn away everybody who waits, so it is asked once more.
    private func journal(
        _ next: SessionRecord, over record: SessionRecord
    ) async throws(VaultFailure) -> SessionStore.Swap {
        do throws(VaultFailure) {
            return try await store.swap(record.stamp, for: next)
        } catch {
            guard error.isPassing else { throw error }
            return try await store.swap(record.stamp, for: next)
        }
    }

    private func hasOwnJournal(_ record: SessionRecord) -> Bool {
        record.pending?.owner == owner && record.pending?.digest == record.refresh?.digest
    }

    private func settle(_ answer: TokenResponse, _ record: SessionRecord, _ endpoint: TokenEndpoint) async -> Outcome {
        switch answer {
        case .granted(let grant): return await keep(grant, record, endpoint)
        case .definitive: return await definitive(record)
        case .rejected(let code): return await reject(record, code)
        case .transient(let reason, let retryAfter, _):
            return Task.isCancelled ? .changed : .transient(reason, retryAfter: retryAfter)
        case .keyLost: return await end(record, .keyLost)
        case .forbidden: return Task.isCancelled ? .changed : .transient(.configuration, retryAfter: nil)
        }
    }

    // Nothing that can fail stands between the receipt and the write (SR9).
    private func keep(_ grant: TokenGrant, _ record: SessionRecord, _ endpoint: TokenEndpoint) async -> Outcome {
        guard grant.suits(record) else {
            let outcome = await end(record, .identityMismatch, leaving: grant)
            if case .ended = outcome { return outcome }
            if let token = grant.refreshToken { await takeBack(token, at: endpoint) }
            return outcome
        }
        let next = record.renewed(by: grant, at: now)
        do throws(VaultFailure) {
            switch try await store.swap(record.stamp, for: next) {
            case .done: return .renewed(next)
            case .conflict(.present(let other)) where other.epoch == record.epoch && other.ending == nil:
                return .adopted(other)
            case .conflict:
                if let token = grant.refreshToken { await takeBack(token, at: endpoint) }
                return .changed
            }
        } catch {
            return .renewedUnsaved(next, error)
        }
    }

    // A task of its own: the sign-out that made the token useless has cancelled this one, and with it what it sends.
    private func takeBack(_ token: SharedSecretBytes, at endpoint: TokenEndpoint) async {
        await Task { _ = await endpoint.revoke(token, hint: "refresh_token") }.value
    }

    // `invalid_grant`: only what the store says now decides (SR11).
    private func definitive(_ record: SessionRecord) async -> Outcome {
        let isLost = record.hasForeignPending(for: owner)
        return await end(record, isLost ? .lostRotation : .invalidGrant, isRefreshDead: true)
    }

    private func reject(_ record: SessionRecord, _ code: String) async -> Outcome {
        let next = record.rejectedOnce(at: now)
        guard next.rejections < policy.rejectionsUntilEnd else { return await end(record, .rejected) }
        do throws(VaultFailure) {
            if case .conflict(let found) = try await store.swap(record.stamp, for: next) {
                return overtaken(record, by: found)
            }
            return .rejected(code: code)
        } catch {
            return .store(error)
        }
    }

    // Who was stopped for longer than its lease comes after another holder, whose record is in force: the session is
    // the same, and nobody was signed out.
    private func overtaken(_ record: SessionRecord, by found: SessionStore.Reading) -> Outcome {
        guard case .present(let other) = found, other.epoch == record.epoch, other.ending == nil else {
            return .changed
        }
        return .adopted(other)
    }

    // Compare-and-delete: the tokens go only if the record still is the one that failed.
    //
    // `grant` holds tokens that came and may not be used; `isRefreshDead` says that the server does not take the
    // refresh token.
    private func end(
        _ record: SessionRecord, _ reason: ReloginReason, leaving grant: TokenGrant? = nil, isRefreshDead: Bool = false
    ) async -> Outcome {
        var left = record
        if let token = grant?.refreshToken { left.refresh = token }
        if isRefreshDead { left.refresh = nil }
        // Without their key the tokens are worth nothing, and none goes out without a proof (oauth D4).
        if reason == .keyLost { (left.access, left.refresh) = (nil, nil) }
        // Before the key goes: the proofs for the server are made with it.
        let ended = EndedSession(of: left.withLivingTokens(at: now), client: client, binding: binding)
        do throws(VaultFailure) {
            switch try await store.swap(record.stamp, for: record.ended(.relogin(reason), at: now)) {
            case .done: return .ended(reason, ended)
            case .conflict(.present(let other)) where other.epoch == record.epoch && other.ending == nil:
                return .adopted(other)
            case .conflict: return .changed
            }
        } catch {
            return .store(error)
        }
    }
}
