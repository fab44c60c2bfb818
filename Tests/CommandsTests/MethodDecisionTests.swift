import Foundation
import PaviseCommands
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

/// `pavise connect` looks at what a server offers, and takes nothing weaker than before without a word (connections C12
/// to C16).
@Suite struct MethodDecisionTests {
    // The server's OpenID document is gone, its OAuth one is there.
    private func weakened(_ fault: AuthorityFault = .status(404)) async throws -> LabStage {
        let stage = try LabStage()
        #expect(await stage.connect().status == .done)
        stage.authority.fail(.discovery, with: fault)
        return stage
    }

    private func connect(_ stage: LabStage, _ more: String...) async -> LabStage.Result {
        await stage.run(
            [
                "connect", stage.authority.issuer, "--name", "again", "--client-id", "pavise-lab",
                "--approve-certificate", stage.identity.pin,
            ] + more)
    }

    @Test(arguments: [AuthorityFault.status(404), .page(200), .status(500), .without("jwks_uri")])
    func `a server that was stronger before is refused without a terminal, and asked about at one`(
        _ fault: AuthorityFault
    ) async throws {
        let stage = try await weakened(fault)
        let signIns = stage.authority.counters.codeExchanges
        let refused = await connect(stage)
        #expect(refused.status == .refused && refused.messages.contains("--accept-weaker"), "\(refused.messages)")
        let json = await connect(stage, "--json").json
        #expect(json?["error"]?["rule"]?.string == "downgrade")
        stage.person.willAnswer("no")
        #expect(await connect(stage).status == .refused)
        #expect(stage.authority.counters.codeExchanges == signIns)
        guard case .status(404) = fault else { return }
        stage.person.willAnswer("yes")
        #expect(await connect(stage).status == .done)
    }

