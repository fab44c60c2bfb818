internal import PaviseCrypto
internal import PavisePrimitives

/// What the certificate of an authority between the root and a server says, and what is wrong with it.
///
/// ```swift
/// let narrow = AuthorityProfile(permitted: ["example.org"])       // may vouch for no other name
/// let identity = try authority.issue(LeafProfile(), below: [narrow])
/// ```
public struct AuthorityProfile: Hashable, Sendable {
    /// The common name.
    public var name: String
    /// Whether it says that it is an authority; `nil` leaves the extension out.
    public var isAuthority: Bool?
    /// How many authorities may follow below it; `nil` sets no limit.
    public var pathLength: Int?
    /// Whether its key may sign certificates.
    public var mayCertify: Bool
    /// Its extended key usage; empty leaves the extension out.
    public var purposes: [LeafProfile.Purpose]
    /// The only DNS names, with those below them, that it may vouch for; empty makes no such limit.
    public var permitted: [String]
    /// DNS names, with those below them, that it may not vouch for.
    public var excluded: [String]
    /// Its key.
    public var key: LeafProfile.Key
    /// The hash of the signature on it.
    public var signature: LeafProfile.Signature
    /// When it is valid.
    public var validity: LeafProfile.Validity
    /// Whether it bears a critical extension that nobody knows.
    public var demandsUnknown: Bool

    /// A good intermediate, changed by what is given.
    public init(
        name: String = "Pavise Lab Intermediate", isAuthority: Bool? = true, pathLength: Int? = nil,
        mayCertify: Bool = true, purposes: [LeafProfile.Purpose] = [], permitted: [String] = [],
        excluded: [String] = [], key: LeafProfile.Key = .ec256, signature: LeafProfile.Signature = .sha256,
        validity: LeafProfile.Validity = .current, demandsUnknown: Bool = false
    ) {
        self.name = name
        self.isAuthority = isAuthority
        self.pathLength = pathLength
        self.mayCertify = mayCertify
        self.purposes = purposes
        self.permitted = permitted
        self.excluded = excluded
        self.key = key
        self.signature = signature
        self.validity = validity
        self.demandsUnknown = demandsUnknown
    }
}

extension AuthorityProfile {
    func template(now: Int64) throws(CryptoFailure) -> CertificateTemplate {
        let (notBefore, notAfter) = validity.seconds(at: now)
        return CertificateTemplate(
            subject: name, serial: try SerialNumber.random(), notBefore: notBefore, notAfter: notAfter,
            hash: signature.hash, extensions: extensions)
    }

    private var extensions: [CertificateTemplate.Extension] {
        var list: [CertificateTemplate.Extension] = [
            .init("keyUsage", mayCertify ? "critical,keyCertSign,cRLSign" : "critical,cRLSign"),
            .init("subjectKeyIdentifier", "hash"), .init("authorityKeyIdentifier", "keyid"),
        ]
        if let isAuthority {
            let limit = isAuthority ? pathLength.map { ",pathlen:\($0)" } ?? "" : ""
            list.append(.init("basicConstraints", "critical,CA:\(isAuthority ? "TRUE" : "FALSE")\(limit)"))
        }
        if !purposes.isEmpty {
            list.append(.init("extendedKeyUsage", purposes.map(\.rawValue).joined(separator: ",")))
        }
        let names = permitted.map { "permitted;DNS:\($0)" } + excluded.map { "excluded;DNS:\($0)" }
        if !names.isEmpty { list.append(.init("nameConstraints", "critical,\(names.joined(separator: ","))")) }
        if demandsUnknown { list.append(.unknownDemand) }
        return list
    }
}
