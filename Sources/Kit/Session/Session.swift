public import PavisePrimitives
public import PaviseTransport
internal import PaviseVault

/// One signed-in session: it lends access tokens, refreshes them once for all callers, and survives failing servers and
/// killed processes.
///
/// ```swift
/// let response = try await session.send(HTTPRequest("GET", url))
/// ```
///
/// A token goes only to the session's own origin, over TLS, in the `Authorization` field. When the server answers 401,
/// the session refreshes and sends the request once more. All waiting callers share one refresh, also across processes.
/// `RefreshMachine` makes the decisions, and the actor carries them out.
public actor Session {
    /// Where the record lies.
    package let store: SessionStore
    let client: HTTPClient
    /// The app's own key, where it gave one to ``SignIn``.
    let given: DPoPBinding?
    let environment: SessionEnvironment
    private(set) var policy: RefreshPolicy
    let owner: UInt64

    let lent = AccessTokenCache()
    var machine: RefreshMachine? { didSet { lent.forget() } }
    var record: SessionRecord? { didSet { lent.forget() } }
    /// Newer than the store, because a write failed (SR10).
    var unsaved: SessionRecord?
    /// Proves possession where the tokens are bound to a key; made once for each key.
    var proving: DPoPBinding?
    var trouble: VaultFailure?
    var waiters: [UInt64: Waiter] = [:]
    var nextWaiter: UInt64 = 0
    var refreshTask: Task<Void, Never>?
    var retryTask: Task<Void, Never>?
    var renewalTask: Task<Void, Never>?
    /// Takes the tokens of a session that ended by itself back at the server.
    var takeBackTask: Task<Void, Never>?
    var observers: [UInt64: AsyncStream<SessionState>.Continuation] = [:]
    var announced: SessionState?
    var isKeptFresh = false
    /// When the session's age was noted last by this object.
    var noted: ClockReading?
    /// Whether the app lock was closed when it was asked last.
    var isClosed = false

    /// A caller that waits for a refresh; `follows` means for the one after the one on its way.
    struct Waiter {
        let continuation: CheckedContinuation<Result<AccessToken, SessionFailure>, Never>
        var follows: Bool
        /// Whether only a token of a refresh that began after the question will do.
        let isForced: Bool
    }

    /// The session in `store`. Nothing is read before the first use.
    package init(
        store: SessionStore, client: HTTPClient, binding: DPoPBinding? = nil,
        environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy()
    ) {
        self.store = store
        self.client = client
        given = binding
        self.environment = environment
        self.policy = policy
        owner = UInt64.random(in: 1 ... .max)
        followGate()
    }

    var now: ClockReading { ClockReading(environment.time) }

    /// Lends an access token that is good now, refreshing it first where needed.
    ///
    /// - Throws: ``SessionFailure``.
    public func accessToken() async throws(SessionFailure) -> AccessToken { try await token(.token) }

    /// Refreshes now and lends the new token, whatever the age of the current one: for step-up, or a changed scope.
    ///
    /// The token from before is never lent as the result. Where the refresh fails, or there is no refresh token, the
    /// session goes on as it was: ``accessToken()`` lends the token from before while it is good.
    ///
    /// - Throws: ``SessionFailure``: `unavailable` where the server or the store did not do it, `reloginNeeded` where
    ///   only signing in again can.
    public func forceRefresh() async throws(SessionFailure) -> AccessToken { try await token(.forced) }

    /// Where the session stands. Reads the store when that has not been done yet. A limit that has passed ends the
    /// session here, before any request.
    public var state: SessionState {
        try? checkGate()
        if machine == nil { try? load() }
        endWherePassed()
        return currentState
    }

    /// The same for a list of sessions: a limit that has passed is told, and nothing is ended or written.
    package var listedState: SessionState {
        try? checkGate()
        if machine == nil { try? load() }
        return passedLimit.map(SessionState.reloginNeeded) ?? currentState
    }

    /// The state now and after each change. The stream ends with the session object.
    public var states: AsyncStream<SessionState> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionState.self, bufferingPolicy: .bufferingNewest(16))
        nextWaiter += 1
        let id = nextWaiter
        // Before it is in the list: finding out may itself be a change.
        let first = state
        announced = first
        observers[id] = continuation
        continuation.yield(first)
        continuation.onTermination = { _ in Task { await self.forget(observer: id) } }
        return stream
    }

    /// The network came back, or the app came to the foreground: pauses are over.
    public func wakeUp() {
        machine?.wakeUp()
        if machine == nil || trouble != nil { try? load() }
        // A timer may have stood still while the machine slept, or run for a clock of before.
        guard machine?.degraded != nil else { return scheduleRenewal() }
        retry()
    }

    /// Goes by other figures from now on: an administrator's rules have changed. A limit that has passed by them ends
    /// the session at its next use.
    package func follow(_ policy: RefreshPolicy) {
        guard policy != self.policy else { return }
        self.policy = policy
        machine?.policy = policy
        lent.forget()
    }

    /// Waits until no refresh is on its way and the server of an ended session was asked to take its tokens back (5 s
    /// at most), and writes once more what could not be written: call it before a short program ends.
    public func settle() async {
        while let task = refreshTask {
            await task.value
            // One that the app lock overtook ends without being taken away.
            if refreshTask == task { refreshTask = nil }
        }
        await takeBackTask?.value
        if unsaved != nil { await save(nextPause: 1) }
    }

    private func forget(observer id: UInt64) { observers[id] = nil }

    deinit {
        retryTask?.cancel()
        renewalTask?.cancel()
        for observer in observers.values { observer.finish() }
    }
}

/// An access token on loan, with the stamp that says which one it is. It prints as «secret».
public struct AccessToken: Sendable, CustomStringConvertible {
    /// The token. It goes to the session's origin and nowhere else.
    public let secret: SharedSecretBytes
    package let stamp: TokenVersion
    /// The only origin that gets it.
    public let origin: Origin
    /// Proves possession of its key, where it is bound to one.
    let proving: DPoPBinding?

    /// Whether it is bound to a key of this device (RFC 9449): without a proof it is worth nothing.
    /// ``Session/send(_:)`` proves.
    public var isBound: Bool { proving != nil }

    /// Never the content.
    public var description: String { "«access token of \(origin)»" }
}
