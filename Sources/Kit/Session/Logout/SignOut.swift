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
        /// The server was not reached or refused; the tokens end by their own time.
        case failed
    }

    /// Why the tokens are still on this device: the store took no write. Try again.
    public let localFailure: VaultFailure?
    /// What became of the tokens at the server.
    public let revocation: Revocation

    /// A report from its parts.
    public init(localFailure: VaultFailure?, revocation: Revocation) {
        self.localFailure = localFailure
        self.revocation = revocation
    }
}

extension Session {
    /// Signs out: first here, durably and whatever the server does; then there, for at most 5 s (session SR17).
    ///
    /// A refresh that is on its way ends without effect; all waiting callers get ``SessionFailure/signedOut``.
    public func signOut() async -> SignOutReport {
        let farewell = await endLocally()
        return SignOutReport(localFailure: farewell.failure, revocation: await revoke(farewell))
    }

    /// The local half of ``signOut()``: epoch and wipe in one durable write, the key that the tokens are bound to, then everything
    /// in memory.
    package func endLocally() async -> Farewell {
        let newest = unsaved
        let last = record
        do throws(VaultFailure) {
            // The proofs for the server are made between the write and the key's end.
            let farewell = try await store.signOut(at: now) { stored in lastWords(for: newest ?? stored) }
            forgetEverything()
            return farewell
        } catch {
            let farewell = lastWords(for: newest ?? last, after: error)
            forgetEverything()
            return farewell
        }
    }

    private func lastWords(for tokens: SessionRecord?, after failure: VaultFailure? = nil) -> Farewell {
        if let tokens { client.forgetCookies(of: tokens.origins) }
        guard let tokens, tokens.binding != nil, let address = tokens.server.revocationEndpoint else {
            return Farewell(failure: failure, tokens: tokens, client: client)
        }
        guard let proving = try? sender(for: tokens) else {
            // The key is gone or cannot be used: a bound token is not shown to anybody as a bearer.
            var bare = tokens
            bare.access = nil
            return Farewell(failure: failure, tokens: bare, client: client)
        }
        let last = FarewellClient(proving, at: address, showing: tokens.access)
        return Farewell(failure: failure, tokens: tokens, client: last)
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
    package func revoke(_ farewell: Farewell) async -> SignOutReport.Revocation {
        guard let record = farewell.tokens, record.refresh != nil || record.access != nil else { return .nothing }
        guard record.server.revocationEndpoint != nil else { return .notOffered }
        // The last answer may have set some again.
        defer { client.forgetCookies(of: record.origins) }
        let endpoint = TokenEndpoint(record.server, client: farewell.client, environment: environment, policy: policy)
        let isDone = await Deadline.run(policy.revocation, sleep: environment.sleep) {
            let first = await record.refresh.asyncMap { await Self.revoke(refresh: $0, record.access, endpoint) }
            let second = await record.access.asyncMap {
                await endpoint.revoke($0, hint: "access_token", bearer: record.access)
            }
            return first ?? second ?? true
        }
        return isDone == true ? .done : .failed
    }
}

extension Session {
    // A server that wants a living access token for it (401) gets a fresh one: the last refresh of this grant.
    private static func revoke(refresh: SharedSecret, _ access: SharedSecret?, _ endpoint: TokenEndpoint) async -> Bool
    {
        let first = await endpoint.revocationStatus(refresh, hint: "refresh_token", bearer: access)
        guard first == 401, access != nil else { return first == 200 }
        guard case .granted(let grant) = await endpoint.refresh(refresh) else { return false }
        let newest = grant.refreshToken ?? refresh
        return await endpoint.revoke(newest, hint: "refresh_token", bearer: grant.accessToken)
    }
}

extension Optional {
    fileprivate func asyncMap<Value>(_ change: (Wrapped) async -> Value) async -> Value? {
        guard let self else { return nil }
        return await change(self)
    }
}
