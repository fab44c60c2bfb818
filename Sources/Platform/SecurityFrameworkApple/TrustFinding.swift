package import Security

/// One reason why a chain is not trusted.
package struct TrustFinding: Hashable, Sendable {
    /// What is wrong. The system gives a status code and no more, so no case has a payload here.
    package enum Kind: Hashable, Sendable, CaseIterable {
        /// The key is too small.
        case weakKey
        /// The signature uses a broken hash.
        case weakSignature
        /// Any other rule.
        case notCompliant
        /// The issuer revoked the certificate.
        case revoked
        /// It is not known whether the certificate is revoked, and it has to be.
        case revocationUnknown
        /// The chain does not end at a trusted root.
        case unknownAuthority
        /// The server's certificate is signed by its own key and is no anchor.
        case selfSigned
        /// A certificate is for something else.
        case wrongPurpose
        /// None of the names serves the host.
        case wrongHost
        /// The last second of validity is over.
        case expired
        /// The first second of validity has not come.
        case notYetValid
    }

    /// What is wrong.
    package let kind: Kind
}

extension TrustFinding.Kind {
    /// What a status of SecTrustEvaluateWithError says about a chain whose leaf says `facts`.
    package init(_ status: OSStatus, facts: CertificateFacts, pathCount: Int, seconds: Int64) {
        self =
            switch status {
            case errSecHostNameMismatch: .wrongHost
            case errSecCertificateNotValidYet: .notYetValid
            case errSecCertificateExpired: seconds < facts.notBefore ? .notYetValid : .expired
            case errSecNotTrusted, errSecCreateChainFailed:
                pathCount == 1 && facts.isSelfIssued ? .selfSigned : .unknownAuthority
            case errSecCertificateRevoked: .revoked
            case errSecIncompleteCertRevocationCheck: .revocationUnknown
            case errSecUnsupportedKeySize: .weakKey
            case errSecInvalidDigestAlgorithm: .weakSignature
            case errSecInvalidExtendedKeyUsage, errSecInvalidKeyUsageForPolicy: .wrongPurpose
            default: .notCompliant
            }
    }

    /// Whether the chain is asked again without this demand, so that a person may approve the certificate. A revoked
    /// one stays refused, and so does one of which nobody knows whether it is revoked.
    package var canBeForgiven: Bool {
        switch self {
        case .wrongHost, .expired, .notYetValid, .unknownAuthority, .selfSigned: true
        case .weakKey, .weakSignature, .wrongPurpose, .notCompliant, .revoked, .revocationUnknown: false
        }
    }
}
