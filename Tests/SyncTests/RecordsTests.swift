import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTesting
import Synchronization
import Testing

@testable import PaviseProtectedStorage
@testable import PaviseSync

/// Records of an account over real TLS and tokens, in protected databases.
@Suite struct `Records of an app` {
    struct Night: Codable, Identifiable, Hashable, Sendable {
        let id: String
        var awake: Int
        var note: String?
    }

    /// The same records in a later version of the app.
    struct LaterNight: Codable, Identifiable, Sendable {
        let id: String
        var awake: Int
        var mood: String?
    }

    private static let path = "/api/records/nights"

    private static func nights(_ account: Account) throws -> Records<Night> {
        try account.records(of: Night.self, at: path, protection: .complete)
    }

    /// Two devices of alice.
    private static func withTwo(
        _ body: (TestWorld, Records<Night>, Records<Night>) async throws -> Void
    ) async throws {
        try await TestWorld.run { world in
            let (one, other) = (try world.app("org.example.one"), try world.app("org.example.other"))
            let (first, second) = (try await world.signIn(one), try await world.signIn(other))
            try await body(world, try nights(first), try nights(second))
            withExtendedLifetime((one, other)) {}
        }
    }

    @Test func `what one device writes, changes and deletes is on the other, and nothing to do is one request`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            for day in 1...9 { try one.put(Night(id: "2026-11-0\(day)", awake: day)) }
            #expect(one.state.unsent == 9)
            let sent = await one.sync()
            #expect(sent.sent == 9 && sent.isComplete, "\(sent)")
            #expect(one.state.unsent == 0 && one.state.activity == .idle)
            let received = await other.sync()
            #expect(received.received == 9 && received.isComplete)
            #expect(try other.all() == one.all())
            try other.put(Night(id: "2026-11-01", awake: 7, note: "rain"))
            try other.delete("2026-11-02")
            #expect(await other.sync().isComplete)
            #expect(await one.sync().isComplete)
            #expect(try one.record("2026-11-01") == Night(id: "2026-11-01", awake: 7, note: "rain"))
            #expect(try one.record("2026-11-02") == nil && one.all().count == 8)
            world.authority.server.forget()
            let idle = await one.sync()
            #expect(idle.isComplete && idle.sent == 0 && idle.received == 0)
            #expect(world.authority.server.requests.count == 1)
            // What went is kept for 30 days.
            #expect(try one.replaced().map(\.awake).sorted() == [1, 2])
        }
    }

    @Test func `SY9: other fields are merged, one field on both sides keeps both versions until a person closes it`()
        async throws
    {
        try await Self.withTwo { world, one, other in
            try one.put(Night(id: "n", awake: 1, note: "old"))
            _ = await one.sync()
            _ = await other.sync()
            try one.put(Night(id: "n", awake: 2, note: "old"))
            try other.put(Night(id: "n", awake: 1, note: "new"))
            _ = await one.sync()
            _ = await other.sync()
            _ = await one.sync()
            #expect(try one.all() == [Night(id: "n", awake: 2, note: "new")])
            #expect(try other.all() == one.all())
            try one.put(Night(id: "n", awake: 3, note: "new"))
            try other.put(Night(id: "n", awake: 4, note: "other"))
            _ = await one.sync()
            let report = await other.sync()
            #expect(report.conflicts.count == 1)
            _ = await one.sync()
            // Both devices list it, and the record itself is one.
            for device in [one, other] {
                #expect(try device.all() == [Night(id: "n", awake: 3, note: "new")])
                let conflict = try #require(try device.conflicts().first)
                #expect(conflict.other == Night(id: "n", awake: 4, note: "other"))
                #expect(device.state.conflicts == 1)
            }
            let conflict = try #require(try one.conflicts().first)
            try one.close(conflict, keeping: Night(id: "n", awake: 4, note: "new"))
            _ = await one.sync()
            _ = await other.sync()
            #expect(try other.all() == [Night(id: "n", awake: 4, note: "new")])
            #expect(try other.conflicts().isEmpty && one.conflicts().isEmpty)
            #expect(world.authority.records.records("alice/nights").count == 1)
        }
    }

    @Test(arguments: [false, true])
    func `SY9: a conflict is closed by deleting the record, also where it was deleted before`(_ isThere: Bool)
        async throws
    {
        try await Self.withTwo { world, one, other in
            try one.put(Night(id: "n", awake: 1, note: "old"))
            for device in [one, other] { _ = await device.sync() }
            try one.put(Night(id: "n", awake: 2, note: "one"))
            try other.put(Night(id: "n", awake: 3, note: "other"))
            for device in [one, other, one] { _ = await device.sync() }
            if !isThere {
                try one.delete("n")
                for device in [one, other] { _ = await device.sync() }
            }
            let conflict = try #require(try other.conflicts().first)
            #expect((conflict.current != nil) == isThere)
            try other.close(conflict, keeping: nil)
            for device in [other, one] { _ = await device.sync() }
            for device in [one, other] { #expect(try device.all().isEmpty && device.conflicts().isEmpty) }
            #expect(world.authority.records.records("alice/nights").isEmpty)
        }
    }

    @Test(arguments: [false, true], ["PUT", "DELETE"])
    func `SY15: a write whose answer was lost is done once, with idempotency keys and without`(
        _ forgets: Bool, _ method: String
    ) async throws {
        try await Self.withTwo { world, one, other in
            try one.put(Night(id: "kept", awake: 1))
            try one.put(Night(id: "n", awake: 1))
            _ = await one.sync()
            world.authority.records.set { ($0.forgetsKeys, $0.lostAnswers) = (forgets, [method: 1]) }
            if method == "PUT" { try one.put(Night(id: "n", awake: 2)) } else { try one.delete("n") }
            let report = await one.sync()
            if report.failure != nil {
                #expect(one.state.unsent == 1)
                #expect(await one.sync().isComplete)
            }
            #expect(one.state.unsent == 0)
            _ = await other.sync()
            #expect(try other.record("n") == (method == "PUT" ? Night(id: "n", awake: 2) : nil))
            #expect(try one.conflicts().isEmpty && other.conflicts().isEmpty)
        }
    }

    @Test func `SY7: a second writer in every window of a write is never overwritten`() async throws {
        for moment in [DAVServer.Moment.before, .after] {
            try await Self.withTwo { world, one, _ in
                try one.put(Night(id: "n", awake: 1))
                _ = await one.sync()
                let turns = Mutex(0)
                world.authority.records.secondWriter { server, request, now in
                    guard now == moment, request.method == "PUT" else { return }
                    let turn = turns.withLock { count in
                        count += 1
                        return count
                    }
                    if turn <= 2 { server.write("alice/nights/n", #"{"awake":\#(100 + turn)}"#) }
                }
                try one.put(Night(id: "n", awake: 2))
                for _ in 0..<4 { _ = await one.sync() }
                world.authority.records.secondWriter(nil)
                _ = await one.sync()
                let there = world.authority.records.records("alice/nights")
                #expect(there.values.contains { $0.contains(moment == .before ? "102" : "101") }, "\(there)")
                #expect(there.values.contains { $0.contains(#""awake":2"#) } || moment == .after, "\(there)")
            }
        }
    }

    @Test func `SY11: a mass deletion and another collection are asked about`() async throws {
        try await Self.withTwo { world, one, _ in
            for number in 0..<20 { try one.put(Night(id: "n\(number)", awake: number)) }
            _ = await one.sync()
            for number in 0..<15 { world.authority.records.write("alice/nights/n\(number)", nil) }
            let asked = await one.sync()
            #expect(asked.questions == [.deletions(15, of: 20)])
            #expect(try one.all().count == 20 && one.state.questions == 1)
            #expect(await one.sync(approving: asked.questions).isComplete)
            #expect(try one.all().count == 5)
            world.authority.records.replace("alice/nights")
            let other = await one.sync()
            #expect(other.questions == [.otherCollection])
            #expect(try one.all().count == 5)
            // With a yes nothing goes: what only this device has is sent.
            #expect(await one.sync(approving: other.questions).isComplete)
            #expect(world.authority.records.records("alice/nights").count == 5)
        }
    }

    @Test func `SY11: more than 100 deletions, 100 replacements and an empty collection are asked about`() async throws
    {
        try await Self.withTwo { world, one, _ in
            let records = world.authority.records
            try one.put(Night(id: "own", awake: 1))
            for number in 0..<249 { records.write("alice/nights/n\(number)", #"{"awake":1}"#) }
            #expect(await one.sync().isComplete)
            for number in 0..<101 { records.write("alice/nights/n\(number)", nil) }
            #expect(await one.sync().questions == [.deletions(101, of: 250)])
            // One fewer is none, and comes.
            records.write("alice/nights/n100", #"{"awake":1}"#)
            #expect(await one.sync().isComplete)
            #expect(try one.all().count == 150)
            // What most of them became is asked about too.
            for number in 100..<199 { records.write("alice/nights/n\(number)", #"{"awake":2}"#) }
            #expect(await one.sync().isComplete)
            for number in 100..<200 { records.write("alice/nights/n\(number)", #"{"awake":3}"#) }
            let asked = await one.sync()
            #expect(asked.questions == [.replacements(100, of: 150)])
            #expect(try one.record("n150") == Night(id: "n150", awake: 2))
            #expect(await one.sync(approving: asked.questions).isComplete)
            #expect(try one.record("n150") == Night(id: "n150", awake: 3))
            // The same collection, and nothing in it any more: everything was forgotten.
            for number in 100..<249 { records.write("alice/nights/n\(number)", nil) }
            records.write("alice/nights/own", nil)
            records.forget("alice/nights")
            let emptied = await one.sync()
            #expect(emptied.questions == [.emptied(150)])
            #expect(try one.all().count == 150)
        }
    }

    @Test func `a list that forgot its cursor is read anew, and what it lacks is asked for by name`() async throws {
        try await Self.withTwo { world, one, other in
            for number in 0..<5 { try one.put(Night(id: "n\(number)", awake: number)) }
            _ = await one.sync()
            _ = await other.sync()
            try one.delete("n0")
            _ = await one.sync()
            world.authority.records.forget("alice/nights")
            #expect(await other.sync().isComplete)
            #expect(try other.all().count == 4)
        }
    }

    @Test func `a field that this program does not know stays`() async throws {
        try await Self.withTwo { world, one, _ in
            world.authority.records.write("alice/nights/n", #"{"awake":1,"mood":"good","x":{"y":[1.50]}}"#)
            _ = await one.sync()
            try one.put(Night(id: "n", awake: 2, note: "a"))
            try one.put(Night(id: "n", awake: 2))
            _ = await one.sync()
            let text = world.authority.records.records("alice/nights")["n"] ?? ""
            let value = try RecordFields(json: Array(text.utf8))
            #expect(value == (try RecordFields(json: Array(#"{"awake":2,"mood":"good","x":{"y":[1.5]}}"#.utf8))))
        }
    }

    /// A later version's record again, with a field that it makes up where there is none.
    struct DefaultedNight: Codable, Identifiable, Sendable {
        let id: String
        var awake: Int
        var mood: String

        enum CodingKeys: CodingKey { case id, awake, mood }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            (id, awake) = (try values.decode(String.self, forKey: .id), try values.decode(Int.self, forKey: .awake))
            mood = try values.decodeIfPresent(String.self, forKey: .mood) ?? "even"
        }
    }

    @Test func `a field that a later version makes up is nobody's change, and setting it is no conflict`() throws {
        let id = try #require(RecordID("n"))
        let here = try RecordFields(json: Array(#"{"awake":1,"x":1}"#.utf8))
        let seen = try Records<DefaultedNight>.decoded(here, "n")
        var night = seen
        night.mood = "good"
        for (told, wanted) in [(seen, #"{"awake":1,"x":1}"#), (night, #"{"awake":1,"x":1,"mood":"good"}"#)] {
            var row = RecordRow(id)
            row.here = here
            let outcome = row.after(try Records<DefaultedNight>.change(to: told, over: seen, of: here, id))
            #expect(outcome.other == nil)
            #expect(outcome.row.here == (try RecordFields(json: Array(wanted.utf8))))
        }
        // What came meanwhile is a change, and both stay.
        let now = try RecordFields(json: Array(#"{"awake":1,"mood":"bad"}"#.utf8))
        var row = RecordRow(id)
        row.here = now
        let clash = row.after(try Records<DefaultedNight>.change(to: night, over: seen, of: now, id))
        #expect(clash.other == now)
    }

    @Test func `a record has the name of its address, whatever a server wrote into it`() throws {
        for own in [#""n""#, #""other""#, "5", "null"] {
            let fields = try RecordFields(json: Array(#"{"awake":1,"id":\#(own)}"#.utf8))
            #expect(try Records<Night>.decoded(fields, "n") == Night(id: "n", awake: 1))
        }
    }

    @Test func `SY14: the version that a conflict's end takes away is kept under the record's name`() async throws {
        try await Self.withTwo { _, one, other in
            try one.put(Night(id: "n", awake: 1))
            for device in [one, other] { _ = await device.sync() }
            try one.put(Night(id: "n", awake: 2))
            try other.put(Night(id: "n", awake: 3))
            _ = await one.sync()
            _ = await other.sync()
            // The server does not have this one yet.
            try other.put(Night(id: "n", awake: 4))
            let conflict = try #require(try other.conflicts().first)
            try other.close(conflict, keeping: Night(id: "n", awake: 5))
            let kept = try other.replaced()
            #expect(kept.allSatisfy { $0.id == "n" })
            #expect(Set(kept.map(\.awake)).isSuperset(of: [3, 4]))
            #expect(try other.record("n")?.awake == 5)
        }
    }

    /// Whether a text lies in a page of an account's records, freed ones included, or may lie in the log.
    private static func holds(_ account: Account, _ text: String) throws -> Bool {
        let container = try account.container().platform
        let path = try container.databasePath(of: "records-\(Self.path)", .complete)
        let log = try DurableFile.readIfPresent("\(path)-wal", limit: 1 << 24)?.count ?? 0
        let raw = try StorageDatabase.open("records-\(Self.path)", in: container, .complete)
        defer { raw.close() }
        return try log >= 4_096 || raw.image().firstRange(of: Array(text.utf8)) != nil
    }

    @Test func `SY14: of an erased record nothing stays here, offline too, and none of its earlier versions`()
        async throws
    {
        try await TestWorld.run { world in
            let app = try world.app()
            let account = try await world.signIn(app)
            let nights = try Self.nights(account)
            try nights.put(Night(id: "n", awake: 1, note: "canary hyena"))
            try nights.put(Night(id: "other", awake: 1, note: "stays"))
            #expect(await nights.sync().isComplete)
            try nights.put(Night(id: "n", awake: 1, note: "another hyena"))
            #expect(await nights.sync().isComplete)
            try nights.put(Night(id: "n", awake: 2, note: "a third hyena"))
            #expect(try nights.replaced().count == 2 && Self.holds(account, "hyena"))
            try nights.erase("n")
            #expect(try nights.replaced().isEmpty && nights.record("n") == nil)
            #expect(try !Self.holds(account, "hyena") && nights.all().map(\.id) == ["other"])
            #expect(nights.state.unsent == 1)
            #expect(await nights.sync().isComplete)
            #expect(world.authority.records.records("alice/nights").keys.sorted() == ["other"])
            // What is on its way is gone when the server has answered.
            try nights.put(Night(id: "n", awake: 1, note: "canary hyena"))
            world.authority.records.set { $0.lostAnswers = ["PUT": 8] }
            _ = await nights.sync()
            try nights.erase("n")
            world.authority.records.set { $0.lostAnswers = [:] }
            #expect(await nights.sync().isComplete)
            #expect(try !Self.holds(account, "hyena"))
            #expect(world.authority.records.records("alice/nights").keys.sorted() == ["other"])
            // Also where the app writes the record anew before that.
            try nights.put(Night(id: "n", awake: 1, note: "canary hyena"))
            world.authority.records.set { $0.lostAnswers = ["PUT": 8] }
            _ = await nights.sync()
            try nights.erase("n")
            try nights.put(Night(id: "n", awake: 2, note: "written anew"))
            world.authority.records.set { $0.lostAnswers = [:] }
            #expect(await nights.sync().isComplete)
            #expect(try nights.record("n")?.note == "written anew" && nights.state.unsent == 0)
            try nights.eraseReplaced("n")
            #expect(try !Self.holds(account, "hyena"))
            try nights.erase("n")
            try nights.put(Night(id: "n", awake: 3, note: "and once more"))
            #expect(await nights.sync().isComplete)
            #expect(nights.state.unsent == 0)
            try nights.erase("n")
            #expect(await nights.sync().isComplete)
            // Nothing of it is there any more: what was kept of it goes all the same.
            try nights.put(Night(id: "n", awake: 1, note: "canary hyena"))
            _ = await nights.sync()
            try nights.delete("n")
            #expect(await nights.sync().isComplete)
            #expect(try nights.replaced().map(\.note) == ["canary hyena"])
            try nights.eraseReplaced("n")
            #expect(try nights.replaced().isEmpty && !Self.holds(account, "hyena"))
        }
    }

    @Test func `SY14: erasing takes no other record along whose identifier begins the same`() async throws {
        try await TestWorld.run { world in
            let account = try await world.signIn(try world.app())
            let nights = try Self.nights(account)
            // An app gives no identifier with a “~”; a server may.
            for id in ["n", "n~b", "other"] {
                world.authority.records.write("alice/nights/\(id)", #"{"awake":1,"note":"of \#(id)"}"#)
            }
            #expect(await nights.sync().isComplete)
            for id in ["n", "n~b"] { try nights.delete(id) }
            #expect(await nights.sync().isComplete)
            #expect(try Set(nights.replaced().map(\.note)) == ["of n", "of n~b"])
            try nights.eraseReplaced("n")
            #expect(try nights.replaced().map(\.note) == ["of n~b"])
        }
    }

    @Test func `another version of a record is told from a record whose identifier begins the same`() throws {
        let digest = ContentDigest(of: [1])
        let long = String(repeating: "x", count: 101)
        for text in ["n", "n-1", "n~b", String(repeating: "x", count: 100), long, String(repeating: "y", count: 128)] {
            let id = try #require(RecordID(text))
            let version = id.conflict(digest, 1)
            #expect(version.isVersion(of: id) && id.conflict(digest, 12).isVersion(of: id), "\(text)")
            #expect(!id.isVersion(of: id) && !id.isVersion(of: version), "\(text)")
        }
        let id = try #require(RecordID("n"))
        #expect(id.conflict(digest, 2).conflict(digest, 1).isVersion(of: id))
        let version = "n~" + String(repeating: "0a", count: 8)
        for text in [
            "n~b", "n~", "\(version)0", "\(version)-", "\(version)-x", "\(version)~", "\(version)~b", "n-1~0a",
            "n~" + String(repeating: "0A", count: 8), "m" + version,
        ] {
            let other = try #require(RecordID(text))
            #expect(!other.isVersion(of: id), "\(text)")
        }
    }

    @Test func `SY19: the app lock closes records, and sign-out removes them with what was not sent`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            try await app.lock.setPIN("482913")
            let account = try await world.signIn(app)
            let nights = try Self.nights(account)
            for number in 0..<3 { try nights.put(Night(id: "canary-\(number)", awake: number, note: "canary-note")) }
            app.lock.lockNow()
            #expect(throws: PaviseError.appLocked) { try nights.all() }
            #expect(throws: PaviseError.appLocked) { try nights.put(Night(id: "x", awake: 1)) }
            #expect(throws: PaviseError.appLocked) { try Self.nights(account) }
            let report = await nights.sync()
            #expect(report.failure == .locked && nights.state.activity == .stopped(.appLocked))
            // Nothing is asked of the disk first: not even who else is at work.
            guard let held = try FileLock.tryAcquire(nights.lock) else { throw SyncFailure.busy }
            #expect(await nights.sync().failure == .locked)
            _ = consume held
            #expect(nights.state.unsent == 3)
            #expect(world.authority.server.requests.allSatisfy { !$0.path.hasPrefix(Self.path) })
            _ = try await app.lock.unlock("482913")
            #expect(try nights.all().count == 3)
            _ = await account.signOut()
            #expect(throws: PaviseError.self) { try nights.put(Night(id: "x", awake: 1)) }
            let again = try Self.nights(try await world.signIn(app))
            #expect(try again.all().isEmpty && again.state.unsent == 0)
        }
    }

    @Test func `screens hear of states and of values`() async throws {
        try await Self.withTwo { _, one, _ in
            var states = one.states.makeAsyncIterator()
            #expect(await states.next() == SyncState())
            var values = one.values.makeAsyncIterator()
            #expect(try await values.next()?.isEmpty == true)
            try one.put(Night(id: "n", awake: 1))
            #expect(await states.next()?.unsent == 1)
            #expect(try await values.next()?.count == 1)
            _ = await one.sync()
            #expect(one.state == SyncState())
        }
    }

    @Test func `a record that cannot be read is told to a screen, and hides no other`() async throws {
        try await Self.withTwo { world, one, _ in
            world.authority.records.write("alice/nights/good", #"{"awake":1}"#)
            world.authority.records.write("alice/nights/odd", #"{"awake":"canary"}"#)
            var values = one.values.makeAsyncIterator()
            #expect(try await values.next()?.isEmpty == true)
            #expect(await one.sync().isComplete)
            let rows = try #require(try await values.next())
            #expect(rows.map(\.id) == ["good", "odd"])
            #expect(try rows.first?.record.get() == Night(id: "good", awake: 1))
            guard case .failure(let error) = rows.last?.record else {
                Issue.record("a text is no number")
                return
            }
            #expect(error.code == .damaged && !error.isSecurityEvent && !"\(error.underlying)".contains("canary"))
            // Whoever wants all of them hears it too, and of a single one.
            let thrown = #expect(throws: PaviseError.self) { try one.all() }
            #expect(thrown?.code == .damaged)
            let single = #expect(throws: PaviseError.self) { try one.record("odd") }
            #expect(single?.code == .damaged)
        }
    }

    @Test func `a conflict that cannot be read hides no other`() async throws {
        try await Self.withTwo { world, one, other in
            let ids = ["n", "odd"]
            for id in ids { try one.put(Night(id: id, awake: 1)) }
            for device in [one, other] { _ = await device.sync() }
            for id in ids {
                try one.put(Night(id: id, awake: 2))
                try other.put(Night(id: id, awake: 3))
            }
            for device in [one, other, one] { _ = await device.sync() }
            #expect(try one.conflicts().map(\.other.id).sorted() == ids)
            // Another version of the app writes what this one cannot read.
            world.authority.records.write("alice/nights/odd", #"{"awake":"canary"}"#)
            _ = await one.sync()
            #expect(try one.conflicts().map(\.other.id) == ["n"])
            #expect(one.state.conflicts == 2)
        }
    }

    @Test func `records are sent soon after they are written, for as long as somebody reads the reports`() async throws
    {
        try await Self.withTwo { world, one, _ in
            var reports = one.reports(every: .seconds(600)).makeAsyncIterator()
            #expect(await reports.next()?.isComplete == true)
            try one.put(Night(id: "n", awake: 1))
            #expect(await reports.next()?.sent == 1)
            #expect(world.authority.records.records("alice/nights").count == 1)
        }
    }

    @Test(arguments: ["", ".", "../x", "a/b", "a~b", "naïve", String(repeating: "x", count: 101)])
    func `what is no identifier is refused`(_ id: String) async throws {
        try await Self.withTwo { _, one, _ in
            #expect(throws: PaviseError.self) { try one.put(Night(id: id, awake: 1)) }
            let all = try one.all()
            #expect(all.isEmpty)
        }
    }

    @Test func `SY16: an error of the server for some records keeps the others from nothing`()
        async throws
    {
        try await Self.withTwo { world, one, _ in
            world.authority.records.set { $0.failsWrites = ["a1", "a2", "a3", "a4"] }
            for id in ["a1", "a2", "a3", "a4", "b1", "b2"] { try one.put(Night(id: id, awake: 1)) }
            var runs = 0
            while world.authority.records.records("alice/nights").count < 2, runs < 6 {
                _ = await one.sync()
                runs += 1
            }
            #expect(world.authority.records.records("alice/nights").count == 2)
            #expect(one.state.unsent == 4)
            world.authority.records.set { $0.failsWrites = [] }
            #expect(await one.sync().isComplete)
        }
    }

    @Test func `SY16: a record that the server refuses is asked about, and the others go on`() async throws {
        try await Self.withTwo { world, one, _ in
            world.authority.records.set { $0.refusesWrites = 422 }
            try one.put(Night(id: "n", awake: 1))
            let refused = await one.sync()
            #expect(refused.failure == nil && refused.questions.count == 1)
            world.authority.records.set { $0.refusesWrites = nil }
            #expect(await one.sync().isComplete)
        }
    }
}

/// Lists that a hostile server sends.
@Suite struct RecordPageTests {
    private static func page(_ records: String) -> String {
        #"{"collection":"c","cursor":"1","more":false,"records":[\#(records)]}"#
    }

    static let hostile = [
        "", "[]", "{}", "nul", page("{}"), page(#"{"id":"a","version":"1"}"#),
        page(#"{"id":"../x","version":"1","fields":{}}"#), page(#"{"id":"a","version":"","fields":{}}"#),
        page(#"{"id":"a","version":"1\"","fields":{}}"#), page(#"{"id":"a","version":"1","fields":[]}"#),
        page(#"{"id":"a","version":"1","fields":{},"deleted":true}"#),
        page(#"{"id":"a","version":"1","fields":{},"conflictOf":"a/b"}"#),
        page(#"{"id":"a","version":"1","fields":{"x":1,"x":2}}"#),
        page(#"{"id":"a","version":"1","fields":{}},{"id":"a","version":"2","fields":{}}"#),
        page(#"{"id":"a","version":"1","fields":{"x":\#(String(repeating: "[", count: 40))}}"#),
        page(#"{"id":"a","version":"1","fields":{"x":"\#(String(repeating: "y", count: 300_000))"}}"#),
        page((0...1_000).map { #"{"id":"a\#($0)","version":"1","fields":{}}"# }.joined(separator: ",")),
        #"{"collection":"c","cursor":"a b","more":false,"records":[]}"#,
        #"{"collection":"","cursor":"1","more":false,"records":[]}"#,
    ]

    @Test(arguments: hostile)
    func `SY18: what is no page of records is an error`(_ text: String) {
        #expect { try RecordPage(json: Array(text.utf8)) } throws: { error in
            if case .some(.listing) = error as? SyncFailure { true } else { false }
        }
    }

    /// An object with arrays inside each other.
    private static func nested(_ depth: Int) -> String {
        #"{"x":\#(String(repeating: "[", count: depth))\#(String(repeating: "]", count: depth))}"#
    }

    @Test func `SY18: a record that no store reads again is none, in a page and alone`() throws {
        for depth in [15, 16, 17] {
            // What is alone stands less deep in the answer: the record's own depth counts.
            let text = #"{"id":"a","version":"1","fields":\#(Self.nested(depth))}"#
            let value = try JSONValue.parse(Array(text.utf8), depth: 40)
            let alone = RemoteRecord(value)
            #expect((alone != nil) == (depth == 15), "\(depth)")
            let listed = try? RecordPage(json: Array(Self.page(text).utf8))
            #expect((listed != nil) == (depth == 15), "\(depth)")
            guard let fields = alone?.version.fields else { continue }
            #expect(try RecordFields(json: fields.json) == fields)
        }
        // Letters and numbers that are longer in the stored form.
        for text in [String(repeating: "\u{7F}", count: 50_000), String(repeating: "\u{2028}", count: 50_000)] {
            let written = #"{"x":"\#(text)"}"#
            #expect(written.utf8.count < RecordFields.sizeLimit)
            #expect(throws: SyncFailure.refused("A record is too large.")) {
                try RecordFields(json: Array(written.utf8))
            }
        }
    }

    @Test func `SY18: a list without an end, and one that changes its collection, stop the run`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            let account = try await world.signIn(app)
            let records = try account.records(
                of: `Records of an app`.Night.self, at: "/api/records/n", protection: .none)
            world.authority.records.set { $0.neverEnds = true }
            guard case .listing = await records.sync().failure else {
                Issue.record("an endless list went through")
                return
            }
            world.authority.records.set { ($0.neverEnds, $0.listing) = (false, "<html>") }
            guard case .listing = await records.sync().failure else {
                Issue.record("a page of HTML went through")
                return
            }
        }
    }

    @Test func `a page comes back as it was written`() throws {
        let record = RemoteRecord(
            id: try #require(RecordID("a")),
            version: RecordVersion(
                tag: "7", fields: try RecordFields(json: Array(#"{"b":[true,null],"a":1e2}"#.utf8)),
                original: RecordID("x~1")))
        let text = Self.page(record.json.text)
        #expect(try RecordPage(json: Array(text.utf8)).records == [record])
    }
}

/// A folder of files behind the front door.
@Suite struct `A folder of an account` {
    @Test func `it is kept equal, the lock closes it, sign-out removes what was kept`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            try await app.lock.setPIN("482913")
            let account = try await world.signIn(app)
            let stage = try SyncStage()
            try stage.write("a.txt", "one")
            let folder = try account.sync(folder: stage.place, with: "/api/dav", device: "test")
            #expect(await folder.run().isComplete)
            #expect(world.authority.files.files == ["a.txt": Array("one".utf8)])
            #expect(folder.state == SyncState())
            app.lock.lockNow()
            #expect(await folder.run().failure == .locked)
            #expect(folder.state.activity == .stopped(.appLocked))
            _ = try await app.lock.unlock("482913")
            world.authority.files.write("b.txt", Array("two".utf8))
            #expect(await folder.run().isComplete)
            #expect(stage.text("b.txt") == "two")
            // Journal and contents, which nobody reads any more: the files themselves stay.
            let place = try account.container().platform.folder
            #expect(try !folder.kept().isEmpty && DurableFile.exists(place))
            _ = await account.signOut()
            #expect(!DurableFile.exists(place))
            #expect(throws: SyncFailure.self) { try folder.kept() }
            #expect(await folder.run().failure != nil)
            #expect(!DurableFile.exists(place))
            #expect(stage.text("a.txt") == "one" && stage.text("b.txt") == "two")
        }
    }
}
