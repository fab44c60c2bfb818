internal import PavisePrimitives
internal import PaviseVault

extension Session {
    func token(_ need: RefreshMachine.Need) async throws(SessionFailure) -> AccessToken {
        try load()
        guard var machine, let record else { throw .signedOut }
        let now = now
        noteAge()
        let decision = machine.need(need, passed: record.passedLimit(policy, at: now), at: now)
        self.machine = machine
        switch decision {
        case .use:
            let token = try current()
            lent.lend(token, at: now)
            return token
        case .useAndStart:
            startRefresh(isForced: false)
            return try current()
        case .start:
            startRefresh(isForced: need == .forced)
            return try await wait(follows: false, isForced: need == .forced)
        case .join: return try await wait(follows: false, isForced: false)
        case .follow: return try await wait(follows: true, isForced: true)
        case .fail(let failure): throw failure
        case .end(let reason):
            // Another process may have refreshed meanwhile: then the limit has not passed.
            guard await end(reason) else { return try await self.token(need) }
            throw .reloginNeeded(reason)
        }
    }

    func current() throws(SessionFailure) -> AccessToken {
        guard environment.gate?.isOpen ?? true else { throw .locked }
        guard let record, let secret = record.access else { throw .signedOut }
        return AccessToken(secret: secret, stamp: record.stamp, origin: record.resource, proving: proving)
    }

    /// Reads the record once. A store that cannot say is asked again at the next use (F8).
    func load() throws(SessionFailure) {
        try checkGate()
        // An ended session may have been signed in again by another process.
        if case .ended = machine?.phase { machine = nil }
        guard machine == nil else { return }
        record = nil
        do throws(VaultFailure) {
            trouble = nil
            guard case .present(let stored) = try store.load() else { return announce() }
            let newest = newest(stored)
            proving = try binding(of: newest)
            adopt(newest)
        } catch {
            trouble = error
            announce()
            throw error == .keyLost ? .reloginNeeded(.keyLost) : .store(error)
        }
    }

    /// What the tokens of a record are bound to; `nil` where they are bearer tokens or gone.
    ///
    /// - Throws: `VaultFailure.keyLost` where the key is gone or another one. There is no way on without it.
    func binding(of record: SessionRecord) throws(VaultFailure) -> DPoPBinding? {
        guard let thumbprint = record.binding, record.ending == nil else { return nil }
        if let proving, proving.thumbprint == thumbprint { return proving }
        // An app may have brought a key of its own.
        if let given {
            guard given.thumbprint == thumbprint else { throw .keyLost }
            return given
        }
        guard let key = store.bindingKey else { throw .keyLost }
        return try DPoPBinding(key: key, thumbprint: thumbprint, environment: environment)
    }

    func adopt(_ stored: SessionRecord) {
        record = stored
        var machine = RefreshMachine(
            stored.facts, policy: policy, mustRecover: stored.hasForeignPending(for: owner),
            chance: environment.chance())
        switch stored.ending {
        case .signedOut: machine.end(.signedOut)
        case .relogin(let reason): machine.end(.reloginNeeded(reason))
        case nil: break
        }
        self.machine = machine
        announce()
    }

    private func wait(follows: Bool, isForced: Bool) async throws(SessionFailure) -> AccessToken {
        nextWaiter += 1
        let id = nextWaiter
        let result: Result<AccessToken, SessionFailure> = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(returning: .failure(.cancelled)) }
                waiters[id] = Waiter(continuation: continuation, follows: follows, isForced: isForced)
            }
        } onCancel: {
            Task { await self.cancel(waiter: id) }
        }
        return try result.get()
    }

    // One caller goes; the refresh and the other callers stay (SR5).
    private func cancel(waiter id: UInt64) {
        waiters.removeValue(forKey: id)?.continuation.resume(returning: .failure(.cancelled))
    }

    func resume(_ failure: SessionFailure?, forced: SessionFailure? = nil, keepsFollowers: Bool) {
        let result: Result<AccessToken, SessionFailure>
        if let failure {
            result = .failure(failure)
        } else {
            result = Result { () throws(SessionFailure) in try current() }
        }
        let forcedResult = forced.map { Result.failure($0) } ?? result
        let leaving = waiters.filter { !(keepsFollowers && $0.value.follows) }
        for (id, waiter) in leaving {
            waiters[id] = nil
            waiter.continuation.resume(returning: waiter.isForced ? forcedResult : result)
        }
        for id in waiters.keys { waiters[id]?.follows = false }
    }
}

extension SessionRecord {
    /// What the machine needs to know of the record.
    var facts: RefreshMachine.TokenFacts {
        RefreshMachine.TokenFacts(stamp: stamp, received: received, lifetime: lifetime, canRefresh: refresh != nil)
    }
}
