import DiaryCore
import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseTesting

/// The scenes of `make demo`, played against the diary; those that want a window are steps of `make diary-walk`.
@Suite struct DiaryAttackTests {
    private static let pin = "730469"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ world: TestWorld, managed: ManagedFile = .none) throws -> DiarySecurity {
        DiarySecurity(
            over: try world.app(
                DiarySecurity.identifier, configuration: try DiarySecurity.configuration(), managed: managed),
            settings: Settings(store: SettingsFile(home: PaviseHome(path: folder.path), program: "diary")))
    }

    /// A diary with a PIN, a consent and one night; signed in unless `signsIn` says otherwise.
    private func begun(
        _ world: TestWorld, managed: ManagedFile = .none, signsIn: Bool = true
    ) async throws -> DiarySecurity {
        let security = try open(world, managed: managed)
        try await security.choose(SecretBytes(utf8: Self.pin))
        try await security.consent(true)
        let night = try Self.night()
        try await security.with { try $0.keep(night) }
        if signsIn { try await signIn(security, world) }
        return security
    }

    private static func night() throws -> Night {
        let bed = Date(timeIntervalSince1970: 1_728_079_200)
        return try Night(
            date: try #require(LocalDate(days: 20_000)), toBed: bed, offsetToBed: 0, up: bed.addingTimeInterval(28_800),
            offsetUp: 0, asleepAfter: 10, awake: 20, note: "canary heron")
    }

    private func signIn(
        _ security: DiarySecurity, _ world: TestWorld, options: SignInOptions? = nil
    ) async throws {
        _ = try await security.signIn(
            to: try await security.review(world.authority.issuer), options: options ?? world.willing())
    }

    private static var authority: AuthorityConfiguration {
        var configuration = AuthorityConfiguration()
        configuration.clientID = DiarySecurity.clientID
        configuration.accessTokenLifetime = 1_800
        return configuration
    }

    private struct Me: Decodable, Sendable { let user: String }

    private static func code(_ body: () async throws -> Void) async -> PaviseError.Code? {
        do { try await body() } catch { return (error as? PaviseError)?.code }
        return nil
    }

    // MARK: Connections

    @Test func `Scene 2: a callback with a foreign state changes nothing, and the true one signs in`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world, signsIn: false)
            let statuses = Mutex<[Int]>([])
            var options = SignInOptions()
            let authority = world.authority
            options.browser = AddressReader { (address) throws(BrowserFailure) in
                do {
                    let callback = try authority.approve(address.description)
                    let foreign = callback.replacing("state=", with: "state=x")
                    for address in [foreign, callback] {
                        let status = try LabBrowser.open(address).status
                        statuses.withLock { $0.append(status) }
                    }
                } catch {
                    throw BrowserFailure("\(error)")
                }
            }
            try await signIn(security, world, options: options)
            #expect(statuses.withLock { $0 } == [404, 200] && world.authority.counters.codeExchanges == 1)
        }
    }

    @Test func `Scenes 4 and 5: many callers in two processes spend no refresh token twice`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let first = try await begun(world)
            let second = try open(world)
            try await second.unlock(SecretBytes(utf8: Self.pin))
            let accounts = [try #require(try await first.account()), try #require(try await second.account())]
            for round in 1...3 {
                world.authority.expireAccessTokens()
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<100 {
                        group.addTask { try await accounts[number % 2].get("/api/me", as: Me.self).user == "alice" }
                    }
                    for try await isRight in group { #expect(isRight) }
                }
                #expect(world.authority.counters.refreshes == round)
            }
            #expect(world.authority.counters.reuseDetections == 0 && world.authority.counters.revokedFamilies == 0)
        }
    }

    @Test(arguments: [AuthorityFault.status(500), .page(200), .hangUp, .tooManyRequests(retryAfter: "1")])
    func `Scene 6: an authority out of order signs nobody out, and the diary opens`(_ fault: AuthorityFault)
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            let account = try #require(try await security.account())
            world.authority.expireAccessTokens()
            world.authority.fail(.token, with: fault)
            await #expect(throws: PaviseError.self) { _ = try await account.get("/api/me", as: Me.self) }
            if case .needsSignIn = await account.state { Issue.record("signed out by \(fault)") }
            #expect(try await security.with { try $0.nights().count } == 1)
        }
    }

    @Test func `Scene 7: an answer that was lost is told as what it is, and takes no night`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            let account = try #require(try await security.account())
            try await world.during(.answerLost) {
                #expect(await Self.code { _ = try await account.get("/api/me", as: Me.self) } == .signInNeeded)
            }
            #expect(try await security.with { try $0.nights().count } == 1)
            try await signIn(security, world)
            #expect(try await #require(try await security.account()).get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test
    func `C8: a server that an administrator's list leaves out is forbidden, and nobody connects to it`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let rules = try rulesFile(#"{"allowedServers": ["clinic.example"]}"#)
            let security = try await begun(world, managed: rules, signsIn: false)
            let before = world.authority.server.counters.connections
            await #expect { _ = try await security.review(world.authority.issuer) } throws: {
                ($0 as? PaviseError)?.code == .managed
            }
            #expect(world.authority.server.counters.connections == before)
        }
    }

    @Test func `Scene 8: with an administrator's pins a valid certificate of another key gets nothing`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let backup = try world.certificates.issue()
            let rules = """
                {"allowedServers": ["127.0.0.1:\(world.authority.server.port)"],
                "requiredPins": [{"hosts": ["127.0.0.1"], "backup": "required",
                "leaf": ["\(world.identity.pin)", "\(backup.pin)"]}]}
                """
            let security = try await begun(world, managed: try rulesFile(rules))
            let account = try #require(try await security.account())
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            try world.authority.server.use(try world.certificates.issue())
            world.authority.server.dropConnections()
            world.authority.server.forget()
            await #expect { _ = try await account.get("/api/me", as: Me.self) } throws: {
                ($0 as? PaviseError)?.isSecurityEvent == true
            }
            let verdict = try await security.review(world.authority.issuer).verdict
            if case .refused = verdict {} else { Issue.record("a person could approve it: \(verdict)") }
            #expect(world.authority.server.counters.applicationBytes == 0)
        }
    }

    @Test func `URL limits: an administrator's list of servers keeps the person from every other one`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let managed = try rulesFile(#"{"allowedServers": ["clinic.example"]}"#)
            let security = try await begun(world, managed: managed, signsIn: false)
            await #expect(throws: PaviseError.self) { _ = try await security.review(world.authority.issuer) }
            #expect(world.authority.server.counters.connections == 0)
        }
    }

    private func rulesFile(_ text: String) throws -> ManagedFile {
        let path = folder.path + "/managed.json"
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return ManagedFile(path: path)
    }

    private static let weak = LabTLS(securityLevel: 0)

    @Test func `Scene 9: bad servers are refused or asked about, each for its own reason, and get nothing`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world, signsIn: false)
            let certified: [(LeafProfile, LabTLS, TrustFailure)] = [
                (LeafProfile(validity: .expired), LabTLS(), .expired),
                (LeafProfile(validity: .notYetValid), LabTLS(), .notYetValid),
                (LeafProfile(names: ["other.example"], addresses: []), LabTLS(), .wrongHost),
                (LeafProfile(isSelfSigned: true), LabTLS(), .selfSigned),
                (LeafProfile(key: .rsa(bits: 1024)), Self.weak, .weakKey),
                (LeafProfile(signature: .sha1), Self.weak, .weakSignature),
            ]
            for (profile, tls, reason) in certified {
                let server = try LabServer.start(try world.certificates.issue(profile), tls: tls) { _ in .text("hi") }
                defer { server.stop() }
                switch try await security.review(server.address()).verdict {
                case .trusted: Issue.record("\(reason): trusted")
                case .needsApproval(let review): #expect(review.failures.first == reason)
                case .refused(let error): #expect("\(error.underlying)".contains(reason.rawValue))
                }
                #expect(server.counters.applicationBytes == 0)
            }
            let old = [
                LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0),
                LabTLS(maximum: .tls12, suites: "AES128-GCM-SHA256:AES256-GCM-SHA384"),
            ]
            for tls in old {
                let identity = try world.certificates.issue(LeafProfile(key: .rsa(bits: 2_048)))
                let server = try LabServer.start(identity, tls: tls) { _ in .text("hi") }
                defer { server.stop() }
                await #expect(throws: PaviseError.self) { _ = try await security.review(server.address()) }
                #expect(server.counters.applicationBytes == 0)
            }
        }
    }

    @Test func `Scene 10: a redirect takes neither token nor request to another server`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            let account = try #require(try await security.account())
            let thief = try LabServer.start(try world.certificates.issue()) { _ in .text("hi") }
            defer { thief.stop() }
            for (status, target) in [(302, thief.address("/api/me")), (308, "http://127.0.0.1:\(thief.port)/")] {
                world.authority.server.answer { _ in .redirect(status, to: target) }
                await #expect(throws: PaviseError.self) { _ = try await account.get("/api/me", as: Me.self) }
                await #expect(throws: PaviseError.self) { _ = try await security.sync()?.run() }
            }
            #expect(thief.counters.connections == 0)
        }
    }

    @Test func `Scene 11: an address without TLS is refused before anybody is contacted`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world, signsIn: false)
            let server = try LabServer.start(nil) { _ in .text("hi") }
            defer { server.stop() }
            #expect(await Self.code { _ = try await security.review(server.address()) } == .unsafeConnection)
            #expect(server.counters.connections == 0)
        }
    }

    @Test func `Server's side: a session that nobody used for four hours ends there, and the person is told`()
        async throws
    {
        var configuration = Self.authority
        configuration.idleTime = 14_400
        try await TestWorld.run(configuration) { world in
            let security = try await begun(world)
            let account = try #require(try await security.account())
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            var notices = security.app.notices.makeAsyncIterator()
            world.clock.advance(seconds: 14_401)
            // The app lock has closed by the same time.
            try await security.unlock(SecretBytes(utf8: Self.pin))
            #expect(await Self.code { _ = try await account.get("/api/me", as: Me.self) } == .signInNeeded)
            #expect(await notices.next()?.action == .signIn)
            #expect(world.authority.counters.idleEnds > 0)
        }
    }

    // MARK: The device

    @Test func `Scene 12: a bit that flips in the diary's folder is never another night, and never an empty diary`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            _ = try await begun(world)
            let night = try Self.night()
            var read = 0
            for round in 0..<24 {
                let name = "flipped-\(round)"
                try world.folder.copy("home", to: name)
                defer { try? world.folder.remove(name) }
                try Self.flip(below: "\(world.folder.path)/\(name)", round)
                let notes = try await SecurityEnvironment.$override.withValue(world.environment(name)) {
                    try await notesAfterUnlock(world)
                }
                if let notes {
                    read += 1
                    #expect(notes == [night.note], "round \(round): \(notes)")
                }
            }
            #expect(read > 0, "every flip was an error: the test reads nothing")
        }
    }

    // What is read; `nil` where the damage was told.
    private func notesAfterUnlock(_ world: TestWorld) async throws -> [String]? {
        do {
            let security = try open(world)
            guard try await security.stage() != .choosePIN else { return ["a PIN is asked for as if nothing was here"] }
            try await security.unlock(SecretBytes(utf8: Self.pin))
            return try await security.with { try $0.nights().map(\.note) }
        } catch is PaviseError {
            return nil
        }
    }

    private static func flip(below folder: String, _ round: Int) throws {
        let files = try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }.sorted()
            .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix(".lock") }
            .compactMap { name -> (String, Int)? in
                let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                guard facts?[.type] as? FileAttributeType == .typeRegular, let size = facts?[.size] as? Int, size > 0
                else { return nil }
                return ("\(folder)/\(name)", size)
            }
        let (path, size) = files[round % files.count]
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.startIndex + Int.random(in: 0..<size)] ^= 1 << UInt8(round % 8)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    @Test func `Scene 13: after the wipe no file of the home has a token, a note or a PIN`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            _ = try await security.sync()?.run()
            let secrets = world.authority.issuedTokens.map(\.value) + ["canary heron", Self.pin]
            #expect(world.authority.issuedTokens.count > 1)
            _ = try await security.eraseEverything()
            let home = world.folder.path
            let names = try #require(FileManager.default.enumerator(atPath: home)).compactMap { $0 as? String }
            for name in names {
                guard let content = FileManager.default.contents(atPath: "\(home)/\(name)") else { continue }
                for secret in secrets { #expect(content.range(of: Data(secret.utf8)) == nil, "\(name)") }
            }
            let left = world.authority.issuedTokens.filter { $0.kind == .refresh && world.authority.accepts($0.value) }
            #expect(left.isEmpty)
        }
    }
}
