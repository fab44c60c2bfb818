/// The keys of which a group of hosts must present one. Pins only add a demand: they never make a certificate trusted.
///
/// ```swift
/// let pins = try PinSet(hosts: ["cloud.example.org"], leaf: [current, backup])
/// ```
public struct PinSet: Hashable, Sendable {
    /// Which names below a host of the set are covered.
    public enum Subdomains: Hashable, Sendable, Codable {
        /// The host itself only.
        case none
        /// Exactly one label more, as NSPinnedDomains does.
        case oneLabel
        /// Any number of labels more.
        case all
    }

    /// What happens after ``PinSet/expires``.
    public enum AfterExpiry: Hashable, Sendable, Codable {
        /// Every certificate is a mismatch: an app that was never updated stops.
        case refuse
        /// The set is as if it were not there.
        case ignorePins
    }

    /// Whether one pin is enough.
    public enum Backup: Hashable, Sendable, Codable {
        /// Two different pins at least, so that a lost key does not lock everybody out.
        case required
        /// One pin will do: for a host that was pinned on first use and can be reviewed again by a person.
        case notRequired
    }

    /// What a mismatch does.
    public enum Enforcement: Hashable, Sendable, Codable {
        /// The connection is refused, and nobody can approve it.
        case enforced
        /// The connection goes on; a ``PinReport`` says what would have been refused.
        case reportOnly
    }

    /// Why a set is not used.
    public enum Problem: Error, Hashable, Sendable {
        /// The set names no host.
        case noHost
        /// A host is no name in lower case and no address; it is named here.
        case hostIsNoName(String)
        /// The set holds no pin.
        case noPin
        /// There is one pin only; a second key, kept elsewhere, is demanded.
        case noBackup
    }

    /// The hosts, in lower case.
    public let hosts: Set<String>
    /// Which names below them are covered.
    public let subdomains: Subdomains
    /// Keys of which the server's own certificate must have one; empty makes no demand.
    public let leaf: Set<Pin>
    /// Keys of which a certificate above it must have one, root included; empty makes no demand.
    public let authority: Set<Pin>
    /// Whole certificates of which the server's own must be one; empty makes no demand.
    public let leafCertificates: Set<CertificateDigest>
    /// Whole certificates of which one above the server's own must be one; empty makes no demand.
    public let authorityCertificates: Set<CertificateDigest>
    /// What a mismatch does.
    public let enforcement: Enforcement
    /// Seconds since 1970; `nil` for no end.
    public let expires: Int64?
    /// What happens after ``expires``.
    public let afterExpiry: AfterExpiry
    /// Which other sets speak in the place of this one, and where.
    var nearer: [Nearer] = []

    /// Makes a set; with pins of the leaf and of authorities, both must match. For either, a key or a whole certificate
    /// will do.
    ///
    /// - Throws: ``Problem`` when the set could not protect, or could lock out for ever.
    public init(
        hosts: Set<String>, subdomains: Subdomains = .none, leaf: Set<Pin> = [], authority: Set<Pin> = [],
        leafCertificates: Set<CertificateDigest> = [], authorityCertificates: Set<CertificateDigest> = [],
        expires: Int64? = nil, afterExpiry: AfterExpiry = .refuse, enforcement: Enforcement = .enforced,
        backup: Backup = .required
    ) throws(Problem) {
        guard !hosts.isEmpty else { throw .noHost }
        var canonical: Set<String> = []
        for host in hosts {
            guard let found = CanonicalHost.of(host), found == host || host.contains(":") else {
                throw .hostIsNoName(host)
            }
            canonical.insert(found)
        }
        let count = leaf.union(authority).count + leafCertificates.union(authorityCertificates).count
        guard count > 0 else { throw .noPin }
        guard backup == .notRequired || count >= 2 else { throw .noBackup }
        self.hosts = canonical
        self.subdomains = subdomains
        self.leaf = leaf
        self.authority = authority
        self.leafCertificates = leafCertificates
        self.authorityCertificates = authorityCertificates
        self.enforcement = enforcement
        self.expires = expires
        self.afterExpiry = afterExpiry
    }
}
