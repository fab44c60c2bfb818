import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseSession

/// oauth §10: the cases of the public client plans, each by its number. 11 is played by UserInfoTests
/// (Documentation/Controls/OAuth.md).
@Suite struct ChecklistTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let number: Int
        let what: String
        var configure: @Sendable (inout AuthorityConfiguration) -> Void = { _ in }
        var prepare: @Sendable (LabAuthority) throws -> Void = { _ in }

        init(
            _ number: Int, _ what: String,
            _ configure: @escaping @Sendable (inout AuthorityConfiguration) -> Void = { _ in },
            prepare: @escaping @Sendable (LabAuthority) throws -> Void = { _ in }
        ) {
            self.number = number
            self.what = what
            self.configure = configure
            self.prepare = prepare
        }

        init(_ number: Int, token fault: IDTokenFault) {
            self.init(number, "id_token: \(fault)", prepare: { $0.idTokenFault = fault })
        }

        init(_ number: Int, callback fault: CallbackFault) {
            self.init(number, "callback: \(fault)", prepare: { $0.callbackFault = fault })
        }

        var testDescription: String { "oauth/10 case \(number), \(what)" }

        /// Cases from 20 on push their requests and bind their tokens.
        func world() throws -> LabWorld {
            var configuration = AuthorityConfiguration()
            if number >= 20 {
                configuration.demandsPushedRequests = true
                configuration.demandsProof = true
                configuration.proofNonces = number == 41 ? .none : .changing
                configuration.tokenType = "DPoP"
            }
            configure(&configuration)
            let world = try LabWorld(configuration)
            try prepare(world.authority)
            return world
        }

        func binding() throws -> DPoPBinding? {
            number >= 20 ? try DPoPBinding(key: try SigningKeyInMemory()) : nil
        }
    }

    @Test(arguments: [
        Case(1, "plain code flow"), Case(6, "no kid, one key", { $0.namesKeys = false }), Case(8, "RS256"),
        Case(13, "scope profile", { $0.scopes.append("email") }),
        Case(14, "client authentication by HTTP Basic", { $0.clientSecret = "s3cret" }),
        Case(15, "refresh with a new id_token"),
        Case(20, "with a nonce for proofs"), Case(31, "aud as an array of one", { $0.audienceIsArray = true }),
        Case(38, "no expires_in", { $0.tellsLifetime = false }),
        Case(39, "token type in odd case", { $0.tokenType = "dPOp" }),
        Case(40, "scheme in odd case at the resource server"), Case(41, "without a nonce for proofs"),
        Case(42, "refresh"),
    ])
    func `the client succeeds`(_ entry: Case) async throws {
        let world = try entry.world()
        let secret = world.authority.configuration.clientSecret.map { SharedSecretBytes($0) }
        let session = try await world.signIn(
            binding: try entry.binding(), change: { $0.clientSecret = secret }
        ).session
        #expect(try await session.send(try world.request()).status == 200)
        _ = try await session.forceRefresh()
        #expect(try await session.send(try world.request()).status == 200)
    }

    @Test(arguments: [
        Case(2, token: .wrongIssuer), Case(3, token: .missingSubject), Case(4, token: .wrongAudience),
        Case(5, token: .missingIssuedAt),
        Case(
            7, "no kid, two keys that fit", { $0.namesKeys = false }, prepare: { try $0.rotateKeys(keepsOld: true) }),
        Case(9, token: .algorithmNone), Case(10, token: .badSignature), Case(12, token: .wrongNonce),
        Case(
            21, "metadata of another issuer",
            prepare: {
                for place in [AuthorityEndpoint.discovery, .metadata] {
                    $0.fail(place, with: .member("issuer", "https://evil.example"))
                }
            }),
        Case(22, token: .wrongIssuer), Case(23, token: .wrongAudience), Case(24, token: .foreignSecondAudience),
        Case(25, token: .algorithmNull), Case(25, token: .algorithmNone), Case(26, token: .publicKeyAsHMACKey),
        Case(27, token: .expired), Case(28, token: .missingExpiry), Case(29, token: .missingAudience),
        Case(30, token: .missingIssuer), Case(32, token: .wrongNonce), Case(33, token: .missingNonce),
        Case(34, callback: .wrongIssuer), Case(35, callback: .missingIssuer), Case(36, callback: .wrongState),
        Case(37, callback: .missingState),
    ])
    func `the client stops, and nothing is stored`(_ entry: Case) async throws {
        let world = try entry.world()
        let binding = try entry.binding()
        let isTurnedAway = [36, 37].contains(entry.number)
        await #expect(throws: SignInFailure.self) {
            try await world.signIn(binding: binding, patience: isTurnedAway ? .milliseconds(300) : .seconds(30))
        }
        #expect(try world.record == nil)
        if (34...37).contains(entry.number) { #expect(world.authority.counters.tokenRequests == 0) }
        #expect(world.authority.counters.grantedCalls == 0)
        // The same world without the fault signs in: it was the fault that stopped it.
        guard entry.number != 7 else { return }
        world.authority.heal()
        #expect(try await world.signIn(binding: binding).subject == "alice")
    }

    @Test(arguments: [Case(16, token: .wrongIssuer), Case(17, token: .wrongSubject)])
    func `a refresh that speaks of somebody else ends the session`(_ entry: Case) async throws {
        let world = try LabWorld()
        let session = try await world.signIn().session
        try entry.prepare(world.authority)
        await #expect(throws: SessionFailure.reloginNeeded(.identityMismatch)) { try await session.forceRefresh() }
    }

    @Test(arguments: [18, 19]) func `rotated keys are found with one more fetch`(_ number: Int) async throws {
        let world = try LabWorld()
        let signIn = world.willingSignIn(through: world.client)
        #expect(try await world.run(signIn).subject == "alice")
        let fetched = world.authority.counters.keyRequests
        try world.authority.rotateKeys(keepsOld: number == 18)
        #expect(try await world.run(signIn).subject == "alice")
        #expect(world.authority.counters.keyRequests == fetched + 1)
        // Within the minute there is no further one.
        try world.authority.rotateKeys(keepsOld: false)
        await #expect(throws: SignInFailure.identity(.noSuchKey)) { try await world.run(signIn) }
        #expect(world.authority.counters.keyRequests == fetched + 1)
    }
}
