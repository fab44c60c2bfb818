internal import PaviseCrypto

/// Whether the certificates of a path are revoked, as far as lists and answers at hand tell.
struct RevocationRule {
    let path: [X509Certificate]
    let demand: RevocationDemand
    let evidence: RevocationEvidence
    /// Seconds since 1970.
    let time: Int64

    /// The findings; the last certificate of a complete path is the anchor, which nobody above can revoke.
    func findings() -> [TrustFinding] {
        guard demand != .ignored else { return [] }
        return path.indices.dropLast().compactMap { index in
            kind(status(index)).map { TrustFinding($0, certificate: index) }
        }
    }

    /// Until when it is known that no certificate of the path is revoked (seconds since 1970): the first moment at
    /// which one of the answers may change. `nil` where a certificate has no good answer now, or nobody is above the
    /// first one.
    func goodUntil() -> Int64? {
        let below = path.indices.dropLast()
        let ends = below.compactMap(goodUntil)
        return ends.count == below.count ? ends.min() : nil
    }

    // Of several good answers the one that counts longest; a revocation beats them all.
    private func goodUntil(_ index: Int) -> Int64? {
        guard status(index) == .good else { return nil }
        let (certificate, issuer) = (path[index], path[index + 1])
        let fromLists = evidence.lists.compactMap { list in
            let status = ListStatus(list: list, certificate: certificate, issuer: issuer, time: time).status()
            return status == .good ? list.nextUpdate : nil
        }
        let fromAnswers = evidence.answers.compactMap {
            OCSPEvaluation(answer: $0, certificate: certificate, issuer: issuer, time: time).goodUntil()
        }
        return (fromLists + fromAnswers).max()
    }

    private func status(_ index: Int) -> RevocationStatus {
        let (certificate, issuer) = (path[index], path[index + 1])
        let fromLists = evidence.lists.compactMap {
            ListStatus(list: $0, certificate: certificate, issuer: issuer, time: time).status()
        }
        let fromAnswers = evidence.answers.compactMap {
            OCSPEvaluation(answer: $0, certificate: certificate, issuer: issuer, time: time).status()
        }
        return (fromLists + fromAnswers).reduce(.unknown(.nothingKnown)) { $0.combined(with: $1) }
    }

    private func kind(_ status: RevocationStatus) -> TrustFinding.Kind? {
        switch (status, demand) {
        case (.revoked(let time, let reason), _): .revoked(at: time, reason: reason?.rawValue)
        case (.unknown(let gap), .hard): .revocationUnknown(gap)
        case (.unknown(let gap), .usableWhenPresent) where gap != .nothingKnown: .revocationUnknown(gap)
        default: nil
        }
    }
}
