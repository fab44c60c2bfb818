/// Which servers are trusted: anchors, pins and approvals. A value; ``CurlTransport`` judges every handshake by it.
public struct TrustPolicy: Hashable, Sendable {
    /// Where a path must end.
    public enum Anchors: Hashable, Sendable {
        /// The machine's own roots.
        case system
        /// These certificates (DER) and no others.
        case only([[UInt8]])
        /// The machine's roots and these certificates (DER).
        case systemAnd([[UInt8]])
    }

    /// Where a path must end.
    public var anchors: Anchors
    /// Demands on keys.
    public var pins: [PinSet]
    /// What persons approved.
    public var approvals: [CertificateApproval]

    /// The machine's roots, or others, with pins and approvals.
    public init(anchors: Anchors = .system, pins: [PinSet] = [], approvals: [CertificateApproval] = []) {
        self.anchors = anchors
        self.pins = pins
        self.approvals = approvals
    }

    /// Decides about one server. Pure and total: the same input always gives the same answer, and every input has one.
    public func decide(on chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> TrustDecision {
        let pinMatch = PinSet.match(pins, host: origin.host, path: chain.path, at: seconds)
        var failures = chain.failures
        switch pinMatch {
        case .mismatch, .expired:
            failures.insert(.pinMismatch, at: failures.firstIndex { !$0.isBeforePins } ?? failures.endIndex)
        case .notPinned, .matched: break
        }
        guard !failures.isEmpty else { return .allow(pinMatch == .matched ? .pinned : .valid) }
        let isHard = failures.contains(where: \.isHard) || chain.summary == nil
        let refusal = CertificateRefusal(failures: failures, summary: chain.summary, canBeApproved: !isHard)
        guard !isHard else { return .deny(refusal) }
        let isApproved = approvals.contains {
            $0.covers(chain.path.first, failures: failures, at: origin, seconds: seconds)
        }
        return isApproved ? .allow(.approved(Set(failures))) : .ask(refusal)
    }
}

/// The answer about one server.
public enum TrustDecision: Hashable, Sendable {
    /// Why a server is trusted.
    public enum Grounds: Hashable, Sendable {
        /// Every rule holds.
        case valid
        /// Every rule holds, and the keys are the pinned ones.
        case pinned
        /// A person approved exactly these failures.
        case approved(Set<TrustFailure>)
    }

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
    /// Whether nobody may approve it: it was revoked, the key or the signature proves nothing, or an attacker is likely.
    public var isHard: Bool {
        switch self {
        case .revoked, .weakKey, .weakSignature, .pinMismatch: true
        case .notCompliant, .unknownAuthority, .selfSigned, .wrongPurpose, .wrongHost, .expired, .notYetValid: false
        }
    }

    // The order of importance is that of the cases; a pin mismatch is inserted into a list that is already sorted.
    fileprivate var isBeforePins: Bool { self == .revoked || self == .weakKey || self == .weakSignature }
}
