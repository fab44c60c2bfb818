extension HTTPClient {
    /// This client for a connection whose servers `keeper` remembers: each answer's connection is noted, and of each
    /// refused server the origin.
    ///
    /// The refusal itself happens inside the handshake, by ``TrustPolicy/knownServers``; what is noted here is for the
    /// next one.
    package func tracked(
        by keeper: KnownServersStore, notice: @escaping @Sendable (ServerNotice) -> Void
    ) -> HTTPClient {
        let client = HTTPClient(shared, asking: inquirer, tracker: ServerTracker(keeper, notice: notice))
        keeper.follow { [weak client] policy in client?.take(policy) != nil }
        return client
    }

    /// The server that was refused last for a certificate that a person could approve; `nil` when none was. The keeper
    /// has the question.
    package var refusedServer: Origin? { tracker?.refusedServer }

    /// Notes nothing from now on: the connection is being removed, and its folder must not come back.
    package func stopNoting() { tracker?.stopNoting() }

    /// Sends nothing from now on and says why; `nil` sends again. What is on its way goes on.
    package func stop(because words: String?) { tracker?.stop(because: words) }

    /// Judges by other rules of an administrator from now on, with new connections.
    package func follow(_ managed: ManagedTrust) { shared.change { $0.managed = managed } }

    /// Judges by other pins from now on: each server with a new handshake.
    package func follow(pins: [PinSet]) { shared.change { $0.pins = pins } }

    // Only what is known and approved changes: whoever made the client may have given it other anchors than the keeper
    // has.
    private func take(_ kept: TrustPolicy) {
        shared.change { policy in
            policy.knownServers = kept.knownServers
            policy.approvals = kept.approvals
        }
    }

    /// Sends `request`, and notes what its server showed.
    func noting<Body>(
        _ request: HTTPRequest,
        _ send: (HTTPRequest) async throws(TransportFailure) -> (answer: HTTPResponse, body: Body)
    ) async throws(TransportFailure) -> (answer: HTTPResponse, body: Body) {
        guard let tracker else { return try await send(upgraded(request)) }
        try tracker.checkStanding()
        let request = upgraded(request)
        let origin = request.url.origin
        do throws(TransportFailure) {
            let found = try await send(request)
            await tracker.note(found.answer, from: origin)
            return found
        } catch {
            await tracker.note(error, at: origin)
            throw error
        }
    }
}
