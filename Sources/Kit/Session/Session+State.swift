internal import PavisePrimitives
internal import PaviseVault

extension Session {
    var currentState: SessionState {
        guard !isClosed else { return .locked }
        guard let machine else {
            guard let trouble else { return .signedOut }
            return trouble == .keyLost ? .reloginNeeded(.keyLost) : .unknown(trouble)
        }
        switch machine.phase {
        case .ended(.reloginNeeded(let reason)): return .reloginNeeded(reason)
        case .ended: return .signedOut
        case .refreshing: return machine.degraded.map(SessionState.degraded) ?? .refreshing
        case .idle: return machine.degraded.map(SessionState.degraded) ?? .active
        }
    }

    /// Whether the tokens are bound to a key of this device (RFC 9449); `nil` where there are none, or the store cannot
    /// say.
    public var isBound: Bool? {
        if machine == nil { try? load() }
        guard let record, record.ending == nil else { return nil }
        return record.binding != nil
    }

    /// Whether a token is in memory.
    package var isHolding: Bool { record?.access != nil || record?.refresh != nil || unsaved != nil }

    /// Somebody signed in again, or out: what is known of the session before is forgotten, and who waits starts over.
    package func startOver() {
        retryTask?.cancel()
        renewalTask?.cancel()
        (machine, record, proving, unsaved) = (nil, nil, nil, nil)
        resume(.sessionChanged, keepsFollowers: false)
        try? load()
        announce()
        scheduleRenewal()
    }

    /// A limit that has passed is an end at the first look, and not only at the next request (app-lock AL38).
    func endWherePassed() {
        guard passedLimit != nil else { return noteAge() }
        // Another process may have refreshed meanwhile.
        machine = nil
        try? load()
        guard let reason = passedLimit else { return }
        machine?.end(.reloginNeeded(reason))
        announce()
        Task { _ = await end(reason) }
    }

    /// Writes down how old the session is, after each start of the machine and then once an hour at most: what has
    /// passed once has passed, whatever the wall clock says after the next start (oauth S6).
    func noteAge() {
        guard let record, record.ending == nil, unsaved == nil, case .idle? = machine?.phase else { return }
        let (now, last) = (now, noted ?? record.aged)
        guard !now.isSameBoot(as: last) || now.milliseconds(since: last) >= 3_600_000 else { return }
        // Of one boot the clocks know it all.
        guard !now.isSameBoot(as: record.received) else { return }
        noted = now
        // What cannot be written now is written at a later look.
        Task { [store] in try? await store.note(record.stamp, at: now) }
    }

    // Nothing while a refresh is on its way: it decides.
    var passedLimit: ReloginReason? {
        guard let record, record.ending == nil, case .idle? = machine?.phase else { return nil }
        return record.passedLimit(policy, at: now)
    }

    func announce() {
        let state = currentState
        guard state != announced else { return }
        if let heard = environment.heard, let server = record?.resource { heard(state, announced, server) }
        announced = state
        for observer in observers.values { observer.yield(state) }
    }

    /// Renews ahead of the access token's end for as long as the session object lives (SR15). For apps; a short program
    /// that asks for a token when it needs one has no use for it.
    public func keepFresh() {
        isKeptFresh = true
        if machine == nil { try? load() }
        scheduleRenewal()
    }

    func scheduleRenewal() {
        renewalTask?.cancel()
        guard isKeptFresh, let machine, case .idle = machine.phase else { return }
        let pause = Duration.milliseconds(max(50, machine.renewal(at: now)))
        renewalTask = Task { [weak self, sleep = environment.sleep] in
            guard (try? await sleep(pause)) != nil else { return }
            _ = try? await self?.accessToken()
            await self?.scheduleRenewal()
        }
    }
}
