internal import PavisePrimitives

/// What a connection keeps about its server.
///
/// A class because each answer of a kept connection asks for it.
final class ServerVerdict: ConnectionVerdict {
    let server: PresentedServer
    let decision: TrustDecision
    /// The rule of App Transport Security that a trusted certificate breaks; `nil` for none.
    let weakness: ATSWeakness?
    /// The pin of the server's own certificate, as text: made once, shown with each answer.
    let leaf: String?
    /// Whether App Transport Security lets the app accept what the platform's rules refuse.
    let mayBeLoosened: Bool
    /// How the app's own code refused the server; `nil` when it did not.
    let objection: TrustDisposition?

    init(
        chain: EvaluatedChain, decision: TrustDecision, weakness: ATSWeakness? = nil, mayBeLoosened: Bool = false,
        objection: TrustDisposition? = nil
    ) {
        server = PresentedServer(chain)
        self.decision = decision
        self.weakness = weakness
        self.mayBeLoosened = mayBeLoosened
        self.objection = objection
        leaf = chain.path.first?.base64
    }

    var chain: EvaluatedChain { server.chain }
    var isAccepted: Bool { objection == nil && decision.isAllowed }

    /// Why nothing may be sent to `origin`, which it is about; `nil` when something may.
    func failure(at origin: Origin) -> TransportFailure? {
        switch objection {
        case .cancelled: return .cancelled(sent: false)
        case .rejected:
            return .untrusted(
                CertificateRefusal(failures: [.denied], summary: chain.summary, canBeApproved: false))
        case .accepted, .asJudged, nil: break
        }
        if let weakness { return .refusedByATS(ATSRefusal(weakness.code, at: origin, weakness.words)) }
        return decision.refusal.map { .untrusted($0) }
    }
}

/// A rule of App Transport Security for certificates that one of them breaks.
struct ATSWeakness: Hashable, Sendable {
    let code: ATSFailureCode
    let words: String
}

/// Judges the servers of one pool, inside their handshakes.
struct PresentedServerJudge: Sendable {
    let policy: TrustPolicy
    let parameters: ATSParameters
    let time: TimeSource
    let evaluate: ChainEvaluator
    let report: (@Sendable (PinReport) -> Void)?

    func verdict(on shown: PresentedChain, host: String, port: UInt16) -> ServerVerdict {
        let seconds = time.wallSeconds
        let chain = evaluate(shown, host, seconds)
        let origin = Origin(scheme: .https, host: host, port: port)
        if let report {
            for found in policy.pinReports(on: chain, at: origin, seconds: seconds) { report(found) }
        }
        let decision = policy.decideComparingKnown(chain, at: origin, seconds: seconds)
        guard decision.isAllowed, parameters.certificateRules != nil,
            case .systemOnly(let words, let code) = chain.strength
        else {
            return ServerVerdict(chain: chain, decision: decision, mayBeLoosened: parameters.mayLoosenTrust)
        }
        let failure: TrustFailure = code == .minimumKeySize ? .weakKey : .weakSignature
        let refusal = CertificateRefusal(failures: [failure], summary: chain.summary, canBeApproved: false)
        return ServerVerdict(
            chain: chain, decision: .deny(refusal), weakness: ATSWeakness(code: code, words: words))
    }
}
