/// What a chain is checked for.
struct ChainPolicy: Hashable, Sendable {
    /// The purpose of the leaf.
    enum Purpose: Hashable, Sendable {
        /// A TLS server: the always-on rules, names, purposes, lifetimes.
        case server
        /// A TLS client: the always-on rules and its purpose.
        case client
        /// Any: RFC 5280 alone.
        case any
        /// Signed and encrypted mail (S/MIME).
        case mail
        /// Signed code.
        case code
        /// A service that signs times (RFC 3161).
        case timestamp
        /// A server that admits to a network (EAP).
        case networkServer
        /// Who is admitted to a network (EAP).
        case networkClient
        /// A gateway of a tunnel (IPsec).
        case tunnelServer
        /// Who enters a tunnel (IPsec).
        case tunnelClient
        /// A TPM's endorsement key (TCG EK Credential Profile).
        case endorsementKey
        /// A key of an app's that Apple's App Attest vouches for.
        case attestedKey
    }

    let purpose: Purpose
    /// The host that the leaf must serve; `nil` checks no name.
    let host: String?
    /// The mail addresses that the leaf must hold, each of them.
    var mail: [String] = []
    /// The mail address that the leaf must hold, for ``Purpose/mail``; `nil` checks none.
    var address: String?
    /// The names of which the leaf must serve one, for ``Purpose/networkServer``; they may begin with `*.`. `nil`
    /// checks none.
    var servers: [String]?
    /// How many authorities may stand between leaf and anchor, self-issued ones not counted.
    var maximumAuthorities: Int?
    /// What has to be known about revocation.
    var revocation = RevocationDemand.ignored

    init(purpose: Purpose, host: String?) {
        self.purpose = purpose
        self.host = host
    }

    /// The same rules, which refuse what is known to be revoked even where nobody asked.
    func lookingAtAnswers(_ areThere: Bool) -> ChainPolicy {
        guard areThere, revocation == .ignored else { return self }
        var policy = self
        policy.revocation = .soft
        return policy
    }

    /// The rules for a TLS server at `host`.
    static func server(host: String?) -> ChainPolicy { ChainPolicy(purpose: .server, host: host) }

    /// Purposes that allow this use: the right one, any, and for servers the old server-gated ones.
    var purposes: Set<String> {
        switch purpose {
        case .server, .networkServer:
            [Self.serverAuth, Self.anyPurpose, "1.3.6.1.4.1.311.10.3.3", "2.16.840.1.113730.4.1"]
        case .client, .networkClient: ["1.3.6.1.5.5.7.3.2", Self.anyPurpose]
        case .mail: ["1.3.6.1.5.5.7.3.4"]
        case .code: ["1.3.6.1.5.5.7.3.3", Self.anyPurpose]
        case .timestamp: ["1.3.6.1.5.5.7.3.8"]
        case .endorsementKey: ["2.23.133.8.1"]
        // Certificates of iOS 27 name it; those before name no purpose.
        case .attestedKey: ["1.2.840.113635.100.4.24"]
        case .any, .tunnelServer, .tunnelClient: []
        }
    }

    /// The bits of a leaf's key usage (RFC 5280 §4.2.1.3) of which one is enough; empty where none is asked for.
    var usages: [Int] {
        switch purpose {
        case .mail: [0, 2, 3, 4]
        case .code: [0, 1]
        default: []
        }
    }

    /// Whether a leaf without the extension may have ``usages``, too.
    var mayLackUsage: Bool { purpose != .code }

    /// Whether keys below today's strength pass, under an anchor of this origin.
    func allowsSmallKeys(_ origin: TrustAnchors.Origin?) -> Bool {
        switch purpose {
        case .any, .code, .timestamp, .tunnelServer, .tunnelClient: true
        case .networkServer: origin != .system
        case .networkClient: true
        case .server, .client, .mail, .endorsementKey, .attestedKey: false
        }
    }

    static let serverAuth = "1.3.6.1.5.5.7.3.1"
    static let anyPurpose = "2.5.29.37.0"
}
