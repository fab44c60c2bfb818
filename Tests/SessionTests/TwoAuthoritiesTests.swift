import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import Synchronization
import TestSupport
import Testing

@testable import PaviseSession

/// Two running authorities and a connection at each (oauth A7, R3, S2): what one gave never reaches the other, whatever
/// metadata or a stored record says.
@Suite struct TwoAuthoritiesTests {
    private static let endpoints: [(String, AuthorityEndpoint)] = [
        ("authorization_endpoint", .authorize), ("token_endpoint", .token), ("revocation_endpoint", .revoke),
        ("jwks_uri", .jwks), ("pushed_authorization_request_endpoint", .par),
        ("device_authorization_endpoint", .device),
    ]

    // Whoever gets so far waits for nobody.
    private static let closed = AddressReader { (_) throws(BrowserFailure) in throw BrowserFailure("it was opened") }
    private static let hasty = SessionEnvironment(sleep: { _ in throw CancellationError() })

    private let world: TwoAuthorities

    init() throws { world = try TwoAuthorities() }

    @Test(arguments: endpoints.map(\.0) + ["userinfo_endpoint"])
    func `what an authority's metadata says later moves no token`(_ name: String) async throws {
        let one = try await world.signedIn("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try world.cross(name)
        _ = try await one.session?.forceRefresh()
        _ = try? await one.userInfo()
        #expect(await one.signOut() == SignOutReport(localFailure: nil, revocation: .done))
        #expect(world.second.server.requests.count == before)
        #expect(world.first.counters.rotations == 1)
        let tokens = world.first.issuedTokens.filter { $0.kind == .access || $0.kind == .refresh }
        #expect(tokens.count == 4 && tokens.allSatisfy { world.first.isRevoked($0.value) })
        #expect(world.strays.isEmpty)
    }

    @Test func `claims about a person are not asked for at another authority`() async throws {
        let one = try await world.signedIn("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        try world.cross("userinfo_endpoint")
        await #expect(throws: UserInfoFailure.otherAuthority) { try await one.userInfo() }
        #expect(world.strays.isEmpty)
    }

    @Test func `the page for a sign-out is not opened at another authority`() async throws {
        let one = try await world.signedIn("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        try world.cross("end_session_endpoint")
        let opened = Mutex<[String]>([])
        let browser = AddressReader { (url) throws(BrowserFailure) in opened.withLock { $0.append(url.description) } }
        let report = await one.signOut(in: browser, receiver: nil, patience: .milliseconds(1))
        #expect(report.revocation == .done && report.authorityPage == .notConfirmed)
        #expect(opened.withLock { $0 }.isEmpty && world.strays.isEmpty)
    }

    @Test func `no client is registered at another authority`() async throws {
        let one = try world.add("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        try world.cross("registration_endpoint")
        let server = try await one.authority()
        let others = MixUpGuard { [world] in (try? WebURL(world.second.issuer)).map { [$0.origin] } }
        #expect(throws: SignInFailure.discovery(.otherAuthority("registration_endpoint"))) {
            try others.checkRegistration(at: server)
        }
        try MixUpGuard.none.checkRegistration(at: server)
        world.first.heal()
        try others.checkRegistration(at: try await one.authority())
    }

    @Test func `an app registers no client at another connection's authority, and none without TLS`() async throws {
        let one = try world.add("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try world.cross("registration_endpoint")
        let signIn = SignIn(client: one.client, browser: Self.closed)
        let crossed = try await one.authority()
        await #expect(throws: SignInFailure.discovery(.otherAuthority("registration_endpoint"))) {
            try await world.connections().register(at: crossed, by: signIn, scopes: ["openid"])
        }
        let plain = AuthorizationServer(
            issuer: crossed.issuer, authorizationEndpoint: crossed.authorizationEndpoint,
            tokenEndpoint: crossed.tokenEndpoint, registrationEndpoint: try WebURL("http://127.0.0.1:1/endpoint"))
        await #expect(throws: SignInFailure.discovery(.withoutTLS("registration_endpoint"))) {
            try await signIn.register(at: plain, scopes: ["openid"])
        }
        #expect(world.second.server.requests.count == before)
        world.first.heal()
        let own = try await one.authority()
        let made = try await world.connections().register(at: own, by: signIn, scopes: ["openid"])
        #expect(world.first.registeredClients == [made.clientID] && world.second.registeredClients.isEmpty)
    }

    @Test func `a sign-in with a client of its own registers none at another connection's authority`() async throws {
        _ = try await world.signedIn("two", at: world.second)
        try world.cross("registration_endpoint")
        var options = SignInOptions()
        options.registersClient = true
        options.browser = Self.closed
        let connector = try Connector(
            try WebURL(world.first.issuer), as: "one", .tokens(clientID: "none"), in: world.connections(),
            options: options)
        await #expect(throws: SignInFailure.discovery(.otherAuthority("registration_endpoint"))) {
            try await connector.run(asking: WillingPrompts())
        }
        #expect(world.second.registeredClients.isEmpty && world.strays.isEmpty)
    }

    @Test(arguments: endpoints)
    func `nobody signs in by metadata with an endpoint at another connection's authority`(
        _ name: String, _ endpoint: AuthorityEndpoint
    ) async throws {
        let one = try world.add("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try world.cross(name)
        await #expect(throws: SignInFailure.discovery(.otherAuthority(name))) {
            try await one.signIn(browser: Self.closed)
        }
        let hasty = try world.connections(Self.hasty).open("one")
        await #expect(throws: SignInFailure.discovery(.otherAuthority(name))) {
            try await hasty.signInOnDevice { _ in Issue.record("a code was shown") }
        }
        #expect(world.second.server.requests.count == before && world.strays.isEmpty)
        world.first.heal()
        try await one.signIn(browser: world.browser(at: world.first))
    }

