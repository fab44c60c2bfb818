/// What an administrator says about the length of sessions: the section `session`. Only what is stricter than the app's
/// own figures has an effect (connections C37).
///
/// ```json
/// { "session": { "maximumSeconds": 86400, "inactivitySeconds": 28800, "rejections": 3 } }
/// ```
public struct ManagedSession: Hashable, Sendable {
    /// The longest time from signing in to signing in again, in seconds.
    public var maximumSeconds: Int64?
    /// The longest time without a refresh, in seconds.
    public var inactivitySeconds: Int64?
    /// Rejections in a row that end a session.
    public var rejections: Int?
    /// Whether no session is used while the app lock is closed, whatever the app permits.
    public var forbidsWhileLocked: Bool

    /// No limits, or what is given.
    public init(
        maximumSeconds: Int64? = nil, inactivitySeconds: Int64? = nil, rejections: Int? = nil,
        forbidsWhileLocked: Bool = false
    ) {
        self.maximumSeconds = maximumSeconds
        self.inactivitySeconds = inactivitySeconds
        self.rejections = rejections
        self.forbidsWhileLocked = forbidsWhileLocked
    }
}
