/// One reason why a chain is not trusted.
package struct TrustFinding: Hashable, Sendable {
    /// What is wrong.
    package enum Kind: Hashable, Sendable {
        /// The key is too small or of a type without a rule. Below the hard limit nothing can overrule it.
        case weakKey(String, belowHardLimit: Bool)
        /// The signature uses a broken or unknown hash. An unknown one cannot be overruled.
        case weakSignature(String, isUnknown: Bool)
        /// A rule of RFC 5280 or of the platform is broken.
        case notCompliant(ComplianceRule)
        /// The chain does not end at a trusted root. `missingIssuer` names the authority that nobody sent.
        case unknownAuthority(missingIssuer: String?)
        /// The server's certificate is signed by its own key and is no anchor.
        case selfSigned
        /// A certificate is for something else: its purposes, or for an authority its key usage.
        case wrongPurpose(PurposeRule)
        /// None of the names serves the host.
        case wrongHost(host: String, names: [String])
        /// The last second of validity is over (seconds since 1970).
        case expired(notAfter: Int64)
        /// The first second of validity has not come (seconds since 1970).
        case notYetValid(notBefore: Int64)
        /// The issuer revoked the certificate (seconds since 1970); the reason is a number of RFC 5280 §5.3.1.
        case revoked(at: Int64, reason: Int?)
        /// It is not known whether the certificate is revoked, and it has to be.
        case revocationUnknown(RevocationGap)
    }

    /// What is wrong.
    package let kind: Kind
    /// Which certificate of the path; 0 is the server's.
    package let certificate: Int

    package init(_ kind: Kind, certificate: Int) {
        self.kind = kind
        self.certificate = certificate
    }
}

/// The rules whose breach is ``TrustFinding/Kind/notCompliant(_:)``.
package enum ComplianceRule: Hashable, Sendable {
    /// An issuer of version 3 without basic constraints, or an old one under a new anchor.
    case missingBasicConstraints
    /// An issuer that is no authority.
    case notAuthority
    /// More authorities below than an issuer, or the caller, allows.
    case pathTooLong(limit: Int)
    /// A name lies outside what an issuer may vouch for.
    case nameConstraint(String)
    /// A critical extension that this version does not know, dotted.
    case unknownCriticalExtension(String)
    /// A known extension that cannot be read, dotted; or `certificate` for the whole.
    case unreadable(String)
    /// The same extension twice, dotted.
    case repeatedExtension(String)
    /// The subject names another issuer key than the issuer has.
    case keyIdentifierMismatch
    /// An empty subject where one is needed.
    case emptySubject
    /// Valid for longer than the rule of its day allows.
    case lifetime(seconds: Int64, limit: Int64)
    /// A certificate has no policy left of those that its authorities demand.
    case policy
    /// Too few logs of certificates vouch for the leaf.
    case transparency(TransparencyGap)
    /// The search for a path was given up at its limit.
    case searchLimit
}

/// The rules whose breach is ``TrustFinding/Kind/wrongPurpose(_:)``.
package enum PurposeRule: Hashable, Sendable {
    /// The extended key usage does not allow this purpose; it lists these, dotted.
    case extendedKeyUsage([String])
    /// An issuer's key may not sign certificates.
    case keyUsage
}