    @Test(arguments: endpoints.map(\.0))
    func `an authority that an app has configured has no endpoint without TLS`(_ name: String) async throws {
        let one = try world.add("one", at: world.first)
        let found = try await one.authority()
        let plain = try WebURL("http://127.0.0.1:1/endpoint")
        let place = { (other: String, url: WebURL?) in other == name ? plain : url }
        let server = AuthorizationServer(
            issuer: found.issuer,
            authorizationEndpoint: place("authorization_endpoint", nil) ?? found.authorizationEndpoint,
            tokenEndpoint: place("token_endpoint", nil) ?? found.tokenEndpoint,
            revocationEndpoint: place("revocation_endpoint", found.revocationEndpoint),
            keysEndpoint: place("jwks_uri", found.keysEndpoint),
            pushedRequestEndpoint: place("pushed_authorization_request_endpoint", found.pushedRequestEndpoint),
            deviceEndpoint: place("device_authorization_endpoint", found.deviceEndpoint))
        await #expect(throws: SignInFailure.discovery(.withoutTLS(name))) {
            try await one.signIn(at: server, browser: Self.closed)
        }
        let hasty = try world.connections(Self.hasty).open("one")
        await #expect(throws: SignInFailure.discovery(.withoutTLS(name))) {
            try await hasty.signInOnDevice(at: server) { _ in Issue.record("a code was shown") }
        }
    }

    @Test func `an endpoint elsewhere is no fault where no connection's authority is`() async throws {
        let one = try world.add("one", at: world.first)
        try world.cross("revocation_endpoint")
        try await one.signIn(browser: world.browser(at: world.first))
        #expect(try await world.status(one) == 200)
    }

    @Test(arguments: [true, false])
    func `a stored record with an endpoint at another authority spends and revokes nothing there`(_ isToken: Bool)
        async throws
    {
        let one = try await world.signedIn("one", at: world.first)
        _ = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try await world.forge(one, isToken ? "token_endpoint" : "revocation_endpoint")
        // As another process would open it.
        let again = try world.connections().open("one")
        // The old access token is lent as long as it lives, and nothing was journaled or sent.
        let forged = try await world.record(again)
        _ = try? await again.session?.forceRefresh()
        #expect(try await world.record(again)?.stamp == forged?.stamp && forged?.pending == nil)
        #expect(try await world.record(again)?.pending == nil && world.first.counters.refreshes == 0)
        #expect(await again.signOut() == SignOutReport(localFailure: nil, revocation: .failed))
        #expect(await world.connections().finishRevocations() == RevocationsReport())
        #expect(world.second.server.requests.count == before && world.strays.isEmpty)
        #expect(await again.session?.state == .signedOut)
    }

    @Test func `nothing goes to what may be the authority of a connection that cannot be read now`() async throws {
        let one = try await world.signedIn("one", at: world.first)
        let two = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try await world.forge(one, "token_endpoint")
        let again = try world.connections().open("one")
        let file = "/\(two.descriptor.id)/connection.json"
        let observer = FileObserver(failure: { $0.call == .open && $0.path.hasSuffix(file) ? EIO : nil })
        await FileObserver.$current.withValue(observer) { _ = try? await again.session?.forceRefresh() }
        #expect(world.second.server.requests.count == before && world.strays.isEmpty)
        #expect(try await world.record(again)?.pending == nil)
    }

    @Test(
        "nothing goes to what may be the authority of a connection whose file was left to another user",
        .enabled(if: geteuid() == 0, "only root can give away"))
    func givenAway() async throws {
        let one = try await world.signedIn("one", at: world.first)
        let two = try await world.signedIn("two", at: world.second)
        let before = world.second.server.requests.count
        try await world.forge(one, "token_endpoint")
        let again = try world.connections().open("one")
        let isGiven = unsafe chown("\(world.home.connections)/\(two.descriptor.id)/connection.json", 12345, 12345) == 0
        #expect(isGiven)
        _ = try? await again.session?.forceRefresh()
        #expect(world.second.server.requests.count == before && world.strays.isEmpty)
        #expect(try await world.record(again)?.pending == nil)
    }

    @Test func `what waits to be revoked does not go to a server that has become another connection's authority`()
        async throws
    {
        let one = try world.add("one", at: world.first)
        try world.cross("revocation_endpoint")
        try await one.signIn(browser: world.browser(at: world.first), binding: .never)
        world.second.fail(.revoke, with: .status(503))
        #expect(await one.signOut() == SignOutReport(localFailure: nil, revocation: .queued))
        _ = try world.add("two", at: world.second)
        let before = world.second.server.requests.count
        let system = TimeSource.system
        let later = SessionEnvironment(
            time: TimeSource(
                wall: { system.wallMilliseconds + 3_600_000 }, boot: { system.bootMilliseconds + 3_600_000 },
                epoch: { system.bootEpoch }))
        #expect(await world.connections(later).finishRevocations().waiting == 1)
        #expect(world.second.server.requests.count == before)
    }

    @Test func `two connections at once each get their own token`() async throws {
        let one = try await world.signedIn("one", at: world.first)
        let two = try await world.signedIn("two", at: world.second)
        for _ in 0..<3 {
            world.first.expireAccessTokens()
            world.second.expireAccessTokens()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask { [world] in try await world.status(number.isMultiple(of: 2) ? one : two) }
                }
                for try await status in group { #expect(status == 200) }
            }
        }
        async let first = one.signOut()
        async let second = two.signOut()
        #expect(await [first.revocation, second.revocation] == [.done, .done])
        for authority in [world.first, world.second] {
            #expect(authority.counters.rotations == 3)
            #expect(authority.issuedTokens.filter { $0.kind == .refresh }.allSatisfy { authority.isRevoked($0.value) })
        }
        #expect(world.strays.isEmpty)
    }
}

