public import PaviseTransport

/// What is known of a connection beside its secrets. It lies in `connections/<id>/connection.json`, mode 0600.
public struct ConnectionDescriptor: Hashable, Sendable, Codable {
    /// How the person signs in: the name of a method. An app may have methods of its own beside these.
    public struct Method: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
        /// 1 to 32 letters, digits and `-._`.
        public let rawValue: String

        /// A method by its name; an unusable name is a method that nobody has.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// OpenID Connect: authorization code with PKCE, and who signed in is known.
        public static let openIDConnect = Method(rawValue: "oidc")
        /// OAuth 2.0: authorization code with PKCE.
        public static let oauth = Method(rawValue: "oauth")
        /// User name and password, asked for by name.
        public static let basic = Method(rawValue: "basic")

        /// The name.
        public var description: String { rawValue }
    }

    /// The number of the form.
    package var version = Self.form
    /// The machine's name for it.
    public let id: ConnectionID
    /// The person's name for it, unique.
    public var name: String
    /// The only origin that gets the credential.
    public let origin: Origin
    /// How the person signs in. It never becomes a weaker one by itself.
    public let method: Method
    /// The strongest method that the server has offered; a weaker one is a question from then on (connections C15).
    public var strongest: Method?
    /// The authority's issuer identifier, for ``Method/oauth``.
    public var issuer: String?
    /// The client identifier at the authority.
    public var clientID: String?
    /// The scopes to ask for.
    public var scopes: [String]
    /// The port of the loopback redirect, for servers that compare it; 0 for any.
    public var redirectPort: UInt16
    /// Certificates that a person approved for this connection (and for no other).
    public var approvals: [CertificateApproval]
    /// Keys that the origin's certificate must have; empty makes no demand.
    public var pins: [Pin]
    /// The identity that its servers are shown where they ask for a client's certificate; `nil` shows none.
    public package(set) var identity: String?
    /// The servers that may ask for it.
    package var identityOrigins: [Origin]?
    /// Servers that only the authority's metadata names, and that somebody agreed to; `nil` in descriptions of an older
    /// Pavise.
    package var acceptedServers: [Origin]?
    /// Seconds since 1970.
    public var created: Int64
    /// The program that made it, by its keychain's name for it; `nil` in descriptions of an older Pavise.
    public internal(set) var owner: String?
    /// What its client offers in handshakes; `nil` for App Transport Security.
    public var tls: TrustPolicy.TLSProfile?

    /// Which servers this connection trusts. Pins that cannot be used for its host trust nobody: they are never
    /// dropped.
    public var trustPolicy: TrustPolicy {
        var policy = policyOfPins
        if let tls { policy.tls = tls }
        return policy
    }

    private var policyOfPins: TrustPolicy {
        guard !pins.isEmpty else { return TrustPolicy(approvals: approvals, connection: id.text) }
        guard let set = try? PinSet(hosts: [origin.host], leaf: Set(pins), backup: .notRequired) else {
            return TrustPolicy(anchors: .only([]))
        }
        return TrustPolicy(pins: [set], approvals: approvals, connection: id.text)
    }

    /// A description from its parts, with an identifier of its own.
    package init(
        id: ConnectionID, name: String, origin: Origin, method: Method, issuer: String? = nil, clientID: String? = nil,
        scopes: [String] = [], redirectPort: UInt16 = 0, approvals: [CertificateApproval] = [], pins: [Pin] = [],
        created: Int64
    ) {
        self.id = id
        self.name = name
        self.origin = origin
        self.method = method
        self.issuer = issuer
        self.clientID = clientID
        self.scopes = scopes
        self.redirectPort = redirectPort
        self.approvals = approvals.map { $0.bound(to: id.text) }
        self.pins = pins
        self.created = created
    }
}
