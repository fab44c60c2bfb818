import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport
import Testing

@testable import PaviseSession

/// oauth D1 to D4 in a connection: tokens bound to a key of the connection's own, from the sign-in to the sign-out.
@Suite struct BindingTests {
    @Test(arguments: [AuthorityConfiguration.ProofNonces.none, .kept, .changing])
    func `a connection binds its tokens by itself where the authority offers it`(
        _ nonces: AuthorityConfiguration.ProofNonces
    ) async throws {
        let world = try BoundWorld { $0.proofNonces = nonces }
        let connection = try await world.signedIn()
        #expect(try await world.status(connection) == 200)
        _ = try await connection.session?.forceRefresh()
        // Another process: the key is found again, and it is the one in the record.
        let other = try world.connection()
        #expect(try await world.status(other) == 200)
        let record = try #require(try await world.record(other))
        #expect(record.binding == (try DPoPProofWriter(world.key).thumbprint))
        // A demand for a nonce is no rejection.
        #expect(record.rejections == 0)
        #expect(await other.session?.isBound == true)
        #expect(await other.signOut() == SignOutReport(localFailure: nil, revocation: .done))
        #expect(world.authority.counters.provedRevocations == 2)
        #expect(!world.key.isThere)
        #expect(await other.session?.isBound == nil)
        #expect(world.authority.counters.refusedCalls == 0)
    }

    @Test func `a client with a secret takes bound tokens back, with its password and the proofs of before`()
        async throws
    {
        let world = try BoundWorld {
            $0.clientSecret = "canary"
            $0.clientAuthentication = ["client_secret_basic"]
        }
        let connection = try world.add()
        try await connection.signIn(browser: world.browser(), clientSecret: SharedSecretBytes("canary"))
        #expect(await connection.session?.isBound == true)
        #expect(await connection.signOut() == SignOutReport(localFailure: nil, revocation: .done))
        #expect(world.authority.counters.provedRevocations == 2)
        #expect(!world.key.isThere)
    }

    @Test func `an authority without it gets no proof, and no key is made`() async throws {
        let world = try BoundWorld { $0.offersProof = false }
        let connection = try await world.signedIn()
        #expect(try await world.status(connection) == 200)
        #expect(world.key.made == 0)
        #expect(await connection.session?.isBound == false)
    }

    @Test func `always means that nobody signs in without it`() async throws {
        let world = try BoundWorld { $0.offersProof = false }
        await #expect(throws: SignInFailure.withoutBinding) { try await world.signedIn(.always) }
        #expect(world.authority.counters.tokenRequests == 0)
        #expect(world.key.made == 0)
    }

