import DiaryCore
import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PavisePrivacy
import PaviseStorage
import PaviseSync
import PaviseTesting
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

private func record(_ date: String, _ toBed: Int64, _ up: Int64) -> String {
    """
    {"note":"x","times":{"date":"\(date)","toBed":\(toBed),"up":\(up),"offsetToBed":0,"offsetUp":0,"asleepAfter":0,\
    "awake":0}}
    """
}

/// The diary on two devices of a person, over the account's records.
@Suite struct DiarySyncTests {
    private static let pin = "730469"
    private static let collection = "alice/nights"

    /// A device: its diary, signed in.
    private static func device(_ world: TestWorld, _ folder: TemporaryFolder, _ name: String) async throws
        -> DiarySecurity
    {
        let home = PaviseHome(path: "\(folder.path)/\(name)")
        let security = DiarySecurity(
            over: try world.app("org.example.\(name)", configuration: try DiarySecurity.configuration()),
            settings: Settings(store: SettingsFile(home: home, program: "diary")))
        try await security.choose(SecretBytes(utf8: pin))
        try await security.consent(true)
        try await signIn(security, world)
        return security
    }

    private static func signIn(_ security: DiarySecurity, _ world: TestWorld) async throws {
        _ = try await security.signIn(
            to: try await security.review(world.authority.issuer), options: world.willing())
    }

    private static func withTwo(
        _ body: (TestWorld, DiarySecurity, DiarySecurity) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        var configuration = AuthorityConfiguration()
        configuration.clientID = DiarySecurity.clientID
        configuration.accessTokenLifetime = 1_800
        try await TestWorld.run(configuration) { world in
            try await body(world, try await device(world, folder, "one"), try await device(world, folder, "other"))
        }
    }

    private static func night(_ days: Int, note: String = "", awake: Int = 20) throws -> Night {
        let bed = Date(timeIntervalSince1970: Double(days) * 86_400 + 79_200)
        return try Night(
            date: try #require(LocalDate(days: days)), toBed: bed, offsetToBed: 0, up: bed.addingTimeInterval(28_800),
            offsetUp: 0, asleepAfter: 10, awake: awake, note: note)
    }

    private static func run(_ security: DiarySecurity) async throws -> DiarySync.Outcome {
        try await #require(try await security.sync()).run()
    }

    private static func nights(_ security: DiarySecurity) async throws -> [Night] {
        try await security.with { try $0.nights() }
    }

