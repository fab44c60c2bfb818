/// What the client of a scene has been told, in words that every target can read.
public struct AttackClient: Sendable {
    /// How far redirects are followed.
    public enum Redirects: Hashable, Sendable {
        /// Nowhere.
        case reported
        /// Within the origin.
        case sameOrigin
        /// Anywhere, and whoever is asked says yes.
        case agreed
        /// Anywhere, and whoever is asked says yes; meanwhile the target changes its key.
        case agreedThenChanged
        /// Whoever is asked says no.
        case disagreed
        /// Only to the front server, whatever is agreed to.
        case agreedWithinFront
    }

    /// What the servers' keys must be.
    public var pins: [AttackPins] = []
    /// `NSPinnedDomains` with these pins instead of ``pins``.
    public var pinsAreListed = false
    /// The members of `NSAppTransportSecurity`, as a property list in XML without its outer dictionary; `nil` is the
    /// strict configuration.
    public var transportSecurity: String?
    /// How far redirects are followed.
    public var redirects = Redirects.sameOrigin
    /// Whether cookies and hosts that ask for https only are remembered.
    public var remembers = false
    /// Whether a person approved what the front server's certificate fails at the scene's beginning.
    public var hasApproved = false
    /// What a person approved beside that: failures by their names, for the front server's first key.
    public var alsoApproved: [String] = []
    /// Whether management denies the front server's key.
    public var isDenied = false

    /// A client with the usual rules.
    public init() {}
}

/// A demand on keys.
public struct AttackPins: Hashable, Sendable {
    /// Whose key.
    public enum Key: Hashable, Sendable {
        /// The front server's, as it was when the scene began.
        case front
        /// The other server's, as it was when the scene began.
        case trap
        /// The trusted root's.
        case root
        /// That of the unknown root whose certificate a server may send along.
        case stranger
        /// One that nobody has.
        case nobody
    }
    /// Which names below the host are meant too.
    public enum Subdomains: Hashable, Sendable {
        /// None.
        case none
        /// Those with exactly one label more.
        case oneLabel
        /// All.
        case all
    }

    /// The hosts.
    public var hosts: Set<String>
    /// Which names below them.
    public var subdomains: Subdomains
    /// Keys for the server's own certificate.
    public var leaf: Set<Key>
    /// Keys for an authority above it.
    public var authority: Set<Key>
    /// The front server's whole certificate, as it was when the scene began, instead of ``leaf``.
    public var isWholeCertificate: Bool
    /// Whether the demand's time is over.
    public var hasExpired: Bool

    /// A demand on `localhost`, or what is given.
    public init(
        hosts: Set<String> = ["localhost"], subdomains: Subdomains = .none, leaf: Set<Key> = [],
        authority: Set<Key> = [], isWholeCertificate: Bool = false, hasExpired: Bool = false
    ) {
        self.hosts = hosts
        self.subdomains = subdomains
        self.leaf = leaf
        self.authority = authority
        self.isWholeCertificate = isWholeCertificate
        self.hasExpired = hasExpired
    }
}

/// What the client is asked to send.
public struct AttackRequest: Hashable, Sendable {
    /// The method.
    public var method = "GET"
    /// The address, with `{front}` and `{trap}` for `host:port`; `nil` is ``path`` at the front server.
    public var address: String?
    /// The path at the front server.
    public var path = "/"
    /// Fields of the application.
    public var fields: [LabRequest.Field] = []
    /// The body; it holds a canary.
    public var body: String?
    /// Whether the application has a credential for the front server and sends it: the usual case.
    public var hasCredential = true
    /// Whether the credential holds a line break.
    public var hasBrokenCredential = false
    /// Whether the application's cookie goes along.
    public var hasCookie = false

    /// `GET /` with a credential.
    public init(_ path: String = "/") { self.path = path }
}
