internal import PavisePrimitives
public import PaviseTransport
public import PaviseVault
internal import Synchronization

/// Binds tokens to a key that cannot be copied (DPoP, RFC 9449): a stolen token is worth nothing without it.
///
/// Give it to ``SignIn`` and to the session in place of the client below. Token requests and requests with an access token
/// carry a proof; an access token goes out under the scheme `DPoP` and never as a bearer.
///
/// ```swift
/// let key = EnclaveKey(tag: "org.example.app.proof")
/// try key.prepare()
/// let client = try ProvingClient(transport, key: key)
/// let signIn = SignIn(client: client, browser: SystemBrowser())
/// ```
///
/// A server that answers with a bearer token is refused. A key that is lost ends the session: its tokens cannot be used
/// by anybody. A demand for a nonce makes exactly one more request.
public final class ProvingClient: HTTPClient {
    private let client: any HTTPClient
    private let proofs: ProofOfPossession
    private let environment: SessionEnvironment
    private let nonces = Mutex(ProofNonces())

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
        _ client: any HTTPClient, key: any ProofSigner, thumbprint: String? = nil,
        environment: SessionEnvironment = .system
    ) throws(VaultFailure) {
        proofs = try ProofOfPossession(key, entropy: environment.entropy)
        guard thumbprint == nil || thumbprint == proofs.thumbprint else { throw .keyLost }
        self.client = client
        self.environment = environment
    }

    /// Sends a request; one to a token endpoint carries a proof.
    public func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        guard request.isTokenRequest else { return try await client.send(request) }
        let (answer, again) = try await attempt(request)
        guard again else { return answer.withCheckedTokenType }
        return try await attempt(request).answer.withCheckedTokenType
    }

    /// Sends a request with an access token and a proof for it.
    public func send(
        _ request: HTTPRequest, with authorization: borrowing Authorization
    ) async throws(TransportFailure) -> HTTPResponse {
        let shown = Shown(authorization)
        let (answer, again) = try await attempt(request, shown)
        return again ? try await attempt(request, shown).answer : answer
    }

    /// The same, with the body in pieces. A demand for a nonce is answered before the caller sees anything.
    public func stream(
        _ request: HTTPRequest, with authorization: borrowing Authorization,
        head: @Sendable (HTTPResponse) throws -> Bool, receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let shown = Shown(authorization)
        let (first, used) = try prove(request, shown)
        let answer = try await client.stream(
            first, with: shown.authorization, head: { try !ProofNonces.demandsNonce($0) && head($0) }, receive: receive)
        guard take(answer, request, used) else { return answer }
        let (second, _) = try prove(request, shown)
        return try await client.stream(second, with: shown.authorization, head: head, receive: receive)
    }

    private func attempt(
        _ request: HTTPRequest, _ shown: Shown? = nil
    ) async throws(TransportFailure) -> (answer: HTTPResponse, again: Bool) {
        let proved: HTTPRequest
        let used: String?
        do throws(ProofFailure) {
            (proved, used) = try prove(request, digest: shown?.digest)
        } catch {
            // Nobody can use these tokens any more: what the server would say is said here (RFC 6749 §5.2).
            guard error == .keyLost else { throw error.transport }
            return (.withoutKey(hasToken: shown != nil), false)
        }
        let answer: HTTPResponse
        if let shown {
            answer = try await client.send(proved, with: shown.authorization)
        } else {
            answer = try await client.send(proved)
        }
        return (answer, take(answer, request, used))
    }

    private func take(_ answer: HTTPResponse, _ request: HTTPRequest, _ used: String?) -> Bool {
        nonces.withLock { $0.take(answer, from: request.url.origin, used: used) }
    }

    private func prove(
        _ request: HTTPRequest, _ shown: Shown
    ) throws(TransportFailure) -> (request: HTTPRequest, nonce: String?) {
        do throws(ProofFailure) { return try prove(request, digest: shown.digest) } catch { throw error.transport }
    }

    private func prove(
        _ request: HTTPRequest, digest: [UInt8]?
    ) throws(ProofFailure) -> (request: HTTPRequest, nonce: String?) {
        let nonce = nonces.withLock { $0[request.url.origin] }
        let use = ProofOfPossession.Use(
            method: request.method, url: request.url, seconds: environment.time.wallSeconds, nonce: nonce,
            tokenDigest: digest)
        var proved = request
        do throws(ProofOfPossession.Failure) {
            proved.fields.append("DPoP", try proofs.proof(for: use))
        } catch {
            throw error == .key(.keyLost) ? .keyLost : .other
        }
        return (proved, nonce)
    }
}

/// Why a request has no proof.
private enum ProofFailure: Error, Hashable {
    case keyLost
    case other

    var transport: TransportFailure {
        .unusableRequest(
            self == .keyLost
                ? "the key that the tokens are bound to is gone; sign in again"
                : "the key that the tokens are bound to cannot be used now; unlock the device and try again")
    }
}

/// An access token that is shown more than once, with its digest.
private struct Shown: Sendable {
    private let secret: SharedSecret
    private let origin: Origin
    let digest: [UInt8]

    init(_ authorization: borrowing Authorization) {
        secret = SharedSecret(authorization.credential.duplicate())
        origin = authorization.origin
        digest = secret.digest
    }

    var authorization: Authorization {
        Authorization(scheme: "DPoP", credential: secret.duplicate(), origin: origin)
    }
}

extension HTTPRequest {
    /// Whether it is one to a token endpoint (RFC 6749 §4.1.3): a form that begins with the grant's type.
    fileprivate var isTokenRequest: Bool {
        method == "POST" && body?.starts(with: "grant_type=".utf8) ?? false
    }
}

extension HTTPResponse {
    /// A grant whose tokens are bound, in the words that the layers above know; one that is not becomes useless to them.
    ///
    /// They know one kind of access token, the one that this client shows: so its type is called Bearer there. A bearer
    /// token in answer to a proof would be a downgrade and gets a type that nobody accepts (oauth D4).
    fileprivate var withCheckedTokenType: HTTPResponse {
        guard status == 200, let members = jsonObject?.members,
            let type = members.first(where: { $0.name == "token_type" })?.value.string
        else { return self }
        let known: JSONValue = type.lowercased() == "dpop" ? "Bearer" : "unbound"
        let changed = members.map { $0.name == "token_type" ? JSONValue.Member($0.name, known) : $0 }
        return HTTPResponse(
            status: status, fields: fields, body: Array(JSONValue.object(changed).text.utf8), connection: connection,
            redirect: redirect, metrics: metrics)
    }

    fileprivate static func withoutKey(hasToken: Bool) -> HTTPResponse {
        var fields = HTTPFields()
        guard !hasToken else { return HTTPResponse(status: 401, fields: fields, body: []) }
        fields.append("Content-Type", "application/json")
        return HTTPResponse(status: 400, fields: fields, body: Array(#"{"error":"invalid_grant"}"#.utf8))
    }
}
