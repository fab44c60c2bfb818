// Apple's API on Linux and what stands below it, each as the documentation of its function or type shows it.
#if os(Linux)
import Foundation
import FoundationNetworking
import PaviseLocalAuthentication
import PavisePrimitives
import PaviseTransport
import PaviseURLSession
import SecurityFramework

/// What a certificate says.
func end(of certificate: SecCertificate) -> Double? {
    let keys = [kSecOIDX509V1ValidityNotAfter] as CFArray
    let values = SecCertificateCopyValues(certificate, keys, nil) as? [String: [String: Any]]
    let end = values?[kSecOIDX509V1ValidityNotAfter as String]?[kSecPropertyKeyValue as String] as? Double
    return end
}

/// An identity as a file.
func write(_ identity: SecIdentity, _ passphrase: String) -> Data? {
    var parameters = SecItemImportExportKeyParameters()
    parameters.passphrase = Unmanaged.passUnretained(passphrase as CFString)
    var file: CFData?
    let status = SecItemExport(identity, .formatPKCS12, [], &parameters, &file)
    return status == errSecSuccess ? file as Data? : nil
}

/// The keys and certificates of a file.
func read(_ file: Data) -> CFArray? {
    var (format, type) = (SecExternalFormat.formatUnknown, SecExternalItemType.itemTypeUnknown)
    var items: CFArray?
    let status = SecItemImport(file as CFData, "server.pem" as CFString, &format, &type, [], nil, nil, &items)
    return status == errSecSuccess ? items : nil
}

/// The access groups of this program.
func groups() -> [String]? {
    let groups = SecTaskCreateFromSelf(nil).flatMap {
        SecTaskCopyValueForEntitlement($0, "keychain-access-groups" as CFString, nil) as? [String]
    }
    return groups
}

/// A policy for mail.
func mail() -> SecPolicy? {
    let address = [kSecPolicyName: "anna@example.com"] as CFDictionary
    let policy = SecPolicyCreateWithProperties(kSecPolicyAppleSMIME, address)
    return policy
}

/// What an evaluation found.
func logged(_ trust: SecTrust) -> Bool {
    let result = SecTrustCopyResult(trust) as? [String: Any]
    let isLogged = result?[kSecTrustCertificateTransparency as String] as? Bool ?? false
    return isLogged
}

/// The person is there.
func show(_ known: Data?) async throws -> Bool {
    let context = LAContext()
    guard try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Show the diary.") else {
        return false
    }
    let isUnchanged = LAContext().domainState.biometry.stateHash == known
    return isUnchanged
}

/// URLSession with the kit's checks below it.
func data(_ pins: PinSet, _ request: URLRequest) async throws -> Data {
    let session = URLSession(configuration: try .pavise(policy: TrustPolicy(pins: [pins])))
    let (data, response) = try await session.data(for: request)  // URLError with Apple's codes when it is refused
    print(response)
    return data
}

/// The kit's client with Foundation's requests.
func ask(_ client: HTTPClient, _ url: URL, _ request: URLRequest) async throws {
    let (data, response) = try await client.data(for: URLRequest(url: url))
    print(data, response)
    let (bytes, head) = try await client.bytes(for: request)
    for try await piece in bytes { print(head, piece) }
}

/// Asks about each server while its handshake runs.
final class PinningDelegate: NSObject, URLSessionDelegate, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge
    ) async -> (URLSession.AuthChallengeDisposition, URLCredential?) { (.performDefaultHandling, nil) }
}
extension PinningDelegate: AsyncSessionChallenges {}

/// Asks about each server with a completion handler.
final class TrustingDelegate: NSObject, URLSessionDelegate, Sendable {
    func urlSession(
        _ session: URLSession, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.protectionSpace.authenticationMethod == NSURLAuthenticationMethodServerTrust,
            let trust = challenge.protectionSpace.serverTrust, SecTrustEvaluateWithError(trust, nil)
        else { return completionHandler(.cancelAuthenticationChallenge, nil) }
        completionHandler(.useCredential, URLCredential(trust: trust))
    }
}

/// A proxy as the environment names it.
func proxies() -> ProxyRules {
    let rules = ProxyRules.environment([
        "https_proxy": "http://proxy.example:3128", "no_proxy": "localhost,.intern.example",
    ])
    return rules
}

/// A program that other programs of the same user cannot read.
struct Notes {
    static func main() throws {
        try MemoryProtection.start()
        // Secrets may be read from here on.
    }
}

/// A server that a person may have to look at.
func look(
    _ id: String, _ policy: TrustPolicy, _ path: String, _ origin: Origin, _ client: HTTPClient,
    show: (CertificateSummary) async -> Bool
) async throws {
    let keeper = try KnownServersStore(connection: id, policy: policy, storage: ServerTrustFile(path: path))
    if case .ask(let review) = try await keeper.look(at: client.inspect(origin)), await show(review.summary) {
        _ = try await keeper.approve(review.summary.fingerprint, at: origin)
    }
    client.use(await keeper.policy)
}

/// The same as a value.
func present(_ chain: EvaluatedChain, _ policy: TrustPolicy, _ origin: Origin, _ now: Int64) {
    var state = ServerTrustState.unknown
    print(state.handle(.presented(chain), policy: policy, at: origin, seconds: now))
}

/// A body while it comes.
func read(_ client: HTTPClient, _ url: WebURL, take: ([UInt8]) -> Void) async throws {
    let (answer, body) = try await client.open(HTTPRequest("GET", url))
    for try await piece in body { take(piece) }
    print(answer.status)
}

/// Logs of certificates, from a list that its maker signed.
func transparency(_ list: [UInt8], _ signature: [UInt8], _ key: [UInt8]) throws -> TransparencyPolicy {
    let policy = try TransparencyPolicy(logList: list, signature: signature, maker: key)
    return policy
}
#endif
