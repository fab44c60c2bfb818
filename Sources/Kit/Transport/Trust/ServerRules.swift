package import PavisePrimitives
internal import SecurityFramework
internal import Synchronization

/// Judges what a server presented for a host at a time in seconds since 1970.
package typealias ChainEvaluator =
    @Sendable (_ shown: PresentedChain, _ host: String, _ seconds: Int64) ->
    EvaluatedChain

/// The platform's rules for TLS servers, in the words of the Kit.
enum ServerRules {
    /// The rules with a policy's anchors and revocation lists. The anchors are read once, when the first server is
    /// judged: a client that only looks at what is stored does not wait for a hundred certificates.
    static func evaluator(_ policy: TrustPolicy) -> ChainEvaluator {
        let ask = question(policy)
        #if os(Linux)
        let keys = policy.tls.certificateRules
        #endif
        #if os(Linux)
        let unserved: [TrustFailure] = []
        #else
        let unserved = policy.revocation.unservedFailures
        #endif
        return { shown, host, seconds in
            let verdict = ask(shown, host, seconds)
            let facts = verdict.path.compactMap { CertificateFacts(der: $0) }
            let failures = verdict.failures.map { TrustFailure($0.kind) }
            var evaluated = EvaluatedChain(
                failures: unique((verdict.isTrusted || !failures.isEmpty ? failures : [.notCompliant]) + unserved),
                path: facts.compactMap { Pin($0.spki) },
                certificates: facts.compactMap { CertificateDigest($0.fingerprint) }, der: verdict.path,
                summary: verdict.leaf.map(CertificateSummary.init))
            #if os(Linux)
            evaluated.strength = ATSChainJudgement(trusted: facts.map(ATSChainJudgement.Facts.init), rules: keys)
            #endif
            return evaluated
        }
    }

    private typealias Question = @Sendable (PresentedChain, String, Int64) -> TrustVerdict

    #if os(Linux)
    private static func question(_ policy: TrustPolicy) -> Question {
        let anchors = LateAnchors { platformAnchors(policy) }
        let lists = RevocationEvidence(lists: policy.revocation.lists, answers: [])
        return { shown, host, seconds in
            var request = TrustRequest(
                chain: shown.certificates, peer: .server(host: host), at: seconds, anchors: anchors.made)
            request.revocation = policy.revocation.demand == .hard ? .hard : .soft
            request.evidence = shown.staple.isEmpty ? lists : lists.adding(answers: [shown.staple])
            request.transparency = policy.transparencyDemand(host: host, timestamps: shown.timestamps)
            if policy.hasPins { request.isWanted = { meetsPins($0, policy, host, seconds) } }
            return ServerTrust.evaluate(request)
        }
    }

    // An authority can be had by itself and under others, which signed it too. Pins of any of them find their path, as
    // on Apple's systems.
    private static func meetsPins(_ path: [[UInt8]], _ policy: TrustPolicy, _ host: String, _ seconds: Int64) -> Bool {
        let facts = path.compactMap { CertificateFacts(der: $0) }
        let match = policy.pinMatch(
            facts.compactMap { Pin($0.spki) }, facts.compactMap { CertificateDigest($0.fingerprint) }, host, seconds)
        return match == .matched || match == .notPinned
    }
    #else
    private static func question(_ policy: TrustPolicy) -> Question {
        let anchors = LateAnchors { platformAnchors(policy) }
        return { shown, host, seconds in
            ServerTrust.evaluate(chain: shown.certificates, host: host, at: seconds, anchors: anchors.made)
        }
    }
    #endif

    private static func platformAnchors(_ policy: TrustPolicy) -> TrustAnchors {
        let system = policy.managed.takesNamedAuthorities ? TrustAnchors.system : .machine
        return switch policy.anchors {
        case .system: system
        case .only(let certificates): .only(certificates)
        case .systemAnd(let certificates): system.adding(certificates)
        }
    }

    private static func unique(_ failures: [TrustFailure]) -> [TrustFailure] {
        failures.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}

/// Anchors that are made when they are needed first.
private final class LateAnchors: Sendable {
    private let anchors = Mutex<TrustAnchors?>(nil)
    private let make: @Sendable () -> TrustAnchors

    init(_ make: @escaping @Sendable () -> TrustAnchors) { self.make = make }

    var made: TrustAnchors {
        anchors.withLock { anchors in
            if let anchors { return anchors }
            let made = make()
            anchors = made
            return made
        }
    }
}

#if os(Linux)
extension ATSChainJudgement.Facts {
    fileprivate init(_ facts: CertificateFacts) {
        self.init(
            isRSA: facts.isRSA, isEC: facts.isEC, keyBits: facts.keyBits, hash: facts.signatureHash,
            isSelfIssued: facts.isSelfIssued)
    }
}
#endif

extension TrustFailure {
    fileprivate init(_ kind: TrustFinding.Kind) {
        self =
            switch kind {
            case .weakKey: .weakKey
            case .weakSignature: .weakSignature
            #if os(Linux)
            case .notCompliant(.transparency): .notTransparent
            #endif
            case .notCompliant: .notCompliant
            case .revoked: .revoked
            case .revocationUnknown: .revocationUnknown
            case .unknownAuthority: .unknownAuthority
            case .selfSigned: .selfSigned
            case .wrongPurpose: .wrongPurpose
            case .wrongHost: .wrongHost
            case .expired: .expired
            case .notYetValid: .notYetValid
            }
    }
}

extension CertificateSummary {
    fileprivate init(_ facts: CertificateFacts) {
        self.init(
            subject: facts.subject, names: facts.names, issuer: facts.issuer, notBefore: facts.notBefore,
            notAfter: facts.notAfter, key: facts.key, signature: facts.signature, serial: facts.serial,
            fingerprint: facts.fingerprint, spki: facts.spki)
    }
}
