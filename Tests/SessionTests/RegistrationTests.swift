import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Testing

@testable import PaviseSession

/// RFC 7591 and 7592: a client that the authority makes for this program, and deletes again.
@Suite struct RegistrationTests {
    private static let redirect = "http://127.0.0.1/callback"

    private func world(_ change: (inout AuthorityConfiguration) -> Void = { _ in }) throws -> LabWorld {
        var configuration = AuthorityConfiguration()
        change(&configuration)
        return try LabWorld(configuration)
    }

    private func register(
        _ world: LabWorld, port: UInt16 = 0, isDevice: Bool = false
    ) async throws(SignInFailure) -> ClientRegistration {
        let signIn = SignIn(client: world.client, browser: AddressReader { _ in })
        let server = try await signIn.discover(issuer: world.authority.issuer)
        return try await signIn.register(at: server, scopes: ["openid"], port: port, isDevice: isDevice)
    }

    /// What a well-behaved authority answers, with some members changed.
    private static func answer(_ changes: [JSONValue.Member], without: String? = nil) -> AuthorityFault {
        let usual: [JSONValue.Member] = [
            .init("client_id", "made"), .init("redirect_uris", [.string(redirect)]),
            .init("token_endpoint_auth_method", "none"),
        ]
        let kept = usual.filter { member in member.name != without && !changes.contains { $0.name == member.name } }
        return .answer(.json(JSONValue.object(kept + changes).text, status: 201))
    }

    @Test func `a native client without a secret is asked for, and signs in`() async throws {
        let world = try world()
        let made = try await register(world)
        #expect(world.authority.registeredClients == [made.clientID] && made.secret == nil)
        let sent = try #require(world.authority.server.requests.last { $0.path.hasSuffix("/register") })
        let asked = try JSONValue.parse(sent.body)
        #expect(asked["application_type"] == "native" && asked["token_endpoint_auth_method"] == "none")
        #expect(asked["redirect_uris"] == [.string(Self.redirect)] && asked["response_types"] == ["code"])
        #expect(asked["grant_types"] == ["authorization_code", "refresh_token"])
        #expect(sent.field("Authorization") == nil)
        #expect(try await world.signIn(change: { $0.clientID = made.clientID }).subject == "alice")
    }

