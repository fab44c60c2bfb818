/// The decision about one server.
public enum TrustDecision: Hashable, Sendable {
    /// Why a server is trusted.
    public enum Grounds: Hashable, Sendable {
        /// Every rule holds.
        case valid
        /// Every rule holds, and the keys are the pinned ones.
        case pinned
        /// A person approved exactly these failures.
        case approved(Set<TrustFailure>)
        /// Management approved exactly these failures before.
        case managed(Set<TrustFailure>)
    }

    /// The server is trusted.
    case allow(Grounds)
    /// A person may approve it.
    case ask(CertificateRefusal)
    /// Nobody may.
    case deny(CertificateRefusal)

    /// Whether a request may be sent.
    public var isAllowed: Bool {
        guard case .allow = self else { return false }
        return true
    }

    /// What speaks against it; `nil` when it is allowed.
    public var refusal: CertificateRefusal? {
        switch self {
        case .allow: nil
        case .ask(let refusal), .deny(let refusal): refusal
        }
    }
}

extension TrustFailure {
    /// Whether nobody may approve it: the key or the signature proves nothing, somebody with a say has refused, or an
    /// attacker is likely.
    public var isHard: Bool {
        switch self {
        case .blocked, .revoked, .weakKey, .weakSignature, .denied, .pinMismatch: true
        case .notCompliant, .notTransparent, .revocationUnknown, .unknownAuthority, .selfSigned, .wrongPurpose,
            .wrongHost, .expired, .notYetValid, .keyChanged:
            false
        }
    }
}

extension [TrustFailure] {
    // The order of importance is that of the cases.
    var sortedByImportance: [TrustFailure] { TrustFailure.allCases.filter(contains) }
}
