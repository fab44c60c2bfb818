package import PavisePrimitives
internal import Synchronization

/// The carrier of Apple's systems, over a URLSession: what a session is told and what its callbacks mean, and nothing
/// of the system's.
///
/// `HTTPClient+Apple.swift` gives it a URLSession; a stand-in that plays the documented callbacks drives the same
/// source on Linux. Nothing is followed, cached or remembered by the system.
package final class SessionCarrier: HTTPCarrier {
    private struct State {
        var policy: TrustPolicy
        var evaluate: ChainEvaluator
        var session: any DrivenSession
        var table: TaskTable
    }
    private let time: TimeSource
    let options: ClientOptions
    private let rules: @Sendable (TrustPolicy) -> ChainEvaluator
    private let make: MakeSession
    private let sleep: @Sendable (Duration) async -> Void
    private let seen = SeenBook()
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
        let table = TaskTable(seen: seen, certificates: options.certificates)
        let session = make(DrivenSettings(connectionsPerHost: options.connectionsPerHost), table)
        state = Mutex(State(policy: policy, evaluate: rules(policy), session: session, table: table))
    }

    deinit { state.withLock { $0.session }.cancel() }

    /// The platform's rules for TLS servers.
    package static let systemRules: @Sendable (TrustPolicy) -> ChainEvaluator = { ServerRules.evaluator($0) }

    package func use(_ policy: TrustPolicy) {
        let evaluate = rules(policy)
        state.withLock { state in
            state.policy = policy
            state.evaluate = evaluate
            seen.forgetVerdicts()
            renew(&state)
        }
    }

    /// What is known about the server of a task.
    func verdict(of task: CarriedTask) -> ServerVerdict? { seen.verdict(of: task) }

    /// A task for a request that has begun.
    func begin(_ order: CarrierOrder) throws(TransportFailure) -> CarriedExchange {
        let (request, origin) = (order.request, order.request.url.origin)
        try Self.check(order, state.withLock { $0.policy })
        let message = try DrivenMessage(request, carrying: order.lines, asksForPlain: !options.acceptsCompressed)
        let task = state.withLock { state -> CarriedTask? in
            if seen.isFull {
                seen.beginAnew()
                renew(&state)
            }
            return carried(message, origin, state, in: state.session, state.table, order.parameters)
        }
        guard let task else { throw .unusableRequest("URLSession reads the address differently.") }
        task.start(within: request.limits.total.bounded, sleep)
        return CarriedExchange(task)
    }

    // In a session of its own: on a connection that is there already nobody would be asked, and the request would go
    // out.
    package func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection {
        let (request, origin) = (order.request, order.request.url.origin)
        let state = state.withLock { $0 }
        try Self.check(order, state.policy)
        let message = try DrivenMessage(request, carrying: .none, asksForPlain: true)
        let table = TaskTable(seen: SeenBook(), certificates: [])
        let session = make(DrivenSettings(connectionsPerHost: 1), table)
        defer { session.cancel() }
        let task = carried(message, origin, state, in: session, table, order.parameters, isInspection: true)
        guard let task else { throw .unusableRequest("URLSession reads the address differently.") }
        task.start(within: request.limits.total.bounded, sleep)
        guard case .end(let end) = await task.nextEvent() else { throw .malformed("no handshake") }
        guard let verdict = task.verdict else { throw end ?? .malformed("no handshake") }
        return ServerInspection(
            origin: origin, decision: verdict.decision, chain: verdict.chain,
            connection: ConnectionFacts(verdict, task.measurement))
    }

    // What URLSession lets nobody do is not begun: it chooses suites, groups and schemes itself, and its proxy.
    private static func check(_ order: CarrierOrder, _ policy: TrustPolicy) throws(TransportFailure) {
        guard policy.tls == .ats else {
            throw .unusableRequest(
                "URLSession lets nobody choose suites: the profile \(policy.tls.rawValue) cannot be kept here."
            )
        }
        guard order.proxy == nil else {
            throw .unusableRequest("URLSession takes its proxy from the system's settings. Set it there.")
        }
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
