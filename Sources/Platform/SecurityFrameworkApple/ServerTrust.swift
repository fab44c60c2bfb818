internal import Foundation
internal import Security

/// Decides whether a TLS server's chain is trusted, by SecTrust. Nothing is fetched from the network.
package enum ServerTrust {
    /// Judges `chain` (DER, the server's own certificate first) for `host`, at a time in seconds since 1970.
    ///
    /// SecTrust names one failure at a time. Each is forgiven in turn (host, time, authority) and the chain asked
    /// again, so that a person sees all of them; where one cannot be forgiven, ``TrustVerdict/leaf`` is `nil`.
    package static func evaluate(
        chain: [[UInt8]], host: String, at seconds: Int64, anchors: TrustAnchors
    ) -> TrustVerdict {
        guard let leaf = chain.first, var facts = CertificateFacts(der: leaf) else { return .unreadable }
        var demands = Demands(host: host, seconds: seconds, anchors: anchors)
        guard let first = demands.evaluate(chain) else { return .unreadable }
        if first.path.count > 1 { facts.issuer = CertificateFacts.name(of: first.path[1]) ?? facts.issuer }
        var kinds: [TrustFinding.Kind] = []
        var status = first.status
        while status != errSecSuccess {
            let kind = TrustFinding.Kind(status, facts: facts, pathCount: first.path.count, seconds: seconds)
            let isNew = !kinds.contains(kind)
            if isNew { kinds.append(kind) }
            guard isNew, demands.forgive(kind, facts: facts, path: first.path), let next = demands.evaluate(chain)
            else { return verdict(kinds, path: first.path, leaf: nil) }
            status = next.status
        }
        return verdict(kinds, path: first.path, leaf: facts)
    }

    private static func verdict(
        _ kinds: [TrustFinding.Kind], path: [[UInt8]], leaf: CertificateFacts?
    ) -> TrustVerdict {
        TrustVerdict(failures: kinds.map { TrustFinding(kind: $0) }, path: path, leaf: leaf)
    }
}

/// What one evaluation demands.
private struct Demands {
    var host: String?
    var seconds: Int64
    var anchors: TrustAnchors

    /// Drops the demand that failed; `false` when it is one that stays.
    mutating func forgive(_ kind: TrustFinding.Kind, facts: CertificateFacts, path: [[UInt8]]) -> Bool {
        switch kind {
        case .wrongHost: host = nil
        case .expired: seconds = facts.notAfter
        case .notYetValid: seconds = facts.notBefore
        case .unknownAuthority, .selfSigned: anchors = .only(path.suffix(1))
        case .weakKey, .weakSignature, .wrongPurpose, .notCompliant, .revoked, .revocationUnknown: break
        }
        return kind.canBeForgiven
    }

    /// SecTrustEvaluateWithError; `nil` when the system refuses the question.
    func evaluate(_ chain: [[UInt8]]) -> (status: OSStatus, path: [[UInt8]])? {
        let certificates = chain.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        var created: SecTrust?
        let policy = SecPolicyCreateSSL(true, host as CFString?)
        guard unsafe SecTrustCreateWithCertificates(certificates as CFArray, policy, &created) == errSecSuccess,
            let trust = created, anchors.apply(to: trust),
            SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: Double(seconds)) as CFDate) == errSecSuccess,
            SecTrustSetNetworkFetchAllowed(trust, false) == errSecSuccess
        else { return nil }
        var error: CFError?
        let isTrusted = unsafe SecTrustEvaluateWithError(trust, &error)
        let path = (SecTrustCopyCertificateChain(trust) as? [SecCertificate] ?? []).map {
            [UInt8](SecCertificateCopyData($0) as Data)
        }
        guard !isTrusted else { return path.isEmpty ? nil : (errSecSuccess, path) }
        let code = error.map { OSStatus(clamping: CFErrorGetCode($0)) } ?? errSecInternalComponent
        // An error without a code is an error all the same.
        return (code == errSecSuccess ? errSecInternalComponent : code, path)
    }
}
