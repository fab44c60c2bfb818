internal import PaviseCrypto

/// Decides whether a TLS server's chain is trusted: a pure function without clock, network and file.
package enum ServerTrust {
    /// Judges `chain` (DER, the server's own certificate first, the others in any order) for `host`.
    ///
    /// - Parameters:
    ///   - host: A host name or an address, as the URL has it.
    ///   - seconds: The time to judge at, in seconds since 1970.
    package static func evaluate(
        chain: [[UInt8]], host: String, at seconds: Int64, anchors: TrustAnchors
    ) -> TrustVerdict {
        evaluate(TrustRequest(chain: chain, peer: .server(host: host), at: seconds, anchors: anchors))
    }

    /// Judges a chain as it is asked.
    package static func evaluate(_ request: TrustRequest) -> TrustVerdict {
        guard let (leaf, others) = certificates(request) else { return .unreadable }
        return evaluate(
            leaf: leaf, others: others, policy: request.policy, at: request.seconds, anchors: request.anchors,
            evidence: request.evidence, transparency: request.transparency, isWanted: request.isWanted)
    }

    /// Whether a chain is trusted, and nothing else: the same answer as ``evaluate(_:)`` gives, without the reasons.
    ///
    /// A path that breaks a rule is no path to trust whoever signed it, so the rules come first and the signatures of a
    /// path last. Reasons need them all: what an unsigned chain would be accused of says nothing about its owner.
    package static func isTrusted(_ request: TrustRequest) -> Bool {
        guard let (leaf, others) = certificates(request) else { return false }
        let demand = Demand(
            policy: request.policy, seconds: request.seconds, evidence: request.evidence,
            transparency: request.transparency)
        var builder = PathBuilder(leaf: leaf, others: others, anchors: request.anchors, order: .signaturesLast)
        if builder.search({ demand.findings($0).isEmpty }) { return true }
        return builder.reachedLimit && evaluate(request).isTrusted
    }

    private static func certificates(
        _ request: TrustRequest
    ) -> (leaf: X509Certificate, others: [X509Certificate])? {
        guard let first = request.chain.first, let leaf = try? X509Certificate(der: first) else { return nil }
        let others = request.chain.dropFirst().prefix(PathBuilder.maximumCertificates)
        return (leaf, others.compactMap { try? X509Certificate(der: $0) })
    }

    static func evaluate(
        leaf: X509Certificate, others: [X509Certificate], policy: ChainPolicy, at seconds: Int64,
        anchors: TrustAnchors, evidence: RevocationEvidence = .none, transparency: TransparencyDemand? = nil,
        isWanted: (@Sendable ([[UInt8]]) -> Bool)? = nil
    ) -> TrustVerdict {
        let demand = Demand(policy: policy, seconds: seconds, evidence: evidence, transparency: transparency)
        var best: TrustVerdict?
        var builder = PathBuilder(leaf: leaf, others: others, anchors: anchors)
        builder.search { path in
            let verdict = TrustVerdict(
                demand.findings(path), path: path.certificates, origin: path.anchor?.origin)
            let isFound = verdict.isTrusted && (isWanted?(verdict.path) ?? true)
            if isFound || verdict.isBetter(than: best) { best = verdict }
            return isFound
        }
        return best ?? untrusted(builder, policy: policy, at: seconds)
    }

    private static func untrusted(_ builder: PathBuilder, policy: ChainPolicy, at seconds: Int64) -> TrustVerdict {
        let path = builder.longest
        var findings = ChainRules(path: path, anchor: nil, policy: policy, time: seconds).findings()
        let last = path[path.count - 1]
        let endsInRoot = last.isSelfIssued && last.isSigned(by: last)
        let kind: TrustFinding.Kind =
            if builder.reachedLimit {
                .notCompliant(.searchLimit)
            } else if endsInRoot {
                path.count == 1 ? .selfSigned : .unknownAuthority(missingIssuer: nil)
            } else {
                .unknownAuthority(missingIssuer: last.issuer.line)
            }
        findings.append(TrustFinding(kind, certificate: path.count - 1))
        return TrustVerdict(findings, path: path, origin: nil)
    }
}

/// What a complete path is asked for.
private struct Demand {
    let policy: ChainPolicy
    let seconds: Int64
    let evidence: RevocationEvidence
    let transparency: TransparencyDemand?

    /// What speaks against the path, its signatures aside.
    func findings(_ path: PathBuilder.Path) -> [TrustFinding] {
        let rules = ChainRules(path: path.certificates, anchor: path.anchor, policy: policy, time: seconds)
        let revocation = RevocationRule(
            path: path.certificates, demand: policy.revocation, evidence: evidence, time: seconds)
        let logs = transparency.map {
            TransparencyCheck(
                path: path.certificates, origin: path.anchor?.origin, demand: $0, evidence: evidence, time: seconds)
        }
        return rules.findings() + revocation.findings() + (logs?.findings() ?? [])
    }
}
