internal import PavisePrimitives
internal import PaviseVault

extension Session {
    /// Starts the refresh in a task of the session's own, so that no caller's cancellation reaches it (SR5).
    func startRefresh(isForced: Bool) {
        guard let record else { return }
        retryTask?.cancel()
        let procedure = RefreshProcedure(
            store: store, client: client, binding: proving ?? given, environment: environment, policy: policy,
            owner: owner)
        let stamp = record.stamp
        let unsaved = unsaved
        announce()
        refreshTask = Task {
            let outcome = await procedure.run(stamp, isForced: isForced, unsaved: unsaved)
            await self.finish(outcome, of: stamp)
        }
    }

    private func finish(_ outcome: RefreshProcedure.Outcome, of stamp: TokenVersion) async {
        // Also when nobody waits for it any more: what was ended durably is told to the server.
        if case .ended(_, let ended?) = outcome { await takeBack(ended) }
        // A sign-out or sign-in has taken over: its epoch is another, and nothing of this refresh counts (SR18).
        guard record?.epoch == stamp.epoch, machine?.isRefreshing == true else {
            return keep(outcome)
        }
        refreshTask = nil
        let completion = machine?.finished(take(outcome), at: now, chance: environment.chance())
        guard let completion else { return }
        resume(
            completion.failure, forced: completion.forcedFailure,
            keepsFollowers: completion.startsAgain || completion.followersFailure != nil)
        if let failure = completion.followersFailure { resume(failure, keepsFollowers: false) }
        if case .changed = outcome { machine = nil }
        announce()
        if completion.startsAgain { return follow() }
        if let pause = completion.retryIn { scheduleRetry(in: pause) }
        if unsaved != nil { scheduleSave(after: 1) }
        scheduleRenewal()
    }

    private func follow() {
        machine?.begin(at: now)
        startRefresh(isForced: true)
    }

    // Puts the outcome's record in force and translates the outcome for the machine.
    private func take(_ outcome: RefreshProcedure.Outcome) -> RefreshMachine.Outcome {
        switch outcome {
        case .adopted(let record), .renewed(let record):
            self.record = record
            unsaved = nil
            return .renewed(record.facts, isStored: true)
        case .renewedUnsaved(let record, let failure):
            self.record = record
            unsaved = record
            trouble = failure
            return .renewed(record.facts, isStored: false)
        case .transient(let reason, let retryAfter): return .failed(reason, retryAfter: retryAfter, isRejection: false)
        case .rejected(let code):
            return .failed(DegradedReason(rejection: code), retryAfter: nil, isRejection: true)
        case .store(let failure):
            trouble = failure
            return .storeFailed
        case .ended(let reason, _):
            forgetTokens(.relogin(reason))
            return .ended(.reloginNeeded(reason))
        case .changed:
            forgetTokens(.signedOut)
            return .ended(.sessionChanged)
        }
    }

    func forgetTokens(_ ending: SessionRecord.Ending) {
        record = record?.ended(ending, at: now)
        unsaved = nil
    }

    /// What came of an end.
    enum EndOutcome: Hashable, Sendable {
        /// It is ended, here or by another process.
        case ended
        /// It is ended in memory alone: the store took no write, and has it still.
        case unwritten(VaultFailure)
        /// Nothing was ended: another process has refreshed it meanwhile.
        case overtaken
    }

    /// Ends the session durably because a limit passed, then tells the server as a sign-out does. What could not be
    /// written passes again at the next use.
    ///
    /// - Returns: `false`, and nothing was ended, when another process has refreshed the session meanwhile.
    func end(_ reason: ReloginReason) async -> Bool { await ending(reason) != .overtaken }