    @Test func `without the person's consent nothing is sent, and nothing of another device is kept`() async throws {
        try await Self.withTwo { _, one, other in
            try await other.with { try $0.keep(try Self.night(20_000)) }
            _ = try await Self.run(other)
            try await one.with { try $0.keep(try Self.night(20_001)) }
            try await one.consent(false)
            await #expect { _ = try await Self.run(one) } throws: {
                ($0 as? PaviseError)?.underlying is ConsentNeeded
            }
            #expect(try await Self.nights(one).count == 1)
            _ = try await Self.run(other)
            #expect(try await Self.nights(other).count == 1)
            try await one.consent(true)
            _ = try await Self.run(one)
            _ = try await Self.run(other)
            #expect(try await Self.nights(one).count == 2)
            #expect(try await Self.nights(other).count == 2)
        }
    }

    @Test func `what one device keeps, changes and erases is on the other, and a run more does nothing`() async throws {
        try await Self.withTwo { world, one, other in
            let nights = [try Self.night(20_000, note: "rain"), try Self.night(20_001), try Self.night(20_002)]
            try await one.with { diary in for night in nights { try diary.keep(night) } }
            #expect(try await one.sync()?.waiting() == 3)
            #expect(try await Self.run(one).sent == 3)
            #expect(try await one.sync()?.waiting() == 0)
            #expect(try await Self.run(other).received == 3)
            #expect(try await Self.nights(other) == nights)
            try await other.with { [change = try nights[0].noting("storm")] in try $0.keep(change) }
            try await other.with { try $0.erase(nights[1].id) }
            #expect(try await Self.run(other).sent == 2)
            #expect(try await Self.run(one).received == 2)
            #expect(try await Self.nights(one).map(\.note) == ["storm", ""])
            #expect(try await one.with { try $0.nights(noting: "rain") } == [])
            world.authority.server.forget()
            let idle = try await Self.run(one)
            #expect(idle.sent == 0 && idle.received == 0 && idle.questions == [])
            // The records' changes; the folder of the documents, and what is in it.
            #expect(world.authority.server.requests.map(\.method) == ["GET", "PROPFIND", "PROPFIND"])
        }
    }

    @Test func `times and note of a night are merged; two notes wait for the person, and both stay until they choose`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let night = try Self.night(20_000, note: "old")
            try await one.with { try $0.keep(night) }
            _ = try await Self.run(one)
            _ = try await Self.run(other)
            try await one.with { try $0.keep(try night.noting("from one")) }
            let longer = try Night(
                id: night.id, date: try #require(night.day), toBed: night.toBed, offsetToBed: 0, up: night.up,
                offsetUp: 0, asleepAfter: 10, awake: 99, note: "old", version: 2)
            try await other.with { try $0.keep(longer) }
            for device in [one, other, one] { _ = try await Self.run(device) }
            for device in [one, other] {
                let merged = try #require(try await Self.nights(device).first)
                #expect(merged.note == "from one" && merged.awake == 99)
            }
            try await one.with { try $0.keep(try longer.noting("first")) }
            try await other.with { try $0.keep(try longer.noting("second")) }
            for device in [one, other, one] { _ = try await Self.run(device) }
            for device in [one, other] {
                let conflict = try #require(try await device.sync()?.conflicts().first)
                #expect(conflict.current?.note == "first" && conflict.other.note == "second")
                #expect(try await Self.nights(device).map(\.note) == ["first"])
            }
            let sync = try #require(try await one.sync())
            let conflict = try #require(try await sync.conflicts().first)
            try await sync.close(conflict, keeping: conflict.other)
            #expect(try await Self.nights(one).map(\.note) == ["second"])
            for device in [one, other] { _ = try await Self.run(device) }
            #expect(try await Self.nights(other).map(\.note) == ["second"])
            for device in [one, other] { #expect(try await device.sync()?.conflicts().isEmpty == true) }
        }
    }

    @Test func `a form that was open while another device's change came loses neither that nor what was typed`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let seen = try Self.night(20_000, note: "old")
            try await one.with { try $0.keep(seen) }
            for device in [one, other] { _ = try await Self.run(device) }
            let longer = try Night(
                id: seen.id, date: try #require(seen.day), toBed: seen.toBed, offsetToBed: 0, up: seen.up, offsetUp: 0,
                asleepAfter: 10, awake: 99, note: "old", version: 2)
            try await other.keep(longer, over: seen)
            for device in [other, one] { _ = try await Self.run(device) }
            // The form of before.
            try await one.keep(try seen.noting("typed"), over: seen)
            for device in [one, other] { _ = try await Self.run(device) }
            for device in [one, other] {
                let night = try #require(try await Self.nights(device).first)
                #expect(night.note == "typed" && night.awake == 99)
            }
            // What both changed waits for the person.
            let both = try #require(try await Self.nights(one).first)
            try await other.keep(try both.noting("from the other"), over: both)
            for device in [other, one] { _ = try await Self.run(device) }
            let first = try both.noting("typed again")
            try await one.keep(first, over: both)
            _ = try await Self.run(one)
            let conflict = try #require(try await one.sync()?.conflicts().first)
            #expect(Set([conflict.current?.note, conflict.other.note]) == ["from the other", "typed again"])
        }
    }

    /// Whether a text lies in a page of one of the account's two databases, freed ones included, or may lie in a log.
    private static func holds(_ security: DiarySecurity, _ text: String) async throws -> Bool {
        let container = try #require(try await security.account()).container().platform
        return try ["records-\(DiarySync.path)", "diary-agreed"].contains { name in
            let path = try container.databasePath(of: name, .complete)
            let log = try DurableFile.readIfPresent("\(path)-wal", limit: 1 << 24)?.count ?? 0
            let raw = try StorageDatabase.open(name, in: container, .complete)
            defer { raw.close() }
            return try log >= 4_096 || raw.image().firstRange(of: Array(text.utf8)) != nil
        }
    }

    @Test
    func `of an erased night nothing stays in what the account keeps, on either device, and none of its versions`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let night = try Self.night(20_000, note: "canary hyena")
            try await one.with { try $0.keep(night) }
            try await one.with { [stays = try Self.night(20_001, note: "stays")] in try $0.keep(stays) }
            for device in [one, other] { _ = try await Self.run(device) }
            try await other.with { [next = try night.noting("another hyena")] in try $0.keep(next) }
            for device in [other, one] { _ = try await Self.run(device) }
            for device in [one, other] { #expect(try await Self.holds(device, "hyena")) }
            try await one.with { try $0.erase(night.id) }
            // Also where the server cannot be told yet.
            try await world.during(.offline) { _ = try? await Self.run(one) }
            #expect(try await !Self.holds(one, "hyena"))
            for device in [one, other] { _ = try await Self.run(device) }
            for device in [one, other] {
                #expect(try await Self.nights(device).map(\.note) == ["stays"])
                #expect(try await !Self.holds(device, "hyena"))
            }
        }
    }

    @Test func `a night that is erased while a run waits for the server goes at once from what the account keeps`()
        async throws
    {
        try await Self.withTwo { world, one, _ in
            let night = try Self.night(20_000, note: "canary hyena")
            try await one.keep(night, over: nil)
            _ = try await Self.run(one)
            #expect(try await Self.holds(one, "hyena"))
            let (sync, gate) = (try #require(try await one.sync()), LabGate())
            world.authority.fail(.api, with: .late(gate))
            let run = Task { try await sync.run() }
            while sync.state.activity != .running { try await Task.sleep(for: .milliseconds(5)) }
            try await Task.sleep(for: .milliseconds(50))
            try await one.erase(night)
            #expect(try await !Self.holds(one, "hyena"))
            world.authority.heal()
            gate.open()
            _ = try? await run.value
            _ = try await Self.run(one)
            #expect(world.authority.records.records(Self.collection).isEmpty)
        }
    }

    @Test func `a server that begins with the sample month has the nights of the sample, and no conflict`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let nights = try SampleMonth.nights(through: try #require(LocalDate("2026-11-25")))
            let members = try #require(try JSONValue.parse([UInt8](SampleMonth.records(of: "alice", nights))).members)
            for member in members { world.authority.records.write(member.name, member.value.text) }
            try await one.with { diary in for night in nights { try diary.keep(night) } }
            for device in [one, other] { _ = try await Self.run(device) }
            for device in [one, other] {
                #expect(try await Self.nights(device).map(\.id) == nights.sorted { $0.toBed < $1.toBed }.map(\.id))
                #expect(try await device.sync()?.conflicts().isEmpty == true)
            }
            #expect(world.authority.records.records(Self.collection).count == nights.count)
        }
    }

    @Test func `offline nothing is lost, and a server that is back gets it`() async throws {
        try await Self.withTwo { world, one, other in
            try await world.during(.offline) {
                try await one.with { try $0.keep(try Self.night(20_000, note: "storm")) }
                await #expect { _ = try await Self.run(one) } throws: { ($0 as? PaviseError)?.code == .network }
            }
            #expect(try await one.sync()?.waiting() == 1)
            #expect(try await Self.run(one).sent == 1)
            #expect(try await Self.run(other).received == 1)
        }
    }

    @Test func `a sign-out leaves the diary, and the next sign-in takes no night for erased`() async throws {
        try await Self.withTwo { world, one, other in
            for days in 20_000..<20_003 { try await one.with { try $0.keep(try Self.night(days)) } }
            _ = try await Self.run(one)
            #expect(try await one.signOut() != nil)
            #expect(try await one.sync() == nil)
            #expect(try await Self.nights(one).count == 3)
            // The server lost everything meanwhile.
            world.authority.records.replace(Self.collection)
            try await Self.signIn(one, world)
            _ = try await Self.run(one)
            #expect(try await Self.nights(one).count == 3)
            #expect(world.authority.records.records(Self.collection).count == 3)
            // With the records there, too: they are the same nights.
            _ = try await one.signOut()
            try await Self.signIn(one, world)
            _ = try await Self.run(one)
            #expect(try await one.sync()?.conflicts().isEmpty == true)
            #expect(world.authority.records.records(Self.collection).count == 3)
        }
    }

    @Test func `a server that has lost its records erases nothing here before the person says so`() async throws {
        try await Self.withTwo { world, one, other in
            for days in 20_000..<20_020 { try await one.with { try $0.keep(try Self.night(days)) } }
            _ = try await Self.run(one)
            world.authority.records.replace(Self.collection)
            let outcome = try await Self.run(one)
            #expect(!outcome.questions.isEmpty && outcome.received == 0)
            #expect(try await Self.nights(one).count == 20)
        }
    }

    @Test(arguments: [
        "{\"note\":\"x\"}", "{\"note\":1,\"times\":{}}", record("2026-02-30", 1, 2), record("2026-02-20", 2, 1),
        record("2026-02-20", Int64.max, Int64.max),
    ])
    func `what a server sends that is no night is counted, shown to nobody, and keeps no other night away`(
        _ json: String
    ) async throws {
        try await Self.withTwo { world, one, other in
            let good = try Self.night(20_000)
            try await other.with { try $0.keep(good) }
            _ = try await Self.run(other)
            world.authority.records.write("\(Self.collection)/\(UUID().uuidString)", json)
            world.authority.records.write("\(Self.collection)/no-uuid", json)
            let outcome = try await Self.run(one)
            #expect(outcome.received == 1 && outcome.unreadable == 2)
            #expect(try await Self.nights(one) == [good])
            #expect(try await Self.run(one).unreadable == 2)
        }
    }

    @Test func `whoever asks at the same time gets the same one, and what waits is told while a server is silent`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let all = try await withThrowingTaskGroup(of: DiarySync?.self) { group in
                for _ in 0..<8 { group.addTask { try await one.sync() } }
                return try await group.reduce(into: [DiarySync?]()) { $0.append($1) }
            }
            #expect(Set(all.compactMap { $0.map(ObjectIdentifier.init) }).count == 1 && all.allSatisfy { $0 != nil })
            try await one.with { try $0.keep(try Self.night(20_000)) }
            let (sync, gate) = (try #require(try await one.sync()), LabGate())
            world.authority.fail(.api, with: .late(gate))
            let run = Task { try await sync.run() }
            while sync.state.activity != .running { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try await sync.waiting() == 1)
            world.authority.heal()
            gate.open()
            _ = try? await run.value
        }
    }

    @Test func `whoever asks for a run during another one waits, and hears what their own did`() async throws {
        try await Self.withTwo { world, one, _ in
            try await one.with { try $0.keep(try Self.night(20_000)) }
            let (sync, gate) = (try #require(try await one.sync()), LabGate())
            world.authority.fail(.api, with: .late(gate))
            let first = Task { try await sync.run() }
            while sync.state.activity != .running { try await Task.sleep(for: .milliseconds(5)) }
            try await one.with { try $0.keep(try Self.night(20_001)) }
            #expect(try await sync.run(waits: false).sent == 0)
            let second = Task { try await sync.run() }
            try await Task.sleep(for: .milliseconds(50))
            world.authority.heal()
            gate.open()
            _ = try? await first.value
            #expect(try await second.value.sent > 0)
            #expect(try await sync.waiting() == 0)
        }
    }

    @Test func `locked, nothing is read, sent or shown`() async throws {
        try await Self.withTwo { world, one, other in
            try await one.with { try $0.keep(try Self.night(20_000)) }
            let sync = try #require(try await one.sync())
            one.app.lock.lockNow()
            world.authority.server.forget()
            await #expect { _ = try await sync.run() } throws: { ($0 as? PaviseError)?.recovery == .unlock }
            await #expect { _ = try await sync.conflicts() } throws: { ($0 as? PaviseError)?.recovery == .unlock }
            #expect(world.authority.server.requests.isEmpty)
            try await one.unlock(SecretBytes(utf8: Self.pin))
            #expect(try await Self.run(one).sent == 1)
        }
    }

    // MARK: Documents

    private static func contents(_ security: DiarySecurity) async throws -> [String: String] {
        var found: [String: String] = [:]
        for document in try await security.documents() {
            let bytes = try security.app.files.get(document.id, limit: DiarySecurity.documentLimit)
            found[document.name] = String(decoding: bytes, as: UTF8.self)
        }
        return found
    }

    @Test func `a document comes to the other device, goes from both when one erases it, and a run more does nothing`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            try await one.keep(document: Array("letter".utf8), named: "letter.html")
            try await one.keep(document: Array("report".utf8), named: "report.txt")
            #expect(try await one.sync()?.waitingDocuments() == 2)
            #expect(try await Self.run(one).documents.sent == 2)
            #expect(try await one.sync()?.waitingDocuments() == 0)
            #expect(try await Self.run(other).documents.received == 2)
            #expect(try await Self.contents(other) == ["letter.html": "letter", "report.txt": "report"])
            let letter = try #require(try await other.documents().first { $0.name == "letter.html" })
            try await other.remove(letter)
            _ = try await Self.run(other)
            #expect(try await Self.run(one).documents.received == 1)
            #expect(try await Self.contents(one) == ["report.txt": "report"])
            #expect(Set(world.authority.files.files.keys) == ["report.txt"])
            let idle = try await Self.run(one).documents
            #expect(idle.sent == 0 && idle.received == 0 && idle.questions.isEmpty)
        }
    }

    @Test func `whoever erases her only document is not asked again, and it goes from the server`() async throws {
        try await Self.withTwo { world, one, other in
            try await one.keep(document: Array("letter".utf8), named: "letter.txt")
            _ = try await Self.run(one)
            try await one.remove(try #require(try await one.documents().first))
            #expect(try await !Self.run(one).asks)
            #expect(world.authority.files.files.isEmpty)
            #expect(try await one.sync()?.waitingDocuments() == 0)
        }
    }

    @Test func `a document that is lost here comes again, and is erased nowhere`() async throws {
        try await Self.withTwo { world, one, _ in
            try await one.keep(document: Array("letter".utf8), named: "letter.txt")
            _ = try await Self.run(one)
            // By nobody's wish, as a disk loses a file.
            try one.app.files.remove(try #require(try await one.documents().first).id)
            let outcome = try await Self.run(one)
            #expect(outcome.documents.received == 1 && outcome.documents.sent == 0 && !outcome.asks)
            #expect(try await Self.contents(one) == ["letter.txt": "letter"])
            #expect(Set(world.authority.files.files.keys) == ["letter.txt"])
        }
    }

    @Test func `two documents of one name are both there, on both devices`() async throws {
        try await Self.withTwo { world, one, other in
            try await one.keep(document: Array("a".utf8), named: "letter.txt")
            try await one.keep(document: Array("b".utf8), named: "letter.txt")
            try await other.keep(document: Array("c".utf8), named: "letter.txt")
            for security in [one, other, one, other] { _ = try await Self.run(security) }
            #expect(try await Self.contents(other).values.sorted() == ["a", "b", "c"])
            #expect(try await one.documents().count == 3)
        }
    }

    @Test func `of two documents with the longest name both are sent, and both come`() async throws {
        try await Self.withTwo { world, one, other in
            let name = String(repeating: "ä", count: 125) + ".html"
            for text in ["a", "b"] { try await one.keep(document: Array(text.utf8), named: name) }
            #expect(try await Self.run(one).documents.sent == 2)
            #expect(try await Self.run(other).documents.received == 2)
            #expect(try await Self.contents(other).values.sorted() == ["a", "b"])
            let names = world.authority.files.files.keys
            #expect(names.allSatisfy { $0.utf8.count <= SyncItemName.limit && $0.hasSuffix(".html") }, "\(names)")
        }
    }

    @Test(arguments: ["letter\u{200F}.txt", "\u{202E}txt.letter", "a\u{85}b.txt", "\u{FEFF}"])
    func `a name at the server that no document may have keeps no document away`(_ name: String) async throws {
        try await Self.withTwo { world, one, _ in
            world.authority.files.write(name, Array("theirs".utf8))
            try await one.keep(document: Array("own".utf8), named: "own.txt")
            for _ in 0..<2 { _ = try await Self.run(one) }
            #expect(try await Self.contents(one).values.sorted() == ["own", "theirs"])
            #expect(try await one.sync()?.waitingDocuments() == 0)
            #expect(world.authority.files.files.count == 2)
        }
    }

    @Test func `two documents whose names look the same and have other bytes end no run`() async throws {
        try await Self.withTwo { _, one, _ in
            _ = try await Self.run(one)
            // As a server had them, on whose disk both are; they are gone from the folder meanwhile.
            let container = try #require(try await one.account()).container().platform
            let raw = try StorageDatabase.open("documents-agreed", in: container, .complete)
            for (number, name) in ["\u{E9}.txt", "e\u{301}.txt"].enumerated() {
                let file = String(repeating: "\(number)", count: 32)
                _ = try raw.answer("INSERT INTO agreed VALUES (?, ?, ?)", [.text(file), .text(name), .text("x")])
            }
            raw.close()
            #expect(try await Self.run(one).documents.received == 2)
            #expect(try await one.sync()?.waitingDocuments() == 0)
        }
    }

    @Test func `signed out the documents stay here, and the next sign-in takes them for the same ones`() async throws {
        try await Self.withTwo { world, one, other in
            try await one.keep(document: Array("letter".utf8), named: "letter.txt")
            _ = try await Self.run(one)
            _ = try await one.signOut()
            #expect(try await Self.contents(one) == ["letter.txt": "letter"])
            try await Self.signIn(one, world)
            for _ in 0..<2 { _ = try await Self.run(one) }
            #expect(try await one.documents().count == 1)
            #expect(Set(world.authority.files.files.keys) == ["letter.txt"])
        }
    }

    @Test func `a server without its documents erases none here before the person says so`() async throws {
        try await Self.withTwo { world, one, other in
            for number in 0..<20 {
                try await one.keep(document: Array("\(number)".utf8), named: "letter \(number).txt")
            }
            _ = try await Self.run(one)
            for name in world.authority.files.files.keys { world.authority.files.remove(name) }
            let outcome = try await Self.run(one)
            #expect(outcome.asks && !outcome.documents.questions.isEmpty)
            #expect(try await one.documents().count == 20)
        }
    }

    @Test
    func `E3: a push token is had after an action of the person, its notices say nothing, a sign-out takes it back`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let service = world.authority.pushService
            try await one.push.goOn()
            try await Self.tell(20_000, other)
            #expect(service.registered.isEmpty && service.payloads.isEmpty)
            #expect(try await !one.push.isWanted())

            try await one.push.want(UserAction())
            #expect(await service.knows(1))
            try await Self.tell(20_001, one)
            #expect(service.payloads.isEmpty, "what a device does itself is no news to it")
            try await Self.tell(20_002, other)
            let payload = try #require(service.payloads.first)
            #expect(payload.contains("notice.neutral.body") && !payload.contains("nights"))
            let shown = try await one.push.notices(in: .english)
            #expect(shown.map(\.body) == ["Another of your devices was used."])
            #expect(try await one.push.notices(in: .english).isEmpty)

            try await one.push.refuse()
            #expect(service.registered.isEmpty)
            try await one.push.want(UserAction())
            #expect(await service.knows(1))
            try await one.signOut()
            #expect(try await !one.push.isWanted())
            let count = service.payloads.count
            try await Self.tell(20_003, other)
            #expect(service.registered.isEmpty && service.payloads.count == count)
        }
    }

    @Test func `E3: notices that are refused are not wanted while the server does not answer, either`() async throws {
        try await Self.withTwo { world, one, _ in
            let service = world.authority.pushService
            try await one.push.want(UserAction())
            #expect(await service.knows(1))
            try await world.during(.offline) {
                try await one.push.refuse()
                #expect(try await !one.push.isWanted())
            }
            try await one.push.becameActive()
            #expect(service.registered.isEmpty)
            #expect(try await !one.push.isWanted())
        }
    }

    @Test func `E3: after a sign-out that was cut off no token goes to the next server before the person wants it`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            let service = world.authority.pushService
            try await one.push.want(UserAction())
            #expect(await service.knows(1))
            // What a kill leaves: no account, and the token and its key.
            for name in try one.app.accountNames() { _ = try await one.app.remove(name) }
            #expect(try await one.push.isWanted())
            try await one.push.goOn()
            #expect(try await !one.push.isWanted())
            try await Self.signIn(one, world)
            try await one.push.goOn()
            try await one.push.becameActive()
            #expect(try await !one.push.isWanted())
            // The server forgets with a session what it told.
            try await Self.tell(20_001, other)
            #expect(service.registered.isEmpty && service.payloads.isEmpty)
        }
    }

    @Test
    func `E3: a system's push service asks the person, gives the token, and takes notices back`() async throws {
        try await Self.withTwo { world, one, other in
            let (service, system) = (world.authority.pushService, SystemOfATest())
            one.push.use(system)
            try await one.push.want(UserAction())
            #expect(system.done == ["asked"], "the person said no")
            #expect(try await !one.push.isWanted())

            system.allow()
            try await one.push.want(UserAction())
            #expect(system.done == ["asked", "asked", "registered"])
            let account = try #require(try await one.account())
            let answer = try await account.send([String: String](), to: "/api/push/tokens", as: [String: String].self)
            let token = try #require(answer["token"])
            try await one.push.came(Data(try #require(Hex.decode(token))))
            #expect(service.registered == [token], "the server has the bytes as hexadecimal digits")

            try await one.push.goOn()
            #expect(system.done.last == "registered", "the token may be another one at each start")
            try await one.signOut()
            #expect(system.done.last == "removed")
            try await Self.tell(20_000, other)
            #expect(service.registered.isEmpty)
        }
    }

    private static func tell(_ day: Int, _ security: DiarySecurity) async throws {
        try await security.with { [night = try night(day)] in try $0.keep(night) }
        _ = try await run(security)
    }
}

private final class SystemOfATest: PushSystem {
    private let state = Mutex((isAllowed: false, done: [String]()))

    var done: [String] { state.withLock { $0.done } }

    func allow() { state.withLock { $0.isAllowed = true } }

    func askPermission(_ action: UserAction) async -> Bool {
        state.withLock { state in
            state.done.append("asked")
            return state.isAllowed
        }
    }

    func isAllowed() async -> Bool { state.withLock { $0.isAllowed } }

    func register() async { state.withLock { $0.done.append("registered") } }

    func removeNotices() async { state.withLock { $0.done.append("removed") } }
}