/// Agrees to every server.
private struct WillingPrompts: ConnectPrompts {
    func judge(_ origin: Origin, for purposes: [String]) async throws {}
    func accept(_ weaker: WeakerSignIn) async throws {}
    func accept(_ servers: [NamedServer]) async throws {}
    func password() async throws -> SharedSecretBytes { throw SignInFailure.wrongMethod }
    func clientSecret() async throws -> SharedSecretBytes? { nil }
    func signingIn(_ body: @escaping @Sendable () async throws -> SignIn.Success) async throws -> SignIn.Success {
        try await body()
    }
}

/// Two authorities with a canary each, and a home with connections to them.
private final class TwoAuthorities: Sendable {
    let first: LabAuthority
    let second: LabAuthority
    private let memory = MemoryStore()
    private let key = MemoryKey()
    private let folder: TemporaryFolder
    private let anchor: [UInt8]

    init() throws {
        let certificates = try CertificateAuthority()
        let authorities = try ["of-the-first", "of-the-second"].map { canary in
            var configuration = AuthorityConfiguration()
            configuration.canary = canary
            return try LabAuthority.start(try certificates.issue(), configuration: configuration)
        }
        (first, second) = (authorities[0], authorities[1])
        anchor = certificates.anchor
        folder = try TemporaryFolder()
    }

