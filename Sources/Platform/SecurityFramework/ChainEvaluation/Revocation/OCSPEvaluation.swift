internal import PaviseCrypto

/// What one answer of a status service says about one certificate (RFC 6960 §3.2). A nonce is not asked for, so a
/// stapled answer is as good as a fetched one within its time.
struct OCSPEvaluation {
    let answer: OCSPResponse
    let certificate: X509Certificate
    let issuer: X509Certificate
    /// Seconds since 1970.
    let time: Int64

    /// How far the service's clock may be ahead of or behind ours, in seconds.
    static let slack: Int64 = 300
    /// How long an answer counts that does not say when there is a newer one, in seconds.
    static let unboundedLifetime: Int64 = 86_400

    /// `nil` when the answer is not about this certificate.
    func status() -> RevocationStatus? {
        guard let status = answer.statuses.first(where: { $0.isAbout(certificate, issuer: issuer) }) else { return nil }
        guard isAuthorized else { return .unknown(.answer(.notAuthorized)) }
        guard status.thisUpdate <= time + Self.slack else {
            return .unknown(.answer(.notYetValid(thisUpdate: status.thisUpdate)))
        }
        if case .revoked(let time, let reason) = status.word { return .revoked(time: time, reason: reason) }
        guard time <= Self.end(status) + Self.slack else { return .unknown(.answer(.outdated)) }
        return status.word == .good ? .good : .unknown(.answer(.unknownCertificate))
    }

    /// When a good answer ends (seconds since 1970); `nil` for any other answer.
    func goodUntil() -> Int64? {
        guard status() == .good else { return nil }
        return answer.statuses.first { $0.isAbout(certificate, issuer: issuer) }.map(Self.end)
    }

    private static func end(_ status: OCSPResponse.Status) -> Int64 {
        status.nextUpdate ?? status.thisUpdate + unboundedLifetime
    }

    // RFC 6960 §4.2.2.2: the issuer itself, or one whom the issuer certified for this, directly.
    private var isAuthorized: Bool {
        if answer.names(issuer), answer.isSigned(by: issuer) { return true }
        return answer.certificates.contains { answer.names($0) && isDelegate($0) && answer.isSigned(by: $0) }
    }

    private func isDelegate(_ service: X509Certificate) -> Bool {
        let extensions = service.extensions
        return service.issuer.matches(issuer.subject) && extensions.purposes?.contains(Self.purpose) == true
            && (service.notBefore...max(service.notBefore, service.notAfter)).contains(time)
            && (extensions.keyUsage?.first ?? true) && extensions.unknownCritical.isEmpty && extensions.repeated.isEmpty
            && extensions.unreadable.isEmpty && service.signature.isStrong
            // Who finds out the private half of a small key would call good what was revoked.
            && ChainRules.isAboveHardLimit(service.key) && service.isSigned(by: issuer)
    }

    private static let purpose = "1.3.6.1.5.5.7.3.9"
}
