public import PavisePrimitives
internal import Synchronization

/// Sends requests to servers that a ``TrustPolicy`` judges inside the TLS handshake. The same on Linux and on Apple's
/// systems; only what moves the bytes differs: libcurl there, URLSession here.
///
/// ```swift
/// let client = try HTTPClient(policy: TrustPolicy(pins: [pins]))
/// ```
///
/// By default it follows no redirects, caches nothing, reads no `.netrc`, and has no cookies, proxies or HSTS hosts:
/// ``ClientOptions`` switches these on. A connection is reused only under the policy it was judged by, and only by
/// requests for which App Transport Security demands the same; after ``use(_:)-(TrustPolicy)`` new connections are
/// made.
///
/// On Apple's systems TLS versions and cipher suites come from the app's Info.plist, and a configuration can only make
/// them stricter. What URLSession does not let a client do stands in `Documentation/AppleCarrier.md`; one thing is
/// named here: Apple's documentation reserves the `Authorization` field for URLSession itself and promises nothing for
/// a client that sets it, as this one does.
public final class HTTPClient: Sendable {
    private struct State {
        var gate: ATSGate
        var policy: TrustPolicy
        /// `nil` in the usual case that management says nothing.
        var managed: ManagedTrust?
    }
    /// What a client shares with those that ask about servers in its name, or note what they show: a new policy is for
    /// all of them.
    final class Shared: Sendable {
        let carrier: any HTTPCarrier
        let time: TimeSource
        let options: ClientOptions
        let make: MakeCarrier
        private let state: Mutex<State>

        init(
            _ carrier: any HTTPCarrier, policy: TrustPolicy, configuration: ATSConfiguration, time: TimeSource,
            options: ClientOptions, make: @escaping MakeCarrier
        ) {
            self.carrier = carrier
            self.time = time
            self.options = options
            self.make = make
            let gate = ATSGate(configuration, links: options.localLinks)
            state = Mutex(State(gate: gate, policy: policy, managed: policy.managed.unlessEmpty))
        }

        var policy: TrustPolicy { state.withLock { $0.policy } }
        var gate: ATSGate { state.withLock { $0.gate } }

        /// What each request is held against, in one look.
        var demands: (managed: ManagedTrust?, tls: TrustPolicy.TLSProfile, gate: ATSGate) {
            state.withLock { ($0.managed, $0.policy.tls, $0.gate) }
        }

        func use(_ policy: TrustPolicy) { state.withLock { put(policy, &$0) } }

        /// Changes a part of the policy: of two changes at once, for example of pins and of an administrator's rules,
        /// none is lost.
        func change(_ body: (inout TrustPolicy) -> Void) {
            state.withLock { state in
                var policy = state.policy
                body(&policy)
                // A client closes its connections when it takes another policy.
                if policy != state.policy { put(policy, &state) }
            }
        }

        // The carrier first: no request is let through by the new policy to a connection that was judged by the old.
        private func put(_ policy: TrustPolicy, _ state: inout State) {
            carrier.use(policy)
            state.policy = policy
            state.managed = policy.managed.unlessEmpty
        }

        func use(_ gate: ATSGate) { state.withLock { $0.gate = gate } }

        // A carrier closes its connections when it takes a policy, also one that it has.
        func renewConnections() { state.withLock { carrier.use($0.policy) } }
    }
    let shared: Shared
    /// The app's own code that is asked about servers; `nil` for none.
    let inquirer: (any ServerInquirer)?
    /// Remembers what servers show; `nil` for a client that nothing is remembered of.
    let tracker: ServerTracker?

    init(_ shared: Shared, asking inquirer: (any ServerInquirer)? = nil, tracker: ServerTracker? = nil) {
        self.shared = shared
        self.inquirer = inquirer
        self.tracker = tracker
    }

    /// A client with connections of its own.
    ///
    /// - Parameters:
    ///   - policy: Which servers are trusted.
    ///   - configuration: What App Transport Security asks of each host: whether plain http may be used, the lowest
    ///     version of TLS, the suites. By default no plain http anywhere, TLS 1.2, forward secrecy. An app's own:
    ///     ``ATSConfiguration/init(infoPlist:)`` with ``InfoPropertyList/ofThisProgram()``.
    ///   - time: The clock for certificates, pins, approvals and cookies.
    ///   - options: Cookies, proxies, limits for connections.
    /// - Throws: ``TransportFailure/network(_:sent:)`` when the system gives no thread or descriptor.
    public convenience init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions()
    ) throws(TransportFailure) {
        try self.init(
            policy: policy, configuration: configuration, time: time, options: options, carrying: Self.platformCarrier)
    }

    /// The same over a carrier that `make` makes.
    package convenience init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions(), carrying make: @escaping MakeCarrier
    ) throws(TransportFailure) {
        let carrier = try make(policy, time, options)
        self.init(
            Shared(
                carrier, policy: policy, configuration: configuration, time: time, options: options, make: make))
    }

    /// This client with somebody who is asked about the server of each new connection, after it was judged.
    package func asking(_ inquirer: any ServerInquirer) -> HTTPClient {
        HTTPClient(shared, asking: inquirer, tracker: tracker)
    }

    /// A client with the same policy and rules and connections of its own, which shows `certificates` where it is asked
    /// for one.
    package func showing(_ certificates: [ClientCertificate]) throws(TransportFailure) -> HTTPClient {
        var options = options
        options.certificates = certificates
        return try HTTPClient(
            policy: policy, configuration: configuration, time: time, options: options, carrying: shared.make)
    }

    package var time: TimeSource { shared.time }
    package var gate: ATSGate { shared.gate }

    /// What it does beside sending and judging.
    public var options: ClientOptions { shared.options }

    /// The policy that new requests are judged by.
    public var policy: TrustPolicy { shared.policy }

    /// The configuration that new requests are decided by.
    public var configuration: ATSConfiguration { gate.configuration }

    /// Judges by `policy` from now on. Requests on their way end under the old one; no later request uses their
    /// connections.
    public func use(_ policy: TrustPolicy) { shared.use(policy) }

    /// Makes new connections from now on: those that are kept may be gone at the other end without a word. Requests on
    /// their way go on.
    package func renewConnections() { shared.renewConnections() }

    /// Decides by `configuration` from now on. A connection goes on only where the same is still asked of it.
    public func use(_ configuration: ATSConfiguration) {
        shared.use(ATSGate(configuration, links: options.localLinks))
    }

    /// What App Transport Security says about requests to `origin`: the decision that they are sent by.
    public func decision(about origin: Origin) -> ATSDecision { gate.decision(about: origin) }

    /// Forgets the cookies that these servers have set in ``ClientOptions/cookies``: nobody is signed in there any more
    /// (session SR17).
    public func forgetCookies(of origins: Set<Origin>) { options.cookies?.removeAll(of: origins) }
}

extension ManagedTrust {
    fileprivate var unlessEmpty: ManagedTrust? { self == ManagedTrust() ? nil : self }
}
