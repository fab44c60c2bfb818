import DiaryCore
import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// The diary in its container.
@Suite struct DiaryTests {
    let folder: TemporaryFolder
    let lock = LockSwitch()
    let container: ProtectedContainer
    let diary: Diary

    init() throws {
        folder = try TemporaryFolder()
        let home = PaviseHome(path: folder.path + "/home")
        container = try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home, lock: lock)) {
            try ProtectedContainer.open("sleep-diary", in: home)
        }
        diary = try Diary.open(in: container)
        try diary.keep(Consent(moment: Date(), isGiven: true))
    }

    private func night(_ days: Int, note: String = "") throws -> Night {
        let bed = Date(timeIntervalSince1970: Double(days) * 86_400 + 79_200)
        return try Night(
            date: try #require(LocalDate(days: days)), toBed: bed, offsetToBed: 120,
            up: bed.addingTimeInterval(28_800.25), offsetUp: 60, asleepAfter: 10, awake: 20, note: note)
    }

    @Test func `nights come back as they were kept, in their order, and a new version takes the place`() throws {
        let nights = [try night(20_002), try night(20_000, note: "“it's” 😴"), try night(20_001)]
        for night in nights { try diary.keep(night) }
        #expect(try diary.nights() == [nights[1], nights[2], nights[0]])
        #expect(try diary.nights(from: LocalDate(days: 20_001), to: LocalDate(days: 20_001)) == [nights[2]])
        let changed = try nights[1].noting("calm")
        try diary.keep(changed)
        #expect(try diary.nights().first == changed && changed.version == 2)
        #expect(try diary.nights(noting: "calm") == [changed])
        #expect(try diary.nights(noting: "it's") == [])
        diary.close()
        #expect(try Diary.open(in: container).nights().count == 3)
    }

    @Test(arguments: ["", "\"", "' OR 1=1 --", "NEAR(", "*", "a OR b", "note : x", "\u{0}"])
    func `DR14: no search can break out of its text`(_ words: String) throws {
        try diary.keep(try night(20_000, note: "calm"))
        #expect(try diary.nights(noting: words) == [])
        #expect(try diary.nights().count == 1)
    }

    @Test func `of an erased night nothing stays, in no page and in no log`() throws {
        let night = try night(20_000, note: "canary hyena")
        try diary.keep(night)
        try diary.keep(try self.night(20_001, note: "other"))
        try diary.erase(night.id)
        #expect(try diary.nights().map(\.note) == ["other"])
        #expect(try diary.nights(noting: "hyena") == [])
        let place = folder.path + "/home/containers/sleep-diary/database"
        let log = try #require(try Folder.names(in: place).first { $0.hasSuffix("-wal") })
        #expect(try DurableFile.read("\(place)/\(log)", limit: 1 << 20).count < 4_096)
        // As an ordinary SQLite file, freed pages included.
        diary.close()
        let raw = try StorageDatabase.open("diary", in: container.platform, .complete)
        let image = try raw.image()
        #expect(image.firstRange(of: Array("hyena".utf8)) == nil && image.firstRange(of: Array("other".utf8)) != nil)
        raw.close()
    }

    @Test func `nothing is kept before the person agrees to the current text, nor after they took it back`() throws {
        let answers = try Answers(
            .isi, edition: "de-1", date: try #require(LocalDate(days: 20_000)), [1, nil, 3, 0, 0, 4, 2])
        let home = PaviseHome(path: folder.path + "/home")
        let undecided = try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home, lock: lock)) {
            try Diary.open(in: try ProtectedContainer.open("undecided", in: home))
        }
        func expectNothingKept(_ nights: [Night]) throws {
            #expect(throws: ConsentNeeded.self) { try undecided.keep(try self.night(20_001)) }
            #expect(throws: ConsentNeeded.self) { try undecided.keep(answers) }
            #expect(try undecided.nights() == nights)
            #expect(try undecided.answers(to: .isi).isEmpty)
        }
        try expectNothingKept([])
        // To an earlier text.
        try undecided.keep(Consent(edition: "2020-1", moment: Date(), isGiven: true))
        try expectNothingKept([])
        try undecided.keep(Consent(moment: Date(), isGiven: true))
        let kept = try night(20_000)
        try undecided.keep(kept)
        try undecided.keep(Consent(moment: Date(), isGiven: false))
        try expectNothingKept([kept])
        // What is there can be erased without a consent.
        try undecided.erase(kept.id)
        try expectNothingKept([])
    }

    @Test func `answers come back, an item that was left out too`() throws {
        let date = try #require(LocalDate(days: 20_000))
        let first = try Answers(.isi, edition: "de-1", date: date, [1, nil, 3, 0, 0, 4, 2])
        try diary.keep(first)
        let mood = try Answers(.phq9, edition: "de-1", date: date, [0, 1, 2, 3, 0, 1, 2, 3, 0])
        try diary.keep(mood)
        #expect(try diary.answers(to: .isi) == [first] && (try diary.answers(to: .phq9)) == [mood])
        let again = try Answers(.isi, edition: "de-2", date: date, [0, 0, 0, 0, 0, 0, 0])
        try diary.keep(again)
        #expect(try diary.answers(to: .isi) == [again])
    }

    @Test func `while locked the diary is locked, and no word of it lies in clear in the home`() throws {
        try diary.keep(try night(20_000, note: "canary hyena"))
        lock.state = .locked
        #expect(throws: ProtectedDatabaseError.locked) { try diary.nights() }
        #expect(throws: ProtectedDatabaseError.locked) { try diary.keep(try night(20_001)) }
        for case let name as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
            let data = FileManager.default.contents(atPath: "\(folder.path)/\(name)") ?? Data()
            #expect(data.firstRange(of: Data("hyena".utf8)) == nil, "\(name)")
            #expect(!name.contains("diary.db"))
        }
        lock.state = .unlocked
        #expect(try diary.nights().count == 1)
    }
}