    @Test func `never means bearer tokens, also where the authority offers more`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn(.never)
        #expect(try await world.status(connection) == 200)
        #expect(world.key.made == 0)
        #expect(try await world.record(connection)?.binding == nil)
    }

    @Test func `what was bound once is not bound to less without a word`() async throws {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        _ = await connection.signOut()
        world.authority.configuration.offersProof = false
        let again = try world.connection()
        await #expect(throws: SignInFailure.withoutBinding) { try await again.signIn(browser: world.browser()) }
        try await again.signIn(browser: world.browser(), binding: .never)
        #expect(try await world.status(again) == 200)
        #expect(!world.key.isThere)
    }

    @Test(arguments: [true, false])
    func `a missing or foreign key at the start is a new sign-in, and nothing is sent`(_ isMissing: Bool) async throws {
        let world = try BoundWorld()
        _ = try await world.signedIn()
        if isMissing { world.key.lose() } else { try world.key.exchange() }
        let requests = world.authority.server.counters.requests
        let other = try world.connection()
        #expect(await other.session?.state == .reloginNeeded(.keyLost))
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await world.status(other) }
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await other.session?.forceRefresh() }
        #expect(world.authority.server.counters.requests == requests)
        // Signing in again mends it, with a new key.
        try await other.signIn(browser: world.browser())
        #expect(try await world.status(other) == 200)
        #expect(world.key.made == 2)
    }

    @Test func `a key that is lost while the session runs ends it, and no token goes out without a proof`() async throws
    {
        let world = try BoundWorld()
        let connection = try await world.signedIn()
        #expect(try await world.status(connection) == 200)
        let requests = world.authority.server.counters.requests
        world.key.lose()
        await #expect(throws: SessionFailure.reloginNeeded(.keyLost)) { try await world.status(connection) }
        #expect(world.authority.server.counters.requests == requests)
        #expect(try await world.record(connection)?.refresh == nil)
    }

    @Test func `a bearer token in answer to a proof is refused, and the key goes`() async throws {
        let world = try BoundWorld {
            $0.offersProof = false
            $0.demandsProof = true
            $0.tokenType = "Bearer"
        }
        await #expect(throws: SignInFailure.tokenType) { try await world.signedIn() }
        #expect(!world.key.isThere)
    }

    @Test func `a bearer token in answer to a refresh ends the session`() async throws {
        let world = try BoundWorld {
            $0.offersProof = false
            $0.demandsProof = true
            $0.tokenType = "DPoP"
        }
        let connection = try await world.signedIn()
        world.authority.configuration.tokenType = "Bearer"
        await #expect(throws: SessionFailure.reloginNeeded(.identityMismatch)) {
            try await connection.session?.forceRefresh()
        }
        #expect(!world.key.isThere)
    }

    @Test func `a code is for the key that its request named`() async throws {
        let world = try BoundWorld()
        let connection = try world.add()
        let named = try DPoPProofWriter(SigningKeyInMemory()).thumbprint
        let browser = world.browser { address in
            let mine = try DPoPProofWriter(world.key).thumbprint
            guard address.contains("dpop_jkt=\(mine)") else { throw BrowserFailure("no dpop_jkt") }
            return address.replacing(mine, with: named)
        }
        await #expect(throws: SignInFailure.refused(code: "invalid_grant")) {
            try await connection.signIn(browser: browser)
        }
    }

    @Test func `a device without a browser binds its tokens too`() async throws {
        let world = try BoundWorld { $0.deviceInterval = 1 }
        let connection = try world.add()
        try await connection.signInOnDevice { prompt in try? world.authority.approveDevice(prompt.code) }
        #expect(try await world.status(connection) == 200)
        #expect(await connection.session?.isBound == true)
    }

    @Test(arguments: [-7200, 7200] as [Int64])
    func `proofs follow a server's clock that is hours away, and nothing else does`(_ seconds: Int64) async throws {
        let system = TimeSource.system
        let time = TimeSource(
            wall: { system.wallMilliseconds + seconds * 1000 }, boot: { system.bootMilliseconds },
            epoch: { system.bootEpoch })
        let world = try BoundWorld(SessionEnvironment(time: time))
        let connection = try world.add(scopes: ["api"])
        try await connection.signIn(browser: world.browser())
        #expect(world.authority.counters.refusedProofs == 1)
        #expect(try await world.status(connection) == 200)
        // The session's own moments are this device's.
        let received = try #require(try await world.record(connection)?.received)
        #expect(abs(received.wall - time.wallMilliseconds) < 600_000)
    }

    @Test(
        arguments: [
            (400, "Sun, 06 Nov 1994 08:49:37 GMT", 100, true), (400, "Sun, 06 Nov 1994 08:49:37 GMT", 10, false),
            (400, "Sun, 06 Nov 1994 08:49:37 GMT", 86_401, false), (200, "Sun, 06 Nov 1994 08:49:37 GMT", 100, false),
            (500, "Sun, 06 Nov 1994 08:49:37 GMT", 100, false), (400, "yesterday", 100, false), (400, "", 100, false),
        ] as [(Int, String, Int64, Bool)])
    func `a clock is learnt from a refused proof alone, within a day`(
        _ status: Int, _ date: String, _ slow: Int64, _ isLearnt: Bool
    ) throws {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        if !date.isEmpty { fields.append("Date", date) }
        let answer = HTTPResponse(status: status, fields: fields, body: Array(#"{"error":"invalid_dpop_proof"}"#.utf8))
        let origin = try WebURL("https://api.example/").origin
        var clocks = ProofClocks()
        let first = clocks.take(answer, from: origin, deviceSeconds: 784_111_777 - slow)
        #expect(first == isLearnt)
        #expect(clocks[origin] == (isLearnt ? slow : 0))
        #expect(clocks[try WebURL("https://other.example/").origin] == 0)
        // What did not help is not tried again.
        let second = clocks.take(answer, from: origin, deviceSeconds: 784_111_777 - slow)
        #expect(!second)
    }

    @Test func `the clocks of sixty-four servers are remembered, and one more begins anew`() throws {
        var fields = HTTPFields()
        fields.append("Content-Type", "application/json")
        fields.append("Date", "Sun, 06 Nov 1994 08:49:37 GMT")
        let answer = HTTPResponse(status: 400, fields: fields, body: Array(#"{"error":"invalid_dpop_proof"}"#.utf8))
        let origins = try (0...64).map { try WebURL("https://api-\($0).example/").origin }
        var clocks = ProofClocks()
        for origin in origins.dropLast() {
            let isLearnt = clocks.take(answer, from: origin, deviceSeconds: 784_111_677)
            #expect(isLearnt)
        }
        #expect(origins.dropLast().allSatisfy { clocks[$0] == 100 })
        let isLearnt = clocks.take(answer, from: origins[64], deviceSeconds: 784_111_677)
        #expect(isLearnt)
        #expect(origins.filter { clocks[$0] != 0 } == [origins[64]])
    }
}
