import Foundation
import PavisePrimitives
import Synchronization
import TestSupport
import Testing

@testable import PaviseDatabase

/// What earlier tests did not see: records of one kind in the place of another, a commit that was refused in the place
/// of a later one, names that a loss of power takes away.
@Suite struct DatabaseOrderTests {
    private static let stride = SlotPair.stride

    /// The places of small records: in which file, and where.
    enum Place: CaseIterable {
        case anchor, mark, position

        func read(_ files: Shelf.Files) -> [UInt8] {
            switch self {
            case .anchor: Array(files.main[512..<512 + 2 * DatabaseOrderTests.stride])
            case .mark: Array(files.main[1536..<1536 + 2 * DatabaseOrderTests.stride])
            case .position: Array(files.log[0..<2 * DatabaseOrderTests.stride])
            }
        }

        func write(_ bytes: [UInt8], to files: inout Shelf.Files) {
            switch self {
            case .anchor: files.main.replaceSubrange(512..<512 + bytes.count, with: bytes)
            case .mark: files.main.replaceSubrange(1536..<1536 + bytes.count, with: bytes)
            case .position: files.log.replaceSubrange(0..<bytes.count, with: bytes)
            }
        }
    }

    @Test(arguments: Place.allCases, Place.allCases)
    func `a record of one kind in the place of another is refused`(_ source: Place, _ target: Place) throws {
        guard source != target else { return }
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        // Both slots of every record are written.
        for number in 0..<4 {
            try database.run("INSERT INTO note(text) VALUES (?)", [.text("row \(number)")])
            try database.run("PRAGMA wal_checkpoint(RESTART)")
        }
        try database.run("INSERT INTO note(text) VALUES ('last')")
        var files = try shelf.files()
        database.close()
        target.write(source.read(files), to: &files)
        try shelf.put(files)
        #expect(shelf.finding().isDamage)
    }

    @Test func `a commit that the disk refused does not take the place of a later one`() throws {
        let shelf = try Shelf()
        try shelf.openWithTable().close()
        let refused = Mutex<[UInt8]?>(nil)
        let isBroken = Mutex(false)
        let database = try Database.open(
            shelf.path, key: shelf.key,
            observers: (
                main: { _ in 0 },
                log: { change in
                    guard case .sync = change, isBroken.withLock({ $0 }) else { return 0 }
                    refused.withLock { $0 = try? shelf.files().log }
                    return 1034
                }
            ))
        try database.run("INSERT INTO note(text) VALUES ('kept')")
        isBroken.withLock { $0 = true }
        #expect(throws: DatabaseFailure.self) { try database.run("INSERT INTO note(text) VALUES ('refused')") }
        isBroken.withLock { $0 = false }
        try database.run("INSERT INTO note(text) VALUES ('later')")
        let files = try shelf.files()
        database.close()
        try shelf.put(files)
        #expect(shelf.finding() == .texts(["kept", "later"]))
        // What the disk had kept of the refused commit comes back over the later one: authentic, and of the same place.
        let old = try #require(refused.withLock { $0 })
        var changed = 0
        for frame in 1...UInt32((old.count - Int(LogFile.headCount)) / LogFile.sealedFrameCount) {
            let start = Int(LogFile.offset(of: frame))
            let range = start..<start + LogFile.sealedFrameCount
            guard old[range].contains(where: { $0 != 0 }), old[range] != files.log[range] else { continue }
            changed += 1
            var mixed = files
            mixed.log.replaceSubrange(range, with: old[range])
            try shelf.put(mixed)
            #expect(shelf.finding().isDamage, "frame \(frame)")
        }
        #expect(changed > 0)
    }

    @Test func `deleted bytes are overwritten, and every other hardening is in force`() throws {
        let database = try Shelf().openWithTable()
        func number(_ sql: StaticString) throws -> Int64? { try database.rows(sql).first?.integer(0) }
        #expect(try number("PRAGMA secure_delete") == 1)
        #expect(try number("PRAGMA temp_store") == 2)
        #expect(try number("PRAGMA cell_size_check") == 1)
        #expect(try number("PRAGMA foreign_keys") == 1)
        #expect(try number("PRAGMA synchronous") == 2)
        #expect(try number("PRAGMA trusted_schema") == 0)
        #expect(try number("PRAGMA mmap_size") ?? 0 == 0)
    }

