package import PavisePrimitives
internal import Synchronization

/// The HTTP client over a URLSession: everything that is decided, and nothing of the system's.
///
/// `URLSessionTransport` gives it a URLSession on Apple's systems; a stand-in that plays the documented callbacks
/// drives the same source on Linux. Nothing is followed, cached or remembered by the system.
package final class SessionCarrier: Carrier {
    private struct State {
        var gate: ATSGate
        var policy: TrustPolicy
        var evaluate: ChainEvaluator
        var session: any DrivenSession
        var table: TaskTable
    }
    package let time: TimeSource
    package let options: ClientOptions
    private let rules: @Sendable (TrustPolicy) -> ChainEvaluator
    private let make: MakeSession
    private let sleep: @Sendable (Duration) async -> Void
    private let seen = SeenBook()
    private let state: Mutex<State>

    /// A client whose sessions `make` makes.
    ///
    /// - Parameter sleep: Waits for the total time limit.
    package init(
        policy: TrustPolicy, configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions(),
        rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator = SessionCarrier.systemRules,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        make: @escaping MakeSession
    ) {
        self.time = time
        self.options = options
        self.rules = rules
        self.sleep = sleep
        self.make = make
        let table = TaskTable(seen: seen, certificates: options.certificates)
        let session = make(DrivenSettings(connectionsPerHost: options.connectionsPerHost), table)
        state = Mutex(
            State(
                gate: ATSGate(configuration, links: options.localLinks), policy: policy, evaluate: rules(policy),
                session: session, table: table))
    }

    deinit { state.withLock { $0.session }.cancel() }

    /// The platform's rules for TLS servers.
    package static let systemRules: @Sendable (TrustPolicy) -> ChainEvaluator = { ServerRules.evaluator($0) }

    package var policy: TrustPolicy { state.withLock { $0.policy } }
    package var gate: ATSGate { state.withLock { $0.gate } }

    /// Judges by `policy` from now on, with new connections. Requests on their way end under the old one.
    package func use(_ policy: TrustPolicy) {
        let evaluate = rules(policy)
        state.withLock { state in
            state.policy = policy
            state.evaluate = evaluate
            seen.forgetVerdicts()
            renew(&state)
        }
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: .none)
    }

    package func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: try lines(authorization, for: request))
    }

    package func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await stream(request, carrying: try lines(authorization, for: request), head: head, receive: receive)
    }

    package func forgetCookies(of origins: Set<Origin>) { options.cookies?.removeAll(of: origins) }

    /// What is known about the server of a task.
    func verdict(of task: CarriedTask) -> ServerVerdict? { seen.verdict(of: task) }

    /// A task for `request` that has begun. What forbids it is told before a connection is made.
    func begin(_ request: HTTPRequest, _ lines: SecretFields) throws(TransportFailure) -> CarriedExchange {
        let origin = request.url.origin
        let (policy, gate) = state.withLock { ($0.policy, $0.gate) }
        try Self.checkProfile(policy)
        if let refusal = policy.managed.refusal(of: origin) { throw refusal }
        let parameters = try gate.admit(origin)
        guard case .direct = options.proxies.way(to: origin) else {
            throw .unusableRequest(
                "URLSession takes its proxy from the system's settings. Set it there.")
        }
        let message = try DrivenMessage(
            request, carrying: self.lines(lines, withCookiesFor: request.url),
            asksForPlain: !options.acceptsCompressed)
        let task = state.withLock { state -> CarriedTask? in
            if seen.isFull {
                seen.beginAnew()
                renew(&state)
            }
            return carried(message, origin, state, in: state.session, state.table, parameters)
        }
        guard let task else { throw .unusableRequest("URLSession reads the address differently.") }
        task.start(within: request.limits.total.bounded, sleep)
        return CarriedExchange(task)
    }

    /// Makes the handshake with `origin` and nothing more: no byte of a request is sent, trusted or not.
    ///
    /// In a session of its own: on a connection that is there already nobody would be asked, and the request would go
    /// out.
    package func inspect(
        _ origin: Origin, limits: HTTPRequest.Limits = .init()
    ) async throws(TransportFailure) -> ServerInspection {
        guard origin.scheme == .https else {
            throw .refusedByATS(
                ATSRefusal(.requiresSecureConnection, at: origin, "A server without TLS shows no certificate."))
        }
        let (state, gate) = state.withLock { ($0, $0.gate) }
        try Self.checkProfile(state.policy)
        if let refusal = state.policy.managed.refusal(of: origin) { throw refusal }
        let parameters = try gate.admit(origin)
        let message = try DrivenMessage(
            HTTPRequest("GET", WebURL(of: origin), limits: limits), carrying: .none, asksForPlain: true)
        let table = TaskTable(seen: SeenBook(), certificates: [])
        let session = make(DrivenSettings(connectionsPerHost: 1), table)
        defer { session.cancel() }
        guard let task = carried(message, origin, state, in: session, table, parameters, isInspection: true) else {
            throw .unusableRequest("URLSession reads the address differently.")
        }
        task.start(within: limits.total.bounded, sleep)
        guard case .end(let end) = await task.nextEvent() else { throw .malformed("no handshake") }
        guard let verdict = task.verdict else { throw end ?? .malformed("no handshake") }
        return ServerInspection(
            origin: origin, decision: verdict.decision, chain: verdict.chain,
            connection: ConnectionFacts(verdict, task.measurement))
    }

    // URLSession chooses suites, groups and schemes itself: a profile that could not be kept is not begun.
    private static func checkProfile(_ policy: TrustPolicy) throws(TransportFailure) {
        guard policy.tls != .ats else { return }
        throw .unusableRequest(
            "URLSession lets nobody choose suites: the profile \(policy.tls.rawValue) cannot be kept here."
        )
    }

    private func carried(
        _ message: DrivenMessage, _ origin: Origin, _ state: State, in session: any DrivenSession, _ table: TaskTable,
        _ parameters: ATSParameters, isInspection: Bool = false
    ) -> CarriedTask? {
        guard let driven = session.task(for: message) else { return nil }
        let judge = PresentedServerJudge(
            policy: state.policy, parameters: parameters, time: time, evaluate: state.evaluate,
            report: options.pinReports)
        let task = CarriedTask(driven, to: origin, judge: judge, isInspection: isInspection)
        table.add(task, number: driven.number)
        return task
    }

    // Tasks are made under the same lock: none is asked of a session that takes no more.
    private func renew(_ state: inout State) {
        state.session.finish()
        state.table = TaskTable(seen: seen, certificates: options.certificates)
        state.session = make(DrivenSettings(connectionsPerHost: options.connectionsPerHost), state.table)
    }
}
