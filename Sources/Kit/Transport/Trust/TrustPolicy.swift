/// Which servers are trusted: anchors, pins, approvals and what management says. A value; ``HTTPClient`` judges
/// every handshake by it.
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
    /// The pins of an Info.plist, as Apple's code reads them; `nil` for none.
    public var pinnedDomains: PinnedDomains?
    /// What persons approved.
    public var approvals: [CertificateApproval]
    /// The connection that this policy belongs to, by its identifier: approvals for another one are worth nothing here.
    public var connection: String?
    /// What the servers showed when they were last trusted, as a ``KnownServersStore`` knows it. A valid certificate
    /// that is no renewal of that needs a person's look; a server that is not here is judged by the other rules alone.
    public var knownServers: [Origin: KnownServer] = [:]
    /// What management says. It wins over pins and approvals.
    public var managed: ManagedTrust
    /// What has to be known about revocation.
    public var revocation: RevocationPolicy
    /// Which logs have to vouch for certificates; `nil` asks for none.
    public var transparency: TransparencyPolicy?
    /// What is offered in a handshake, and what a server's key must be.
    public var tls = TLSProfile.ats

    /// The machine's roots, or others, with pins, approvals and management.
    public init(
        anchors: Anchors = .system, pins: [PinSet] = [], pinnedDomains: PinnedDomains? = nil,
        approvals: [CertificateApproval] = [], managed: ManagedTrust = ManagedTrust(),
        revocation: RevocationPolicy = .soft, transparency: TransparencyPolicy? = nil, connection: String? = nil
    ) {
        self.anchors = anchors
        self.pins = pins
        self.pinnedDomains = pinnedDomains
        self.approvals = approvals
        self.managed = managed
        self.revocation = revocation
        self.transparency = transparency
        self.connection = connection
    }

    /// Decides about one server. Pure and total: the same input always gives the same answer, and every input has one.
    ///
    /// In this order: what management denies; pins; hard failures, which nobody may approve; what management approved
    /// before; what a person approved, as far as management lets persons approve, and never at a server that has to
    /// show the word of certificate logs.
    public func decide(on chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> TrustDecision {
        let match = pinMatch(chain.path, chain.certificates, origin.host, seconds)
        let failures = failures(of: chain, match, origin)
        guard !failures.isEmpty else { return .allow(match == .matched ? .pinned : .valid) }
        let refusal = { CertificateRefusal(failures: failures, summary: chain.summary, canBeApproved: $0) }
        guard !failures.contains(where: \.isHard), chain.summary != nil else { return .deny(refusal(false)) }
        if managed.approves(failures, of: chain, at: origin, seconds: seconds) {
            return .allow(.managed(Set(failures)))
        }
        guard !needsLogs(origin.host), managed.lets(personApprove: failures) else { return .deny(refusal(false)) }
        let isApproved = approvals.contains {
            $0.covers(chain.path.first, failures: failures, at: origin, seconds: seconds, connection: connection)
        }
        return isApproved ? .allow(.approved(Set(failures))) : .ask(refusal(true))
    }

    // Where the logs' word is demanded of this very server, a certificate that fails in any other way does not show it
    // either: under an unknown authority nobody looks for it.
    private func needsLogs(_ host: String) -> Bool {
        #if os(Linux)
        if transparency?.isRequired(at: host) == true { return true }
        #endif
        return managed.transparentHosts.contains(host)
    }

    /// What the sets of pins have to report about a chain, those that only report included.
    public func pinReports(on chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> [PinReport] {
        // Apart, as they are compared.
        [pins, managed.requiredPins].flatMap { PinSet.reports($0, on: chain, at: origin, seconds: seconds) }
    }

    /// Whether there are pins of any host.
    var hasPins: Bool { !pins.isEmpty || !managed.requiredPins.isEmpty || pinnedDomains != nil }

    /// What all pins say about a path, the leaf first.
    func pinMatch(_ path: [Pin], _ certificates: [CertificateDigest], _ host: String, _ seconds: Int64) -> PinMatch {
        // Compared apart: joined, a key of the app's would do for an administrator who asks for another, and the other
        // way round.
        let groups = [pins, managed.requiredPins]
        let matches = groups.map { sets in
            PinSet.match(sets, host: host, path: path, certificates: certificates, at: seconds)
        }
        let own = matches.first(where: \.isRefusal) ?? (matches.contains(.matched) ? .matched : .notPinned)
        let listed = pinnedDomains?.match(host: host, path: path) ?? .notPinned
        switch (own, listed) {
        case (.mismatch, _), (.expired, _): return own
        case (_, .mismatch), (_, .expired): return listed
        case (.matched, _), (_, .matched): return .matched
        case (.notPinned, .notPinned): return .notPinned
        }
    }

    private func failures(of chain: EvaluatedChain, _ match: PinMatch, _ origin: Origin) -> [TrustFailure] {
        var found = chain.failures
        switch match {
        case .mismatch, .expired: found.append(.pinMismatch)
        case .notPinned, .matched: break
        }
        if managed.denies(chain, at: origin) { found.append(.denied) }
        return found.count > chain.failures.count ? found.sortedByImportance : found
    }
}

extension PinMatch {
    fileprivate var isRefusal: Bool {
        switch self {
        case .mismatch, .expired: true
        case .matched, .notPinned: false
        }
    }
}
