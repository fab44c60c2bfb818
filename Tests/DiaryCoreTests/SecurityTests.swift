import DiaryCore
import Foundation
import Pavise
import PaviseDocuments
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import PaviseTesting
import Synchronization
import TestSupport
import Testing

/// The diary's own security, in a world with a server, a clock and a keychain of its own.
@Suite struct DiarySecurityTests {
    private let pin = "730469"
    private let canary = "canary heron"
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ world: TestWorld) throws -> DiarySecurity {
        let home = PaviseHome(path: folder.path + "/home")
        return DiarySecurity(
            over: try world.app(DiarySecurity.identifier, configuration: try DiarySecurity.configuration()),
            settings: Settings(store: SettingsFile(home: home, program: "diary")))
    }

    /// A diary with a PIN, a consent and one night.
    private func begun(_ world: TestWorld) async throws -> DiarySecurity {
        let security = try open(world)
        try await security.choose(SecretBytes(utf8: pin))
        try await security.consent(true)
        try await security.with { [canary] diary in try diary.keep(try Self.night(20_000, note: canary)) }
        return security
    }

    private static func night(_ days: Int, note: String = "") throws -> Night {
        let bed = Date(timeIntervalSince1970: Double(days) * 86_400 + 79_200)
        return try Night(
            date: try #require(LocalDate(days: days)), toBed: bed, offsetToBed: 0, up: bed.addingTimeInterval(28_800),
            offsetUp: 0, asleepAfter: 10, awake: 20, note: note)
    }

    /// Neither a night nor a document is taken, and the error says what is missing.
    private func expectNothingKept(_ security: DiarySecurity) async throws {
        let night = try Self.night(20_000, note: canary)
        await #expect { try await security.with { try $0.keep(night) } } throws: {
            ($0 as? PaviseError)?.underlying is ConsentNeeded
        }
        try await expectNoDocument(security, named: "letter.txt")
        #expect(try await security.with { try $0.nights() } == [])
        #expect(try await security.documents() == [])
    }

    @Test func `a PIN comes first, then the consent, then the diary`() async throws {
        try await TestWorld.run { world in
            let security = try open(world)
            #expect(try await security.stage() == .choosePIN)
            await #expect(throws: PaviseError.self) { try await security.choose(SecretBytes(utf8: "1234")) }
            try await security.choose(SecretBytes(utf8: pin))
            #expect(try await security.stage() == .consent)
            try await expectNothingKept(security)
            try await security.consent(true)
            #expect(try await security.stage() == .open)
            try await security.consent(false)
            #expect(try await security.stage() == .consent)
            try await expectNothingKept(security)
            // Another process asks for the PIN, and nothing opens before it.
            let again = try open(world)
            guard case .locked = try await again.stage() else { return #expect(Bool(false), "not locked") }
            await #expect { try await again.with { _ = try $0.nights() } } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            await #expect(throws: PaviseError.self) { _ = try await again.documents() }
            await #expect(throws: PaviseError.self) { _ = try await again.export() }
            try await again.unlock(SecretBytes(utf8: pin))
            #expect(try await again.stage() == .consent)
        }
    }

    @Test func `nobody takes the consent back while a document that it permits is written`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            let withdrawal = Mutex<Task<Void, any Error>?>(nil)
            let isEarly = Mutex(false)
            let observer = FileObserver(failure: { step in
                guard step.path.contains("/files/"), withdrawal.withLock({ $0 == nil }) else { return nil }
                let done = DispatchSemaphore(value: 0)
                withdrawal.withLock { task in
                    task = Task.detached {
                        try await security.consent(false)
                        done.signal()
                    }
                }
                if done.wait(timeout: .now() + 0.5) == .success { isEarly.withLock { $0 = true } }
                return nil
            })
            try await FileObserver.$current.withValue(observer) {
                try await security.keep(document: Array("letter".utf8), named: "letter.txt")
            }
            #expect(!isEarly.withLock { $0 })
            try await #require(withdrawal.withLock { $0 }).value
            #expect(try await security.documents().count == 1)
            try await expectNoDocument(security, named: "second.txt")
        }
    }

    private func expectNoDocument(_ security: DiarySecurity, named name: String) async throws {
        await #expect { try await security.keep(document: Array("letter".utf8), named: name) } throws: {
            ($0 as? PaviseError)?.underlying is ConsentNeeded
        }
        #expect(try await security.documents().allSatisfy { $0.name != name })
    }

    @Test func `the lock takes the diary away, and the PIN brings it back`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            security.app.lock.lockNow()
            await #expect { try await security.with { _ = try $0.nights() } } throws: {
                ($0 as? PaviseError)?.recovery == .unlock
            }
            await #expect {
                try await security.unlock(SecretBytes(utf8: "918273"))
            } throws: {
                ($0 as? PaviseError)?.code == .wrongPIN
            }
            try await security.unlock(SecretBytes(utf8: pin))
            #expect(try await security.with { try $0.nights().map(\.note) } == [canary])
            try await security.change(SecretBytes(utf8: pin), to: SecretBytes(utf8: "508216"))
            security.app.lock.lockNow()
            try await security.unlock(SecretBytes(utf8: "508216"))
            #expect(try await security.stage() == .open)
        }
    }

    @Test func `whoever leaves for more than a minute types the PIN again, and so does who is idle for four hours`()
        async throws
    {
        try await TestWorld.run { world in
            let security = try await begun(world)
            security.app.report(.becameActive(of: "window"))
            security.app.report(.willResignActive(of: "window"))
            world.clock.advance(seconds: 30)
            security.app.report(.becameActive(of: "window"))
            #expect(security.app.lock.state.isOpen)
            security.app.report(.willResignActive(of: "window"))
            world.clock.advance(seconds: 90)
            security.app.report(.becameActive(of: "window"))
            #expect(!security.app.lock.state.isOpen)
            try await security.unlock(SecretBytes(utf8: pin))
            world.clock.advance(seconds: 4 * 3_600 + 1)
            #expect(!security.app.lock.state.isOpen)
        }
    }

    @Test func `ten wrong PINs erase everything, and one begins anew`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            security.app.lock.lockNow()
            for _ in 0..<10 {
                _ = try? await security.unlock(SecretBytes(utf8: "918273"))
                world.clock.advance(seconds: 5 * 3_600)
            }
            #expect(try await security.stage() == .erased)
            try await security.startOver()
            #expect(try await security.stage() == .choosePIN)
            try await security.choose(SecretBytes(utf8: pin))
            #expect(try await security.with { try $0.nights() } == [])
        }
    }

    @Test func `whoever begins anew after ten wrong PINs is signed in nowhere, and nothing of before is open`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            _ = try await security.signIn(
                to: try await security.review(world.authority.issuer), options: world.willing())
            _ = try await security.sync()?.run()
            security.app.lock.lockNow()
            for _ in 0..<10 {
                _ = try? await security.unlock(SecretBytes(utf8: "918273"))
                world.clock.advance(seconds: 5 * 3_600)
            }
            #expect(try await security.stage() == .erased)
            try await security.startOver()
            try await security.choose(SecretBytes(utf8: pin))
            try await security.consent(true)
            #expect(try await security.account() == nil)
            #expect(try await security.sync() == nil)
            #expect(try await security.with { try $0.nights() } == [])
        }
    }

    @Test func `the export has everything, and says nothing while locked`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            let date = try #require(LocalDate(days: 20_001))
            let sheet = try Answers(.isi, edition: "x", date: date, [1, nil, 3, 0, 0, 4, 2])
            try await security.with { try $0.keep(sheet) }
            try await security.keep(document: Array("letter".utf8), named: "letter.txt")
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let export = try decoder.decode(DiaryExport.self, from: try await security.export().json)
            #expect(export.nights == (try await security.with { try $0.nights() }))
            #expect(export.answers.map(\.values) == [sheet.values] && export.consents.map(\.isGiven) == [true])
            #expect(export.documents.map(\.name) == ["letter.txt"])
            #expect(export.documents.first?.content == Data("letter".utf8))
        }
    }

    @Test func `an export has one document at a time in memory, and its pieces are one JSON`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            let letters = (0..<3).map { number in [UInt8](repeating: UInt8(97 + number), count: 40_000) }
            for (number, letter) in letters.enumerated() {
                try await security.keep(document: letter, named: "letter \(number).txt")
            }
            let pieces = Mutex<[Data]>([])
            let unreadable = try await security.export { piece in pieces.withLock { $0.append(piece) } }
            let written = pieces.withLock { $0 }
            // A document is a third longer in base64; two in one piece would be more than twice that.
            #expect(unreadable == 0 && written.count == 5 && written.allSatisfy { $0.count < 60_000 })
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let export = try decoder.decode(DiaryExport.self, from: written.reduce(Data(), +))
            #expect(export.documents.map { [UInt8]($0.content) } == letters && export.nights.map(\.note) == [canary])
            // What cannot be written ends it at once.
            let count = Mutex(0)
            await #expect {
                _ = try await security.export { _ in
                    count.withLock { $0 += 1 }
                    throw CocoaError(.fileWriteOutOfSpace)
                }
            } throws: {
                ($0 as? PaviseError)?.underlying is CocoaError
            }
            #expect(count.withLock { $0 } == 1)
        }
    }

    @Test func `an export that breaks off leaves nothing at its place, and what was there before`() async throws {
        let path = folder.path + "/sleep-diary.json"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("old".utf8)))
        await #expect(throws: CocoaError.self) {
            try await ChosenFile.write(to: path) { write in
                try write(Data("new".utf8))
                throw CocoaError(.fileWriteOutOfSpace)
            }
        }
        #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sleep-diary.json"])
        let count = try await ChosenFile.write(to: path) { write in
            for piece in ["a", "b", "c"] { try write(Data(piece.utf8)) }
            return 3
        }
        #expect(count == 3 && FileManager.default.contents(atPath: path) == Data("abc".utf8))
        await #expect(throws: ChosenFile.NotWritten.self) {
            try await ChosenFile.write(to: path + "/none") { write in try write(Data()) }
        }
    }

    @Test func `an export that cannot take the place of the one before leaves that one there`() async throws {
        let place = folder.path
        let path = place + "/sleep-diary.json"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("old".utf8)))
        await #expect(throws: ChosenFile.NotWritten.self) {
            try await ChosenFile.write(to: path) { write in
                try write(Data("new".utf8))
                let files = FileManager.default
                for name in try files.contentsOfDirectory(atPath: place) where name.hasSuffix(".part") {
                    try files.removeItem(atPath: place + "/" + name)
                }
            }
        }
        #expect(FileManager.default.contents(atPath: path) == Data("old".utf8))
    }

    @Test func `what leaves in clear is its owner's alone, and takes the place of a file and of nothing else`()
        async throws
    {
        let path = folder.path + "/sleep-diary.json"
        #expect(FileManager.default.createFile(atPath: path, contents: Data("old".utf8)))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        #expect(await ChosenFile.write(Data("new".utf8), to: path))
        #expect(FileManager.default.contents(atPath: path) == Data("new".utf8))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        // A folder of this name, and one that is not there.
        let letters = folder.path + "/letters"
        try FileManager.default.createDirectory(atPath: letters, withIntermediateDirectories: false)
        #expect(FileManager.default.createFile(atPath: letters + "/one.txt", contents: Data("kept".utf8)))
        #expect(await !ChosenFile.write(Data("new".utf8), to: letters))
        #expect(FileManager.default.contents(atPath: letters + "/one.txt") == Data("kept".utf8))
        #expect(await !ChosenFile.write(Data("new".utf8), to: letters + "/none/diary.json"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: letters) == ["one.txt"])
    }

    @Test func `to erase everything takes the sign-in back, leaves nothing and gives a receipt without content`()
        async throws
    {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            try await security.keep(document: Array(SampleMonth.letter.utf8), named: "letter.html")
            let server = try await security.review(world.authority.issuer)
            _ = try await security.signIn(to: server, options: world.willing())
            let kept = try #require(try await security.account()).container().platform.folder
            let place = DurableFile.directory(of: kept)
            #expect(FileManager.default.fileExists(atPath: place))
            let receipt = try await security.eraseEverything()
            #expect(!FileManager.default.fileExists(atPath: place))
            #expect(receipt.nights == 1 && receipt.documents == 1 && receipt.consents == 1 && !receipt.isEmpty)
            #expect(DiaryText(.english).text(receipt).contains("What you said to the text about your data, 1 times"))
            #expect(receipt.server == .revoked && world.authority.counters.revocations > 0)
            #expect(!String(decoding: try JSONEncoder().encode(receipt), as: UTF8.self).contains("heron"))
            #expect(try await security.stage() == .choosePIN)
            #expect(try await security.account() == nil)
            #expect(try security.app.accountNames() == [])
            // Safe to repeat, also where nothing is left.
            let day = Date(timeIntervalSince1970: 1_764_158_400)
            let second = try await security.eraseEverything(at: day)
            #expect(second.nights == 0 && second.server == .nothing && second.isEmpty && second.moment == day)
            let again = try open(world)
            #expect(try await again.stage() == .choosePIN)
            #expect(try await again.with { try $0.nights() } == [])
            #expect(try await again.documents() == [])
        }
    }

    @Test func `a receipt of what could not be read says so, and is not that of an empty diary`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            // Behind the lock nothing is counted.
            security.app.lock.lockNow()
            let receipt = try await security.eraseEverything()
            #expect(!receipt.isCounted && !receipt.isEmpty)
            for text in [DiaryText(.english), DiaryText(.german)] {
                #expect(text.text(receipt).contains(text.phrases.receiptUncounted))
            }
            #expect(try await security.stage() == .choosePIN)
            let second = try await security.eraseEverything()
            #expect(second.isCounted && second.isEmpty)
        }
    }

    @Test func `without a network everything is erased all the same`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            _ = try await security.signIn(
                to: try await security.review(world.authority.issuer), options: world.willing())
            let receipt = try await world.during(.offline) { try await security.eraseEverything() }
            #expect(receipt.server == .endsByItself && receipt.nights == 1)
            #expect(try await security.stage() == .choosePIN)
        }
    }

    private struct Me: Decodable, Sendable { let user: String }

    @Test func `a sign-in outlives the app, its end is told, and a sign-out leaves the diary`() async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            _ = try await security.signIn(
                to: try await security.review(world.authority.issuer), options: world.willing())
            let again = try open(world)
            try await again.unlock(SecretBytes(utf8: pin))
            let account = try #require(try await again.account())
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            var notices = again.app.notices.makeAsyncIterator()
            try await world.during(.sessionEnded) {
                await #expect(throws: PaviseError.self) { _ = try await account.get("/api/me", as: Me.self) }
            }
            #expect(await notices.next()?.action == .signIn)
            guard case .needsSignIn = await account.state else { return #expect(Bool(false), "still signed in") }
            #expect(try await again.signOut() != nil)
            #expect(try await again.account() == nil)
            #expect(try await again.signOut() == nil)
            #expect(try await again.with { try $0.nights().count } == 1)
        }
    }

    @Test(arguments: [1, Int.max])
    func `a sign-out says what could not be erased here in the end, and not what was erased at the second try`(
        _ failures: Int
    ) async throws {
        try await TestWorld.run(Self.authority) { world in
            let security = try await begun(world)
            _ = try await security.signIn(
                to: try await security.review(world.authority.issuer), options: world.willing())
            // With something of the account's that is to be erased.
            _ = try await security.sync()?.run()
            let left = Mutex(failures)
            let report = try await StorageContainer.RemovalStep.$observer.withValue(
                { _ in
                    left.withLock { left in
                        left -= 1
                        return left < 0
                    }
                },
                operation: { try await security.signOut() })
            let failure = try #require(report).localFailure
            #expect((failure != nil) == (failures > 1))
            #expect(try await security.account() == nil)
        }
    }

    @Test func `a document is kept sealed, shown without what it would run or fetch, and gone when it is erased`()
        async throws
    {
        try await TestWorld.run { world in
            let security = try await begun(world)
            try await security.keep(document: Array(SampleMonth.letter.utf8), named: "letter.html")
            let document = try #require(try await security.documents().first)
            let page = try #require(try await security.page(of: document))
            #expect(page.text.contains("Monday at 9:30") && !page.text.contains("tracker"))
            #expect(page.links.map(\.host) == ["clinic.example"] && !page.omissions.isEmpty)
            try await security.keep(document: Array("%PDF-1.7 ".utf8), named: "scan.pdf")
            let scan = try #require(try await security.documents().first { $0.name == "scan.pdf" })
            #expect(try await security.page(of: scan) == nil)
            try await security.remove(document)
            await #expect(throws: PaviseError.self) { _ = try await security.page(of: document) }
        }
    }

    @Test func `sums of nights are added up once, anew after a change, and gone with the lock`() async throws {
        try await TestWorld.run { world in
            let security = try await begun(world)
            let nights = try await security.with { try $0.nights() }
            let weeks = security.statistics.summaries(of: nights, by: .week)
            #expect(weeks == SleepSummary.of(nights, by: .week) && !security.statistics.isEmpty)
            let more = nights + [try Self.night(20_001)]
            #expect(security.statistics.summaries(of: more, by: .week) == SleepSummary.of(more, by: .week))
            security.app.lock.lockNow()
            #expect(security.statistics.isEmpty)
        }
    }

    @Test(arguments: ["Examples/SleepDiary/Sources/CGtk/toolkit.h", "Examples/DocumentWindow/Sources/CWebKit/view.h"])
    func `no variable makes a library of the windows print what passes, or load code`(_ header: String) throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let place = tests.appendingPathComponent("../../\(header)").standardized
        let text = try String(contentsOf: place, encoding: .utf8)
        let names = [
            "G_DBUS_DEBUG", "WAYLAND_DEBUG", "G_MESSAGES_DEBUG", "GTK_DEBUG", "GDK_DEBUG", "GTK_PATH",
            "GIO_EXTRA_MODULES", "LIBGL_DRIVERS_PATH", "GBM_BACKENDS_PATH", "GBM_DRIVERS_PATH",
            "__EGL_VENDOR_LIBRARY_DIRS", "__EGL_VENDOR_LIBRARY_FILENAMES",
        ]
        for name in names { #expect(text.contains("\"\(name)\""), "\(name)") }
    }

    @Test func `the app's own security code has fewer than 300 lines`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let core = tests.appendingPathComponent("../../Examples/SleepDiary/Sources/DiaryCore").standardized
        let files = try FileManager.default.contentsOfDirectory(atPath: core.path)
            .filter { $0.hasPrefix("DiarySecurity") }
        // Comments explain, and do nothing.
        let lines = try files.flatMap { file in
            try String(contentsOf: core.appendingPathComponent(file), encoding: .utf8).split(separator: "\n")
        }
        let code = lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty && !$0.hasPrefix("//") }
        #expect(files.count >= 3 && (200..<300).contains(code.count), "\(files): \(code.count)")
    }

    private static var authority: AuthorityConfiguration {
        var configuration = AuthorityConfiguration()
        configuration.clientID = DiarySecurity.clientID
        configuration.accessTokenLifetime = 1_800
        return configuration
    }
}
