import PaviseCommands
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// `pavise connect --client-secret`: the secret comes from a person or a pipe, never from an argument.
@Suite struct ClientSecretCommandTests {
    private static let secret = "canary p:a+s%s&word"

    private func stage(_ ways: [String] = ["client_secret_basic"]) throws -> LabStage {
        var configuration = AuthorityConfiguration()
        configuration.clientSecret = Self.secret
        configuration.clientAuthentication = ways
        configuration.deviceInterval = 2
        let stage = try LabStage(configuration)
        stage.waiting.skip([2]) { [authority = stage.authority] _ in
            for code in authority.deviceCodes { try authority.approveDevice(code) }
        }
        return stage
    }

    @Test(arguments: [[], ["--device"]])
    func `connect, fetch, refresh, disconnect as a client with a secret`(_ more: [String]) async throws {
        let stage = try stage()
        stage.person.willType(secret: Self.secret)
        let result = await stage.run(
            [
                "connect", stage.authority.issuer, "--name", "work", "--client-id", "pavise-lab", "--client-secret",
                "--approve-certificate", stage.identity.pin,
            ] + more)
        #expect(result.status == .done, "\(result.messages)")
        #expect(!(result.output + result.messages).contains("canary p"))
        stage.authority.expireAccessTokens()
        #expect(await stage.run("fetch", "work", "/api/me").status == .done)
        #expect(stage.authority.counters.refreshes == 1)
        let gone = await stage.run("disconnect", "work", "--json")
        #expect(gone.json?["revocation"]?.string == "done")
    }

    @Test func `without the secret the authority's refusal says what to do`() async throws {
        let stage = try stage()
        let result = await stage.connect()
        #expect(result.status == .failed && result.messages.contains("--client-secret"), "\(result.messages)")
        #expect(await stage.run("connections", "--json").json?["connections"]?.array?.isEmpty == true)
    }

    @Test func `an empty answer, a secret that can be none, and an authority that takes none`() async throws {
        let stage = try stage(["private_key_jwt"])
        #expect(await stage.connect("--client-secret").status == .usage)
        stage.person.willType(secret: "naïve")
        #expect(await stage.connect("--client-secret").status == .usage)
        stage.person.willType(secret: Self.secret)
        let result = await stage.connect("--client-secret")
        #expect(result.status == .failed && result.messages.contains("takes no client secret"), "\(result.messages)")
        #expect(stage.authority.counters.tokenRequests == 0)
        let seen = stage.authority.server.requests.map { String(decoding: $0.body, as: UTF8.self) + "\($0.fields)" }
        #expect(!seen.contains { $0.contains("canary") || $0.contains("Basic") })
    }

    @Test func `a certificate that nobody approved gets no secret, and nobody is asked for it`() async throws {
        let stage = try stage()
        stage.person.willType(secret: Self.secret)
        let result = await stage.run("connect", stage.authority.issuer, "--client-secret")
        #expect(result.status == .refused)
        #expect(stage.authority.server.counters.requests == 0)
        #expect(try stage.person.secret("still there") != nil)
    }

    @Test func `it is no argument, and stands beside no password`() async throws {
        let stage = try stage()
        #expect(await stage.run("connect", stage.authority.issuer, "--client-secret=\(Self.secret)").status == .usage)
        let both = await stage.run("connect", stage.authority.issuer, "--client-secret", "--basic", "alice")
        #expect(both.status == .usage && both.messages.contains("Choose one of --basic and --client-secret."))
        #expect(stage.authority.server.counters.connections == 0)
    }
}

/// The same as a process: from standard input, and from the program that asks.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct ClientSecretProcessTests {
    @Test(.long, arguments: [true, false])
    func `the secret comes from the asking program or from standard input`(_ isAsked: Bool) throws {
        var configuration = AuthorityConfiguration()
        configuration.clientID = "pavise"
        configuration.clientSecret = "s3cret word"
        configuration.deviceInterval = 1
        let pavise = try PaviseProcess(asksWithProgram: isAsked)
        let identity = try CertificateAuthority().issue()
        let authority = try LabAuthority.start(identity, configuration: configuration)
        defer { authority.stop() }
        if isAsked { try pavise.asks("s3cret word") }
        let running = try pavise.start(
            [
                "connect", authority.issuer, "--name", "work", "--device", "--client-secret", "--approve-certificate",
                identity.pin, "--json",
            ], input: isAsked ? "" : "s3cret word\n")
        let line = try JSONValue.parse(Array(try running.line().utf8))
        try authority.approveDevice(try #require(line["verification"]?["code"]?.string))
        let result = try running.end()
        #expect(result.status == 0, "\(result.output)\(result.messages)")
        #expect(!(result.output + result.messages).contains("s3cret"))
    }
}
