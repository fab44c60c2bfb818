#if os(Linux)
import PaviseAttestation
import PaviseCrypto
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// Sign-ins at the lab's authority that demand App Attest, a TPM, or either (IN14). The app is played by the pen.
@Suite struct AppAttestSignInTests {
    let pen: AppAttestPen
    let time = ManualTime(wallSeconds: AppAttestPen.now)
    let authority: LabAuthority
    let client: HTTPClient

    init() throws {
        pen = try AppAttestPen()
        var configuration = AuthorityConfiguration()
        configuration.demandsAttestation = true
        configuration.attestedApps = [
            AttestedApp("A1B2C3D4E5.org.example.other", anchors: [pen.root]),
            AttestedApp(AppAttestPen.application, anchors: [pen.root]),
        ]
        let certificates = try CertificateAuthority()
        authority = try LabAuthority.start(
            try certificates.issue(), configuration: configuration, clock: time.source)
        client = try HTTPClient(policy: TrustPolicy(anchors: .only([certificates.anchor])))
    }

    // MARK: What an app does

    private func post(
        _ body: String, _ type: String, at endpoint: AuthorityEndpoint, _ shown: [(String, String)] = []
    ) async throws -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Content-Type", type)
        for (name, value) in shown { fields.append(name, value) }
        return try await client.send(
            HTTPRequest("POST", try WebURL(authority.address(endpoint)), fields: fields, body: Array(body.utf8)))
    }

    private func step(_ body: JSONValue) async throws -> HTTPResponse {
        try await post(body.text, "application/json", at: .attestation)
    }

    private func value(_ response: HTTPResponse, _ name: String) -> String? {
        (try? JSONValue.parse(response.body))?[name]?.string
    }

    private func challenge() async throws -> String {
        let answer = try await post("{}", "application/json", at: .challenge)
        return try #require(value(answer, "attestation_challenge"))
    }

    private func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }

    private func enrol(
        answering other: String? = nil, _ change: (inout AppAttestPen.Parts) -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let challenge = if let other { other } else { try await challenge() }
        let attestation = try pen.attestation(Array(challenge.utf8), change)
        return try await step(
            .fields([
                "step": "app-enrol", "key_id": text(pen.keyID), "attestation": text(attestation),
                "challenge": .string(challenge),
            ]))
    }

    private struct Key {
        let key: ECPrivateKey
        let jwk: JSONValue
        let thumbprint: String

        init() throws {
            key = try ECPrivateKey(generating: .p256)
            let point = key.publicKey.x963
            jwk = .fields([
                "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point[1..<33])),
                "y": .string(Base64URL.encode(point[33...])),
            ])
            thumbprint = Base64URL.encode(Hash.digest(.sha256, Array(jwk.text.utf8)))
        }

        func token(_ type: String, _ claims: JSONValue) throws -> String {
            let header = JSONValue.fields(["alg": "ES256", "typ": .string(type)])
            let input = Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
            let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
            return input + "." + Base64URL.encode(try #require(ECDSASignature.raw(der: der, curve: .p256)))
        }
    }

    private func prove(
        _ challenge: String, by key: Key, counter: UInt32, over other: String? = nil
    ) async throws -> HTTPResponse {
        let data = Array((other ?? "\(challenge).\(key.thumbprint)").utf8)
        let assertion = try pen.assertion(over: data, counter: counter)
        return try await step(
            .fields([
                "step": "app-assert", "device": text(pen.keyID), "client_id": "pavise-lab",
                "challenge": .string(challenge), "key": key.jwk, "assertion": text(assertion),
            ]))
    }

    /// What goes along with the one more try of a request.
    private func shown(_ challenge: String, counter: UInt32) async throws -> [(String, String)] {
        let key = try Key()
        let answer = try await prove(challenge, by: key, counter: counter)
        return try shown(try #require(value(answer, "client_attestation")), challenge, by: key)
    }

    private func shown(_ attestation: String, _ challenge: String, by key: Key) throws -> [(String, String)] {
        let claims = JSONValue.fields([
            "iss": "pavise-lab", "aud": .string(authority.issuer), "jti": .string(challenge),
            "iat": .integer(time.source.wallSeconds), "challenge": .string(challenge),
        ])
        return [
            ("OAuth-Client-Attestation", attestation),
            ("OAuth-Client-Attestation-PoP", try key.token("oauth-client-attestation-pop+jwt", claims)),
        ]
    }

    private static let verifier = "0123456789-0123456789-0123456789-0123456789"
    private static let redirect = "http%3A%2F%2F127.0.0.1%3A9%2Fcallback"

    /// A person agrees; the code for the app.
    private func code() throws -> String {
        let proof = Base64URL.encode(Hash.digest(.sha256, Array(Self.verifier.utf8)))
        let callback = try authority.approve(
            authority.address(.authorize)
                + "?client_id=pavise-lab&response_type=code&redirect_uri=\(Self.redirect)&state=s1&scope=openid%20api"
                + "&nonce=n1&code_challenge_method=S256&code_challenge=\(proof)")
        let query = try #require(callback.split(separator: "?").last)
        return String(try #require(query.split(separator: "&").first { $0.hasPrefix("code=") }).dropFirst(5))
    }

    private func exchange(_ code: String, _ shown: [(String, String)] = []) async throws -> HTTPResponse {
        try await post(
            "grant_type=authorization_code&client_id=pavise-lab&code=\(code)&redirect_uri=\(Self.redirect)"
                + "&code_verifier=\(Self.verifier)",
            "application/x-www-form-urlencoded", at: .token, shown)
    }

    // MARK: Tests

    @Test func `IN14: an app that App Attest vouches for signs in where that is demanded, and no other`() async throws {
        let code = try code()
        let first = try await exchange(code)
        #expect(first.status == 400 && value(first, "error") == "use_attestation_challenge")
        #expect(try await enrol().status == 201)
        let challenge = try #require(first.fields["OAuth-Client-Attestation-Challenge"])
        let shown = try await shown(challenge, counter: 1)
        let tokens = try await exchange(code, shown)
        #expect(tokens.status == 200 && value(tokens, "access_token") != nil, "\(value(tokens, "error") ?? "")")
        let replay = try await exchange(try self.code(), shown)
        #expect(replay.status == 401 && value(replay, "error") == "invalid_client_attestation")
        let counters = authority.counters
        #expect(counters.enrolments == 1 && counters.assertions == 1 && counters.attestedRequests == 1)
        #expect(counters.codeExchanges == 1 && counters.refusedAttestations == 1)
    }

    @Test func `IN14: a challenge goes to a key only where its evidence was believed`() async throws {
        #expect(try await enrol().status == 201)
        let (code, key) = (try code(), try Key())
        let good = try await prove(try await challenge(), by: key, counter: 1)
        let attestation = try #require(value(good, "client_attestation"))
        // The same attestation with another challenge, whose assertion is an old one.
        let other = try await challenge()
        #expect(try await prove(other, by: key, counter: 1).status == 403)
        let refused = try await exchange(code, try shown(attestation, other, by: key))
        #expect(refused.status == 401 && value(refused, "error") == "invalid_client_attestation")
        #expect(authority.counters.attestedRequests == 0)
    }

    @Test func `IN14: one kind of evidence can be demanded alone`() async throws {
        #expect(try await enrol().status == 201)
        let cases: [(Set<AttestationKind>, UInt32, Int)] = [
            ([.tpm], 1, 401), ([.appAttest], 2, 200), ([.tpm, .appAttest], 3, 200),
        ]
        for (taken, counter, status) in cases {
            authority.configuration.takesAttestations = taken
            let code = try code()
            let first = try await exchange(code)
            let challenge = try #require(first.fields["OAuth-Client-Attestation-Challenge"])
            let answer = try await exchange(code, try await shown(challenge, counter: counter))
            #expect(answer.status == status, "\(taken)")
        }
    }

    @Test func `IN14: an enrolment answers a fresh challenge of the authority's, once`() async throws {
        let used = try await challenge()
        #expect(try await enrol(answering: used).status == 201)
        #expect(value(try await enrol(answering: used), "error") == "use_attestation_challenge")
        #expect(value(try await enrol(answering: "never given"), "error") == "use_attestation_challenge")
        let stale = try await challenge()
        time.advance(seconds: 61)
        #expect(value(try await enrol(answering: stale), "error") == "use_attestation_challenge")
        for change in [
            { (parts: inout AppAttestPen.Parts) in parts.application = "A1B2C3D4E5.org.example" },
            { parts in parts.environment = Array("appattestdevelop".utf8) },
            { parts in parts.counter = 1 }, { parts in parts.isChainCut = true },
        ] as [(inout AppAttestPen.Parts) -> Void] {
            let refused = try await enrol(answering: nil, change)
            #expect(refused.status == 403 && value(refused, "error") == "invalid_evidence")
        }
        #expect(authority.counters.enrolments == 1 && authority.counters.refusedAttestations == 7)
    }

    @Test func `IN14: an assertion that is old, of another request, or of nobody is refused`() async throws {
        #expect(try await enrol().status == 201)
        let key = try Key()
        #expect(try await prove(try await challenge(), by: key, counter: 5).status == 200)
        for old: UInt32 in [0, 4, 5] {
            #expect(try await prove(try await challenge(), by: key, counter: old).status == 403)
        }
        // A key that was enrolled again keeps its counter.
        #expect(try await enrol().status == 201)
        #expect(try await prove(try await challenge(), by: key, counter: 1).status == 403)
        let other = try Key()
        let spent = try await challenge()
        #expect(try await prove(spent, by: other, counter: 6, over: "\(spent).\(key.thumbprint)").status == 403)
        // The challenge went with the try.
        #expect(value(try await prove(spent, by: key, counter: 7), "error") == "use_attestation_challenge")
        #expect(try await prove(try await challenge(), by: key, counter: 8).status == 200)
        let unknown = try await step(.fields(["step": "app-assert", "device": "AAAA"]))
        #expect(unknown.status == 404)
        for body in [#"{"step":"app-enrol"}"#, #"{"step":"app-enrol","key_id":"AA","attestation":"AA"}"#] {
            let answer = try await post(body, "application/json", at: .attestation)
            #expect(answer.status == 400)
        }
    }
}
#endif
