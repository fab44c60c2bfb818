import PaviseLab
import PavisePrimitives
import Testing

@Suite struct AuthorityFaultTests {
    let authority: LabAuthority
    let client: AuthorityClient

    init() throws {
        authority = try LabAuthority.start(try CertificateAuthority().issue())
        client = AuthorityClient(authority: authority)
    }

    /// A fault, what the client sees, and whether the code was spent.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let fault: AuthorityFault
        let isDone: Bool
        let check: @Sendable (RawClient.Answer) -> Bool
        var testDescription: String { name }
    }

    static let cases: [Case] = [
        Case(name: "status", fault: .status(500), isDone: false) { $0.status == 500 && $0.body.isEmpty },
        Case(name: "page", fault: .page(200), isDone: false) { $0.status == 200 && $0.body.hasPrefix("<!doctype") },
        Case(name: "error", fault: .error(400, "invalid_client"), isDone: false) {
            $0.status == 400 && $0.body == "{\"error\":\"invalid_client\"}"
        },
        Case(name: "disguised", fault: .disguisedError(400, "invalid_grant"), isDone: false) {
            $0.field("Content-Type")?.hasPrefix("text/html") == true && $0.body.contains("invalid_grant")
        },
        Case(name: "429", fault: .tooManyRequests(retryAfter: "7"), isDone: false) {
            $0.status == 429 && $0.field("Retry-After") == "7"
        },
        Case(name: "redirect", fault: .redirect(307, to: "https://x.example/"), isDone: false) {
            $0.status == 307 && $0.field("Location") == "https://x.example/"
        },
        Case(name: "hang up", fault: .hangUp, isDone: false) { $0.text.isEmpty },
        Case(name: "oversized", fault: .oversized(bytes: 10_000_000), isDone: false) {
            $0.body.utf8.count == 10_000_000
        },
        Case(name: "nested", fault: .nested(depth: 10_000), isDone: false) { $0.body.utf8.count == 20_000 },
        Case(name: "lost", fault: .lostAnswer, isDone: true) { $0.text.isEmpty },
        Case(name: "cut", fault: .cut(after: 30), isDone: true) { $0.text.utf8.count == 30 },
        Case(name: "type", fault: .contentType("text/html"), isDone: true) { $0.field("Content-Type") == "text/html" },
        Case(name: "mark", fault: .byteOrderMark, isDone: true) { $0.body.hasPrefix("\u{FEFF}{") },
        Case(name: "invalid", fault: .invalidText, isDone: true) { $0.body.contains("\u{FFFD}(") },
        Case(name: "without", fault: .without("access_token"), isDone: true) {
            !$0.body.contains("access_token") && $0.body.contains("refresh_token")
        },
        Case(name: "member", fault: .member("token_type", "MAC"), isDone: true) {
            $0.body.contains("\"token_type\":\"MAC\"")
        },
        Case(name: "twice", fault: .twice("access_token", "planted"), isDone: true) {
            $0.body.split(separator: "\"access_token\":").count == 3
        },
    ]

    @Test(arguments: cases)
    func `each fault shows itself once and leaves the right state`(_ one: Case) throws {
        let code = try client.code()
        authority.fail(.token, with: one.fault, times: 1)
        #expect(one.check(try client.exchange(code)))
        #expect(authority.counters.codeExchanges == (one.isDone ? 1 : 0))
        #expect(try client.exchange(code).status == (one.isDone ? 400 : 200))
        #expect(authority.counters.tokenRequests == 2)
    }

    @Test func `faults come in their order and end when healed`() throws {
        authority.fail(.jwks, with: .status(500), times: 2)
        authority.fail(.jwks, with: .page(503))
        let statuses = try (0..<4).map { _ in try client.http.get(client.path(.jwks), from: authority.server).status }
        #expect(statuses == [500, 500, 503, 503])
        authority.heal()
        #expect(try client.http.get(client.path(.jwks), from: authority.server).status == 200)
    }

    @Test(arguments: [
        (CallbackFault.wrongState, "state=forged"), (.doubledState, "state=s1&iss="),
        (.wrongIssuer, "attacker.example"),
        (.doubledIssuer, "&iss="), (.doubledCode, "&code="), (.accessDenied, "error=access_denied"),
        (.tokenInQuery, "&access_token=planted"), (.tokenInFragment, "#code="),
    ])
    func `callbacks suffer as asked`(_ fault: CallbackFault, _ part: String) throws {
        authority.callbackFault = fault
        #expect(try authority.approve(client.address()).contains(part))
    }

    @Test(arguments: [(CallbackFault.missingState, "state="), (.missingIssuer, "iss="), (.missingCode, "code=")])
    func `callbacks lack what they should lack`(_ fault: CallbackFault, _ part: String) throws {
        authority.callbackFault = fault
        #expect(try !authority.approve(client.address()).contains(part))
    }

    @Test(arguments: IDTokenFault.allCases)
    func `every wrong id token differs from a right one`(_ fault: IDTokenFault) throws {
        // Each sign-in has a session of its own, which would be a difference too.
        authority.configuration.namesSessions = false
        authority.idTokenFault = fault
        let token = try #require(try client.signIn().identity)
        authority.heal()
        let right = try #require(try client.signIn().identity)
        let shape = { (text: String) in
            text.split(separator: ".", omittingEmptySubsequences: false).prefix(2).map { part in
                String(decoding: Base64URL.decode(part) ?? [], as: UTF8.self).filter { !$0.isNumber }
            }
        }
        let onlySignature: Set<IDTokenFault> = [.badSignature, .foreignKey]
        let onlyNumbers: Set<IDTokenFault> = [.expired, .issuedInFuture]
        #expect((shape(token) == shape(right)) == (onlySignature.contains(fault) || onlyNumbers.contains(fault)))
    }

    @Test func `metadata stands at both places and can be broken`() throws {
        var configuration = AuthorityConfiguration()
        configuration.issuerPath = "/realms/one"
        configuration.doublesSlashes = true
        let authority = try LabAuthority.start(try CertificateAuthority().issue(), configuration: configuration)
        let client = AuthorityClient(authority: authority)
        #expect(client.path(.metadata) == "/.well-known/oauth-authorization-server/realms/one")
        #expect(client.path(.discovery) == "/realms/one/.well-known/openid-configuration")
        #expect(client.path(.token) == "/realms/one//token")
        for endpoint in [AuthorityEndpoint.metadata, .discovery] {
            let body = try client.http.get(client.path(endpoint), from: authority.server).body
            #expect(try JSONValue.parse(Array(body.utf8))["issuer"]?.string == authority.issuer)
        }
        authority.fail(.metadata, with: .member("issuer", "https://attacker.example"))
        #expect(try client.http.get(client.path(.metadata), from: authority.server).body.contains("attacker.example"))
        #expect(try client.signIn().refresh != nil)
    }

    @Test func `a downgraded authority takes any verifier`() throws {
        authority.configuration.checksVerifier = false
        authority.configuration.challengeMethods = []
        #expect(try client.exchange(try client.code(), verifier: "x").status == 200)
        #expect(try !client.http.get(client.path(.metadata), from: authority.server).body.contains("code_challenge"))
    }

    @Test func `access tokens can be signed and still carry the canary`() throws {
        authority.configuration.accessTokenForm = .jwt
        authority.configuration.canary = "findme"
        let token = try client.signIn().access
        let parts = token.split(separator: ".")
        #expect(parts.count == 3)
        #expect(String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self).contains("\"jti\":\"findme-access-"))
        #expect(try client.call(token).status == 200)
    }

    @Test func `keys and tokens can do without identifiers`() throws {
        authority.configuration.namesKeys = false
        authority.configuration.audienceIsArray = true
        #expect(try !client.http.get(client.path(.jwks), from: authority.server).body.contains("kid"))
        let parts = try #require(try client.signIn().identity).split(separator: ".")
        let texts = parts.prefix(2).map { String(decoding: Base64URL.decode($0) ?? [], as: UTF8.self) }
        #expect(texts[0] == "{\"alg\":\"RS256\",\"typ\":\"JWT\"}")
        #expect(texts[1].contains("\"aud\":[\"pavise-lab\"]"))
    }

    @Test func `keys rotate with and without the old ones`() throws {
        func count() throws -> Int {
            let body = try client.http.get(client.path(.jwks), from: authority.server).body
            return try JSONValue.parse(Array(body.utf8))["keys"]?.array?.count ?? 0
        }
        try authority.rotateKeys()
        #expect(try count() == 2)
        try authority.rotateKeys(keepsOld: false)
        #expect(try count() == 1)
    }
}
