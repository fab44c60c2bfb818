internal import PavisePrimitives
internal import PaviseTransport
public import PaviseVault
internal import Synchronization

/// Binds tokens to a key that cannot be copied (DPoP, RFC 9449): without the key a stolen token is useless.
///
/// A `Connection` does this by itself where the authority offers it. An app that has a key of its own gives the binding
/// to ``SignIn`` beside the client. Token requests and requests with an access token carry a proof; an access token
/// goes out under the scheme `DPoP` and never as a bearer.
///
/// ```swift
/// let key = EnclaveKey(tag: "org.example.app.proof")
/// try key.prepare()
/// let binding = try DPoPBinding(key: key)
/// let signIn = SignIn(client: transport, binding: binding, browser: SystemBrowser())
/// ```
///
/// A server that answers with a bearer token is refused. A key that is lost ends the session: its tokens cannot be used
/// by anybody. A demand for a nonce makes exactly one more request, and so does a proof that is refused for its date;
/// where callers at once use up each other's nonces, up to four more.
public final class DPoPBinding: Sendable {
    private struct Memory {
        var nonces = ProofNonces()
        var clocks = ProofClocks()
    }
    private let proofs: DPoPProofWriter
    private let environment: SessionEnvironment
    private let memory = Mutex(Memory())

    /// The key's thumbprint (RFC 7638).
    public var thumbprint: String { proofs.thumbprint }

    /// Proves possession of `key`.
    ///
    /// - Parameters:
    ///   - key: What signs.
    ///   - thumbprint: The key that the session was begun with, when that is known: another one is refused.
    ///   - environment: The clock and the random bytes.
    /// - Throws: What the key throws; `VaultFailure.keyLost` when it is another key than `thumbprint`.
    public init(
        key: any DPoPSigner, thumbprint: String? = nil, environment: SessionEnvironment = .system
    ) throws(VaultFailure) {
        proofs = try DPoPProofWriter(key, entropy: environment.entropy)
        guard thumbprint == nil || thumbprint == proofs.thumbprint else { throw .keyLost }
        self.environment = environment
    }

    /// Looks whether the key is still there and the same.
    package func check() throws(VaultFailure) { try proofs.check() }

    /// `request` with a proof, and the nonce that is in it.
    ///
    /// - Parameter digest: The digest of the access token that goes along; `nil` without one.
    func prove(
        _ request: HTTPRequest, digest: [UInt8]?
    ) throws(TokenSendFailure) -> (request: HTTPRequest, nonce: String?) {
        do throws(DPoPProofWriter.Failure) {
            let (proof, nonce) = try proof(for: request.method, request.url, digest: digest)
            var proved = request
            proved.fields.append("DPoP", proof)
            return (proved, nonce)
        } catch .key(.keyLost) {
            throw .keyLost
        } catch {
            throw .transport(
                .unusableRequest(
                    "the key that the tokens are bound to cannot be used now; unlock the device and try again"))
        }
    }

    /// What the server taught, and whether another try is worth it.
    func learn(from answer: HTTPResponse, to request: HTTPRequest, _ used: String?) -> DPoPRetries.Reason? {
        let now = environment.time.wallSeconds
        let origin = request.url.origin
        return memory.withLock { memory in
            let isShared = memory.nonces.isShared(used, at: origin)
            if memory.nonces.take(answer, from: origin, used: used) { return isShared ? .sharedNonce : .nonce }
            return memory.clocks.take(answer, from: origin, deviceSeconds: now) ? .clock : nil
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
