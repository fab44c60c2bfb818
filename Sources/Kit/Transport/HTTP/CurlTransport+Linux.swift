#if os(Linux)
internal import PaviseCurl
public import PavisePrimitives
internal import Synchronization

/// The HTTP client of Linux: libcurl on one thread, every server judged by a ``TrustPolicy`` inside the TLS handshake.
///
/// By default it follows no redirects, caches nothing, reads no `.netrc`, and has no cookies, proxies or HSTS hosts:
/// ``ClientOptions`` switches these on. A connection is reused only under the policy it was judged by, and only by
/// requests for which App Transport Security demands the same; after ``use(_:)-(TrustPolicy)`` new connections are
/// made.
public final class CurlTransport: Carrier {
    private struct State {
        var gate: ATSGate
        var pools: PoolTable
    }
    // Shared by a client and those that ask about servers in its name: a new policy is for all of them.
    private final class SharedState: Sendable {
        private let state: Mutex<State>

        init(_ state: sending State) { self.state = Mutex(state) }

        func withLock<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
            state.withLock(body)
        }
    }
    private let engine: CurlEngine
    package let time: TimeSource
    private let rules: @Sendable (TrustPolicy) -> ChainEvaluator
    /// What it does beside sending and judging.
    public let options: ClientOptions
    /// The app's own code that is asked about servers; `nil` for none.
    let inquirer: (any ServerInquirer)?
    private let state: SharedState

    /// A client with a pool of connections of its own.
    ///
    /// - Parameters:
    ///   - policy: Which servers are trusted.
    ///   - configuration: What App Transport Security asks of each host: whether plain http may be used, the lowest
    ///     version of TLS, the suites. By default no plain http anywhere, TLS 1.2, forward secrecy. An app's own:
    ///     ``ATSConfiguration/init(infoPlist:)`` with ``InfoPropertyList/ofThisProgram()``.
    ///   - time: The clock for certificates, pins and approvals.
    ///   - options: Cookies, proxies, limits for connections.
    /// - Throws: ``TransportFailure/network(_:sent:)`` when the system gives no thread or descriptor.
    public convenience init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions()
    ) throws(TransportFailure) {
        try self.init(
            policy: policy, configuration: configuration, time: time, options: options, rules: ServerRules.evaluator)
    }

    /// The same with the rules for chains given, for tests of what follows them.
    package init(
        policy: TrustPolicy, configuration: ATSConfiguration = .strict, time: TimeSource,
        options: ClientOptions = ClientOptions(),
        rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator
    ) throws(TransportFailure) {
        let isSlow = options.certificates.contains(where: \.isSlow)
        do throws(SystemFailure) { engine = isSlow ? try CurlEngine() : try CurlEngine.shared() } catch {
            throw .network("The network engine did not start: \(error.operation), error \(error.code).", sent: false)
        }
        self.time = time
        self.rules = rules
        self.options = options
        let pools = PoolTable(
            of: engine, policy: policy, time: time, options: options, evaluate: rules(policy))
        inquirer = nil
        state = SharedState(State(gate: ATSGate(configuration, links: options.localLinks), pools: pools))
    }

    /// This client with somebody who is asked about the server of each new connection, after it was judged.
    package func asking(_ inquirer: any ServerInquirer) -> CurlTransport { CurlTransport(of: self, asking: inquirer) }

    /// The same policy and rules with connections of its own, which show `certificates`.
    package func showing(_ certificates: [ClientCertificate]) throws(TransportFailure) -> any HTTPClient {
        var options = options
        options.certificates = certificates
        return try CurlTransport(
            policy: policy, configuration: configuration, time: time, options: options, rules: rules)
    }

    private init(of other: CurlTransport, asking inquirer: any ServerInquirer) {
        engine = other.engine
        time = other.time
        rules = other.rules
        options = other.options
        state = other.state
        self.inquirer = inquirer
    }

    /// The policy that new requests are judged by.
    public var policy: TrustPolicy { state.withLock { $0.pools.policy } }

    /// The configuration that new requests are decided by.
    public var configuration: ATSConfiguration { gate.configuration }

    /// Judges by `policy` from now on. Requests on their way end under the old one; no later request uses their
    /// connections.
    public func use(_ policy: TrustPolicy) {
        let pools = PoolTable(
            of: engine, policy: policy, time: time, options: options, evaluate: rules(policy))
        state.withLock { $0.pools = pools }
    }

    /// Decides by `configuration` from now on. A connection goes on only where the same is still asked of it.
    public func use(_ configuration: ATSConfiguration) {
        let gate = ATSGate(configuration, links: options.localLinks)
        state.withLock { $0.gate = gate }
    }

    /// What App Transport Security says about requests to `origin`: the decision that they are sent by.
    public func decision(about origin: Origin) -> ATSDecision { gate.decision(about: origin) }

    /// Sends `request` without credentials; see ``HTTPClient/send(_:)``.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: .none)
    }

    /// Sends `request` with a credential for its own origin; see ``HTTPClient/send(_:with:)``.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        try await exchange(request, carrying: try lines(authorization, for: request))
    }

    /// Sends `request` and lends the body piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await stream(
            request, carrying: try lines(authorization, for: request), head: head, receive: receive)
    }

    /// The same without credentials.
    public func stream(
        _ request: HTTPRequest, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await stream(request, carrying: .none, head: head, receive: receive)
    }

    /// Forgets the cookies of these servers in ``ClientOptions/cookies``.
    public func forgetCookies(of origins: Set<Origin>) { options.cookies?.removeAll(of: origins) }

    /// Makes the handshake with `origin` and nothing more: no byte of a request is sent, trusted or not.
    public func inspect(
        _ origin: Origin, limits: HTTPRequest.Limits = .init()
    ) async throws(TransportFailure) -> ServerInspection {
        guard origin.scheme == .https else {
            throw .refusedByATS(
                ATSRefusal(.requiresSecureConnection, at: origin, "A server without TLS shows no certificate."))
        }
        if let refusal = managed?.refusal(of: origin) { throw refusal }
        let pool = pool(under: try gate.admit(origin))
        var message = try CurlMessage.request(
            HTTPRequest("GET", WebURL(of: origin), limits: limits), carrying: .none)
        message.handshakeOnly = true
        message.proxy = try proxy(to: origin)
        guard case .failure(let failure) = await pool.collect(message) else { throw .malformed("no handshake") }
        guard let verdict = failure.connection?.verdict as? ServerVerdict else {
            throw CurlMessage.failure(failure, to: origin, body: 0, under: pool.floor)
        }
        return ServerInspection(
            origin: origin, decision: verdict.decision, chain: verdict.chain,
            connection: CurlMessage.facts(of: failure.connection, httpMajor: nil).0)
    }

    var managed: ManagedTrust? { state.withLock { $0.pools.managed } }

    package var gate: ATSGate { state.withLock { $0.gate } }

    /// What each request is held against, in one look.
    var demands: (managed: ManagedTrust?, tls: TrustPolicy.TLSProfile, gate: ATSGate) {
        state.withLock { ($0.pools.managed, $0.pools.policy.tls, $0.gate) }
    }

    func pool(under parameters: ATSParameters) -> ConnectionPool {
        state.withLock { [pool = inquirer?.pool] in $0.pools.pool(under: parameters, askedBy: pool) }
    }
}
#endif
