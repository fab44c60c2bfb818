import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@testable import PaviseSession

/// RFC 6749 §2.3.1: a client with a secret, for authorities that demand one.
@Suite struct ClientSecretTests {
    /// Every character that means something to one of the two encodings.
    private static let secret = "canary p:a+s%s&w=o/rd~"

    private func world(
        _ ways: [String]? = ["client_secret_basic"], _ change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        configuration.clientSecret = Self.secret
        configuration.clientAuthentication = ways
        change(&configuration)
        return try LabWorld(configuration)
    }

    private func signIn(_ world: LabWorld, secret: String? = Self.secret) async throws(SignInFailure) -> SignIn.Success
    {
        try await world.signIn(change: { request in request.clientSecret = secret.map { SharedSecretBytes($0) } })
    }

    /// Where requests showed a secret: the endpoint's name, and whether it stood in the form.
    private func shown(_ world: LabWorld) -> [String] {
        world.authority.server.requests.compactMap { request in
            let name = request.path.split(separator: "/").last.map(String.init) ?? ""
            if request.field("Authorization")?.hasPrefix("Basic ") == true { return "\(name) basic" }
            return request.form("client_secret") == nil ? nil : "\(name) post"
        }
    }

    @Test(arguments: [
        (["client_secret_basic"], "basic"), (["client_secret_post"], "post"),
        (["client_secret_post", "private_key_jwt", "client_secret_basic"], "basic"), (nil, "basic"),
    ])
    func `the secret is shown in the one way that the authority takes, in sign-in, refresh and revocation`(
        _ ways: [String]?, _ place: String
    ) async throws {
        let world = try world(ways)
        let session = try await signIn(world).session
        _ = try await session.forceRefresh()
        #expect(try await session.send(try world.request()).status == 200)
        #expect(await session.signOut().revocation == .done)
        #expect(shown(world) == ["token", "token", "revoke", "revoke"].map { "\($0) \(place)" })
    }

    @Test func `pushed requests and devices show it too`() async throws {
        for way in ["basic", "post"] {
            let pushing = try world(["client_secret_\(way)"]) { $0.demandsPushedRequests = true }
            #expect(try await signIn(pushing).subject == "alice")
            #expect(shown(pushing) == ["par \(way)", "token \(way)"])
            let device = try world(["client_secret_\(way)"])
            let signIn = SignIn(
                client: device.client, browser: AddressReader { _ in },
                environment: SessionEnvironment(sleep: { try await Pauses().wait($0) }))
            var request = SignIn.Request(
                clientID: "pavise-lab", resource: try WebURL(device.authority.issuer).origin)
            request.clientSecret = SharedSecretBytes(Self.secret)
            let server = try await signIn.discover(issuer: device.authority.issuer)
            let authority = device.authority
            _ = try await signIn.runOnDevice(at: server, request, into: device.store) { prompt in
                try? authority.approveDevice(prompt.code)
            }
            #expect(shown(device) == ["device \(way)", "token \(way)"])
        }
    }

    @Test(arguments: [["none"], ["private_key_jwt", "tls_client_auth"], []])
    func `an authority that takes no secret never sees it`(_ ways: [String]) async throws {
        let world = try world(ways)
        await #expect(throws: SignInFailure.clientSecretNotTaken) { try await signIn(world) }
        #expect(shown(world).isEmpty && world.authority.counters.tokenRequests == 0)
        #expect(!world.authority.server.requests.contains { $0.path.hasSuffix("/authorize") })
    }

    @Test(arguments: ["", "two\nlines", "naïve", String(repeating: "x", count: 1025)])
    func `what can be no secret is sent nowhere`(_ secret: String) async throws {
        let world = try world()
        await #expect(throws: SignInFailure.unusableClientSecret) { try await signIn(world, secret: secret) }
        #expect(shown(world).isEmpty && world.authority.counters.tokenRequests == 0)
    }

    @Test(arguments: ["wrong", nil])
    func `a wrong secret, and none, sign nobody in`(_ secret: String?) async throws {
        let world = try world()
        await #expect(throws: SignInFailure.refused(code: "invalid_client")) {
            try await signIn(world, secret: secret)
        }
        #expect(try world.record == nil)
    }

    @Test func `a public client's authority that gets a secret would refuse it`() async throws {
        let world = try world { $0.clientSecret = nil }
        await #expect(throws: SignInFailure.clientSecretNotTaken) { try await signIn(world) }
        #expect(try await signIn(world, secret: nil).subject == "alice")
    }

    @Test(arguments: ["client_secret_basic", "client_secret_post"], [302, 307, 308])
    func `it follows no redirect`(_ way: String, _ status: Int) async throws {
        let world = try world([way])
        let thief = try LabAuthority.start(world.identity)
        world.authority.fail(.token, with: .redirect(status, to: thief.address(.token)))
        await #expect(throws: SignInFailure.self) { try await signIn(world) }
        #expect(shown(world) == ["token \(way == "client_secret_basic" ? "basic" : "post")"])
        #expect(thief.server.counters.requests == 0)
    }

    @Test func `the resource gets the token and never the secret`() async throws {
        let world = try world(["client_secret_post"])
        let session = try await signIn(world).session
        _ = try await session.send(try world.request())
        let calls = world.authority.server.requests.filter { $0.path.hasPrefix("/api/") }
        #expect(calls.count == 1 && calls[0].field("Authorization")?.hasPrefix("Bearer ") == true)
        #expect(!"\(calls)".contains("canary p"))
    }

    @Test func `it is kept with the tokens and goes with them`() async throws {
        for ends in [true, false] {
            let world = try world()
            let session = try await signIn(world).session
            #expect(try world.record?.server.authentication?.secret.text == Self.secret)
            if ends {
                world.authority.revokeEverything()
                await #expect(throws: SessionFailure.self) { try await session.forceRefresh() }
            } else {
                _ = await session.signOut()
            }
            let left = try #require(try world.record)
            #expect(left.ending != nil && left.server.authentication == nil)
            #expect(!String(decoding: left.encoded(), as: UTF8.self).contains("canary p"))
        }
    }

    @Test func `no text of a request or a record shows it`() throws {
        var request = SignIn.Request(
            clientID: "app", resource: Origin(scheme: .https, host: "files.example", port: 443))
        request.clientSecret = SharedSecretBytes(Self.secret)
        let server = TokenServer(
            issuer: "https://id.example", clientID: "app", tokenEndpoint: try WebURL("https://id.example/token"),
            authentication: ClientAuthentication(.basic, secret: SharedSecretBytes(Self.secret)))
        var text = "\(request) \(server)"
        dump(request, to: &text)
        dump(server, to: &text)
        #expect(!text.contains("canary"))
    }

    @Test func `the halves of the credential are encoded on their own`() {
        let authentication = ClientAuthentication(.basic, secret: SharedSecretBytes("p:a ss+%"))
        let pair = Base64.decode(authentication.basicCredential(of: "my:app").text)
        #expect(pair == Array("my%3Aapp:p%3Aa%20ss%2B%25".utf8))
        // The same bytes as a text would have, for every character that a secret may have.
        let all = String(decoding: (UInt8(0x20)...0x7E).map { $0 }, as: UTF8.self)
        let made = ClientAuthentication(.basic, secret: SharedSecretBytes(all)).basicCredential(of: all)
        #expect(made.text == Base64.encode(Array("\(FormEncoding.escape(all)):\(FormEncoding.escape(all))".utf8)))
    }
}
