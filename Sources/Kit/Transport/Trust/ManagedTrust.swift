/// What an administrator says about servers (connections C29, C34 to C40). It wins over persons.
///
/// Typed values only: there is no rule language. Evaluated in every decision, the first one of a setup included.
public struct ManagedTrust: Hashable, Sendable {
    /// Certificates, keys and authorities that are refused wherever they appear.
    public struct Denied: Hashable, Sendable {
        /// A key anywhere in the path.
        public var keys: Set<Pin>
        /// A certificate anywhere in the path.
        public var certificates: Set<CertificateDigest>
        /// The issuer of the server's certificate, in the form of ``CertificateSummary/issuer``.
        public var issuers: Set<String>

        /// Nothing is denied, or these are.
        public init(
            keys: Set<Pin> = [], certificates: Set<CertificateDigest> = [], issuers: Set<String> = []
        ) {
            self.keys = keys
            self.certificates = certificates
            self.issuers = issuers
        }
    }

    /// A server that is right although its certificate fails, until a time.
    public struct Approval: Hashable, Sendable {
        /// The host, in the spelling of ``Origin/host``; another spelling is rewritten.
        public var host: String {
            didSet { host = CanonicalHost.of(host) ?? host }
        }
        /// The port.
        public var port: UInt16
        /// The server's key; `nil` when ``certificate`` names it.
        public var key: Pin?
        /// The server's certificate; `nil` when ``key`` names it.
        public var certificate: CertificateDigest?
        /// What may fail.
        public var failures: Set<TrustFailure>
        /// Seconds since 1970, inclusive.
        public var expires: Int64

        /// An approval from its parts. Without a key and without a certificate it approves nothing.
        public init(
            host: String, port: UInt16 = 443, key: Pin? = nil, certificate: CertificateDigest? = nil,
            failures: Set<TrustFailure>, expires: Int64
        ) {
            self.host = CanonicalHost.of(host) ?? host
            self.port = port
            self.key = key
            self.certificate = certificate
            self.failures = failures
            self.expires = expires
        }
    }

    /// Which changes of a server's certificate need no question.
    public enum Renewal: String, Hashable, Sendable, CaseIterable {
        /// The same key.
        case sameKey
        /// The same key, or another one under an authority that vouched before.
        case sameIssuers
        /// Every valid certificate.
        case validIsEnough
        /// None.
        case alwaysAsk
    }

    /// What a person may approve.
    public enum PersonApproval: String, Hashable, Sendable, CaseIterable {
        /// Everything but hard failures.
        case allowed
        /// Only a certificate that is nothing worse than self-signed.
        case onlySelfSigned
        /// Nothing.
        case forbidden
    }

    /// Whose authorities count as the system's.
    public enum Anchors: String, Hashable, Sendable, CaseIterable {
        /// The machine's, or those that SSL_CERT_FILE and SSL_CERT_DIR name.
        case any
        /// The machine's alone.
        case system
    }

    /// The only servers; `nil` makes no such limit.
    public var allowedServers: [ServerPattern]?
    /// Servers that are approved before anybody is asked.
    public var preApproved: [Approval]
    /// Demands on keys, beside those of the app: a server has to meet both.
    public var requiredPins: [PinSet]
    /// What is refused in any case.
    public var denied: Denied
    /// Whether plain http is refused even where App Transport Security would allow it.
    public var forbidsPlainHTTP: Bool
    /// Which renewals need no question.
    public var renewal: Renewal
    /// What a person may approve.
    public var personApproval: PersonApproval
    /// Hosts whose certificates need the word of logs, whatever ``TrustPolicy/transparency`` asks. Without logs, here
    /// or in the policy, such a host is refused.
    public var transparentHosts: Set<String> {
        didSet { transparentHosts = Set(transparentHosts.map { CanonicalHost.of($0) ?? $0 }) }
    }

    /// The certificate logs that the administrator relies on, for an app that gives none itself. They are asked about
    /// each server under a public authority, as on Apple's systems, where this changes nothing.
    public var transparencyLogs: TransparencyPolicy?

    /// Whose authorities count as the system's. Where persons may approve nothing (``PersonApproval/forbidden``), the
    /// machine's alone do, whatever stands here: who sets a variable is a person too.
    public var anchors: Anchors

    /// No management, or what is given.
    public init(
        allowedServers: [ServerPattern]? = nil, preApproved: [Approval] = [], requiredPins: [PinSet] = [],
        denied: Denied = Denied(), forbidsPlainHTTP: Bool = false, renewal: Renewal = .sameIssuers,
        personApproval: PersonApproval = .allowed, transparentHosts: Set<String> = [],
        transparencyLogs: TransparencyPolicy? = nil, anchors: Anchors = .any
    ) {
        self.allowedServers = allowedServers
        self.preApproved = preApproved
        self.requiredPins = requiredPins
        self.denied = denied
        self.forbidsPlainHTTP = forbidsPlainHTTP
        self.renewal = renewal
        self.personApproval = personApproval
        self.anchors = anchors
        self.transparencyLogs = transparencyLogs
        self.transparentHosts = Set(transparentHosts.map { CanonicalHost.of($0) ?? $0 })
    }
}
