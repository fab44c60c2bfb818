import PaviseLab
import PavisePrimitives
import Testing

/// A code or a token is for the client that it was given to, and a code for the address that it was asked for with.
@Suite struct AuthorityClientTests {
    let authority: LabAuthority
    let client: AuthorityClient
    /// Another client of the same authority, and its own address with the token for it.
    let other: String
    let management: (path: String, token: String)

    init() throws {
        authority = try LabAuthority.start(try CertificateAuthority().issue())
        client = AuthorityClient(authority: authority)
        let asked = JSONValue.fields([
            "application_type": "native", "redirect_uris": ["http://127.0.0.1/callback"],
            "token_endpoint_auth_method": "none",
        ])
        let answer = try client.http.post(
            client.path(.register), asked.text, to: authority.server, fields: ["Content-Type: application/json"])
        let registered = try JSONValue.parse(Array(answer.body.utf8))
        other = registered["client_id"]?.string ?? ""
        try #require(!other.isEmpty)
        management = (
            client.path(.register) + "/\(other)", registered["registration_access_token"]?.string ?? ""
        )
    }

    private func post(_ form: String, as name: String, at endpoint: AuthorityEndpoint = .token) throws
        -> RawClient.Answer
    {
        try client.http.post(client.path(endpoint), form + "&client_id=\(name)", to: authority.server)
    }

    private func exchange(_ code: String, as name: String, at redirect: String) throws -> RawClient.Answer {
        try post(
            "grant_type=authorization_code&code=\(code)&redirect_uri=\(redirect)&code_verifier=\(client.verifier)",
            as: name)
    }

    private static let own = "http%3A%2F%2F127.0.0.1%3A9%2Fcallback"

    @Test(arguments: [
        "http%3A%2F%2F127.0.0.1%3A10%2Fcallback", "http%3A%2F%2F127.0.0.1%3A9%2Fother",
        "http%3A%2F%2F127.0.0.1%3A9%2Fcallback%2F", "http%3A%2F%2F127.0.0.1%3A9%2FCallback",
        "https%3A%2F%2Fattacker.example%2F", "http%3A%2F%2F127.0.0.1%3A9%2Fcallback%3Fa%3Db", "",
    ])
    func `a code is exchanged with the redirect address of its request, letter for letter`(_ redirect: String) throws {
        let code = try client.code()
        let answer = try exchange(code, as: "pavise-lab", at: redirect)
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#), "\(answer.body)")
        #expect(authority.counters.codeExchanges == 0)
        // Whoever guessed has not used it up.
        #expect(try exchange(code, as: "pavise-lab", at: Self.own).status == 200)
    }

    @Test(arguments: [
        "http://127.0.0.1.attacker.example/callback", "http://127.0.0.1:9@attacker.example/callback",
        "http://127.0.0.1@attacker.example/callback", "http://[::1]:9@attacker.example/callback",
    ])
    func `no client registers with an address of another host`(_ redirect: String) throws {
        let asked = JSONValue.fields([
            "application_type": "native", "redirect_uris": .array([.string(redirect)]),
            "token_endpoint_auth_method": "none",
        ])
        let answer = try client.http.post(
            client.path(.register), asked.text, to: authority.server, fields: ["Content-Type: application/json"])
        #expect(answer.status == 400, "\(answer.body)")
        #expect(authority.registeredClients == [other])
    }

    @Test func `a code without its redirect address is no request`() throws {
        let form = "grant_type=authorization_code&code=\(try client.code())&code_verifier=\(client.verifier)"
        let answer = try post(form, as: "pavise-lab")
        #expect(answer.status == 400 && answer.body.contains(#""error":"invalid_request""#))
    }

    @Test func `the code of another client is refused`() throws {
        let code = try client.code()
        let answer = try exchange(code, as: other, at: Self.own)
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#), "\(answer.body)")
        #expect(authority.counters.codeExchanges == 0)
        #expect(try exchange(code, as: "pavise-lab", at: Self.own).status == 200)
        // Nor does a used one in another client's hands end the session.
        #expect(try exchange(code, as: other, at: Self.own).status == 400)
        #expect(authority.counters.codeReplays == 0 && authority.counters.revokedFamilies == 0)
    }

    @Test func `a pushed request is for its own client, and once`() throws {
        let name = try client.push()
        #expect(throws: LabFailure.self) { try authority.approve(client.address(pushed: name, as: other)) }
        // Whoever tried has not used it up.
        #expect(try authority.approve(client.address(pushed: name)).contains("?code="))
        #expect(throws: LabFailure.self) { try authority.approve(client.address(pushed: name)) }
    }

    @Test func `the refresh token of another client is refused, and ends nothing`() throws {
        let tokens = try client.signIn()
        let form = "grant_type=refresh_token&refresh_token=\(tokens.refresh ?? "")"
        let answer = try post(form, as: other)
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#), "\(answer.body)")
        #expect(authority.counters.refreshes == 0)
        #expect(try post(form, as: "pavise-lab").status == 200)
        // Nor does a spent one in another client's hands end the session.
        #expect(try post(form, as: other).status == 400)
        #expect(authority.counters.reuseDetections == 0 && authority.counters.revokedFamilies == 0)
    }

    @Test func `the device code of another client is refused`() throws {
        let begun = try post("scope=api", as: "pavise-lab", at: .device)
        let secret = try JSONValue.parse(Array(begun.body.utf8))["device_code"]?.string ?? ""
        try authority.approveDevice(try #require(authority.deviceCodes.first))
        let form = "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=\(secret)"
        let answer = try post(form, as: other)
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"invalid_grant""#), "\(answer.body)")
        #expect(try post(form, as: "pavise-lab").status == 200)
    }

    @Test func `a client that is deleted leaves no token and no code behind`() throws {
        let code = try client.code(["client_id": other])
        let tokens = try AuthorityClient.tokens(try exchange(code, as: other, at: Self.own))
        let own = try client.signIn()
        let waiting = try client.code(["client_id": other])
        #expect(authority.accepts(tokens.access) && !waiting.isEmpty)
        let head = "DELETE \(management.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        let answer = try client.http.send(
            head + "Authorization: Bearer \(management.token)\r\n\r\n", to: authority.server)
        #expect(answer.status == 204)
        #expect(try client.call(tokens.access).status == 401)
        #expect(authority.isRevoked(tokens.refresh ?? ""))
        #expect(try exchange(waiting, as: other, at: Self.own).status == 401)
        #expect(authority.accepts(own.access) && authority.counters.revokedFamilies == 1)
    }

    @Test(arguments: [true, false])
    func `nobody takes back the token of another client`(_ isRefresh: Bool) throws {
        let tokens = try client.signIn()
        let token = isRefresh ? tokens.refresh ?? "" : tokens.access
        let answer = try post("token=\(token)", as: other, at: .revoke)
        // RFC 7009 §2.1: the request is refused, and the client told.
        #expect(answer.status == 400)
        #expect(answer.body.contains(#""error":"unauthorized_client""#), "\(answer.body)")
        #expect(authority.accepts(token) && authority.counters.revocations == 0)
        #expect(try post("token=\(token)", as: "pavise-lab", at: .revoke).status == 200)
        #expect(!authority.accepts(token))
    }
}