    /// The same, with what the store said.
    func ending(_ reason: ReloginReason) async -> EndOutcome {
        guard let record else { return .ended }
        machine?.end(.reloginNeeded(reason))
        let newest = unsaved
        // Before the key goes: the proofs for the server are made with it.
        let left = ended(of: (newest ?? record).withLivingTokens(at: now))
        let over = record.ended(.relogin(reason), at: now)
        var swap = await self.swap(record.stamp, for: over)
        // The store still has the one before, where a write failed.
        if case .success(.conflict(.present(let other))) = swap, other.epoch == record.epoch,
            other.generation < record.generation
        {
            swap = await self.swap(other.stamp, for: over)
        }
        // The lock closed meanwhile, or somebody signed in again: what is in memory now is not this session's.
        let isOwn = self.record?.epoch == record.epoch
        if case .success(.conflict(.present(let other))) = swap, other.epoch == record.epoch, other.ending == nil {
            guard isOwn else { return .overtaken }
            adopt(other)
            unsaved = nil
            resume(nil, forced: .sessionChanged, keepsFollowers: false)
            return .overtaken
        }
        if isOwn {
            refreshTask = nil
            forgetTokens(.relogin(reason))
        }
        var outcome = EndOutcome.ended
        switch swap {
        case .success(.done): await takeBack(left)
        // A token that is in memory only is lost now. What the store still has is ended at the next use.
        case .failure(let failure):
            outcome = .unwritten(failure)
            if newest != nil { await takeBack(left) }
        // Another process has ended it, and told the server.
        case .success(.conflict): break
        }
        // To take the tokens back takes its time as well.
        if isOwn, self.record?.epoch == record.epoch { resume(.reloginNeeded(reason), keepsFollowers: false) }
        announce()
        return outcome
    }

    private func swap(
        _ expected: TokenVersion, for record: SessionRecord
    ) async -> Result<SessionStore.Swap, VaultFailure> {
        do throws(VaultFailure) { return .success(try await store.swap(expected, for: record)) } catch {
            return .failure(error)
        }
    }

    func scheduleRetry(in pause: Duration) {
        retryTask?.cancel()
        retryTask = Task { [weak self, sleep = environment.sleep] in
            guard (try? await sleep(pause)) != nil else { return }
            await self?.retry()
        }
    }

    /// Tries again by itself: callers need not ask.
    func retry() {
        guard (try? checkGate()) != nil else { return }
        guard var machine, let record, machine.phase == .idle else { return }
        let stamp = record.stamp
        let decision = machine.retry(passed: record.passedLimit(policy, at: now), at: now)
        self.machine = machine
        switch decision {
        case .start: startRefresh(isForced: false)
        case .end(let reason): Task { _ = await end(reason) }
        default: if record.stamp == stamp, machine.degraded != nil { scheduleRetry(in: policy.window) }
        }
    }

    // The write that failed is tried until it works or the session is another (SR10).
    func scheduleSave(after seconds: Int64) {
        let pause = min(.seconds(seconds), policy.backoffCap)
        Task { [weak self, sleep = environment.sleep] in
            guard (try? await sleep(pause)) != nil else { return }
            await self?.save(nextPause: min(seconds * 2, 3600))
        }
    }

    func save(nextPause: Int64) async {
        guard let unsaved, unsaved.epoch == record?.epoch else { return }
        do throws(VaultFailure) {
            guard case .present(let stored) = try store.load(), stored.epoch == unsaved.epoch else { return }
            if stored.generation < unsaved.generation {
                guard case .done = try await store.swap(stored.stamp, for: unsaved) else {
                    return scheduleSave(after: 1)
                }
            }
            guard self.unsaved?.stamp == unsaved.stamp else { return }
            self.unsaved = nil
            trouble = nil
            machine?.stored()
            announce()
        } catch {
            scheduleSave(after: nextPause)
        }
    }
}

extension DegradedReason {
    /// `invalid_client` and its kin are faults of the app's settings; the rest is the server's business.
    init(rejection code: String) {
        self = code == "invalid_client" || code == "unauthorized_client" ? .configuration : .server
    }
}