    @Test func `the flag answers the question, and an administrator takes the answer away`() async throws {
        let stage = try await weakened()
        #expect(await connect(stage, "--accept-weaker").status == .done)
        #expect(await stage.run("disconnect", "again").status == .done)
        try stage.manage(#"{ "authentication": { "weaker": "refused" } }"#)
        let managed = await connect(stage, "--accept-weaker")
        #expect(managed.status == .refused && managed.messages.contains("administrator"), "\(managed.messages)")
    }

    @Test func `the same flag answers for a password`() async throws {
        let stage = try await weakened()
        let words = ["connect", "\(stage.authority.issuer)/basic/me", "--name", "nas", "--basic", "alice"]
        stage.person.willType(secret: "wonderland")
        let pin = ["--approve-certificate", stage.identity.pin]
        let refused = await stage.run(words + pin)
        #expect(refused.status == .refused && refused.messages.contains("--accept-weaker"), "\(refused.messages)")
        #expect(await stage.run(words + pin + ["--accept-weaker"]).status == .done)
    }

    @Test func `a wrong password keeps the right one, and another user takes over nothing`() async throws {
        let stage = try LabStage(isTrusted: true)
        let words = ["connect", "\(stage.authority.issuer)/basic/me", "--name", "nas"]
        stage.person.willType(secret: "wonderland")
        let first = await stage.run(words + ["--basic", "alice"])
        #expect(first.status == .done, "\(first.messages)")
        stage.person.willType(secret: "wrong")
        let wrong = await stage.run(words + ["--basic", "alice"])
        #expect(wrong.status == .signInNeeded && wrong.messages.contains("keeps the password"), "\(wrong.messages)")
        #expect(await stage.run("fetch", "nas", "/basic/me").status == .done)
        stage.person.willType(secret: "builder")
        let other = await stage.run(words + ["--basic", "bob"])
        #expect(other.status == .refused && other.messages.contains("another user's"), "\(other.messages)")
        #expect(await stage.run("fetch", "nas", "/basic/me").status == .done)
    }

    @Test func `a file that was changed is told in the list, refused, and removed`() async throws {
        let stage = try LabStage(isTrusted: true)
        stage.person.willType(secret: "wonderland")
        let words = ["connect", "\(stage.authority.issuer)/basic/me", "--name", "nas", "--basic", "alice"]
        #expect(await stage.run(words).status == .done)
        let path = try stage.connection + "/connection.json"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let host = try WebURL(stage.authority.issuer).origin.host
        #expect(text.contains(host))
        try Data(text.replacing(host, with: "evil.example").utf8).write(to: URL(fileURLWithPath: path))
        stage.authority.server.forget()
        let list = await stage.run("connections", "--json")
        let row = list.json?["connections"]?.array?.first
        #expect(row?["state"]?.string == "damaged" && row?["name"] == nil)
        #expect(row?["unprovenOrigin"]?.string?.contains("evil.example") == true)
        #expect(await stage.run("fetch", "nas", "/basic/me").status == .failed)
        #expect(await stage.run(words).messages.contains("was changed"))
        #expect(await stage.run("disconnect", "nas").status == .done)
        #expect(stage.authority.server.counters.connections == 0)
        #expect(await stage.run("connections").output.contains("There are no connections"))
    }

    @Test func `without openid among the scopes nobody is to be identified, and nothing is weakened`() async throws {
        let stage = try await weakened()
        #expect(await connect(stage, "--scope", "api").status == .done)
    }

    @Test func `a server that does not answer about the better way is a question too`() async throws {
        let stage = try LabStage()
        stage.authority.fail(.discovery, with: .status(503))
        let refused = await connect(stage)
        #expect(refused.status == .refused && refused.messages.contains("does not answer about"), "\(refused.messages)")
        stage.authority.heal()
        stage.authority.fail(.discovery, with: .status(404))
        #expect(await connect(stage).status == .done)
    }

    @Test func `a server that takes passwords alone is told so, and gets none`() async throws {
        let stage = try LabStage()
        stage.authority.server.answer { request in
            let challenge = LabRequest.Field("WWW-Authenticate", "Basic realm=\"nas\"")
            return request.path == "/" ? LabResponse(status: 401, fields: [challenge]) : LabResponse(status: 404)
        }
        let result = await connect(stage)
        #expect(result.status == .failed && result.messages.contains("--basic USER"), "\(result.messages)")
        #expect(await stage.run("connections").output.contains("There are no connections."))
    }

    @Test func `an administrator who wants to know who signs in gets OpenID Connect or nothing`() async throws {
        let stage = try LabStage()
        try stage.manage(#"{ "authentication": { "allowed": ["oidc"] } }"#)
        #expect(await connect(stage, "--json").json?["method"]?.string == "oidc")
        #expect(await stage.run("fetch", "again", "/api/me").status == .done)
        #expect(await stage.run("connections").output.contains("signed in"))
        // The same name again, too.
        #expect(await connect(stage).status == .done)
        #expect(await stage.run("disconnect", "again").status == .done)
        let anonymous = await connect(stage, "--scope", "api")
        #expect(anonymous.status == .refused && anonymous.messages.contains("managed-method"), "\(anonymous.messages)")
        stage.authority.fail(.discovery, with: .status(404))
        #expect(await connect(stage, "--accept-weaker").status == .refused)
        #expect(await stage.run("connections").output.contains("There are no connections."))
    }

    @Test func `where another authority is named, the sign-in itself has to say who it was`() async throws {
        var configuration = AuthorityConfiguration()
        configuration.issuerPath = "/realms/one"
        let stage = try LabStage(configuration)
        try stage.manage(#"{ "authentication": { "allowed": ["oidc"] } }"#)
        let words = [
            "connect", stage.authority.address(.api), "--issuer", stage.authority.issuer, "--name", "work",
            "--client-id",
            "pavise-lab", "--approve-certificate", stage.identity.pin,
        ]
        let anonymous = await stage.run(words + ["--scope", "api"])
        #expect(anonymous.status == .refused && anonymous.messages.contains("id_token"), "\(anonymous.messages)")
        #expect(await stage.run("connections").output.contains("There are no connections."))
        #expect(stage.authority.counters.codeExchanges == 1 && stage.authority.counters.revocations > 0)
        #expect(await stage.run(words).status == .done)
    }

    @Test func `no question goes to a server whose certificate is refused`() async throws {
        let stage = try LabStage()
        #expect(await stage.run("connect", stage.authority.issuer).status == .refused)
        #expect(stage.authority.server.counters.requests == 0)
    }
}
