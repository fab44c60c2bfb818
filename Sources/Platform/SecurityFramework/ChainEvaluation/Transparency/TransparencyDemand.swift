internal import PaviseCrypto

/// What has to be known about a certificate's logs.
package struct TransparencyDemand: Sendable {
    /// Whom the demand binds.
    package enum Scope: Hashable, Sendable {
        /// As on Apple's systems: public authorities, leaves from 16 October 2018 on; a list that is too old excuses
        /// all.
        case publicAuthorities
        /// Every server; a list that is too old is a failure.
        case everyServer
    }

    /// The logs.
    package let logs: TransparencyLogList
    /// Lists of timestamps of the handshake (RFC 6962 §3.3). Those in status answers come with the evidence.
    package let presented: [[UInt8]]
    /// Whom it binds.
    package let scope: Scope

    package init(logs: TransparencyLogList, presented: [[UInt8]] = [], scope: Scope = .publicAuthorities) {
        self.logs = logs
        self.presented = presented
        self.scope = scope
    }
}

/// What is missing.
package enum TransparencyGap: Hashable, Sendable {
    /// The list of logs is older than 60 days, so nothing can be said.
    case listTooOld
    /// Too few logs vouch for the certificate.
    case tooFew(TransparencyCount)
}

extension TransparencyCount {
    /// The logs that vouch for the first certificate of `path` (DER, leaf first); `nil` where nobody is above it.
    package init?(
        path: [[UInt8]], demand: TransparencyDemand, evidence: RevocationEvidence = .none, at seconds: Int64
    ) {
        let certificates = path.prefix(2).compactMap { try? X509Certificate(der: $0) }
        guard certificates.count == 2 else { return nil }
        self = TransparencyCheck(
            path: certificates, origin: nil, demand: demand, evidence: evidence, time: seconds
        ).count()
    }
}

/// The demand, applied to one path.
struct TransparencyCheck {
    let path: [X509Certificate]
    let origin: TrustAnchors.Origin?
    let demand: TransparencyDemand
    /// Status answers, which may bring timestamps along.
    let evidence: RevocationEvidence
    /// Seconds since 1970.
    let time: Int64

    static let autumn2018: Int64 = 1_539_648_000

    func findings() -> [TrustFinding] {
        guard path.count > 1, isBound else { return [] }
        guard demand.logs.isFresh(at: time) else {
            let isFailure = demand.scope == .everyServer
            return isFailure ? [TrustFinding(.notCompliant(.transparency(.listTooOld)), certificate: 0)] : []
        }
        let count = count()
        guard !count.isEnough else { return [] }
        return [TrustFinding(.notCompliant(.transparency(.tooFew(count))), certificate: 0)]
    }

    // An expired leaf has another problem.
    private var isBound: Bool {
        guard demand.scope == .publicAuthorities else { return true }
        return origin == .system && path[0].notBefore >= Self.autumn2018 && time <= path[0].notAfter
    }

    /// The logs that vouch for the leaf.
    func count() -> TransparencyCount {
        let leaf = path[0]
        let validity = leaf.notBefore...max(leaf.notBefore, leaf.notAfter)
        let inside = leaf.extensions.timestamps.flatMap(SignedCertificateTimestamp.list) ?? []
        let lists = demand.presented.map { $0[...] } + evidence.timestamps(about: leaf, issuer: path[1])
        let outside = lists.prefix(8).flatMap { SignedCertificateTimestamp.list($0) ?? [] }
        let embedded =
            SignedCertificateTimestamp.Entry.inside(leaf, issuer: path[1]).map { checked(inside, $0, true) } ?? []
        return TransparencyRule(validity: validity, at: time).count(
            embedded + checked(outside, .certificate(leaf.der), false))
    }

    private func checked(
        _ timestamps: [SignedCertificateTimestamp], _ entry: SignedCertificateTimestamp.Entry, _ isEmbedded: Bool
    ) -> [TransparencyRule.Timestamp] {
        timestamps.compactMap { timestamp in
            guard let log = demand.logs.log(timestamp.log), timestamp.isSigned(bySPKI: log.spki, over: entry) else {
                return nil
            }
            return .init(log: log, milliseconds: timestamp.milliseconds, isEmbedded: isEmbedded)
        }
    }
}
