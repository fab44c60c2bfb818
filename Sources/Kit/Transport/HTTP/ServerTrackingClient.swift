internal import Synchronization

/// A client that takes another policy while it is in use.
package protocol PolicyUpdatable: HTTPClient, AnyObject {
    /// What it judges by now.
    var policy: TrustPolicy { get }
    /// Judges by `policy` from now on.
    func use(_ policy: TrustPolicy)
}

extension PolicyUpdatable {
    // Only what is known and approved changes: whoever made the client may have given it other anchors than the keeper
    // has.
    fileprivate func take(_ kept: TrustPolicy) {
        var policy = policy
        policy.knownServers = kept.knownServers
        policy.approvals = kept.approvals
        // A client closes its connections when it takes another policy.
        guard policy != self.policy else { return }
        use(policy)
    }
}

/// A client whose servers a keeper remembers: each answer's connection is noted, and of each refused server the origin.
///
/// The refusal itself happens inside the handshake, by ``TrustPolicy/knownServers``; what is noted here is for the next
/// one.
package final class ServerTrackingClient: PulledBodyClient {
    fileprivate struct Seen {
        weak var server: PresentedServer?
        let origin: Origin
    }
    fileprivate struct State {
        var seen: [ObjectIdentifier: Seen] = [:]
        var room = 64
        var refused: Origin?
        var isOver = false
        var stopped: String?
    }
    private let client: any HTTPClient
    private let keeper: KnownServersStore
    private let notice: @Sendable (ServerNotice) -> Void
    private let state = Mutex(State())

    /// A client around `client`, which judges by the keeper's policy already.
    package init(
        _ client: any HTTPClient, keeper: KnownServersStore, notice: @escaping @Sendable (ServerNotice) -> Void
    ) {
        self.client = client
        self.keeper = keeper
        self.notice = notice
        guard let client = client as? any PolicyUpdatable else { return }
        keeper.follow { [weak client] policy in client?.take(policy) != nil }
    }

    /// The server that was refused last for a certificate that a person could approve; `nil` when none was. The keeper
    /// has the question.
    package var refusedServer: Origin? { state.withLock { $0.refused } }

    /// Notes nothing from now on: the connection is being removed, and its folder must not come back.
    package func stopNoting() { state.withLock { $0.isOver = true } }

    /// Sends nothing from now on and says why; `nil` sends again. What is on its way goes on.
    package func stop(because words: String?) { state.withLock { $0.stopped = words } }

    /// Judges by other rules of an administrator from now on, with new connections.
    package func follow(_ managed: ManagedTrust) {
        guard let client = client as? any PolicyUpdatable else { return }
        var policy = client.policy
        guard policy.managed != managed else { return }
        policy.managed = managed
        client.use(policy)
    }

    /// Judges by other pins from now on: each server with a new handshake.
    package func follow(pins: [PinSet]) {
        guard let client = client as? any PolicyUpdatable else { return }
        var policy = client.policy
        guard policy.pins != pins else { return }
        policy.pins = pins
        client.use(policy)
    }

    private func checkStanding() throws(TransportFailure) {
        if let words = state.withLock({ $0.stopped }) { throw .managed(words) }
    }

    /// Sends `request` without credentials.
    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try checkStanding()
        do throws(TransportFailure) {
            let answer = try await client.send(request)
            await note(answer, from: request.url.origin)
            return answer
        } catch {
            throw await noted(error, at: request.url.origin)
        }
    }

    /// Sends `request` with a credential for its own origin.
    package func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try checkStanding()
        do throws(TransportFailure) {
            let answer = try await client.send(request, with: authorization)
            await note(answer, from: request.url.origin)
            return answer
        } catch {
            throw await noted(error, at: request.url.origin)
        }
    }

    /// Sends `request` and lends the body piece by piece.
    package func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try checkStanding()
        do throws(TransportFailure) {
            let answer = try await client.stream(request, with: authorization, head: head, receive: receive)
            await note(answer, from: request.url.origin)
            return answer
        } catch {
            throw await noted(error, at: request.url.origin)
        }
    }

    /// Sends `request` and returns as soon as the head is there.
    package func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        try checkStanding()
        do throws(TransportFailure) {
            let (answer, body) = try await client.opened(request, with: authorization)
            await note(answer, from: request.url.origin)
            return (answer, body)
        } catch {
            throw await noted(error, at: request.url.origin)
        }
    }

    /// Forgets the cookies of these servers.
    package func forgetCookies(of origins: Set<Origin>) { client.forgetCookies(of: origins) }

    // Once for each connection: later answers on the same one say nothing new.
    private func note(_ answer: HTTPResponse, from origin: Origin) async {
        guard let server = answer.server else { return }
        let isNew = state.withLock { state in
            !state.isOver && state.add(server, of: origin)
        }
        guard isNew else { return }
        do {
            await take(try await keeper.look(at: server.chain, of: origin), at: origin)
        } catch {
            notice(.notKept(origin, "\(error)"))
        }
    }

    private func take(_ outcome: ServerTrustState.Outcome, at origin: Origin) async {
        switch outcome {
        // The server is known from here on, so its next handshake is compared.
        case .allow(.first): break
        case .allow(let note) where note == .renewedAuthority || note == .renewedValid:
            notice(.renewed(origin, note))
        case .ask, .deny:
            // Something was decided elsewhere while this answer was on its way.
            state.withLock { $0.refused = origin }
            (client as? any PolicyUpdatable)?.take(await keeper.policy)
        case .allow, .void, .rejected: break
        }
    }

    private func noted(_ failure: TransportFailure, at origin: Origin) async -> TransportFailure {
        guard case .untrusted(let refusal) = failure else { return failure }
        await keeper.look(at: refusal, of: origin)
        if refusal.canBeApproved { state.withLock { $0.refused = origin } }
        return failure
    }
}

extension ServerTrackingClient.State {
    // Several connections answer in turns: each is known, as long as it is there.
    fileprivate mutating func add(_ server: PresentedServer, of origin: Origin) -> Bool {
        let key = ObjectIdentifier(server)
        // A new one may lie where one that is gone lay.
        if let known = seen[key], known.server === server, known.origin == origin { return false }
        if seen.count >= room {
            seen = seen.filter { $0.value.server != nil }
            room = max(64, seen.count * 2)
        }
        seen[key] = ServerTrackingClient.Seen(server: server, origin: origin)
        return true
    }
}
