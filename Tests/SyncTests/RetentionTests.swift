import Foundation
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseSync

/// What is kept goes after 30 days that have passed, whatever the wall clock says.
@Suite struct RetentionTests {
    private static let day = 86_400.0
    let folder: TemporaryFolder
    private let time = ManualTime()
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/home")
    }

    private func container() throws -> ProtectedContainer {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            try ProtectedContainer.open("sync", in: home)
        }
    }

    /// A process that opens the journal, lets go of what is too old, and says how many contents are left.
    private func left(_ keep: SyncContent? = nil) async throws -> Int {
        try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            let journal = try ProtectedJournal.open(
                "one", in: try container(), lock: home.path + "/sync-one.lock", time: time.source)
            try journal.sweep()
            if let keep { try await journal.keep(keep, named: "a", for: .replaced) }
            return try journal.kept().count
        }
    }

    @Test func `SY14: a wall clock that is set forward lets go of nothing, 30 days that pass do`() async throws {
        #expect(try await left(SyncContent([1])) == 1)
        let now = time.source.wallSeconds
        time.setWall(seconds: now + 400 * 86_400)
        #expect(try await left() == 1)
        time.setWall(seconds: now)
        for _ in 0..<29 {
            time.advance(seconds: Self.day)
            #expect(try await left() == 1)
        }
        time.advance(seconds: Self.day + 1)
        #expect(try await left() == 0)
    }

    @Test func `SY14: over a reboot the wall clock makes a week of it at most, and set back it makes none`()
        async throws
    {
        #expect(try await left(SyncContent([1])) == 1)
        time.reboot()
        time.setWall(seconds: time.source.wallSeconds + 4_000 * 86_400)
        #expect(try await left() == 1)
        time.reboot()
        time.setWall(seconds: 0)
        #expect(try await left() == 1)
        // 7 days are counted; 22 more are 29, and two more days end it.
        time.advance(seconds: 22 * Self.day)
        #expect(try await left() == 1)
        time.advance(seconds: 2 * Self.day)
        #expect(try await left() == 0)
    }

    @Test func `SY14: a clock that is wrong from the beginning does not make contents stay for ever`() async throws {
        time.setWall(seconds: 4_000_000_000)
        #expect(try await left(SyncContent([1])) == 1)
        time.reboot()
        time.setWall(seconds: 1_900_000_000)
        time.advance(seconds: 31 * Self.day)
        #expect(try await left() == 1)
        time.advance(seconds: 31 * Self.day)
        #expect(try await left() == 0)
    }

    @Test func `SY14: records that were replaced go by the same time`() throws {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            let database = try container().database(
                "records", protection: .untilFirstUserAuthentication, migrations: ProtectedRecordStore.steps)
            let store = ProtectedRecordStore(database, time: time.source)
            let id = try #require(RecordID("n"))
            func write(_ number: Int, _ tag: String) throws {
                let fields = try RecordFields(json: Array(#"{"a":\#(number)}"#.utf8))
                let version = RecordVersion(tag: tag, fields: fields)
                _ = try store.apply([(id, .received(version))], position: nil)
            }
            try write(1, "1")
            try write(2, "2")
            #expect(try store.replaced().count == 1)
            time.setWall(seconds: time.source.wallSeconds + 400 * 86_400)
            try write(2, "3")
            #expect(try store.replaced().count == 1)
            time.advance(seconds: 29 * Self.day)
            try write(2, "4")
            #expect(try store.replaced().count == 1)
            time.advance(seconds: 2 * Self.day)
            try write(2, "5")
            #expect(try store.replaced().isEmpty)
        }
    }

    @Test func `SY14: that a record was erased while it was being sent outlives the process`() throws {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            let database = try container().database(
                "records", protection: .untilFirstUserAuthentication, migrations: ProtectedRecordStore.steps)
            let id = try #require(RecordID("n"))
            let fields = try RecordFields(json: Array(#"{"a":1}"#.utf8))
            let before = ProtectedRecordStore(database, time: time.source)
            _ = try before.apply([(id, .edited(fields, over: nil)), (id, .started(key: "k"))], position: nil)
            #expect(try before.row(id)?.pending?.isErased == false)
            _ = try before.apply([(id, .erased), (id, .edited(RecordFields(), over: nil))], position: nil)
            let after = ProtectedRecordStore(database, time: time.source)
            #expect(try after.row(id)?.pending?.isErased == true && after.row(id)?.pending?.fields == fields)
            let changes = try after.apply([(id, .confirmed(key: "k", tag: "2"))], position: nil)
            #expect(try changes.hasLetGo && after.row(id)?.base?.fields == .erased)
            #expect(try after.row(id)?.here == RecordFields() && after.waiting() == [id])
        }
    }

    @Test(arguments: ["", "1 2 3", "-1 2 3 b", "x 2 3 b", "1 2 y b", "1 2"])
    func `what is no time that passed is none`(_ text: String) { #expect(ElapsedTime(text) == nil) }

    @Test func `time that passed comes back as it was written`() {
        let start = ElapsedTime(startingAt: ClockReading(time.source))
        time.advance(seconds: 5)
        let later = start.at(ClockReading(time.source))
        #expect(ElapsedTime(later.text) == later && later.total == 5_000)
    }
}
