internal import Foundation
internal import PaviseTransport
internal import SecurityFramework

extension SecTrust {
    /// What a delegate gets to see: the chain as it was sent, the policy for TLS servers with the host, the client's
    /// anchors and what the server brought along; `nil` when a certificate cannot be read.
    static func of(_ question: ServerQuestion) -> SecTrust? {
        let chain = question.certificates.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        guard chain.count == question.certificates.count else { return nil }
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
