internal import Synchronization

/// What a client notes of its servers for the keeper of a connection.
final class ServerTracker: Sendable {
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
    private let keeper: KnownServersStore
    private let notice: @Sendable (ServerNotice) -> Void
    private let state = Mutex(State())

    /// Notes for `keeper`, by whose policy the client judges already.
    init(_ keeper: KnownServersStore, notice: @escaping @Sendable (ServerNotice) -> Void) {
        self.keeper = keeper
        self.notice = notice
    }

    var refusedServer: Origin? { state.withLock { $0.refused } }

    func stopNoting() { state.withLock { $0.isOver = true } }

    func stop(because words: String?) { state.withLock { $0.stopped = words } }

    /// - Throws: ``TransportFailure/managed(_:)`` where nothing is sent.
    func checkStanding() throws(TransportFailure) {
        if let words = state.withLock({ $0.stopped }) { throw .managed(words) }
    }

    /// Notes what the server of an answer showed: once for each connection, since later answers on the same one say
    /// nothing new.
    func note(_ answer: HTTPResponse, from origin: Origin) async {
        guard let server = answer.server else { return }
        let isNew = state.withLock { state in
            !state.isOver && state.add(server, of: origin)
        }
        guard isNew else { return }
        do {
            // Where something was decided elsewhere meanwhile, the keeper tells the client by what to judge.
            take(try await keeper.look(at: server.chain, of: origin), at: origin)
        } catch {
            notice(.notKept(origin, "\(error)"))
        }
    }

    private func take(_ outcome: ServerTrustState.Outcome, at origin: Origin) {
        switch outcome {
        // The server is known from here on, so its next handshake is compared.
        case .allow(.first): break
        case .allow(let note) where note == .renewedAuthority || note == .renewedValid:
            notice(.renewed(origin, note))
        case .ask, .deny: state.withLock { $0.refused = origin }
        case .allow, .void, .rejected: break
        }
    }

    /// Notes a server that was refused for its certificate.
    func note(_ failure: TransportFailure, at origin: Origin) async {
        guard case .untrusted(let refusal) = failure else { return }
        await keeper.look(at: refusal, of: origin)
        if refusal.canBeApproved { state.withLock { $0.refused = origin } }
    }
}

extension ServerTracker.State {
    // Several connections answer in turns: each is known, as long as it is there.
    fileprivate mutating func add(_ server: PresentedServer, of origin: Origin) -> Bool {
        let key = ObjectIdentifier(server)
        // A new one may lie where one that is gone lay.
        if let known = seen[key], known.server === server, known.origin == origin { return false }
        if seen.count >= room {
            seen = seen.filter { $0.value.server != nil }
            room = max(64, seen.count * 2)
        }
        seen[key] = ServerTracker.Seen(server: server, origin: origin)
        return true
    }
}
