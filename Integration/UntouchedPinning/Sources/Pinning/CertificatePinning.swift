import Foundation

// The two ways of the field's tutorials, in our own words: the leaf itself, and its public key. The certificate has to
// be valid, too.

final class CertificatePinningDelegate: NSObject, URLSessionDelegate, @unchecked Sendable {
    private let pinnedCertificate: Data
    private let comparesKeys: Bool

    init(pinnedCertificate: Data, comparesKeys: Bool) {
        self.pinnedCertificate = pinnedCertificate
        self.comparesKeys = comparesKeys
    }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
            comparesKeys ? hasPinnedKey(trust) : hasPinnedCertificate(trust)
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }

    private func hasPinnedCertificate(_ trust: SecTrust) -> Bool {
        guard let leaf = SecTrustGetCertificateAtIndex(trust, 0) else { return false }
        return SecCertificateCopyData(leaf) as Data == pinnedCertificate
    }

    private func hasPinnedKey(_ trust: SecTrust) -> Bool {
        guard let pinned = SecCertificateCreateWithData(nil, pinnedCertificate as CFData),
            let pinnedKey = SecCertificateCopyKey(pinned), let key = SecTrustCopyPublicKey(trust),
            let wanted = SecKeyCopyExternalRepresentation(pinnedKey, nil) as Data?
        else { return false }
        return SecKeyCopyExternalRepresentation(key, nil) as Data? == wanted
    }
}

/// What two servers answer whose certificates are both valid, of which one is pinned.
func pinning(_ ports: [String], _ path: String) async throws -> String {
    let pinned = try Data(contentsOf: URL(fileURLWithPath: path))
    var said: [String] = []
    for comparesKeys in [false, true] {
        for port in ports {
            let delegate = CertificatePinningDelegate(pinnedCertificate: pinned, comparesKeys: comparesKeys)
            let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
            said.append("\(await code { try await session.data(from: URL(string: "https://localhost:\(port)/")!) })")
        }
    }
    return said.joined(separator: " ")
}
