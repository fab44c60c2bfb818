import Foundation
import FoundationNetworking
import PaviseURLSession
import SecurityFramework

// Code as the field's tutorials have it, in our own words: nothing in it knows of Pavise.

/// The classic: the server's certificate is compared with one that the app brings along.
final class CertificatePinningDelegate: NSObject, URLSessionDelegate {
    private let pinnedCertificate: Data

    init(pinnedCertificate: Data) { self.pinnedCertificate = pinnedCertificate }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        if challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust {
            if let serverTrust = challenge.protectionSpace.serverTrust {
                let policies = NSMutableArray()
                policies.add(SecPolicyCreateSSL(true, challenge.protectionSpace.host as CFString))
                SecTrustSetPolicies(serverTrust, policies)
                var error: CFError?
                if SecTrustEvaluateWithError(serverTrust, &error) {
                    if let serverCertificate = SecTrustGetCertificateAtIndex(serverTrust, 0) {
                        let serverCertificateData = SecCertificateCopyData(serverCertificate) as Data
                        if serverCertificateData == pinnedCertificate {
                            completionHandler(.useCredential, URLCredential(trust: serverTrust))
                            return
                        }
                    }
                }
            }
        }
        completionHandler(.cancelAuthenticationChallenge, nil)
    }
}

/// The public key of the leaf, by SHA-256 of its SubjectPublicKeyInfo.
final class PublicKeyPinningDelegate: NSObject, URLSessionDelegate {
    private static let ecP256Header: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]
    private let pinnedHashes: [String]

    init(pinnedHashes: [String]) { self.pinnedHashes = pinnedHashes }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust
        else {
            completionHandler(.performDefaultHandling, nil)
            return
        }
        guard SecTrustEvaluateWithError(trust, nil),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first,
            let key = SecCertificateCopyKey(leaf), let keyData = SecKeyCopyExternalRepresentation(key, nil) as Data?,
            let same = SecTrustCopyKey(trust), SecKeyCopyExternalRepresentation(same, nil) as Data? == keyData
        else {
            completionHandler(.cancelAuthenticationChallenge, nil)
            return
        }
        let spki = Self.ecP256Header + [UInt8](keyData)
        if pinnedHashes.contains(Data(MessageDigest.sha256(spki)).base64EncodedString()) {
            completionHandler(.useCredential, URLCredential(trust: trust))
        } else {
            completionHandler(.cancelAuthenticationChallenge, nil)
        }
    }
}
