import PaviseJWT
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// oauth D1 to D4: tokens that are bound to a key (RFC 9449), against an authority that checks each proof.
@Suite struct ProofTests {
    private let key: SigningKeyInMemory

    init() throws { key = try SigningKeyInMemory() }

    private func world(_ nonces: AuthorityConfiguration.ProofNonces = .none, type: String = "DPoP") throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        configuration.demandsProof = true
        configuration.proofNonces = nonces
        configuration.tokenType = type
        return try LabWorld(configuration)
    }

    @Test(arguments: [AuthorityConfiguration.ProofNonces.none, .kept, .changing])
    func `a bound session signs in, fetches, refreshes and signs out`(
        _ nonces: AuthorityConfiguration.ProofNonces
    ) async throws {
        let world = try world(nonces)
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        #expect(try await session.send(try world.request()).status == 200)
        _ = try await session.forceRefresh()
        #expect(try await session.send(try world.request()).status == 200)
        #expect(world.authority.counters.rotations == 1)
        #expect(await session.signOut().revocation == .done)
        // Without nonces nothing is refused; with one that stays, the first request only.
        if nonces == .none { #expect(world.authority.counters.refusedProofs == 0) }
        if nonces == .kept { #expect(world.authority.counters.refusedProofs == 1) }
    }

    @Test func `a server whose clock is a moment behind and that wants no future takes each proof`() async throws {
        var configuration = AuthorityConfiguration()
        configuration.demandsProof = true
        configuration.proofLead = -1
        configuration.tokenType = "DPoP"
        let world = try LabWorld(configuration)
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        #expect(try await session.send(try world.request()).status == 200)
        #expect(world.authority.counters.refusedProofs == 0)
    }

    @Test func `a server that is never content with a nonce gets one more request, not a storm`() async throws {
        let world = try world(.neverRight)
        let binding = try DPoPBinding(key: key)
        await #expect(throws: SignInFailure.refused(code: "use_dpop_nonce")) {
            try await world.signIn(binding: binding)
        }
        #expect(world.authority.counters.tokenRequests == 2)
        #expect(try world.record == nil)
    }

    @Test(arguments: ["Bearer", "mac", ""])
    func `a token of another type in answer to a proof is refused`(_ type: String) async throws {
        let world = try world(type: type)
        let binding = try DPoPBinding(key: key)
        await #expect(throws: SignInFailure.tokenType) { try await world.signIn(binding: binding) }
        #expect(try world.record == nil)
        // What was given is taken back.
        #expect(world.authority.counters.revocations > 0)
    }

    @Test(arguments: ["dpop", "DPOP", "DPoP"])
    func `the type counts in any case`(_ type: String) async throws {
        let world = try world(type: type)
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        #expect(try await session.send(try world.request()).status == 200)
    }

    @Test func `a stolen session is worth nothing with another key or without one`() async throws {
        let world = try world()
        _ = try await world.signIn(binding: try DPoPBinding(key: key))
        let thief = try DPoPBinding(key: try SigningKeyInMemory())
        let stolen = Session(store: world.store, client: world.client, binding: thief)
        #expect(try await world.firstAnswer(of: stolen) != 200)
        let bare = Session(store: world.store, client: world.client)
        #expect(try await world.firstAnswer(of: bare) != 200)
        #expect(world.authority.counters.grantedCalls == 0)
    }

    @Test func `a lost key is a new sign-in, and another key than the session's is noticed`() async throws {
        let world = try world()
        let binding = try DPoPBinding(key: key)
        let session = try await world.signIn(binding: binding).session
        key.lose()
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await session.forceRefresh() }
        #expect(throws: VaultFailure.keyLost) {
            try DPoPBinding(key: try SigningKeyInMemory(), thumbprint: binding.thumbprint)
        }
    }

    @Test func `a key that goes just before the refresh is told as lost, and not as the server's word`() async throws {
        let world = try world()
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        key.loseWhenUsed()
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await session.forceRefresh() }
    }

    @Test(arguments: [true, false])
    func `a key that is lost or exchanged after the proofs is noticed before anything is stored`(_ isLost: Bool) throws
    {
        let proofs = try DPoPProofWriter(key)
        #expect(throws: Never.self) { try proofs.check() }
        if isLost { key.lose() } else { try key.exchange() }
        #expect(throws: VaultFailure.keyLost) { try proofs.check() }
    }

    @Test func `no two proofs are the same, and each is for one request`() throws {
        let proofs = try DPoPProofWriter(key)
        let use = DPoPProofWriter.Use(
            method: "GET", url: try WebURL("https://api.example/files?q=secret"), seconds: 1_900_000_000, nonce: "n",
            tokenDigest: [1, 2])
        var seen: Set<String> = []
        for _ in 0..<100 {
            let text = try proofs.proof(for: use)
            let claims = try #require(try claims(of: text))
            seen.insert(claims["jti"]?.string ?? "")
            #expect(claims["htu"]?.string == "https://api.example/files")
            #expect(claims["htm"]?.string == "GET" && claims["nonce"]?.string == "n" && claims["ath"]?.string == "AQI")
        }
        #expect(seen.count == 100)
    }

    @Test(.enabled(if: Vectors.has("jose"), "no vectors in PAVISE_VECTORS: jose"))
    func `the access token's hash is that of RFC 9449 section 7`() throws {
        let vector = try JSONValue.parse(try Vectors.read("jose/inline_vectors.json"))["rfc9449_ath"]
        let token = SharedSecretBytes(vector?["access_token"]?.string ?? "")
        #expect(Base64URL.encode(token.digest) == vector?["ath"]?.string)
    }

    @Test(
        arguments: [
            (401, #"DPoP error="use_dpop_nonce""#, "n2", true), (401, #"dPoP error="use_dpop_nonce""#, "n2", true),
            (401, #"DPoP error="use_dpop_nonce""#, "n1", false), (401, #"DPoP error="invalid_token""#, "n2", false),
            (401, #"Bearer error="use_dpop_nonce""#, "n2", false), (200, "", "n2", false),
            (401, #"Bearer realm="api", DPoP error="use_dpop_nonce", algs="ES256 PS256""#, "n2", true),
            (401, "Bearer, DPoP error=use_dpop_nonce", "n2", true),
            (401, #"Bearer error="invalid_token", DPoP algs="ES256""#, "n2", false),
            (401, #"DPoP error="use_dpop_nonce""#, "n\"2", false), (401, #"DPoP error="use_dpop_nonce""#, "", false),
        ] as [(Int, String, String, Bool)])
    func `one more try is for a new nonce that was demanded`(
        _ status: Int, _ challenge: String, _ nonce: String, _ again: Bool
    ) throws {
        var fields = HTTPFields()
        fields.append("WWW-Authenticate", challenge)
        fields.append("DPoP-Nonce", nonce)
        var nonces = ProofNonces()
        let origin = try WebURL("https://api.example/").origin
        let answer = HTTPResponse(status: status, fields: fields, body: [])
        #expect(nonces.take(answer, from: origin, used: "n1") == again)
        #expect(nonces[try WebURL("https://other.example/").origin] == nil)
    }

    @Test(arguments: [
        (false, 1, 200, 2), (false, 2, 401, 2), (true, 1, 200, 2), (true, 5, 200, 6), (true, 6, 401, 6),
        (true, 1000, 401, 6),
    ])
    func `a nonce that others used up as well is asked for a few times more, and any other once`(
        _ isShared: Bool, _ refusals: Int, _ status: Int, _ requests: Int
    ) async throws {
        for isStream in [false, true] {
            let server = GreedyServer(refusals: refusals)
            let binding = try DPoPBinding(key: key)
            let sender = TokenSender(server.client, binding: binding)
            if isShared { server.others.withLock { $0 = binding } }
            let request = HTTPRequest("GET", try WebURL("https://api.example/files"))
            let token = ShownCredential(token: SharedSecretBytes("token"), for: request.url.origin)
            let answer =
                if isStream {
                    try await sender.stream(request, with: token, head: { _ in true }, receive: { _ in })
                } else {
                    try await sender.send(request, with: token)
                }
            #expect(answer.status == status && server.requests.withLock { $0 } == requests)
            #expect(!answer.isRefusedToken)
        }
    }

    @Test func `a server that is never content with a nonce renews no token`() async throws {
        let world = try world(.kept)
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        #expect(try await session.send(try world.request()).status == 200)
        world.authority.configuration.proofNonces = .neverRight
        #expect(try await session.send(try world.request()).status == 401)
        #expect(world.authority.counters.refreshes == 0)
        world.authority.configuration.proofNonces = .kept
        #expect(try await session.send(try world.request()).status == 200)
    }

    private func claims(of proof: String) throws -> JSONValue? {
        let parts = proof.split(separator: ".")
        let header = try JSONValue.parse(Base64URL.decode(parts[0]) ?? [])
        let key = try JSONWebKey(header["jwk"] ?? .null)
        return try CompactToken(proof).verified(by: key).claims?.value
    }
}

/// Wants another nonce so many times. With others, one of them uses each nonce too, before it is refused.
private final class GreedyServer: Sendable {
    let requests = Mutex(0)
    let others = Mutex<DPoPBinding?>(nil)
    private let refusals: Int

    init(refusals: Int) { self.refusals = refusals }

    var client: HTTPClient { HTTPClient { [self] (order) throws(TransportFailure) in answer(order.request) } }

    private func answer(_ request: HTTPRequest) -> HTTPResponse {
        let count = requests.withLock { count in
            count += 1
            return count
        }
        _ = try? others.withLock { $0 }?.proof(for: "GET", request.url, digest: nil)
        guard count <= refusals else { return HTTPResponse(status: 200, fields: HTTPFields(), body: []) }
        var fields = HTTPFields()
        fields.append("WWW-Authenticate", #"DPoP error="use_dpop_nonce""#)
        fields.append("DPoP-Nonce", "nonce-\(count)")
        return HTTPResponse(status: 401, fields: fields, body: [])
    }
}
