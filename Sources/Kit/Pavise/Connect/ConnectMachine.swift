/// The order in which a connection comes about: every server is judged before anything is sent to it, the weaker way to
/// sign in needs a word, and what was begun is taken back where it fails. Pure: no clock, no network, no store (FD1;
/// connections C1, C12 to C16).
///
/// ```
/// judge the server ─ choose the method ─ find the authority ─ judge its servers ─ ask about those that only the
/// metadata names ─ register ─ make ─ sign in ─ done;       from each step: stopped, rolled back
/// ```
package struct ConnectMachine: Hashable, Sendable {
    /// What is to be done; fixed from the beginning.
    package struct Plan: Hashable, Sendable {
        /// Whether a password is sent instead of tokens being asked for.
        package var usesPassword = false
        /// Whether the server is its own authority: then it is asked what it offers.
        package var isOwnAuthority = true
        /// Whether a client is registered for this connection alone (RFC 7591).
        package var registers = false
        /// Whether who signs in has to be known (OpenID Connect).
        package var mustIdentify = false
        /// Whether there is no connection of this name yet.
        package var isNew = true

        /// The usual plan.
        package init() {}
    }

    /// What happened.
    package enum Event: Hashable, Sendable {
        /// Every server that was to be judged is trusted, or was approved.
        case judged
        /// The method that was planned may be used.
        case methodAllowed
        /// It is weaker than what the server offered before; somebody has to accept that.
        case methodIsWeaker
        /// Somebody accepted the weaker method.
        case accepted
        /// The authority's metadata was read and names these servers.
        case discovered
        /// The same, and some of them neither the person nor the app has named.
        case judgedStrangers
        /// A client was registered.
        case registered
        /// The connection is there.
        case made
        /// The person signed in; whether the authority says who.
        case signedIn(isIdentified: Bool)
        /// A step came to nothing, or somebody said no.
        case failed
    }

    /// What to do next.
    package enum Action: Hashable, Sendable {
        case judgeServer
        case chooseMethod
        case askForWeaker
        case discover
        case judgeAuthority
        case askAboutStrangers
        case register
        case make
        case signIn
        case finish
        /// Take back what was done, and stop.
        case rollBack(RollBack)
    }

    /// What is taken back.
    package struct RollBack: Hashable, Sendable {
        /// Remove the connection: it was new.
        package var removesConnection = false
        /// Sign out again: the connection was there before, and nobody knows who signed in.
        package var signsOut = false
        /// Delete the client that was registered.
        package var deregisters = false
        /// Write the description that the connection had before, with what was approved since: it was there.
        package var restoresDescription = false
        /// The failure is that nobody says who signed in.
        package var isUnidentified = false
    }

    private enum Phase: Hashable {
        case idle, judgingServer, choosing, asking, discovering, judgingAuthority, askingAboutStrangers, registering,
            making, signingIn, ended
    }

    private let plan: Plan
    private var phase = Phase.idle
    private var isRegistered = false
    private var isMade = false

    /// A connection that is to be.
    package init(_ plan: Plan) { self.plan = plan }

    /// The first step: nothing is sent before the server was judged.
    package mutating func begin() -> Action {
        guard phase == .idle else { return stop() }
        phase = .judgingServer
        return .judgeServer
    }

    /// The next step. An event that does not belong to the step that was asked for stops everything.
    package mutating func handle(_ event: Event) -> Action {
        switch (phase, event) {
        case (.judgingServer, .judged): return afterServer()
        case (.choosing, .methodAllowed), (.asking, .accepted): return afterMethod()
        case (.choosing, .methodIsWeaker): return go(.asking, .askForWeaker)
        case (.discovering, .discovered): return go(.judgingAuthority, .judgeAuthority)
        case (.judgingAuthority, .judgedStrangers): return go(.askingAboutStrangers, .askAboutStrangers)
        case (.judgingAuthority, .judged), (.askingAboutStrangers, .accepted):
            return plan.registers ? go(.registering, .register) : go(.making, .make)
        case (.registering, .registered):
            isRegistered = true
            return go(.making, .make)
        case (.making, .made):
            isMade = true
            return go(.signingIn, .signIn)
        case (.signingIn, .signedIn(let isIdentified)):
            guard isIdentified || !plan.mustIdentify else { return stop(isUnidentified: true) }
            return go(.ended, .finish)
        default: return stop()
        }
    }

    // A password is compared with what the server offered before; tokens are asked about where the server is its own
    // authority.
    private mutating func afterServer() -> Action {
        guard plan.usesPassword || plan.isOwnAuthority else { return afterMethod() }
        return go(.choosing, .chooseMethod)
    }

    private mutating func afterMethod() -> Action {
        plan.usesPassword ? go(.making, .make) : go(.discovering, .discover)
    }

    private mutating func go(_ phase: Phase, _ action: Action) -> Action {
        self.phase = phase
        return action
    }

    private mutating func stop(isUnidentified: Bool = false) -> Action {
        let isWritten = isMade || phase == .making
        phase = .ended
        return .rollBack(
            RollBack(
                removesConnection: isMade && plan.isNew, signsOut: isMade && !plan.isNew && isUnidentified,
                deregisters: isRegistered, restoresDescription: isWritten && !plan.isNew,
                isUnidentified: isUnidentified))
    }
}