    /// What a machine knows of one file and of its name.
    private struct Named {
        /// The bytes on the disk, and what the cache has on top.
        var bytes: [UInt8]
        var synced: [UInt8]
        var isNamed: Bool
    }

    // Everything that is not synced is lost: bytes, and the name of a file in its folder.
    @Test func `a loss of power that takes unsynced names away takes no acknowledged row`() throws {
        enum Event {
            case main(FileChange)
            case log(FileChange)
            case acknowledged
        }
        let shelf = try Shelf()
        let events = Mutex<[Event]>([])
        let atLink = Mutex<[UInt8]?>(nil)
        let database = try Database.open(
            shelf.path, key: shelf.key,
            observers: (
                main: { change in
                    if case .named = change {
                        atLink.withLock { $0 = try? Array(Data(contentsOf: URL(fileURLWithPath: shelf.path))) }
                    }
                    events.withLock { $0.append(.main(change)) }
                    return 0
                },
                log: { change in
                    events.withLock { $0.append(.log(change)) }
                    return 0
                }
            ))
        try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
        events.withLock { $0.append(.acknowledged) }
        let rows = 6
        for number in 0..<rows {
            try database.run("INSERT INTO note(text) VALUES (?)", [.text("row \(number)")])
            events.withLock { $0.append(.acknowledged) }
        }
        database.close()
        var main = Named(bytes: [], synced: [], isNamed: false)
        var log = Named(bytes: [], synced: [], isNamed: false)
        var acknowledged = 0
        let other = try Shelf()
        for event in events.withLock({ $0 }) {
            switch event {
            case .main(.named):
                let made = try #require(atLink.withLock { $0 })
                main = Named(bytes: made, synced: made, isNamed: true)
            case .log(.named):
                log.isNamed = true
                // A folder's sync makes all names in it durable.
                #expect(main.isNamed, "the database itself was named before")
            case .main(let change): Self.apply(change, to: &main)
            case .log(let change): Self.apply(change, to: &log)
            case .acknowledged: acknowledged += 1
            }
            guard acknowledged > 0 else { continue }
            #expect(main.isNamed && log.isNamed, "\(acknowledged) acknowledged, and the names are not on the disk")
            try other.put(.init(main: main.synced, log: log.isNamed ? log.synced : []))
            if !log.isNamed { try? FileManager.default.removeItem(atPath: "\(other.path)-wal") }
            let expected = (0...1).map { more in
                Shelf.Finding.texts((0..<min(rows, acknowledged - 1 + more)).map { "row \($0)" })
            }
            #expect(expected.contains(other.finding()), "\(acknowledged) acknowledged")
        }
        #expect(acknowledged == rows + 1)
    }

    private static func apply(_ change: FileChange, to file: inout Named) {
        switch change {
        case .write(let data, let offset):
            let end = Int(offset) + data.count
            if file.bytes.count < end { file.bytes += [UInt8](repeating: 0, count: end - file.bytes.count) }
            file.bytes.replaceSubrange(Int(offset)..<end, with: data)
        case .truncate(let size): file.bytes = Array(file.bytes.prefix(Int(size)))
        case .sync: file.synced = file.bytes
        case .named: file.isNamed = true
        }
    }

    @Test func `a new database has its name on the disk before anybody uses it`() throws {
        let shelf = try Shelf()
        let isNamed = Mutex(false)
        let database = try Database.open(
            shelf.path, key: shelf.key,
            observers: (
                main: { change in
                    if case .named = change { isNamed.withLock { $0 = true } }
                    return 0
                },
                log: { _ in 0 }
            ))
        #expect(isNamed.withLock { $0 })
        database.close()
    }

    @Test func `a folder that cannot be synced fails the first commit and the making of a database`() throws {
        let shelf = try Shelf()
        // SQLITE_IOERR_DIR_FSYNC.
        func open(main: Int32, log: Int32) throws -> Database {
            try Database.open(
                shelf.path, key: shelf.key,
                observers: (
                    main: { if case .named = $0 { main } else { 0 } }, log: { if case .named = $0 { log } else { 0 } }
                ))
        }
        #expect(throws: DatabaseFailure.self) { try open(main: 1290, log: 0) }
        let database = try open(main: 0, log: 1290)
        #expect(throws: DatabaseFailure.self) { try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY)") }
        database.close()
    }
}
