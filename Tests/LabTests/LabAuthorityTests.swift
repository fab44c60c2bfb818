import PaviseCrypto
import PaviseLab
import PavisePrimitives
import Testing

@Suite struct LabAuthorityTests {
    let clock = ManualTime()
    let authority: LabAuthority
    let client: AuthorityClient

    init() throws {
        authority = try LabAuthority.start(try CertificateAuthority().issue(), clock: clock.source)
        client = AuthorityClient(authority: authority)
    }

    @Test func `a sign-in ends in tokens that open the resource`() throws {
        let tokens = try client.signIn()
        let answer = try client.call(tokens.access)
        #expect(answer.status == 200)
        #expect(answer.body.contains("\"user\":\"alice\""))
        #expect(authority.counters.codeExchanges == 1)
        #expect(authority.counters.grantedCalls == 1)
        #expect(authority.issuedTokens.map(\.kind) == [.code, .refresh, .access, .identity])
    }

    @Test func `the id token carries a signature that verifies`() throws {
        let token = try #require(try client.signIn().identity)
        let parts = token.split(separator: ".").map(String.init)
        let keys = try JSONValue.parse(Array(client.http.get(client.path(.jwks), from: authority.server).body.utf8))
        let jwk = try #require(keys["keys"]?.array?.first)
        let modulus = try #require(Base64URL.decode(jwk["n"]?.string ?? ""))
        let exponent = try #require(Base64URL.decode(jwk["e"]?.string ?? ""))
        let key = try RSAPublicKey(modulus: modulus, exponent: exponent)
        let signature = try #require(Base64URL.decode(parts[2]))
        let digest = Hash.digest(.sha256, Array("\(parts[0]).\(parts[1])".utf8))
        #expect(key.verify(signature: signature, digest: digest, padding: .pkcs1(.sha256)))
        let claims = try JSONValue.parse(try #require(Base64URL.decode(parts[1])))
        #expect(claims["iss"]?.string == authority.issuer)
        #expect(claims["aud"]?.string == "pavise-lab")
        #expect(claims["nonce"]?.string == "n1")
        #expect(claims["exp"]?.integer == clock.source.wallSeconds + 3600)
    }

    @Test func `the callback repeats the state and names the issuer`() throws {
        let callback = try authority.approve(client.address())
        #expect(callback.hasPrefix("http://127.0.0.1:9/callback?code=canary-code-"))
        #expect(callback.contains("&state=s1&iss=https%3A%2F%2F127.0.0.1%3A"))
    }

    @Test(
        arguments: [
            ["client_id": "other"], ["response_type": "token"], ["redirect_uri": "https://attacker.example/"],
            ["redirect_uri": "http://127.0.0.1.attacker.example:1/"],
            ["redirect_uri": "http://127.0.0.1:9@attacker.example/callback"],
            ["redirect_uri": "http://127.0.0.1:9%5C@attacker.example/"],
            ["redirect_uri": "http://[::1]:9@attacker.example/"], ["redirect_uri": "http://127.0.0.1:/"],
            ["redirect_uri": "http://127.0.0.1:99999/"], ["redirect_uri": "http://127.0.0.1:9/%0D%0ASet-Cookie:%20a=b"],
            ["code_challenge": nil], ["code_challenge_method": "plain"], ["code_challenge": "short"],
            ["scope": "everything"], ["state": "1&state=2"],
        ] as [[String: String?]])
    func `requests that no authority should accept are refused`(_ change: [String: String?]) {
        #expect(throws: LabFailure.self) { try authority.approve(client.address(change)) }
    }

    @Test(arguments: ["http%3A%2F%2F127.0.0.1%3A9%40attacker.example%2F", "https%3A%2F%2Fattacker.example%2F"])
    func `nobody is sent to an address of another after signing out`(_ address: String) throws {
        let hint = try #require(try client.signIn().identity)
        let path = client.path(.logout) + "?id_token_hint=\(hint)&post_logout_redirect_uri="
        let answer = try client.http.get(path + address, from: authority.server)
        #expect(answer.status == 400 && answer.field("Location") == nil)
        let own = try client.http.get(path + "http%3A%2F%2F127.0.0.1%3A9%2Fbye", from: authority.server)
        #expect(own.status == 302 && own.field("Location") == "http://127.0.0.1:9/bye")
    }

    @Test func `a wrong verifier gives no token`() throws {
        let answer = try client.exchange(try client.code(), verifier: String(repeating: "x", count: 43))
        #expect(answer.status == 400)
        #expect(answer.body.contains("invalid_grant"))
        #expect(authority.counters.wrongVerifiers == 1)
    }

    @Test func `a code that comes twice ends the tokens of its first use`() throws {
        let code = try client.code()
        let tokens = try AuthorityClient.tokens(try client.exchange(code))
        #expect(try client.exchange(code).status == 400)
        #expect(authority.isRevoked(tokens.access))
        #expect(try client.call(tokens.access).status == 401)
    }

    @Test func `a pushed request ends with its time`() throws {
        let (first, second) = (try client.push(), try client.push())
        clock.advance(seconds: 59)
        #expect(try authority.approve(client.address(pushed: first)).contains("?code="))
        clock.advance(seconds: 1)
        #expect(throws: LabFailure.self) { try authority.approve(client.address(pushed: second)) }
    }

    @Test func `a device's code is for one person's answer, in its time`() throws {
        let form = "client_id=pavise-lab&scope=openid%20api"
        func begin() throws -> (secret: String, code: String) {
            let answer = try client.http.post(client.path(.device), form, to: authority.server)
            let value = try JSONValue.parse(Array(answer.body.utf8))
            return (value["device_code"]?.string ?? "", value["user_code"]?.string ?? "")
        }
        let first = try begin()
        try authority.approveDevice(first.code)
        #expect(authority.deviceCodes.isEmpty)
        #expect(throws: LabFailure.self) { try authority.approveDevice(first.code, as: "mallory") }
        let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=\(first.secret)"
        let tokens = try AuthorityClient.tokens(try client.token(grant))
        #expect(try client.call(tokens.access).body.contains(#""user":"alice""#))
        // Such a session ends at the logout page as any other does.
        let logout = client.path(.logout) + "?id_token_hint=\(tokens.identity ?? "")"
        #expect(try client.http.get(logout, from: authority.server).body == "signed out")
        #expect(authority.isRevoked(tokens.refresh ?? ""))
        let second = try begin()
        clock.advance(seconds: 60)
        #expect(authority.deviceCodes.isEmpty)
        #expect(throws: LabFailure.self) { try authority.approveDevice(second.code) }
    }

    @Test func `a device that asks too early is slowed down, and signed in when the person agreed`() throws {
        let form = "client_id=pavise-lab&scope=openid"
        let begun = try client.http.post(client.path(.device), form, to: authority.server)
        let value = try JSONValue.parse(Array(begun.body.utf8))
        #expect(value["interval"]?.integer == 5)
        let secret = value["device_code"]?.string ?? ""
        let grant = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=\(secret)"
        func error() throws -> String? {
            try JSONValue.parse(Array(try client.token(grant).body.utf8))["error"]?.string
        }
        // RFC 8628 §3.5: 5 seconds more, "for this and all subsequent requests".
        let steps: [(Double, String)] = [
            (0, "authorization_pending"), (5, "authorization_pending"), (4, "slow_down"), (10, "authorization_pending"),
            (9, "slow_down"), (14, "slow_down"),
        ]
        for (pause, expected) in steps {
            clock.advance(seconds: pause)
            let found = try error()
            #expect(found == expected, "after \(pause) s")
        }
        try authority.approveDevice(value["user_code"]?.string ?? "")
        let agreed = clock.source.wallSeconds
        clock.advance(seconds: 3)
        let tokens = try AuthorityClient.tokens(try client.token(grant))
        let parts = try #require(tokens.identity).split(separator: ".").map(String.init)
        let claims = try JSONValue.parse(try #require(Base64URL.decode(parts[1])))
        #expect(claims["auth_time"]?.integer == agreed && claims["iat"]?.integer == agreed + 3)
    }

    @Test func `no device gets a scope that does not exist`() throws {
        let form = "client_id=pavise-lab&scope=openid%20everything"
        let answer = try client.http.post(client.path(.device), form, to: authority.server)
        #expect(answer.status == 400 && answer.body.contains(#""error":"invalid_scope""#), "\(answer.body)")
        #expect(authority.deviceCodes.isEmpty)
    }

    @Test func `a code and an access token end with their time`() throws {
        let code = try client.code()
        clock.advance(seconds: 61)
        #expect(try client.exchange(code).status == 400)
        let tokens = try client.signIn()
        clock.advance(seconds: 301)
        let answer = try client.call(tokens.access)
        #expect(answer.status == 401)
        #expect(answer.field("WWW-Authenticate") == "Bearer realm=\"lab\", error=\"invalid_token\"")
        #expect(
            try client.http.get("/api/x", from: authority.server).field("WWW-Authenticate") == "Bearer realm=\"lab\"")
    }

    @Test func `revocation of a refresh token ends the family, of an access token only itself`() throws {
        let one = try client.signIn()
        #expect(try client.revoke(one.access).status == 200)
        #expect(!authority.accepts(one.access))
        let refresh = try #require(one.refresh)
        let two = try AuthorityClient.tokens(try client.refresh(refresh))
        #expect(try client.revoke(two.refresh ?? "").status == 200)
        #expect(authority.isRevoked(two.access))
        #expect(try client.revoke("unknown").status == 200)
    }

    @Test func `a browser gets a form and a redirect`() throws {
        let path = String(client.address().dropFirst(authority.server.address("").count))
        #expect(try client.http.get(path, from: authority.server).body.contains("<form method=\"post\">"))
        #expect(try client.http.post(path, "username=alice&password=no", to: authority.server).status == 401)
        let answer = try client.http.post(path, "username=alice&password=wonderland", to: authority.server)
        #expect(answer.status == 302)
        #expect(answer.field("Location")?.hasPrefix("http://127.0.0.1:9/callback?code=") == true)
    }

    @Test func `basic authentication knows its people`() throws {
        let right = "Authorization: Basic " + Base64.encode(Array("alice:wonderland".utf8))
        #expect(try client.http.get("/basic/x", from: authority.server, fields: [right]).status == 200)
        let wrong = "Authorization: Basic " + Base64.encode(Array("alice:x".utf8))
        #expect(try client.http.get("/basic/x", from: authority.server, fields: [wrong]).status == 401)
    }

    @Test func `user information and forbidden resources follow the grant`() throws {
        let tokens = try client.signIn()
        #expect(try client.call(tokens.access, client.path(.userinfo)).body == "{\"sub\":\"alice\"}")
        let forbidden = try client.call(tokens.access, "/api/forbidden")
        #expect(forbidden.status == 403)
        #expect(forbidden.field("WWW-Authenticate")?.contains("insufficient_scope") == true)
        #expect(try client.call(tokens.access, "/api/large/1000").body.utf8.count >= 1000)
    }

    @Test func `a proof beside a pushed request names the key that its code is for`() throws {
        authority.configuration.offersProof = true
        let key = try ECPrivateKey(generating: .p256)
        let point = key.publicKey.x963
        let header = JSONValue.fields([
            "typ": "dpop+jwt", "alg": "ES256",
            "jwk": .fields([
                "crv": "P-256", "kty": "EC", "x": .string(Base64URL.encode(point[1..<33])),
                "y": .string(Base64URL.encode(point[33...])),
            ]),
        ])
        func push(_ name: String, _ more: String = "") throws -> RawClient.Answer {
            let claims = JSONValue.fields([
                "jti": .string(name), "htm": "POST", "htu": .string(authority.address(.par)),
                "iat": .integer(clock.source.wallSeconds),
            ])
            let input = Base64URL.encode(Array(header.text.utf8)) + "." + Base64URL.encode(Array(claims.text.utf8))
            let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
            let proof = input + "." + Base64URL.encode(try #require(ECDSASignature.raw(der: der, curve: .p256)))
            let query = client.address().split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
            return try client.http.post(
                client.path(.par), query + more, to: authority.server, fields: ["DPoP: \(proof)"])
        }
        let other = try push("1", "&dpop_jkt=other")
        #expect(other.status == 400 && other.body.contains("invalid_dpop_proof"), "\(other.body)")
        let answer = try JSONValue.parse(Array(try push("2").body.utf8))
        let name = try #require(answer["request_uri"]?.string)
        let code = AuthorityClient.code(in: try authority.approve(client.address(pushed: name)))
        // Whoever has the code and the verifier lacks the key.
        let stolen = try client.exchange(code)
        #expect(stolen.status == 400 && stolen.body.contains("invalid_grant"), "\(stolen.body)")
    }

    @Test(arguments: ["bytes=-5-", "bytes=9223372036854775807-", "bytes=99999999999999999999-", "bytes=a-"])
    func `a range that is none ends no server`(_ range: String) throws {
        let token = "Authorization: Bearer \(try client.signIn().access)"
        authority.files.write("x", Array("hello".utf8))
        for path in ["/api/file/10", "/api/dav/x"] {
            let fields = [token, "Range: \(range)"] + (path == "/api/dav/x" ? [] : ["If-Range: \"version-10\""])
            let answer = try client.http.get(path, from: authority.server, fields: fields)
            #expect([200, 416].contains(answer.status))
        }
        #expect(try client.http.get("/api/large/-5", from: authority.server, fields: [token]).status == 200)
    }

    @Test func `what is granted is what the tokens can do, whatever was asked for`() throws {
        authority.configuration.grantedScope = "api"
        let answer = try client.exchange(try client.code(["scope": "openid%20profile%20api"]))
        #expect(answer.body.contains(#""scope":"api""#), "\(answer.body)")
        let tokens = try AuthorityClient.tokens(answer)
        #expect(tokens.identity == nil)
        #expect(try client.call(tokens.access).body.contains(#""scope":"api""#))
        // OpenID Connect Core §5.3: whose sign-in said nothing of OpenID gets no claims.
        let claims = try client.call(tokens.access, client.path(.userinfo))
        #expect(claims.status == 403 && !claims.body.contains("alice"), "\(claims.body)")
        let challenge = claims.field("WWW-Authenticate")
        #expect(challenge == #"Bearer error="insufficient_scope", scope="openid""#)
    }

    @Test func `an administrator can end everything`() throws {
        let tokens = try client.signIn()
        authority.expireAccessTokens()
        #expect(try client.call(tokens.access).status == 401)
        #expect(!authority.isRevoked(tokens.access))
        authority.revokeEverything()
        #expect(authority.isRevoked(tokens.access))
        #expect(try client.refresh(tokens.refresh ?? "").status == 400)
    }
}
