internal import Foundation
internal import PaviseTransport
internal import SecurityFramework

extension SecTrust {
    /// What a delegate gets to see: the chain as it was sent, the policy for TLS servers with the host, the client's
    /// anchors and what the server brought along; `nil` when the server's own certificate cannot be read.
    ///
    /// Others that cannot be read are left out, as the client's own judgement does: a server may send what it likes
    /// behind a chain that is valid.
    static func of(_ question: ServerQuestion) -> SecTrust? {
        guard let first = question.certificates.first,
            let leaf = SecCertificateCreateWithData(nil, Data(first) as CFData)
        else { return nil }
        let others = question.certificates.dropFirst()
        let chain = [leaf] + others.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        var made: SecTrust?
        SecTrustCreateWithCertificates(
            chain as NSArray, SecPolicyCreateSSL(true, question.origin.host as CFString), &made)
        guard let trust = made else { return nil }
        switch question.anchors {
        case .system: break
        case .only(let anchors): SecTrustSetAnchorCertificates(trust, certificates(anchors))
        case .systemAnd(let anchors):
            SecTrustSetAnchorCertificates(trust, certificates(anchors))
            SecTrustSetAnchorCertificatesOnly(trust, false)
        }
        if !question.staple.isEmpty { SecTrustSetOCSPResponse(trust, Data(question.staple) as CFData) }
        SecTrustSetVerifyDate(trust, Date(timeIntervalSince1970: Double(question.seconds)) as CFDate)
        return trust
    }

    private static func certificates(_ anchors: [[UInt8]]) -> CFArray {
        anchors.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) } as NSArray
    }
}
