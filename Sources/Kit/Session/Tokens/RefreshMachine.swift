package import PavisePrimitives

/// Decides when a session refreshes. It has no clock, lock, file or network: events go in, decisions come out.
package struct RefreshMachine: Hashable, Sendable {
    /// What a caller asks for.
    package enum Need: Hashable, Sendable {
        /// A token that is good now.
        case token
        /// The token of this stamp got a 401.
        case refused(TokenVersion)
        /// A token from a refresh that begins after now: step-up, changed scope (SR3).
        case forced
    }

    /// What to do for a caller.
    package enum Decision: Hashable, Sendable {
        /// Take the current token.
        case use
        /// Take the current token, and begin a refresh beside it.
        case useAndStart
        /// Begin a refresh and wait for it.
        case start
        /// Wait for the refresh that is on its way.
        case join
        /// Wait for the refresh after the one that is on its way.
        case follow
        /// Give up with this.
        case fail(SessionFailure)
        /// A limit has passed: end the session durably, then give up.
        case end(ReloginReason)
    }

    /// How a refresh came out.
    package enum Outcome: Sendable {
        /// A newer record is in force. `isStored` is false while it is only in memory.
        case renewed(TokenFacts, isStored: Bool)
        /// Nothing was decided about the session. `rejections` is the count in the record when the server refused.
        case failed(DegradedReason, retryAfter: Int64?, isRejection: Bool)
        /// The store failed before any call was made.
        case storeFailed
        /// The session ended.
        case ended(SessionFailure)
    }

    /// What to tell the callers, and what to do next.
    package struct Completion: Hashable, Sendable {
        /// What waiting callers get; `nil` gives them the current token.
        package var failure: SessionFailure?
        /// What those get who forced a refresh; `nil` gives them the same as all others. The token from before is no
        /// result of it.
        package var forcedFailure: SessionFailure?
        /// Try again by itself after this time.
        package var retryIn: Duration?
        /// Begin another refresh at once: somebody forced one meanwhile.
        package var startsAgain = false
        /// What those get who wait for the refresh after this one, when there will be none.
        package var followersFailure: SessionFailure?
    }

    /// What the machine knows of the current access token.
    package struct TokenFacts: Hashable, Sendable {
        package var stamp: TokenVersion
        package var received: ClockReading
        package var lifetime: Int64
        package var canRefresh: Bool

        package init(stamp: TokenVersion, received: ClockReading, lifetime: Int64, canRefresh: Bool) {
            self.stamp = stamp
            self.received = received
            self.lifetime = lifetime
            self.canRefresh = canRefresh
        }
    }

    package enum Phase: Hashable, Sendable {
        case idle
        case refreshing
        case ended(SessionFailure)
    }

    package internal(set) var phase = Phase.idle
    package internal(set) var facts: TokenFacts
    package internal(set) var degraded: DegradedReason?
    package internal(set) var policy: RefreshPolicy
    /// The current token got a 401: it is not served again, whatever its lifetime says.
    var isRefused = false
    /// A refresh of an earlier process may have been lost: repeat it before the session is used (SR12).
    var mustRecover: Bool
    var followsUp = false
    var failures = 0
    var pauseUntil: ClockReading?
    var starts: [ClockReading] = []
    /// Up to a tenth of the lead, drawn once for each token.
    var leadJitter: Double

    /// A machine over the token in the record.
    package init(_ facts: TokenFacts, policy: RefreshPolicy, mustRecover: Bool = false, chance: Double = 0) {
        self.facts = facts
        self.policy = policy
        self.mustRecover = mustRecover
        leadJitter = chance
    }

    /// Whether a refresh is on its way.
    package var isRefreshing: Bool { phase == .refreshing }

    /// A caller needs a token. `passed` names a session limit that has passed.
    package mutating func need(_ need: Need, passed: ReloginReason?, at now: ClockReading) -> Decision {
        if case .ended(let failure) = phase { return .fail(failure) }
        if let passed { return .end(passed) }
        switch need {
        case .token: return token(at: now)
        case .refused(let stamp): return refused(stamp, at: now)
        case .forced:
            guard phase == .idle else {
                followsUp = true
                return .follow
            }
            // It ends nothing: the access token that is there goes on being good.
            guard facts.canRefresh || isRefused || isExpired(at: now) else { return .fail(.reloginNeeded(.expired)) }
            return start(at: now)
        }
    }

    /// A pause is over: try again by itself, if that is still of use.
    package mutating func retry(passed: ReloginReason?, at now: ClockReading) -> Decision {
        guard phase == .idle, facts.canRefresh, failures > 0 else { return .use }
        if let passed { return .end(passed) }
        guard !isCapped(at: now) else { return .fail(.tooManyRefreshes) }
        begin(at: now)
        return .start
    }

    private mutating func token(at now: ClockReading) -> Decision {
        let isGood = !isRefused && !isExpired(at: now)
        if mustRecover {
            if isRefreshing { return .join }
            guard isPaused(at: now), isGood else { return start(at: now) }
            return .use
        }
        guard isGood else { return isRefreshing ? .join : start(at: now) }
        guard !isRefreshing, facts.canRefresh, isAgeing(at: now), !isPaused(at: now), mayRenewAhead(at: now) else {
            return .use
        }
        begin(at: now)
        return .useAndStart
    }

    private mutating func refused(_ stamp: TokenVersion, at now: ClockReading) -> Decision {
        guard stamp.epoch == facts.stamp.epoch else { return .fail(.sessionChanged) }
        // A late 401 of an older token leaves the fresh one alone (PD9).
        guard stamp.generation >= facts.stamp.generation else { return .use }
        isRefused = true
        return isRefreshing ? .join : start(at: now)
    }

    private mutating func start(at now: ClockReading) -> Decision {
        guard facts.canRefresh else { return .end(.expired) }
        guard !isPaused(at: now) else { return .fail(.unavailable(degraded ?? reason, retryIn: pause(at: now))) }
        guard !isCapped(at: now) else { return .fail(.tooManyRefreshes) }
        begin(at: now)
        return .start
    }

    mutating func begin(at now: ClockReading) {
        starts = starts.filter { isRecent($0, now) } + [now]
        phase = .refreshing
    }

    /// What failed last, also while that is not yet called degraded.
    var reason: DegradedReason { lastReason ?? .network }
    var lastReason: DegradedReason?
}
