/// The durations and limits of a session: how long before its end a token is refreshed, how long to wait after a
/// failure, how often to try. Documentation/Controls/Session.md explains each.
public struct RefreshPolicy: Hashable, Sendable {
    /// How long before its end an access token is renewed, at most; half of the lifetime where that is shorter.
    public var lead: Duration = .seconds(120)
    /// The longest one call of the token endpoint may take.
    public var deadline: Duration = .seconds(30)
    /// The first pause after a failure; it doubles, with full jitter.
    public var backoffBase: Duration = .seconds(1)
    /// The longest pause.
    public var backoffCap: Duration = .seconds(60)
    /// The longest `Retry-After` that is honoured.
    public var retryAfterCap: Duration = .seconds(3600)
    /// Passing failures in a row until the state says degraded. They never end a session.
    public var failuresUntilDegraded = 5
    /// Rejections in a row that end a session.
    public var rejectionsUntilEnd = 5
    /// How many refreshes may begin within ``window``.
    public var refreshesPerWindow = 5
    /// See ``refreshesPerWindow``.
    public var window: Duration = .seconds(30)
    /// A session that was not refreshed for so long ends.
    public var inactivity: Duration = .seconds(14 * 86_400)
    /// A session ends so long after signing in, however much it is used.
    public var absoluteLimit: Duration = .seconds(30 * 86_400)
    /// How long to wait for another process that refreshes. One that hangs, or was stopped, is replaced after 62 s; a
    /// shorter wait ends before that.
    public var lockWait: Duration = .seconds(65)
    /// How long one refresh may hold others up: nothing of it is sent later.
    package var lockLease: Duration = .seconds(60)
    /// Whether background work may refresh and use a session while the app lock is closed (`Account.whileLocked()`). No
    /// unless the app says so: the tokens are then sealed by the device alone, and not by the PIN as well. An
    /// administrator can forbid it (`session.whileLocked`); an app that keeps passwords cannot have it.
    public var whileLocked = false
    /// How long a revocation at logout may take.
    public var revocation: Duration = .seconds(5)

    /// The defaults.
    public init() {}
}
