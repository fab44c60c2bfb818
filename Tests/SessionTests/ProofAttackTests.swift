import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import PaviseSession

/// A stolen access token at the resource server, with everything that a thief could put beside it (RFC 9449 §4.3, §11).
@Suite struct ProofAttackTests {
    /// What is wrong.
    enum Attack: CaseIterable {
        case bearer, bearerWithProof, noProof, replay, otherToken, noTokenHash, otherMethod, otherPath, otherServer,
            otherKey,
            old, early, noNonce, oldNonce, twoProofs, tampered
    }

    private let key: SigningKeyInMemory

    init() throws { key = try SigningKeyInMemory() }

    @Test(arguments: Attack.allCases)
    func `a stolen token is worth nothing`(_ attack: Attack) async throws {
        var configuration = AuthorityConfiguration()
        configuration.offersProof = true
        configuration.proofNonces = .kept
        let world = try LabWorld(configuration)
        let session = try await world.signIn(binding: try DPoPBinding(key: key)).session
        #expect(try await session.send(try world.request()).status == 200)
        let honest = try Thief(world, key)
        // The control: with the key, the nonce and everything right the same request is granted.
        let nonce = try await honest.nonce()
        #expect(try await honest.send(proofs: [try honest.proof(nonce: nonce)]) == 200)
        let granted = world.authority.counters.grantedCalls
        #expect(try await attempt(attack, world, honest, nonce) == 401)
        // A proof that is to be replayed was good once.
        #expect(world.authority.counters.grantedCalls == granted + (attack == .replay ? 1 : 0))
    }

    private func attempt(_ attack: Attack, _ world: LabWorld, _ thief: Thief, _ nonce: String) async throws -> Int {
        let right = try thief.proof(nonce: nonce)
        let elsewhere = world.authority.address(.api) + "other"
        switch attack {
        case .bearer: return try await thief.send(proofs: [], scheme: "Bearer")
        case .bearerWithProof: return try await thief.send(proofs: [right], scheme: "Bearer")
        case .noProof: return try await thief.send(proofs: [])
        case .replay:
            _ = try await thief.send(proofs: [right])
            return try await thief.send(proofs: [right])
        case .otherToken: return try await thief.send(proofs: [try thief.proof(nonce: nonce, token: "another")])
        case .noTokenHash: return try await thief.send(proofs: [try thief.proof(nonce: nonce, token: nil)])
        case .otherMethod: return try await thief.send(proofs: [try thief.proof(nonce: nonce, method: "POST")])
        case .otherPath: return try await thief.send(proofs: [try thief.proof(nonce: nonce, address: elsewhere)])
        case .otherServer:
            return try await thief.send(
                proofs: [try thief.proof(nonce: nonce, address: "https://other.example/api/files")])
        case .otherKey:
            return try await thief.send(proofs: [try Thief(world, SigningKeyInMemory()).proof(nonce: nonce)])
        case .old: return try await thief.send(proofs: [try thief.proof(nonce: nonce, age: 3600)])
        case .early: return try await thief.send(proofs: [try thief.proof(nonce: nonce, age: -3600)])
        case .noNonce: return try await thief.send(proofs: [try thief.proof(nonce: nil)])
        case .oldNonce: return try await thief.send(proofs: [try thief.proof(nonce: "n-0")])
        case .twoProofs: return try await thief.send(proofs: [right, try thief.proof(nonce: nonce)])
        case .tampered: return try await thief.send(proofs: [String(right.dropLast(8)) + "AAAAAAAA"])
        }
    }
}

/// Sends by hand what a client would never send.
private struct Thief {
    let world: LabWorld
    let token: String
    private let proofs: DPoPProofWriter

    init(_ world: LabWorld, _ key: SigningKeyInMemory) throws {
        self.world = world
        token = world.authority.issuedTokens.last { $0.kind == .access }?.value ?? ""
        proofs = try DPoPProofWriter(key)
    }

    func proof(
        nonce: String?, method: String = "GET", address: String? = nil, age: Int64 = 0
    ) throws -> String { try proof(nonce: nonce, token: token, method: method, address: address, age: age) }

    func proof(
        nonce: String?, token: String?, method: String = "GET", address: String? = nil, age: Int64 = 0
    ) throws -> String {
        try proofs.proof(
            for: DPoPProofWriter.Use(
                method: method, url: try WebURL(address ?? world.authority.address(.api) + "files"),
                seconds: TimeSource.system.wallSeconds - age, nonce: nonce,
                tokenDigest: token.map { SharedSecretBytes($0).digest }))
    }

    /// The status of one request for the protected resource.
    func send(proofs: [String], scheme: String = "DPoP") async throws -> Int { try await answer(proofs, scheme).status }

    /// The nonce that the server gives with any answer.
    func nonce() async throws -> String { try await answer([], "DPoP").fields.all("DPoP-Nonce").first ?? "" }

    private func answer(_ proofs: [String], _ scheme: String) async throws -> HTTPResponse {
        var request = try world.request()
        for proof in proofs { request.fields.append("DPoP", proof) }
        let credential = Authorization(
            scheme: scheme, credential: SecretBytes(utf8: token), origin: request.url.origin)
        return try await world.client.send(request, with: credential)
    }
}
