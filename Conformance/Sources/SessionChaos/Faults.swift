internal import Foundation
internal import Pavise
internal import PaviseLab

/// Passing faults of network and server, one after the other: none of them may end a session (session/BAR3, F9).
struct Faults {
    /// One fault at the token endpoint, or of the whole server.
    enum Fault {
        case endpoint(AuthorityFault)
        /// Another key under the same name: the handshake fails.
        case wrongKey
        case tls11
    }

    let world: World
    let count: Int

    // The work is not done, or is done and the answer suffers: for an authority that keeps refresh tokens both are
    // passing.
    private static let all: [(String, Fault)] = statuses + pages + redirects + answers

    private static let statuses: [(String, Fault)] = {
        let statuses = [500, 502, 503, 504, 507, 404, 408, 410, 418, 425, 429, 204, 200, 403]
        return statuses.map { ("status \($0)", Fault.endpoint(.status($0))) }
    }()

    private static let pages: [(String, Fault)] = {
        [200, 400, 401, 403, 500, 511].map { ("page \($0)", Fault.endpoint(.page($0))) }
    }()

    private static let redirects: [(String, Fault)] = {
        [301, 302, 303, 307, 308].map { ("redirect \($0)", Fault.endpoint(.redirect($0, to: "https://127.0.0.1:9/"))) }
    }()

    private static let answers: [(String, Fault)] = [
        ("429 with Retry-After", .endpoint(.tooManyRequests(retryAfter: "99999999"))),
        ("429 with nonsense", .endpoint(.tooManyRequests(retryAfter: "soon"))),
        ("a disguised error", .endpoint(.disguisedError(400, "invalid_grant"))),
        ("invalid_grant with 500", .endpoint(.error(500, "invalid_grant"))),
        ("silence", .endpoint(.silence)), ("hang-up", .endpoint(.hangUp)), ("lost answer", .endpoint(.lostAnswer)),
        ("cut head", .endpoint(.cut(after: 20))), ("cut body", .endpoint(.cut(after: 300))),
        ("oversized", .endpoint(.oversized(bytes: 200_000))), ("nested", .endpoint(.nested(depth: 10_000))),
        ("text/html", .endpoint(.contentType("text/html"))), ("byte-order mark", .endpoint(.byteOrderMark)),
        ("not UTF-8", .endpoint(.invalidText)), ("no token", .endpoint(.without("access_token"))),
        ("two tokens", .endpoint(.twice("access_token", "x"))), ("wrong key", .wrongKey), ("TLS 1.1", .tls11),
    ]

    func play() async throws -> [String] {
        var configuration = world.authority.configuration
        configuration.rotation = .none(repeatsToken: true)
        world.authority.configuration = configuration
        try await world.signIn("faulty")
        let connection = try world.connections(wiring()).open("faulty")
        guard let session = connection.session else { return ["no session"] }
        var problems: [String] = []
        var seen: [SessionState: Int] = [:]
        var (sent, met) = (0, 0)
        for number in 0..<count {
            let (name, fault) = Self.all[number % Self.all.count]
            let before = world.authority.counters.tokenRequests
            try begin(fault)
            _ = try? await session.forceRefresh()
            await session.settle()
            if case .endpoint = fault {
                sent += 1
                met += world.authority.counters.tokenRequests > before ? 1 : 0
            }
            let state = await session.state
            seen[state, default: 0] += 1
            if !Self.isAlive(state) { problems.append("\(name): \(state)") }
            try end(fault)
            if !problems.isEmpty { break }
        }
        _ = try await session.forceRefresh()
        let status = try await connection.send(HTTPRequest("GET", connection.url("/api/me"))).status
        if status != 200 { problems.append("afterwards: status \(status)") }
        if await session.state != .active { problems.append("afterwards: \(await session.state)") }
        // A fault that nobody met can end nothing.
        if met * 2 < sent { problems.append("\(met) of \(sent) faults of the token endpoint were met") }
        print(
            "session faults: \(count) of \(Self.all.count) kinds, \(met) of \(sent) at the token endpoint met, "
                + "\(problems.count) problems; states \(seen.values.sorted())")
        return problems
    }

    private static func isAlive(_ state: SessionState) -> Bool {
        switch state {
        case .active, .refreshing, .degraded: true
        case .unknown, .locked, .signedOut, .reloginNeeded: false
        }
    }

    private func begin(_ fault: Fault) throws {
        switch fault {
        case .endpoint(let fault): world.authority.fail(.token, with: fault)
        case .wrongKey: try ManInTheMiddle.namesakeAuthority.takeOver(world.authority.server, of: world.certificates)
        case .tls11:
            try world.authority.server.use(try world.certificates.issue(), tls: WeakServer.tls11.tls)
            world.authority.server.dropConnections()
        }
    }

    private func end(_ fault: Fault) throws {
        world.authority.heal()
        guard case .endpoint = fault else {
            try world.authority.server.use(try world.certificates.issue())
            world.authority.server.dropConnections()
            return
        }
    }

    // No pauses, and nobody tries again by itself: each fault is met on its own.
    private func wiring() -> Wiring {
        var wiring = Wiring()
        wiring.policy.deadline = .milliseconds(250)
        wiring.policy.backoffBase = .zero
        wiring.policy.backoffCap = .zero
        wiring.policy.retryAfterCap = .zero
        wiring.environment.sleep = { _ in try await Task.sleep(for: .seconds(3600)) }
        return wiring
    }
}
