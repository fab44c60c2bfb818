package import PavisePrimitives
internal import Synchronization

/// The carrier of Apple's systems, over a URLSession: what a session is told and what its callbacks mean, and nothing
/// of the system's.
///
/// `HTTPClient+Apple.swift` gives it a URLSession; a stand-in that plays the documented callbacks drives the same
/// source on Linux. Nothing is followed, cached or remembered by the system.
package final class SessionCarrier: HTTPCarrier {
    private struct Lane {
        let proxy: ProxyEndpoint?
        let session: any DrivenSession
        let table: TaskTable
    }
    private struct State {
        var policy: TrustPolicy
        var evaluate: ChainEvaluator
        /// What the servers of these lanes showed. Tasks of earlier lanes keep the book of theirs.
        var seen: SeenBook
        /// A session has one proxy for all its requests: there is one for each way that the rules know, three at most
        /// (``ProxyRules``).
        var lanes: [ProxyEndpoint?: Lane] = [:]
    }
    private let time: TimeSource
    let options: ClientOptions
    private let rules: @Sendable (TrustPolicy) -> ChainEvaluator
    private let make: MakeSession
    private let sleep: @Sendable (Duration) async -> Void
    private let state: Mutex<State>

    /// A carrier whose sessions `make` makes.
    ///
    /// - Parameter sleep: Waits for the total time limit.
    package init(
        policy: TrustPolicy, time: TimeSource = .system, options: ClientOptions = ClientOptions(),
        rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator = SessionCarrier.systemRules,
        sleep: @escaping @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) },
        make: @escaping MakeSession
    ) {
        self.time = time
        self.options = options
        self.rules = rules
        self.sleep = sleep
        self.make = make
        state = Mutex(State(policy: policy, evaluate: rules(policy), seen: SeenBook(time)))
    }

    deinit { for lane in state.withLock({ $0.lanes.values }) { lane.session.cancel() } }

    /// The platform's rules for TLS servers.
    package static let systemRules: @Sendable (TrustPolicy) -> ChainEvaluator = { ServerRules.evaluator($0) }

    package func use(_ policy: TrustPolicy) {
        let evaluate = rules(policy)
        state.withLock { state in
            state.policy = policy
            state.evaluate = evaluate
            state.seen.forgetVerdicts()
            finish(&state)
        }
    }

    /// A task for a request that has begun.
    func begin(_ order: CarrierOrder) throws(TransportFailure) -> CarriedExchange {
        let (request, origin) = (order.request, order.request.url.origin)
        let proxy = try Self.proxy(of: order, state.withLock { $0.policy })
        let message = DrivenMessage(request, carrying: order.lines, asksForPlain: !options.acceptsCompressed)
        let exchange = state.withLock { state -> CarriedExchange? in
            if state.seen.isFull {
                state.seen = SeenBook(time)
                finish(&state)
            }
            // Without a report: nothing was shown now.
            let judge = PresentedServerJudge(
                policy: state.policy, parameters: order.parameters, time: time, evaluate: state.evaluate, report: nil)
            if state.seen.needsHandshake(origin, judge) { finish(&state) }
            let used = lane(through: proxy, &state)
            return carried(message, origin, state, in: used, order.parameters)
                .map { CarriedExchange($0, state.seen) }
        }
        guard let exchange else { throw .unusableRequest("URLSession reads the address differently.") }
        exchange.task.start(within: request.limits.total.bounded, sleep)
        return exchange
    }

    // In a session of its own: on a connection that is there already nobody would be asked, and the request would go
    // out.
    package func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection {
        let (request, origin) = (order.request, order.request.url.origin)
        let state = state.withLock { $0 }
        let proxy = try Self.proxy(of: order, state.policy)
        let message = DrivenMessage(request, carrying: .none, asksForPlain: true)
        let table = TaskTable(seen: SeenBook(time), certificates: [])
        let session = make(DrivenSettings(connectionsPerHost: 1, proxy: proxy), table)
        defer { session.cancel() }
        let lane = Lane(proxy: proxy, session: session, table: table)
        let task = carried(message, origin, state, in: lane, order.parameters, isInspection: true)
        guard let task else { throw .unusableRequest("URLSession reads the address differently.") }
        task.start(within: request.limits.total.bounded, sleep)
        guard case .end(let end) = await task.nextEvent() else { throw .malformed("There was no handshake.") }
        guard let verdict = task.verdict else { throw end ?? .malformed("There was no handshake.") }
        return ServerInspection(
            origin: origin, decision: verdict.decision, chain: verdict.chain,
            connection: ConnectionFacts(verdict, task.measurement))
    }

    // What URLSession lets nobody do is not begun: it chooses suites, groups and schemes itself.
    private static func proxy(
        of order: CarrierOrder, _ policy: TrustPolicy
    ) throws(TransportFailure) -> ProxyEndpoint? {
        guard policy.tls == .ats else {
            throw .unusableRequest(
                "URLSession lets nobody choose suites: the profile \(policy.tls.rawValue) cannot be kept here."
            )
        }
        guard let address = order.proxy else { return nil }
        guard let proxy = ProxyEndpoint(address) else {
            throw .unusableRequest("The address of the proxy cannot be read. Write http://host:port.")
        }
        return proxy
    }

    private func carried(
        _ message: DrivenMessage, _ origin: Origin, _ state: State, in lane: Lane, _ parameters: ATSParameters,
        isInspection: Bool = false
    ) -> CarriedTask? {
        guard let driven = lane.session.task(for: message) else { return nil }
        let judge = PresentedServerJudge(
            policy: state.policy, parameters: parameters, time: time, evaluate: state.evaluate,
            report: options.pinReports)
        let task = CarriedTask(
            driven, to: origin, through: lane.proxy, sending: message.upload, judge: judge, isInspection: isInspection)
        lane.table.add(task, number: driven.number)
        return task
    }

    private func lane(through proxy: ProxyEndpoint?, _ state: inout State) -> Lane {
        if let lane = state.lanes[proxy] { return lane }
        let table = TaskTable(seen: state.seen, certificates: options.certificates)
        let settings = DrivenSettings(connectionsPerHost: options.connectionsPerHost, proxy: proxy)
        let lane = Lane(proxy: proxy, session: make(settings, table), table: table)
        state.lanes[proxy] = lane
        return lane
    }

    // Tasks are made under the same lock: none is asked of a session that takes no more.
    private func finish(_ state: inout State) {
        for lane in state.lanes.values { lane.session.finish() }
        state.lanes = [:]
    }
}
