import PaviseNetworking
import SecurityFramework

// Code as an app for Apple's systems has it. The import of this module in the place of FoundationNetworking is all
// that differs.

/// The newer form: the answer is what the method returns.
final class AsyncPinningDelegate: NSObject, URLSessionDelegate {
    private let pinnedCertificate: Data

    init(pinnedCertificate: Data) { self.pinnedCertificate = pinnedCertificate }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil),
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate], let leaf = chain.first,
            SecCertificateCopyData(leaf) as Data == pinnedCertificate
        else { return (.cancelAuthenticationChallenge, nil) }
        return (.useCredential, URLCredential(trust: trust))
    }
}

/// The same, asked about tasks.
final class AsyncTaskPinningDelegate: NSObject, URLSessionTaskDelegate, URLSessionDataDelegate {
    private let inner: AsyncPinningDelegate

    init(pinnedCertificate: Data) { inner = AsyncPinningDelegate(pinnedCertificate: pinnedCertificate) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        await inner.urlSession(session, didReceive: challenge)
    }
}

/// The older form.
final class CompletingDelegate: NSObject, URLSessionDelegate {
    private let inner: AsyncPinningDelegate

    init(pinnedCertificate: Data) { inner = AsyncPinningDelegate(pinnedCertificate: pinnedCertificate) }

    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        Task {
            let (disposition, credential) = await inner.urlSession(session, didReceive: challenge)
            completionHandler(disposition, credential)
        }
    }
}

/// Accepts everybody.
final class AcceptingDelegate: NSObject, URLSessionDelegate {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) {
        (.useCredential, challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) })
    }
}

/// What an app calls, by the names that it always had.
enum UntouchedApp {
    static func load(_ url: URL, _ delegate: (any URLSessionDelegate)?) async throws -> Data {
        let session = URLSession(configuration: .default, delegate: delegate, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        return try await session.data(from: url).0
    }

    static func loadShared(_ url: URL) async throws -> Data { try await URLSession.shared.data(from: url).0 }

    static func loadEphemeral(_ url: URL) async throws -> Data {
        try await URLSession(configuration: URLSessionConfiguration.ephemeral).data(from: url).0
    }
}