    deinit {
        first.stop()
        second.stop()
    }

    var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    /// The connections as a process of its own would open them.
    func connections(_ environment: SessionEnvironment = .system) -> Connections {
        let (anchor, memory, key) = (anchor, memory, key)
        return Connections(
            home: home, environment: environment,
            makeClient: { (trust) throws(TransportFailure) in
                var trust = trust
                trust.anchors = .only([anchor])
                return try HTTPClient(policy: trust)
            }, makeVault: { _ in TokenVault(store: memory, key: key) })
    }

    func add(_ name: String, at authority: LabAuthority) throws -> Connection {
        try connections().add(
            name, origin: try WebURL(authority.issuer).origin, clientID: "pavise-lab", scopes: ["openid", "api"])
    }

    func signedIn(_ name: String, at authority: LabAuthority) async throws -> Connection {
        let connection = try add(name, at: authority)
        try await connection.signIn(browser: browser(at: authority))
        #expect(try await status(connection) == 200)
        return connection
    }

    func browser(at authority: LabAuthority) -> any Browser {
        AddressReader { (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
    }

    func status(_ connection: Connection) async throws -> Int {
        try await connection.send(HTTPRequest("GET", connection.url("/api/files"))).status
    }

    /// Lets the first authority's metadata name the second's endpoint.
    func cross(_ name: String) throws {
        let place = try address(name)
        for document in [AuthorityEndpoint.discovery, .metadata] { first.fail(document, with: .member(name, place)) }
    }

    func record(_ connection: Connection) async throws -> SessionRecord? {
        guard let store = await connection.session?.store, case .present(let record) = try store.load() else {
            return nil
        }
        return record
    }

    /// Writes the second authority's endpoint into the stored record of a session at the first.
    func forge(_ connection: Connection, _ name: String) async throws {
        guard let store = await connection.session?.store, var record = try await record(connection) else {
            throw LabFailure.request("there is no record")
        }
        let stamp = record.stamp
        let place = try WebURL(try address(name))
        let isToken = name == "token_endpoint"
        record.server = TokenServer(
            issuer: record.server.issuer, clientID: record.server.clientID,
            tokenEndpoint: isToken ? place : record.server.tokenEndpoint,
            revocationEndpoint: isToken ? record.server.revocationEndpoint : place)
        guard case .done = try await store.swap(stamp, for: record) else {
            throw LabFailure.request("the record was not written")
        }
    }

    private func address(_ name: String) throws -> String {
        let endpoints: [String: AuthorityEndpoint] = [
            "authorization_endpoint": .authorize, "token_endpoint": .token, "revocation_endpoint": .revoke,
            "jwks_uri": .jwks, "pushed_authorization_request_endpoint": .par, "device_authorization_endpoint": .device,
            "userinfo_endpoint": .userinfo, "end_session_endpoint": .logout, "registration_endpoint": .register,
        ]
        guard let endpoint = endpoints[name] else { throw LabFailure.request("no endpoint is called \(name)") }
        return second.address(endpoint)
    }

    /// Requests at one authority that hold something which the other gave.
    var strays: [String] {
        let pairs = [(first, second), (second, first)]
        return pairs.flatMap { giver, taker in
            let canaries = giver.issuedTokens.map(\.value) + [giver.configuration.canary]
            return taker.server.requests.filter { request in
                let fields = request.fields.map(\.value).joined(separator: "\n")
                let text = "\(request.target)\n\(fields)\n\(String(decoding: request.body, as: UTF8.self))"
                return canaries.contains { text.contains($0) }
            }.map(\.path)
        }
    }
}
