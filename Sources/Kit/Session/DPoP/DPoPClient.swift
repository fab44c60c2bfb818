internal import PavisePrimitives
public import PaviseTransport
public import PaviseVault
internal import Synchronization

/// Binds tokens to a key that cannot be copied (DPoP, RFC 9449): without the key a stolen token is useless.
///
/// A `Connection` does this by itself where the authority offers it. An app that has a key of its own passes this
/// client to ``SignIn`` and to the session instead of the client that it wraps. Token requests and requests with an
/// access token carry a proof; an access token goes out under the scheme `DPoP` and never as a bearer.
///
/// ```swift
/// let key = EnclaveKey(tag: "org.example.app.proof")
/// try key.prepare()
/// let client = try DPoPClient(transport, key: key)
/// let signIn = SignIn(client: client, browser: SystemBrowser())
/// ```
///
/// A server that answers with a bearer token is refused. A key that is lost ends the session: its tokens cannot be used
/// by anybody. A demand for a nonce makes exactly one more request, and so does a proof that is refused for its date;
/// where callers at once use up each other's nonces, up to four more.
public final class DPoPClient: HTTPClient, PulledBodyClient {
    private struct Memory {
        var nonces = ProofNonces()
        var clocks = ProofClocks()
    }
    let client: any HTTPClient
    private let proofs: DPoPProofWriter
    private let environment: SessionEnvironment
    private let memory = Mutex(Memory())

    /// The key's thumbprint (RFC 7638).
    public var thumbprint: String { proofs.thumbprint }

    /// Proves possession of `key` to the servers that `client` reaches.
    ///
    /// - Parameters:
    ///   - client: What sends.
    ///   - key: What signs.
    ///   - thumbprint: The key that the session was begun with, when that is known: another one is refused.
    ///   - environment: The clock and the random bytes.
    /// - Throws: What the key throws; `VaultFailure.keyLost` when it is another key than `thumbprint`.
    public init(
        _ client: any HTTPClient, key: any DPoPSigner, thumbprint: String? = nil,
        environment: SessionEnvironment = .system
    ) throws(VaultFailure) {
        proofs = try DPoPProofWriter(key, entropy: environment.entropy)
        guard thumbprint == nil || thumbprint == proofs.thumbprint else { throw .keyLost }
        self.client = client
        self.environment = environment
    }

    /// Looks whether the key is still there and the same.
    package func check() throws(VaultFailure) { try proofs.check() }

