internal import PavisePrimitives
internal import PaviseTransport
public import PaviseVault

/// How a sign-out went. The device is signed out in every case but ``localFailure``.
public struct SignOutReport: Hashable, Sendable {
    /// What became of the tokens at the server.
    public enum Revocation: Hashable, Sendable {
        /// The server took them back, or did not know them any more.
        case done
        /// There was nothing to revoke.
        case nothing
        /// The server offers no revocation; the tokens end by their own time.
        case notOffered
        /// The server was not reached, or has no time now. What is needed to ask again is kept, sealed: see
        /// `Connections.finishRevocations(within:)`.
        case queued
        /// The server refused, or was not reached and nothing could be kept for later; the tokens end by their own
        /// time. Those that are bound to a key are worth nothing from now on.
        case failed
    }

    /// What became of the session that the browser has with the authority.
    public enum AuthorityPage: Hashable, Sendable {
        /// The authority's page sent the browser back: the next sign-in asks who it is.
        case ended
        /// The authority has no page for it.
        case notOffered
        /// Nobody knows: the page or the authority's metadata was not reached, the page did not come back in time, or
        /// it lies at another connection's authority and was not opened.
        case notConfirmed
    }

    /// Why the tokens are still on this device, because the store took no write, or the key that they are bound to. Try
    /// again.
    public package(set) var localFailure: VaultFailure?
    /// What became of the tokens at the server.
    public let revocation: Revocation
    /// What became of the browser's session, where that was asked for.
    public package(set) var authorityPage: AuthorityPage?

    /// A report from its parts.
    public init(localFailure: VaultFailure?, revocation: Revocation) {
        self.localFailure = localFailure
        self.revocation = revocation
    }
}

extension Session {
    /// Signs out: first here, durably and whatever the server does; then there, for at most 5 s (session SR17).
    ///
    /// A server that is not reached is asked again later, where the session belongs to a connection.
    ///
    /// A refresh that is on its way ends without effect; all waiting callers get ``SessionFailure/signedOut``.
    public func signOut() async -> SignOutReport {
        let ended = await endLocally()
        return SignOutReport(localFailure: ended.failure, revocation: await revoke(ended))
    }

    /// The local half of ``signOut()``: epoch and wipe in one durable write, the key that the tokens are bound to, then
    /// everything in memory. What a kill must not lose waits in the queue of revocations from then on.
    package func endLocally() async -> EndedSession {
        let newest = unsaved
        let last = record
        do throws(VaultFailure) {
            // The proofs for the server are made between the write and the key's end.
            let wiped = try await store.signOut(at: now) { stored in ended(of: latest(newest, stored)) }
            var left = wiped.left
            left.failure = wiped.failure
            forgetEverything()
            return await queued(left)
        } catch {
            let left = ended(of: newest ?? last, after: error)
            forgetEverything()
            return await queued(left)
        }
    }

    // A token that no store took counts where nothing newer is stored: another process may have begun a session since,
    // and that is the one that ends now.
    private func latest(_ unsaved: SessionRecord?, _ stored: SessionRecord?) -> SessionRecord? {
        guard let unsaved else { return stored }
        guard let stored, stored.ending == nil else { return unsaved }
        let isOlder = stored.epoch == unsaved.epoch && stored.generation < unsaved.generation
        return isOlder ? unsaved : stored
    }

    // What a kill must not lose waits in the queue when this returns.
    private func queued(_ ended: EndedSession) async -> EndedSession {
        if let tokens = ended.tokens { client.forgetCookies(of: tokens.origins) }
        guard let revocations = store.revocations, let tokens = ended.tokens, !store.others.certainlyHave(tokens.server)
        else {
            return ended
        }
        var ticketed = ended
        ticketed.ticket = await revocations.keep(tokens, at: now, policy)
        return ticketed
    }

    /// Takes the tokens of a session that ended by itself back: what a kill must not lose waits in the queue when this
    /// returns, and the server is asked in a task of the session's own.
    func takeBack(_ ended: EndedSession) async {
        let ticketed = await queued(ended)
        let before = takeBackTask
        takeBackTask = Task {
            await before?.value
            _ = await revoke(ticketed)
        }
    }

    /// What is needed to take `tokens` back.
    func ended(of tokens: SessionRecord?, after failure: VaultFailure? = nil) -> EndedSession {
        EndedSession(of: tokens, after: failure, client: client, binding: tokens.flatMap { try? binding(of: $0) })
    }

    private func forgetEverything() {
        for task in [refreshTask, retryTask, renewalTask] { task?.cancel() }
        refreshTask = nil
        record = nil
        unsaved = nil
        machine = nil
        proving = nil
        trouble = nil
        resume(.signedOut, keepsFollowers: false)
        announce()
    }

    // The refresh token first: with it the server usually ends the whole grant (RFC 7009 §2.1, oauth S5).
    package func revoke(_ ended: EndedSession) async -> SignOutReport.Revocation {
        guard let record = ended.tokens, record.refresh != nil || record.access != nil else { return .nothing }
        guard record.server.revocationEndpoint != nil else { return .notOffered }
        guard !store.others.have(record.server) else { return ended.ticket == nil ? .failed : .queued }
        // The last answer may have set some again.
        defer { client.forgetCookies(of: record.origins) }
        let endpoint = TokenEndpoint(
            record.server, through: ended.sender, environment: environment, policy: policy)
        let (queue, ticket) = (store.revocations?.queue, ended.ticket)
        let answer = await Deadline.run(policy.revocation, sleep: environment.sleep) {
            let first = await record.refresh.asyncMap { token in
                await endpoint.takeBack(
                    token, hint: "refresh_token", bearer: record.access, mayRefresh: record.access != nil
                ) { newest in
                    if let ticket { try? await queue?.renew(ticket, with: newest) }
                }
            }
            let second = await record.access.asyncMap {
                await endpoint.revocation(of: $0, hint: "access_token", bearer: record.access)
            }
            return first ?? second ?? .done
        }
        switch answer {
        case .done, .refused:
            // An entry that stays by mistake asks for a token that the server does not know any more.
            if let ticket { try? await queue?.remove(ticket) }
            return answer == .done ? .done : .failed
        case .passing, nil: return ticket == nil ? .failed : .queued
        }
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ change: (Wrapped) async -> Value) async -> Value? {
        guard let self else { return nil }
        return await change(self)
    }
}
