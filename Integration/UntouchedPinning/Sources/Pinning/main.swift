import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// As a package has it that knows Linux.

final class OlderDelegate: NSObject, URLSessionDelegate, @unchecked Sendable {
    private(set) var wasAsked = false

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        wasAsked = true
        guard let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil) else {
            return completionHandler(.cancelAuthenticationChallenge, nil)
        }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

func withNetworking(_ port: String) async -> String {
    let delegate = OlderDelegate()
    let session = URLSession(configuration: URLSessionConfiguration.default, delegate: delegate, delegateQueue: nil)
    let pinned = await code { try await session.data(from: URL(string: "https://localhost:\(port)/")!) }
    let shared = await code { try await URLSession.shared.data(from: URL(string: "https://localhost:\(port)/")!) }
    let plain = await code {
        try await URLSession(configuration: .ephemeral).data(from: URL(string: "http://example.org/")!)
    }
    return "networking \(delegate.wasAsked ? "asked" : "not asked") \(pinned) \(shared) \(plain)"
}

let words = CommandLine.arguments
if words.count == 4 {
    print(try await pinning([words[1], words[2]], words[3]))
} else {
    print(await foundationOnly(words[1]) + "; " + (await withNetworking(words[1])))
}
