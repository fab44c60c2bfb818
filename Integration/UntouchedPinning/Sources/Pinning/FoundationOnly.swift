import Foundation

// As on Apple's systems: Foundation brings URLSession and Security along.

final class PinningDelegate: NSObject, URLSessionDelegate, @unchecked Sendable {
    private(set) var wasAsked = false

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        wasAsked = true
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil)
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}

func foundationOnly(_ port: String) async -> String {
    let delegate = PinningDelegate()
    let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
    let pinned = await code { try await session.data(from: URL(string: "https://localhost:\(port)/")!) }
    let shared = await code { try await URLSession.shared.data(from: URL(string: "https://localhost:\(port)/")!) }
    let plain = await code { try await URLSession.shared.data(from: URL(string: "http://example.org/")!) }
    return "foundation \(delegate.wasAsked ? "asked" : "not asked") \(pinned) \(shared) \(plain)"
}

func code(_ body: () async throws -> (Data, URLResponse)) async -> Int {
    do { return (try await body().1 as? HTTPURLResponse)?.statusCode ?? 0 } catch {
        let error = error as NSError
        return error.userInfo[NSURLSessionDownloadTaskResumeData] == nil ? error.code : 0
    }
}
