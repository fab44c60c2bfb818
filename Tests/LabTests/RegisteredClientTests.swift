import PavisePrimitives
import Testing

@testable import PaviseLab

/// What the authority gives a client that registers, what it keeps of that, and what it takes for it.
@Suite struct RegisteredClientTests {
    let authority: LabAuthority
    let client: AuthorityClient

    init() throws {
        authority = try LabAuthority.start(try CertificateAuthority().issue())
        client = AuthorityClient(authority: authority)
    }

    private func register(_ method: String, _ more: [JSONValue.Member] = []) throws -> RawClient.Answer {
        let asked: [JSONValue.Member] = [
            .init("application_type", "native"), .init("redirect_uris", ["http://127.0.0.1/callback"]),
            .init("token_endpoint_auth_method", .string(method)),
        ]
        return try client.http.post(
            client.path(.register), JSONValue.object(asked + more).text, to: authority.server,
            fields: ["Content-Type: application/json"])
    }

    private struct Registered {
        let name: String
        let secret: String
        let token: String
    }

    private func registered(_ method: String = "client_secret_basic") throws -> Registered {
        let answer = try JSONValue.parse(Array(try register(method).body.utf8))
        return Registered(
            name: try #require(answer["client_id"]?.string), secret: try #require(answer["client_secret"]?.string),
            token: try #require(answer["registration_access_token"]?.string))
    }

    // 400 for the grant: the client is known. 401: it is not.
    private func status(_ name: String, _ secret: String) throws -> Int {
        let pair = Base64.encode(Array("\(name):\(secret)".utf8))
        return try client.http.post(
            client.path(.token), "grant_type=refresh_token&refresh_token=none", to: authority.server,
            fields: ["Authorization: Basic \(pair)"]
        ).status
    }

    @Test func `its secrets are kept as digests alone`() throws {
        let made = try registered()
        let kept = "\(authority.core.state.value.clients)"
        #expect(kept.contains("127.0.0.1"))
        #expect(!kept.contains(made.secret) && !kept.contains(made.token))
        #expect(Set(authority.registrationSecrets) == [made.secret, made.token])
    }

    @Test func `its secret opens the token endpoint, and nothing near it does`() throws {
        let made = try registered()
        #expect(try status(made.name, made.secret) == 400)
        let near = [
            "", String(made.secret.dropLast()), made.secret + "x", made.secret.uppercased(), made.token,
            "x\(made.secret.dropFirst())",
        ]
        for wrong in near { #expect(try status(made.name, wrong) == 401, "\(wrong)") }
        #expect(try status("pavise-lab", made.secret) == 401)
        #expect(try status(try registered().name, made.secret) == 401, "the secret of another client")
    }

    @Test func `its token opens its own address, and nothing near it does`() throws {
        let made = try registered()
        let head = "DELETE \(client.path(.register))/\(made.name) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        for wrong in ["", String(made.token.dropLast()), made.token + "x", made.secret, try registered().token] {
            let answer = try client.http.send(head + "Authorization: Bearer \(wrong)\r\n\r\n", to: authority.server)
            #expect(answer.status == 401, "\(wrong)")
        }
        let answer = try client.http.send(head + "Authorization: Bearer \(made.token)\r\n\r\n", to: authority.server)
        #expect(answer.status == 204)
        #expect(!authority.registeredClients.contains(made.name))
    }

    @Test(arguments: ["private_key_jwt", "tls_client_auth", "client_secret_jwt", ""])
    func `a way to show a secret that the authority does not check is not registered`(_ method: String) throws {
        let answer = try register(method)
        #expect(answer.status == 400 && answer.body.contains("invalid_client_metadata"), "\(answer.body)")
        #expect(authority.registeredClients.isEmpty)
    }

    @Test func `what it says of itself is no name, secret or address of the authority's`() throws {
        let names = [
            "client_id", "client_secret", "client_secret_expires_at", "registration_client_uri",
            "registration_access_token",
        ]
        let planted = names.map { JSONValue.Member($0, "planted") }
        let answer = try register("none", planted + [.init("client_name", "Diary")])
        #expect(answer.status == 201 && !answer.body.contains("planted"), "\(answer.body)")
        let value = try JSONValue.parse(Array(answer.body.utf8))
        #expect(value["client_name"] == "Diary" && value["client_secret"] == nil)
        #expect(value["client_id"]?.string == authority.registeredClients.first)
    }
}