    /// Sends a request; one to a token or revocation endpoint carries a proof.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isAboutTokens else { return try await client.send(request) }
        return try await exchange(request) { [client] (proved) async throws(TransportFailure) in
            try await client.send(proved)
        }.withCheckedTokenType
    }

    /// Sends a request with an access token and a proof for it. Another credential, such as a client's password at a
    /// token endpoint, keeps its scheme.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        let shown = ShownCredential(authorization)
        guard shown.isToken || request.isAboutTokens else {
            return try await client.send(request, with: shown.authorization)
        }
        let answer = try await exchange(request, shown) { [client] (proved) async throws(TransportFailure) in
            try await client.send(proved, with: shown.authorization)
        }
        return shown.isToken ? answer : answer.withCheckedTokenType
    }

    /// The same, with the body in pieces. A refusal that one more try can mend is answered before the caller sees
    /// anything.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let shown = ShownCredential(authorization)
        var tries = DPoPRetries()
        while true {
            guard let (proved, used) = try prove(request, shown) else { return .withoutKey(hasToken: true) }
            let before = tries
            let verdict = Verdict()
            let answer = try await client.stream(
                proved, with: shown.authorization,
                head: { response in
                    let refusal = learn(from: response, to: request, used).flatMap { before.allow($0) ? $0 : nil }
                    verdict.refusal.withLock { $0 = refusal }
                    return try refusal == nil && head(response)
                }, receive: receive)
            guard let refusal = verdict.refusal.withLock({ $0 }) else { return answer }
            tries.note(refusal)
        }
    }

    /// The same, with the body read at the caller's pace.
    package func open(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        let shown = ShownCredential(authorization)
        var tries = DPoPRetries()
        while true {
            guard let (proved, used) = try prove(request, shown) else {
                return (.withoutKey(hasToken: true), BodyStream(collected: []))
            }
            let (answer, body) = try await client.opened(proved, with: shown.authorization)
            guard let refusal = learn(from: answer, to: request, used), tries.allow(refusal) else {
                return (answer, body)
            }
            tries.note(refusal)
        }
    }

    /// Forgets the cookies of these servers.
    public func forgetCookies(of origins: Set<Origin>) { client.forgetCookies(of: origins) }

    // Each reason for another try counts once, but for a nonce that others took (``DPoPRetries``).
    private func exchange(
        _ request: HTTPRequest, _ shown: ShownCredential? = nil,
        _ send: (HTTPRequest) async throws(TransportFailure) -> HTTPResponse
    ) async throws(TransportFailure) -> HTTPResponse {
        var tries = DPoPRetries()
        while true {
            // Nobody can use these tokens any more: what the server would say is said here (RFC 6749 §5.2).
            guard let (proved, used) = try prove(request, shown) else { return .withoutKey(hasToken: shown != nil) }
            let answer = try await send(proved)
            guard let refusal = learn(from: answer, to: request, used), tries.allow(refusal) else { return answer }
            tries.note(refusal)
        }
    }

    // What the server taught, and whether another try is worth it.
    private func learn(from answer: HTTPResponse, to request: HTTPRequest, _ used: String?) -> DPoPRetries.Reason? {
        let now = environment.time.wallSeconds
        let origin = request.url.origin
        return memory.withLock { memory in
            let isShared = memory.nonces.isShared(used, at: origin)
            if memory.nonces.take(answer, from: origin, used: used) { return isShared ? .sharedNonce : .nonce }
            return memory.clocks.take(answer, from: origin, deviceSeconds: now) ? .clock : nil
        }
    }

    // Nothing when the key is lost.
    private func prove(
        _ request: HTTPRequest, _ shown: ShownCredential?
    ) throws(TransportFailure) -> (request: HTTPRequest, nonce: String?)? {
        do throws(DPoPProofWriter.Failure) {
            let (proof, nonce) = try proof(for: request.method, request.url, digest: shown?.digest)
            var proved = request
            proved.fields.append("DPoP", proof)
            return (proved, nonce)
        } catch .key(.keyLost) {
            return nil
        } catch {
            throw .unusableRequest(
                "the key that the tokens are bound to cannot be used now; unlock the device and try again")
        }
    }

    /// A proof for one request, with the nonce and the clock of its server, and the nonce that is in it.
    func proof(
        for method: String, _ url: WebURL, digest: [UInt8]?
    ) throws(DPoPProofWriter.Failure) -> (proof: String, nonce: String?) {
        let now = environment.time.wallSeconds
        let (nonce, date) = memory.withLock {
            ($0.nonces.use(at: url.origin), $0.clocks.date(of: url.origin, deviceSeconds: now))
        }
        let use = DPoPProofWriter.Use(
            method: method, url: url, seconds: date, nonce: nonce, tokenDigest: digest)
        return (try proofs.proof(for: use), nonce)
    }
}

/// What the head of a streamed answer said.
private final class Verdict: Sendable {
    let refusal = Mutex<DPoPRetries.Reason?>(nil)
}

extension HTTPRequest {
    /// Whether it is one to a token endpoint (RFC 6749 §4.1.3) or a revocation endpoint (RFC 7009 §2.1): a form that
    /// begins with the grant's type or the token.
    fileprivate var isAboutTokens: Bool {
        method == "POST" && (bodyBegins(with: "grant_type=") || bodyBegins(with: "token="))
    }
}

extension HTTPResponse {
    /// A grant whose tokens are bound, in the words that the layers above know; one that is not becomes useless to
    /// them.
    ///
    /// They know one kind of access token, the one that this client shows: so its type is called Bearer there. A bearer
    /// token in answer to a proof would be a downgrade and gets a type that nobody accepts (oauth D4).
    fileprivate var withCheckedTokenType: HTTPResponse {
        guard status == 200, let type = partedObject?.value["token_type"]?.string else { return self }
        var answer = self
        answer.judgedTokenType = type.lowercased() == "dpop" ? "Bearer" : "unbound"
        return answer
    }

    fileprivate static func withoutKey(hasToken: Bool) -> HTTPResponse {
        var fields = HTTPFields()
        guard !hasToken else { return HTTPResponse(status: 401, fields: fields, body: []) }
        fields.append("Content-Type", "application/json")
        return HTTPResponse(status: 400, fields: fields, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    }
}
