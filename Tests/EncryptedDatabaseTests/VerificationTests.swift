import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

/// data-at-rest/DR16, DM6: a page of an older moment is named.
@Suite struct VerificationTests {
    private static func open(_ shelf: Shelf, tracks: Bool = true) throws -> Database {
        var options = DatabaseOptions()
        options.tracksPages = tracks
        let database = try Database.open(shelf.path, key: shelf.key, options: options)
        try database.run("CREATE TABLE IF NOT EXISTS note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        return database
    }

    private static func fill(_ database: Database, _ word: String) throws {
        try database.run("DELETE FROM note")
        try database.transaction { transaction in
            for number in 0..<200 {
                try transaction.run(
                    "INSERT INTO note(text) VALUES (?)",
                    [.text("\(word) \(number) " + String(repeating: "x", count: 90))])
            }
        }
        _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// The files of two moments, both with everything in the database file, and lists of tags beside it.
    private static func twoMoments(_ shelf: Shelf) throws -> (old: Moment, new: Moment) {
        let database = try open(shelf)
        try fill(database, "old")
        let old = try Moment(shelf)
        try fill(database, "new")
        database.close()
        return (old, try Moment(shelf))
    }

    /// All files.
    struct Moment {
        var main: [UInt8]
        var log: [UInt8]
        var lists: [[UInt8]?]

        init(_ shelf: Shelf) throws {
            let files = try shelf.files()
            (main, log) = (files.main, files.log)
            lists = ["-tags0", "-tags1"].map { suffix in
                (try? Data(contentsOf: URL(fileURLWithPath: shelf.path + suffix))).map { [UInt8]($0) }
            }
        }

        func put(_ shelf: Shelf) throws {
            try shelf.put(.init(main: main, log: log))
            for (suffix, list) in zip(["-tags0", "-tags1"], lists) {
                let url = URL(fileURLWithPath: shelf.path + suffix)
                try? FileManager.default.removeItem(at: url)
                if let list { try Data(list).write(to: url) }
            }
        }

        func page(_ number: Int) -> Range<Int> { number * 4096..<(number + 1) * 4096 }
    }

    @Test func `what was written last is intact`() throws {
        let shelf = try Shelf()
        _ = try Self.twoMoments(shelf)
        for _ in 0..<2 {
            let database = try shelf.open()
            let found = try database.verify()
            #expect(found.isIntact && found.isTracked && found.pages > 5, "\(found)")
            try database.run("INSERT INTO note(text) VALUES ('one more')")
            #expect(try database.verify().isIntact)
            database.close()
        }
    }

    @Test func `DR16 each page is named when its older self is put back`() throws {
        let shelf = try Shelf()
        let (old, new) = try Self.twoMoments(shelf)
        let pages = min(old.main.count, new.main.count) / 4096 - 1
        var named = 0
        for page in 1...pages where old.main[old.page(page)] != new.main[new.page(page)] {
            var mixed = new
            mixed.main.replaceSubrange(new.page(page), with: old.main[old.page(page)])
            try mixed.put(shelf)
            let database = try shelf.open()
            let found = try database.verify()
            #expect(found.older == [page] && found.damaged == [] && !found.isIntact, "page \(page): \(found)")
            named += 1
        }
        #expect(named > 5)
    }

    @Test func `DR16 an older list with its record and an older page is noticed`() throws {
        let shelf = try Shelf()
        let (old, new) = try Self.twoMoments(shelf)
        var mixed = new
        mixed.main.replaceSubrange(new.page(2), with: old.main[old.page(2)])
        mixed.main.replaceSubrange(2560..<3584, with: old.main[2560..<3584])
        mixed.lists = old.lists
        try mixed.put(shelf)
        let database = try shelf.open()
        let found = try database.verify()
        #expect(!found.isIntact && found.isListLost, "\(found)")
    }

    @Test func `DR16 a list that is removed, cut, changed, or whose record is emptied is noticed`() throws {
        let shelf = try Shelf()
        let (_, new) = try Self.twoMoments(shelf)
        var cases: [Moment] = []
        for change in 0..<4 {
            var moment = new
            switch change {
            case 0: moment.lists = [nil, nil]
            case 1: moment.lists = moment.lists.map { $0.map { Array($0.dropLast(16)) } }
            case 2: moment.lists = moment.lists.map { $0.map { $0.map { $0 ^ 1 } } }
            default: moment.main.replaceSubrange(2560..<3584, with: repeatElement(0, count: 1024))
            }
            cases.append(moment)
        }
        for (change, moment) in cases.enumerated() {
            try moment.put(shelf)
            let database = try shelf.open()
            let found = try database.verify()
            #expect(found.isListLost && found.isTracked && !found.isIntact, "change \(change): \(found)")
        }
    }

    // EIO and EMFILE.
    @Test(arguments: [5, 24] as [Int32])
    func `DR16 a list that cannot be read just now is not said to be lost`(_ code: Int32) throws {
        let shelf = try Shelf()
        _ = try Self.twoMoments(shelf)
        let database = try shelf.open()
        let observer = FileObserver(failure: { step in
            let isList = step.path.hasSuffix("-tags0") || step.path.hasSuffix("-tags1")
            return isList && step.call == .open ? code : nil
        })
        FileObserver.$current.withValue(observer) {
            #expect(throws: DatabaseFailure.self) { try database.verify() }
        }
        let found = try database.verify()
        #expect(found.isIntact && found.isTracked, "\(found)")
    }

    @Test func `DR16 a damaged page is named as damaged`() throws {
        let shelf = try Shelf()
        var (_, new) = try Self.twoMoments(shelf)
        new.main[4096 * 4 + 99] ^= 1
        try new.put(shelf)
        let found = try shelf.open().verify()
        #expect(found.damaged == [4] && found.older == [])
    }

    @Test func `a connection that does not ask for the list keeps it all the same`() throws {
        let shelf = try Shelf()
        _ = try Self.twoMoments(shelf)
        let database = try Self.open(shelf, tracks: false)
        try Self.fill(database, "third")
        let found = try database.verify()
        #expect(found.isTracked && found.isIntact, "\(found)")
    }

    @Test func `a file that got longer and shorter again is intact`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        for word in ["a", "b"] { try Self.fill(database, word) }
        for _ in 0..<20 { try database.run("INSERT INTO note(text) VALUES (hex(randomblob(40000)))") }
        #expect(try database.verify().isIntact)
        try database.run("DELETE FROM note WHERE id > 20")
        try database.run("VACUUM")
        let found = try database.verify()
        #expect(found.isIntact && found.isTracked && found.pages < 200, "\(found)")
    }

    @Test func `without a list pages are authenticated, and that is said`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf, tracks: false)
        try Self.fill(database, "plain")
        let found = try database.verify()
        #expect(found.isIntact && !found.isTracked)
    }

    @Test func `a kill between the pages and the list is healed by the next checkpoint`() throws {
        let shelf = try Shelf()
        let database = try Self.open(shelf)
        try Self.fill(database, "old")
        try database.run("UPDATE note SET text = 'new' WHERE id % 3 = 0")
        // The state before the checkpoint, with some pages of the state after it: as a kill in its middle leaves them.
        let before = try Moment(shelf)
        _ = try database.rows("PRAGMA wal_checkpoint(FULL)")
        let after = try Moment(shelf)
        database.close()
        var mixed = before
        for page in stride(from: 1, to: before.main.count / 4096 - 1, by: 2) {
            mixed.main.replaceSubrange(before.page(page), with: after.main[after.page(page)])
        }
        // The mark is written before the first page.
        mixed.main.replaceSubrange(1536..<2560, with: after.main[1536..<2560])
        try mixed.put(shelf)
        let again = try shelf.open()
        let found = try again.verify()
        #expect(found.isIntact && found.isTracked, "\(found)")
        #expect(try again.rows("SELECT count(*) FROM note WHERE text = 'new'").first?.integer(0) == 66)
    }
}
