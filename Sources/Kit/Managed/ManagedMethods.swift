public import PaviseTransport

/// What an administrator says about signing in (connections C12 to C17): the section `authentication`.
///
/// ```json
/// { "authentication": { "allowed": ["oidc", "oauth"], "preferred": ["oidc"], "weaker": "refused",
///                       "passwordServers": ["files.example.org"] } }
/// ```
public struct ManagedMethods: Hashable, Sendable {
    /// The names of the only methods; `nil` makes no such limit.
    public var allowed: [String]?
    /// The first methods, in this order.
    public var preferred: [String]
    /// Whether a person may accept a weaker method than the server once offered.
    public var mayWeaken: Bool
    /// The only servers that get a password; `nil` makes no such limit. It never switches passwords on (connections
    /// C17).
    public var passwordServers: [ServerPattern]?

    /// No limits, or what is given.
    public init(
        allowed: [String]? = nil, preferred: [String] = [], mayWeaken: Bool = true,
        passwordServers: [ServerPattern]? = nil
    ) {
        self.allowed = allowed
        self.preferred = preferred
        self.mayWeaken = mayWeaken
        self.passwordServers = passwordServers
    }

    /// Whether a password may go to `origin`.
    public func allowsPassword(at origin: Origin) -> Bool {
        passwordServers?.contains { $0.covers(origin) } ?? true
    }
}
