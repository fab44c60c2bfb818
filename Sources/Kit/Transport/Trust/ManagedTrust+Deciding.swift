extension ManagedTrust {
    /// Whether a request may go to `origin` at all (connections C29).
    public func allows(_ origin: Origin) -> Bool { allowedServers.map { $0.contains { $0.covers(origin) } } ?? true }

    /// Whether authorities that the environment names take the place of the machine's.
    package var takesNamedAuthorities: Bool { anchors == .any && personApproval != .forbidden }

    /// Why no request may be sent to `origin`, before a connection is made; `nil` when one may.
    func refusal(of origin: Origin) -> TransportFailure? {
        if origin.scheme == .http && forbidsPlainHTTP {
            return .refusedByATS(
                ATSRefusal(
                    .requiresSecureConnection, at: origin, "The administrator forbids plain http. Use https."))
        }
        return allows(origin)
            ? nil : .untrusted(CertificateRefusal(failures: [.denied], summary: nil, canBeApproved: false))
    }

    /// Whether the server, or something in its path, is refused in any case.
    func denies(_ chain: EvaluatedChain, at origin: Origin) -> Bool {
        !allows(origin) || chain.path.contains(where: denied.keys.contains)
            || chain.certificates.contains(where: denied.certificates.contains)
            || chain.summary.flatMap { CertificateDigest($0.fingerprint) }.map(denied.certificates.contains) == true
            || chain.summary.map { denied.issuers.contains($0.issuer) } == true
    }

    /// Whether these failures of this server were approved before.
    func approves(_ failures: [TrustFailure], of chain: EvaluatedChain, at origin: Origin, seconds: Int64) -> Bool {
        guard origin.scheme == .https else { return false }
        return preApproved.contains { approval in
            guard approval.host == origin.host, approval.port == origin.port, seconds <= approval.expires,
                approval.failures.isSuperset(of: failures), approval.key != nil || approval.certificate != nil
            else { return false }
            let found = chain.summary.flatMap { CertificateDigest($0.fingerprint) }
            return (approval.key == nil || approval.key == chain.path.first)
                && (approval.certificate == nil || approval.certificate == found)
        }
    }

    /// Whether a person may approve these failures.
    func lets(personApprove failures: [TrustFailure]) -> Bool {
        switch personApproval {
        case .allowed: true
        case .onlySelfSigned: Set(failures) == [.selfSigned]
        case .forbidden: false
        }
    }
}
