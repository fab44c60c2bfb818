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

@testable import PaviseProtectedStorage
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

    @Test func `Server's side: a session ends there after a day, however busy, and the person is told`() async throws {
        var configuration = Self.authority
        configuration.idleTime = 14_400
        configuration.maximumSession = 86_400
        try await TestWorld.run(configuration) { world in
            let security = try await begun(world)
            let account = try #require(try await security.account())
            var notices = security.app.notices.makeAsyncIterator()
            for _ in 0..<7 {
                world.clock.advance(seconds: 12_000)
                if case .locked = try await security.stage() { try await security.unlock(SecretBytes(utf8: Self.pin)) }
                security.app.lock.used()
                #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            }
            world.clock.advance(seconds: 2_401)
            if case .locked = try await security.stage() { try await security.unlock(SecretBytes(utf8: Self.pin)) }
            #expect(await Self.code { _ = try await account.get("/api/me", as: Me.self) } == .signInNeeded)
            #expect(await notices.next()?.action == .signIn)
        }
    }

    // MARK: The device

    @Test
    func `Scene 12: a bit that flips in any file of the diary is never another night, document or an empty diary`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            try await security.keep(document: Array("canary letter".utf8), named: "letter.txt")
            let night = try Self.night()
            let files = try Self.files(below: "\(world.folder.path)/home")
            let seed = UInt64.random(in: 0...UInt64.max)
            var (read, opened) = (0, 0)
            for (round, file) in files.enumerated() {
                let name = "flipped-\(round)"
                try world.folder.copy("home", to: name)
                defer { try? world.folder.remove(name) }
                try Self.flip("\(world.folder.path)/\(name)/\(file)", seed &+ UInt64(round))
                let (notes, letters) = try await SecurityEnvironment.$override.withValue(world.environment(name)) {
                    try await readAfterUnlock(world)
                }
                if let notes {
                    read += 1
                    #expect(notes == [night.note], "seed \(seed), \(file): \(notes)")
                }
                for letter in letters ?? [] {
                    opened += 1
                    #expect(letter == "canary letter", "seed \(seed), \(file): \(letter)")
                }
            }
            #expect(files.count > 10 && read > 0 && opened > 0, "every flip was an error: the test reads nothing")
        }
    }

    // The notes and the documents that are read; `nil` where the damage was told.
    private func readAfterUnlock(_ world: TestWorld) async throws -> ([String]?, [String]?) {
        do {
            let security = try open(world)
            guard try await security.stage() != .choosePIN else {
                return (["a PIN is asked for as if nothing was here"], nil)
            }
            try await security.unlock(SecretBytes(utf8: Self.pin))
            let notes = try? await security.with { try $0.nights().map(\.note) }
            let letters = (try? await security.documents())?.compactMap { document in
                (try? security.app.files.get(document.id, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
            }
            return (notes, letters)
        } catch is PaviseError {
            return (nil, nil)
        }
    }

    @Test func `a changed description of the account hides no night, and a sign-out wipes the account`() async throws {
        try await TestWorld.run(Self.authority) { world in
            _ = try await begun(world)
            try world.folder.copy("home", to: "changed")
            let home = "\(world.folder.path)/changed"
            let files = try Self.files(below: home).filter { $0.hasSuffix("/connection.json") }
            #expect(files.count == 1)
            for file in files {
                let place = URL(fileURLWithPath: "\(home)/\(file)")
                let text = try String(contentsOf: place, encoding: .utf8)
                let changed = text.replacingOccurrences(of: "https://", with: "https://other.")
                #expect(changed != text)
                try Data(changed.utf8).write(to: place)
            }
            let note = try Self.night().note
            try await SecurityEnvironment.$override.withValue(world.environment("changed")) {
                let security = try open(world)
                try await security.unlock(SecretBytes(utf8: Self.pin))
                let contents = try await security.contents()
                #expect(contents.nights.map(\.note) == [note])
                #expect(contents.account == nil && contents.accountTrouble?.code == .damaged)
                let report = try #require(try await security.signOut())
                #expect(report.localFailure == nil)
                let names = try security.app.accountNames()
                #expect(names.isEmpty)
                let after = try await security.contents()
                #expect(after.nights.map(\.note) == [note] && after.accountTrouble == nil)
            }
        }
    }

    @Test func `where the account's records are lost no night is taken for erased, before and after a run`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            let night = try Self.night().note
            _ = try await #require(try await security.sync()).run()
            let container = try #require(try await security.account()).container().platform
            let records = try container.databasePath(of: "records-\(DiarySync.path)", .complete)
            let place = records.replacing("\(world.folder.path)/home/", with: "\(world.folder.path)/lost/")
            try world.folder.copy("home", to: "lost")
            #expect(place != records && FileManager.default.fileExists(atPath: place))
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: place + ending) }
            try await SecurityEnvironment.$override.withValue(world.environment("lost")) {
                let security = try open(world)
                try await security.unlock(SecretBytes(utf8: Self.pin))
                let sync = try #require(try await security.sync())
                // Another program is at the records: nobody asked the server.
                let lock = try #require(try Self.recordLock(below: "\(world.folder.path)/lost"))
                let held = try FileLock.tryAcquire(lock)
                _ = try? await sync.run()
                _ = consume held
                #expect(try await security.with { try $0.nights() }.map(\.note) == [night])
                world.authority.fail(.api, with: .status(500))
                await #expect(throws: PaviseError.self) { _ = try await sync.run() }
                #expect(try await security.with { try $0.nights() }.map(\.note) == [night])
                world.authority.heal()
                _ = try await sync.run()
                #expect(try await security.with { try $0.nights() }.map(\.note) == [night])
            }
            #expect(world.authority.records.records("alice/nights").count == 1)
        }
    }

    private static func recordLock(below folder: String) throws -> String? {
        try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }
            .first { $0.contains("/records-") && $0.hasSuffix(".lock") }.map { "\(folder)/\($0)" }
    }

    @Test func `a diary that is damaged as a whole can be erased, and another one begun`() async throws {
        try await TestWorld.run(Self.authority) { world in
            _ = try await begun(world, signsIn: false)
            try world.folder.copy("home", to: "broken")
            let files = try Self.files(below: "\(world.folder.path)/broken").filter { $0.contains("/database/") }
            #expect(!files.isEmpty)
            for file in files {
                let place = URL(fileURLWithPath: "\(world.folder.path)/broken/\(file)")
                try Data(repeating: 0x5A, count: try Data(contentsOf: place).count).write(to: place)
            }
            try await SecurityEnvironment.$override.withValue(world.environment("broken")) {
                let security = try open(world)
                try await security.unlock(SecretBytes(utf8: Self.pin))
                let thrown = await #expect(throws: PaviseError.self) { _ = try await security.stage() }
                let failure = try #require(thrown)
                #expect(DiarySecurity.mayOnlyErase(after: failure))
                #expect(!DiarySecurity.mayOnlyErase(after: PaviseError.appLocked))
                #expect(try await !security.eraseEverything().isCounted)
                #expect(try await security.stage() == .choosePIN)
                try await security.choose(SecretBytes(utf8: Self.pin))
                try await security.consent(true)
                #expect(try await security.with { try $0.nights() } == [])
            }
        }
        // The windows of both systems offer it where no other page can be shown.
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let example = tests.appendingPathComponent("../../Examples/SleepDiary").standardized
        for window in ["Sources/Desktop/Shell.swift", "Apple/App/StageViews.swift"] {
            let text = try String(contentsOf: example.appendingPathComponent(window), encoding: .utf8)
            #expect(text.contains("mayOnlyErase(after: error)"))
        }
    }

    // One bit of a document's file: so many bytes from the beginning, or with less than 0 from the end.
    private static func damage(_ document: DiarySecurity.Document, in world: TestWorld, at index: Int) throws {
        let home = "\(world.folder.path)/home"
        let file = try #require(try files(below: home).first { $0.hasSuffix("/\(document.id)") })
        var bytes = try Data(contentsOf: URL(fileURLWithPath: "\(home)/\(file)"))
        bytes[index < 0 ? bytes.endIndex + index : bytes.startIndex + index] ^= 1
        try bytes.write(to: URL(fileURLWithPath: "\(home)/\(file)"))
    }

    @Test(arguments: [20, -1])
    func `a damaged document stays in the list, is told, and keeps nothing else from an export`(
        _ index: Int
    ) async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world, signsIn: false)
            for name in ["letter.txt", "report.txt"] {
                try await security.keep(document: Array(name.utf8), named: name)
            }
            let letter = try #require(try await security.documents().first)
            #expect(letter.name == "letter.txt" && letter.trouble == nil)
            try Self.damage(letter, in: world, at: index)
            // The list looks at heads alone; whoever opens the document hears of the rest.
            let listed = try await security.documents()
            let found = try #require(listed.first { $0.id == letter.id })
            #expect(listed.count == 2 && (found.trouble?.code == .damaged) == (index > 0), "\(found)")
            let (told, page) = try await security.opened(found)
            #expect(told.trouble?.code == .damaged && page == nil)
            let (json, unreadable) = try await security.export()
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let export = try decoder.decode(DiaryExport.self, from: json)
            #expect(export.documents.map(\.name) == ["report.txt"] && export.unreadable == 1 && unreadable == 1)
            for text in [DiaryText(.english), DiaryText(.german)] {
                #expect(text.missing(told) == text.phrases.damagedDocumentText)
                #expect(text.detail(told) == text.missing(told))
                #expect(!text.name(told).isEmpty && text.exported(unreadable: unreadable).contains("1"))
            }
            try await security.remove(told)
            #expect(try await security.documents().map(\.name) == ["report.txt"])
        }
    }

    @Test func `what waits for the server is told before a sign-out, and so is that nobody can say`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            let text = DiaryText(.german)
            #expect(await text.unsent(security) == " " + text.waiting(nights: 1, documents: 0))
            _ = try await security.sync()?.run()
            #expect(await text.unsent(security).isEmpty)
            security.app.lock.lockNow()
            #expect(await text.unsent(security) == " " + text.phrases.unsentUnknown)
        }
    }

    @Test func `a damaged document that was never at the server keeps no other from going there`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            for name in ["letter.txt", "report.txt"] {
                try await security.keep(document: Array(name.utf8), named: name)
            }
            try Self.damage(try #require(try await security.documents().first), in: world, at: -1)
            let outcome = try #require(try await security.sync()?.run())
            #expect(outcome.documents.sent == 1 && !outcome.asks, "\(outcome)")
            #expect(Array(world.authority.files.files.keys) == ["report.txt"])
            #expect(try await security.documents().count == 2)
        }
    }

    @Test func `a damaged document comes again from the account's folder, and goes from nowhere`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            try await security.keep(document: Array("canary letter".utf8), named: "letter.txt")
            _ = try await security.sync()?.run()
            try Self.damage(try #require(try await security.documents().first), in: world, at: -1)
            let outcome = try #require(try await security.sync()?.run())
            #expect(outcome.documents.received == 1 && !outcome.asks, "\(outcome)")
            let documents = try await security.documents()
            let letter = try #require(documents.first)
            #expect(documents.count == 1 && letter.trouble == nil)
            #expect(try security.app.files.get(letter.id, limit: 100) == Array("canary letter".utf8))
            #expect(Array(world.authority.files.files.keys) == ["letter.txt"])
        }
    }

    private static func flip(_ path: String, _ seed: UInt64) throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes[bytes.startIndex + Int(seed % UInt64(bytes.count))] ^= 1 << UInt8(seed / 7 % 8)
        try bytes.write(to: URL(fileURLWithPath: path))
    }

    private static func files(below folder: String) throws -> [String] {
        try #require(FileManager.default.enumerator(atPath: folder)).compactMap { $0 as? String }.sorted()
            .filter { !$0.hasSuffix("-shm") && !$0.hasSuffix(".lock") }
            .filter { name in
                let facts = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
                return facts?[.type] as? FileAttributeType == .typeRegular && (facts?[.size] as? Int ?? 0) > 0
            }
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
