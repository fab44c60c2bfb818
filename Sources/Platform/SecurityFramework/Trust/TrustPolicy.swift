/// What a chain is checked for.
struct TrustPolicy: Hashable, Sendable {
    /// The purpose of the leaf.
    enum Purpose: Hashable, Sendable {
        /// A TLS server: the always-on rules, names, purposes, lifetimes.
        case server
        /// A TLS client: the always-on rules and its purpose.
        case client
        /// Any: RFC 5280 alone.
        case any
    }

    let purpose: Purpose
    /// The host that the leaf must serve; `nil` checks no name.
    let host: String?
    /// The mail addresses that the leaf must hold, each of them.
    var mail: [String] = []
    /// How many authorities may stand between leaf and anchor, self-issued ones not counted.
    var maximumAuthorities: Int?
    /// What has to be known about revocation.
    var revocation = RevocationDemand.ignored

    init(purpose: Purpose, host: String?) {
        self.purpose = purpose
        self.host = host
    }

    /// The same rules, which refuse what is known to be revoked even where nobody asked.
    func lookingAtAnswers(_ areThere: Bool) -> TrustPolicy {
        guard areThere, revocation == .ignored else { return self }
        var policy = self
        policy.revocation = .soft
        return policy
    }

    /// The rules for a TLS server at `host`.
    static func server(host: String?) -> TrustPolicy { TrustPolicy(purpose: .server, host: host) }

    /// Purposes that allow this use: the right one, any, and for servers the old server-gated ones.
    var purposes: Set<String> {
        switch purpose {
        case .server: [Self.serverAuth, Self.anyPurpose, "1.3.6.1.4.1.311.10.3.3", "2.16.840.1.113730.4.1"]
        case .client: ["1.3.6.1.5.5.7.3.2", Self.anyPurpose]
        case .any: []
        }
    }

    static let serverAuth = "1.3.6.1.5.5.7.3.1"
    static let anyPurpose = "2.5.29.37.0"
}
