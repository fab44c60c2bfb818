import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

/// Blocks and files that are authentic, in a place or at a time where they do not belong.
@Suite struct ReplayTests {
    private static let head = 4096
    private static let page = 4096
    private static let logHead = 1024
    private static let frame = 4148

    private func add(_ texts: [String], to database: Database) throws {
        for text in texts { try database.run("INSERT INTO note(text) VALUES (?)", [.text(text)]) }
    }

    private let many = (0..<40).map { "many \($0) " + String(repeating: "m", count: 1000) }

    /// A shelf whose rows all lie in the database, and its files.
    private func checkpointed() throws -> (shelf: Shelf, files: Shelf.Files) {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(many, to: database)
        database.close()
        return (shelf, try shelf.files())
    }

    @Test func `a page in the place of another is refused`() throws {
        let (shelf, files) = try checkpointed()
        let pages = (files.main.count - Self.head) / Self.page
        for page in 2..<pages {
            var moved = files
            let source = Self.head + (page - 1) * Self.page
            moved.main.replaceSubrange(
                Self.head + page * Self.page..<Self.head + (page + 1) * Self.page,
                with: files.main[source..<source + Self.page])
            try shelf.put(moved)
            #expect(shelf.finding().isDamage, "page \(page)")
        }
    }

    @Test func `a page or a log of another database under the same key is refused`() throws {
        let (shelf, files) = try checkpointed()
        let (_, other) = try checkpointed()
        var mixed = files
        mixed.main.replaceSubrange(
            Self.head..<Self.head + Self.page, with: other.main[Self.head..<Self.head + Self.page])
        try shelf.put(mixed)
        #expect(shelf.finding().isDamage)
        try shelf.put(.init(main: files.main, log: other.log))
        #expect(shelf.finding().isDamage)
        try shelf.put(.init(main: other.main, log: files.log))
        #expect(shelf.finding().isDamage)
    }

    @Test func `a page of zeros is refused`() throws {
        let (shelf, files) = try checkpointed()
        for page in 0..<(files.main.count - Self.head) / Self.page {
            var blank = files
            let place = Self.head + page * Self.page..<Self.head + (page + 1) * Self.page
            blank.main.replaceSubrange(place, with: [UInt8](repeating: 0, count: Self.page))
            try shelf.put(blank)
            #expect(shelf.finding().isDamage, "page \(page)")
        }
    }

    @Test(arguments: [1, 4096, 5000, 8192, 20_000])
    func `a database that was cut is refused`(_ missing: Int) throws {
        let (shelf, files) = try checkpointed()
        try shelf.put(.init(main: files.main.dropLast(missing), log: files.log))
        // SQLite itself compares the size with its header while the log is empty.
        let finding = shelf.finding()
        guard case .refused(.corrupt) = finding else {
            Issue.record("\(finding)")
            return
        }
    }