    @Test func `a fixed port is registered, and a device registers no address at all`() async throws {
        let world = try world()
        _ = try await register(world, port: 4711)
        let sent = try #require(world.authority.server.requests.last)
        #expect(try JSONValue.parse(sent.body)["redirect_uris"] == ["http://127.0.0.1:4711/callback"])
        _ = try await register(world, isDevice: true)
        let asked = try JSONValue.parse(try #require(world.authority.server.requests.last).body)
        #expect(asked["redirect_uris"] == nil && asked["response_types"] == [])
        #expect(asked["grant_types"]?.array?.first?.string?.hasSuffix(":device_code") == true)
    }

    // The lab gives secrets for HTTP Basic where it was not asked for one.
    @Test(
        arguments: [(.withSecret, "basic"), (.onlyWithSecret, "basic"), (.onlyWithSecret, "post")]
            as [(AuthorityConfiguration.Registration, String)])
    func `an authority that makes none without a secret gets its way, once`(
        _ kind: AuthorityConfiguration.Registration, _ way: String
    ) async throws {
        let world = try world {
            $0.registration = kind
            $0.clientAuthentication = ["client_secret_\(way)"]
        }
        let made = try await register(world)
        #expect(made.secret != nil && world.authority.counters.registrations == 1)
        let success = try await world.signIn(change: {
            $0.clientID = made.clientID
            $0.clientSecret = made.secret
        })
        #expect(success.subject == "alice")
    }

    @Test(
        arguments: [
            (.integer(1_900_000_000), 1_900_000_000), ("1900000000", 1_900_000_000), (.integer(0), nil), (nil, nil),
            (.integer(-1), nil), (.integer(Int64.max), nil), ("soon", nil), (.bool(true), nil),
        ] as [(JSONValue?, Int64?)])
    func `the end of a secret is told, and 0 is none`(_ member: JSONValue?, _ end: Int64?) async throws {
        let world = try world { $0.registration = .withSecret }
        let secret: [JSONValue.Member?] = [
            .init("token_endpoint_auth_method", "client_secret_basic"), .init("client_secret", "secret"),
            member.map { .init("client_secret_expires_at", $0) },
        ]
        world.authority.fail(.register, with: Self.answer(secret.compactMap(\.self)))
        let made = try await register(world)
        #expect(made.secret != nil && made.secretExpires == end)
    }

    @Test func `an authority that does not offer it is not asked`() async throws {
        let world = try world { $0.registration = .none }
        await #expect(throws: SignInFailure.registration(.notOffered)) { try await register(world) }
        #expect(world.authority.server.requests.allSatisfy { $0.method == "GET" })
    }

    @Test(arguments: [
        (AuthorityFault.status(500), RegistrationProblem.unusableAnswer), (.page(201), .unusableAnswer),
        (.page(200), .unusableAnswer), (.oversized(bytes: 200_000), .unavailable(.server)),
        (.nested(depth: 1000), .unusableAnswer),
        (.hangUp, .unavailable(.network)), (.redirect(307, to: "https://127.0.0.1:1/"), .unusableAnswer),
        (.twice("client_id", "other"), .unusableAnswer), (.contentType("text/plain"), .unusableAnswer),
        (.error(403, "access_denied"), .refused(code: "access_denied")),
        (.error(400, "invalid_redirect_uri"), .refused(code: "invalid_redirect_uri")),
        (answer([.init("redirect_uris", ["https://attacker.example/"])]), .otherRedirects),
        (answer([.init("redirect_uris", [.string(redirect), "https://attacker.example/"])]), .otherRedirects),
        (answer([.init("redirect_uris", .string(redirect))]), .otherRedirects),
        (answer([], without: "redirect_uris"), .otherRedirects),
        (answer([], without: "client_id"), .unusableClient), (answer([.init("client_id", "")]), .unusableClient),
        (answer([.init("client_id", "two words")]), .unusableClient),
        (answer([.init("client_id", 7)]), .unusableClient),
        (answer([.init("client_id", .string(String(repeating: "x", count: 257)))]), .unusableClient),
        (answer([.init("token_endpoint_auth_method", "private_key_jwt")]), .unusableAuthentication),
        (
            answer([.init("token_endpoint_auth_method", "client_secret_basic"), .init("client_secret", "x")]),
            .unusableAuthentication
        ),
    ])
    func `an answer that cannot be believed registers nothing`(_ fault: AuthorityFault, _ problem: RegistrationProblem)
        async throws
    {
        let world = try world()
        world.authority.fail(.register, with: fault)
        await #expect(throws: SignInFailure.registration(problem)) { try await register(world) }
    }

    @Test(arguments: [
        ("https://attacker.example/c", "token"), ("http://127.0.0.1:1/c", "token"), ("not an address", "token"),
        ("self", ""), ("self", "two words"), ("self", nil),
    ])
    func `a foreign address, or a token that is none, is not kept to delete the client with`(
        _ address: String, _ token: String?
    ) async throws {
        let world = try world()
        let own = world.authority.address(.register) + "/made"
        let changes: [JSONValue.Member?] = [
            .init("registration_client_uri", .string(address == "self" ? own : address)),
            token.map { .init("registration_access_token", .string($0)) },
        ]
        world.authority.fail(.register, with: Self.answer(changes.compactMap(\.self)), times: 1)
        #expect(try await register(world).management == nil)
        let good: [JSONValue.Member] = [
            .init("registration_client_uri", .string(own)), .init("registration_access_token", "token"),
        ]
        world.authority.fail(.register, with: Self.answer(good), times: 1)
        #expect(try await register(world).management?.address.description == own)
    }

    @Test func `it is deleted with its own token, at its own address`() async throws {
        let world = try world()
        let management = try #require(try await register(world).management)
        let isGone = await management.delete(through: world.client, within: .seconds(30)) {
            try await Task.sleep(for: $0)
        }
        #expect(isGone && world.authority.registeredClients.isEmpty && world.authority.counters.deregistrations == 1)
        world.authority.fail(.register, with: .status(500))
        let another = await management.delete(through: world.client, within: .seconds(30)) {
            try await Task.sleep(for: $0)
        }
        #expect(!another)
    }

    @Test func `what deletes it survives its bytes, and damage is not the same as none`() throws {
        let vault = TokenVault(store: MemoryStore(), key: MemoryKey())
        try vault.prepare()
        let management = ClientRegistration.Management(
            address: try WebURL("https://id.example/register/a"), token: SharedSecretBytes("canary"))
        #expect(try ClientRegistration.Management.read(in: vault, as: Stage.name) == nil)
        try management.store(in: vault, as: Stage.name)
        let read = try #require(try ClientRegistration.Management.read(in: vault, as: Stage.name))
        #expect(read.address == management.address && read.token.matches(management.token))
        let damaged: [[UInt8]] = [
            [], [1], [0, 0, 0, 0, 0], [1, 0, 0, 0, 1, 0x78, 0, 0, 0, 1, 0x79], [1, 255, 255, 255, 255],
        ]
        for bytes in damaged {
            try vault.store(bytes.span, as: Stage.name)
            #expect(throws: VaultFailure.corrupt(.content)) {
                try ClientRegistration.Management.read(in: vault, as: Stage.name)
            }
        }
    }

    @Test(
        arguments: [VaultFailure.locked(status: -25_308), VaultFailure.denied(status: -34_018), VaultFailure.busy]
            as [VaultFailure])
    func `where the store does not say whether there is one, that is its own answer`(_ failure: VaultFailure) throws {
        let (store, key) = (MemoryStore(), MemoryKey())
        let vault = TokenVault(store: store, key: key)
        try vault.prepare()
        let management = ClientRegistration.Management(
            address: try WebURL("https://id.example/register/a"), token: SharedSecretBytes("canary"))
        try management.store(in: vault, as: Stage.name)
        store.set { $0.readFailure = failure }
        #expect(throws: failure) { try ClientRegistration.Management.read(in: vault, as: Stage.name) }
        store.set { $0.readFailure = nil }
        key.lose()
        #expect(throws: VaultFailure.keyLost) { try ClientRegistration.Management.read(in: vault, as: Stage.name) }
    }
}