    @Test(arguments: [0, 1, 4095])
    func `a database without one whole page is refused, and its log stays`(_ rest: Int) throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(many, to: database)
        let files = try shelf.files()
        database.close()
        let emptied = try shelf.files()
        for log in [files.log, emptied.log] {
            try shelf.put(.init(main: Array(files.main.prefix(Self.head + rest)), log: log))
            #expect(shelf.finding().isDamage)
            #expect(try shelf.files().log == log)
        }
    }

    @Test func `a page that is missing below a log is refused`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(many, to: database)
        try database.run("PRAGMA wal_checkpoint(RESTART)")
        try add(["in the log"], to: database)
        let files = try shelf.files()
        database.close()
        try shelf.put(.init(main: files.main.dropLast(5 * Self.page), log: files.log))
        #expect(shelf.finding().isDamage)
    }

    @Test(.long) func `a log that was cut anywhere is refused`() throws {
        let files = try DamageTests.example()
        let shelf = try Shelf()
        for missing in stride(from: 1, through: files.log.count, by: 3001) {
            let cut = Shelf.Files(main: files.main, log: files.log.dropLast(missing))
            try shelf.put(cut)
            let finding = shelf.finding()
            // Behind the newest commit lie frames of the generation before, which nobody needs.
            #expect(finding.isDamage || finding == .texts(DamageTests.texts), "\(missing) bytes less")
        }
        try shelf.put(.init(main: files.main, log: []))
        #expect(shelf.finding().isDamage)
    }

    @Test func `a missing log or database is refused`() throws {
        let files = try DamageTests.example()
        let shelf = try Shelf()
        try shelf.put(files)
        try FileManager.default.removeItem(atPath: "\(shelf.path)-wal")
        #expect(shelf.finding().isDamage)
        let other = try Shelf()
        try other.put(files)
        try FileManager.default.removeItem(atPath: other.path)
        #expect(other.finding().isDamage)
    }

    @Test func `a log from another moment is refused, and so is a database`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        var moments: [Shelf.Files] = []
        for text in ["one", "two", "three", "four"] {
            try add([text], to: database)
            moments.append(try shelf.files())
            try database.run("PRAGMA wal_checkpoint(RESTART)")
            moments.append(try shelf.files())
        }
        try add(["five"], to: database)
        let last = try shelf.files()
        database.close()
        for (index, moment) in moments.enumerated() {
            try shelf.put(.init(main: last.main, log: moment.log))
            #expect(shelf.finding().isDamage, "log of moment \(index)")
            try shelf.put(.init(main: moment.main, log: last.log))
            #expect(shelf.finding().isDamage, "database of moment \(index)")
        }
        try shelf.put(last)
        #expect(shelf.finding() == .texts(["one", "two", "three", "four", "five"]))
    }

    @Test func `a log from before a checkpoint of its own generation is refused`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(["one"], to: database)
        let before = try shelf.files()
        try add(many, to: database)
        try database.run("PRAGMA wal_checkpoint(PASSIVE)")
        let after = try shelf.files()
        database.close()
        try shelf.put(.init(main: after.main, log: before.log))
        #expect(shelf.finding().isDamage)
        try shelf.put(after)
        #expect(shelf.finding() == .texts(["one"] + many))
    }

    @Test func `a single frame of an older generation or another place is refused`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(many, to: database)
        let old = try shelf.files()
        try database.run("PRAGMA wal_checkpoint(RESTART)")
        try add(many, to: database)
        let new = try shelf.files()
        database.close()
        func place(_ frame: Int) -> Range<Int> {
            Self.logHead + frame * Self.frame..<Self.logHead + (frame + 1) * Self.frame
        }
        for frame in 0..<6 {
            var rolledBack = new
            rolledBack.log.replaceSubrange(place(frame), with: old.log[place(frame)])
            try shelf.put(rolledBack)
            #expect(shelf.finding().isDamage, "older frame \(frame)")
            var moved = new
            moved.log.replaceSubrange(place(frame), with: new.log[place(frame + 1)])
            try shelf.put(moved)
            #expect(shelf.finding().isDamage, "moved frame \(frame)")
        }
    }

    @Test func `a frame of a transaction that was rolled back does not end the log`() throws {
        struct Stop: Error {}
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try database.run("PRAGMA cache_size=5")
        var spilled: Shelf.Files?
        try? database.transaction { transaction in
            for text in many + many { try transaction.run("INSERT INTO note(text) VALUES (?)", [.text(text)]) }
            spilled = try shelf.files()
            throw Stop()
        }
        try add(many, to: database)
        let new = try shelf.files()
        database.close()
        let old = try #require(spilled).log
        let frames = (old.count - Self.logHead) / Self.frame
        try #require(frames > 8)
        for frame in 4..<8 {
            let place = Self.logHead + frame * Self.frame..<Self.logHead + (frame + 1) * Self.frame
            var mixed = new
            mixed.log.replaceSubrange(place, with: old[place])
            try shelf.put(mixed)
            #expect(shelf.finding().isDamage, "frame \(frame)")
        }
    }

    @Test func `an older state of all files together opens as that state`() throws {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        try add(["one"], to: database)
        let old = try shelf.files()
        try add(["two"], to: database)
        database.close()
        // Nothing inside the files can tell: Decisions/0002 says so.
        try shelf.put(old)
        #expect(shelf.finding() == .texts(["one"]))
    }
}
