import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

/// data-at-rest/DR9, DM7: nothing of the content stays in memory after the lock. In a process of its own: other tests
/// of this one keep their pages.
@Suite struct MemoryTests {
    // Its shadow of the whole address space takes hours to search, and its quarantine keeps freed memory on purpose.
    private static let hasSanitizer = unsafe dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `DR9 after the lock no page, statement or bound value is found in the memory of the process`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let shelf = try Shelf()
            let database = try Database.open(shelf.path, key: shelf.key, options: LockTests.options())
            try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try database.run("CREATE INDEX byText ON note(text)")
            try database.run("CREATE VIRTUAL TABLE words USING fts5(text)")
            try database.run(
                """
                INSERT INTO note(text) WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE \
                n < 2000)
                SELECT 'MOON' || 'canary' || 'TIDE' || n FROM number
                """)
            try database.run("INSERT INTO words(text) SELECT text FROM note")
            _ = try database.rows("SELECT count(*) FROM (SELECT text FROM note ORDER BY text || 'x' DESC)")
            _ = try database.rows("SELECT count(*) FROM words WHERE words MATCH 'moon' || 'canary' || 'tide77'")
            _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            _ = try database.rows("SELECT count(*) FROM note WHERE text LIKE '%9%'")
            // A text that grows is moved a dozen times.
            _ = try database.rows("SELECT length(group_concat(text)) FROM note")
            // In pieces, so that the program itself does not hold it either.
            let pieces = [["MOON", "canary", "TIDE"], ["moon", "canary", "tide"]].map { $0.map { Array($0.utf8) } }
            guard pieces.map(Memory.hits).reduce(0, +) > 100 else { exit(3) }
            database.forgetKey()
            for piece in pieces where Memory.hits(piece) > 0 { exit(4) }
            exit(0)
        }
    }

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `DR9 without the wiping allocator the same search finds pages: the search is no blind one`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let shelf = try Shelf()
            let database = try Database.open(shelf.path, key: shelf.key, options: LockTests.options())
            try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try database.run("INSERT INTO note(text) SELECT 'MOON' || 'canary' || 'TIDE' || 1")
            let pieces = ["MOON", "canary", "TIDE"].map { Array($0.utf8) }
            exit(Memory.hits(pieces) > 0 ? 0 : 5)
        }
    }

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of a file that was read nothing is left beside what its reader wipes`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = try TemporaryFolder()
            let path = folder.path + "/secret"
            let pieces = ["SEAL", "canary", "ROOT"].map { Array($0.utf8) }
            var file = try DurableFile.Stream.open(path)
            // Far behind the start of the memory, which the search itself uses again.
            try file.write([UInt8](repeating: 0, count: 60_000))
            for piece in pieces { try file.write(piece) }
            try file.finish()
            var bytes = try DurableFile.read(path, limit: 65_536, isSecret: true)
            guard Memory.hits(pieces) > 0 else { exit(3) }
            Wipe.bytes(&bytes)
            exit(Memory.hits(pieces) == 0 ? 0 : 4)
        }
    }

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of a member that is hidden nothing is left, also where its text has a quote`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let pieces = ["SEAL", "canary", "ROOT"].map { Array($0.utf8) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(16_384)
            bytes += Array("{\"token\":\"\\\"".utf8)
            for _ in 0..<200 { bytes.append(UInt8(ascii: "x")) }
            for piece in pieces { bytes += piece }
            for _ in 0..<8000 { bytes.append(UInt8(ascii: "x")) }
            bytes += Array("\"}".utf8)
            let count = try JSONValue.parse(bytes, hiding: ["token"]).secrets["token"]?.count
            guard count == 8215, Memory.hits(pieces) > 0 else { exit(3) }
            Wipe.bytes(&bytes)
            exit(Memory.hits(pieces) == 0 ? 0 : 4)
        }
    }

    @Test(.long, .disabled(if: hasSanitizer, "a sanitizer keeps freed memory"))
    func `of a database that was salvaged no page is left in the memory of the process`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let shelf = try Shelf()
            let database = try Database.open(shelf.path, key: shelf.key, options: LockTests.options())
            try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            // Its page holds no row: rows are given out.
            try database.run("CREATE INDEX joined ON note('MOON' || 'canary' || text)")
            try database.run("INSERT INTO note(text) VALUES ('TIDE')")
            _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
            database.forgetKey()
            let pieces = ["MOON", "canary", "TIDE"].map { Array($0.utf8) }
            guard Memory.hits(pieces) == 0 else { exit(3) }
            let salvaged = try Database.salvage(shelf.path, key: shelf.key)
            guard salvaged.rows.contains(where: { $0.values.last == .text("TIDE") }) else { exit(5) }
            exit(Memory.hits(pieces) == 0 ? 0 : 4)
        }
    }

    @Test(.disabled(if: hasSanitizer, "a sanitizer leaves memory of its own out of core files"))
    func `DR9 the pages of a database are left out of core files`() async {
        await #expect(processExitsWith: .exitCode(0)) {
            let shelf = try Shelf()
            let database = try Database.open(shelf.path, key: shelf.key, options: LockTests.options())
            try database.run("CREATE TABLE note(id INTEGER PRIMARY KEY)")
            // Where the pages of its cache lie; secrets have a few pages of their own.
            exit(try Memory.undumped() >= 64 << 20 ? 0 : 4)
        }
    }

    @Test func `DR9 memory is wiped when the database is the first to use SQLite`() {
        #expect(DatabaseOptions.wipesMemory)
    }
}

/// The memory of this process, as a debugger would read it.
enum Memory {
    /// How often `pieces` stand one behind the other in writable memory; -1 where a part of it cannot be read. What
    /// was read for it is overwritten at the end.
    static func hits(_ pieces: [[UInt8]]) -> Int {
        let memory = unsafe open("/proc/self/mem", O_RDONLY)
        defer { close(memory) }
        guard memory >= 0, let areas = areas() else { return -1 }
        // What lies across the edge of a part is whole in one of them.
        let edge = pieces.map(\.count).reduce(0, +) - 1
        var part = [UInt8](repeating: 0, count: 1 << 20)
        defer { for index in part.indices { part[index] = 0 } }
        var count = 0
        for area in areas {
            for start in stride(from: area.lowerBound, to: area.upperBound, by: part.count - edge) {
                let size = min(area.upperBound - start, part.count)
                let got = unsafe part.withUnsafeMutableBytes { unsafe pread(memory, $0.baseAddress, size, start) }
                if got == size {
                    count += hits(in: part, size, pieces)
                } else if self.areas()?.contains(area) != false {
                    // One that another thread gave back meanwhile holds nothing.
                    return -1
                }
            }
        }
        return count
    }

    /// How many bytes of this process's memory no core file gets.
    static func undumped() throws -> Int {
        let text = String(decoding: try InputFile.read("/proc/self/smaps", limit: 1 << 24), as: UTF8.self)
        var (kibibytes, all) = (0, 0)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if words.first == "Size:", words.count > 1 { kibibytes = Int(words[1]) ?? 0 }
            if words.first == "VmFlags:", words.contains("dd") { all += kibibytes << 10 }
        }
        return all
    }

    // Not by Foundation: it ends a file of the kernel at the first page.
    private static func areas() -> [Range<Int>]? {
        guard let maps = try? InputFile.read("/proc/self/maps", limit: 1 << 24) else { return nil }
        return String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            guard words.count >= 5, words[1].hasPrefix("rw"), words.last?.hasPrefix("/dev/") != true else { return nil }
            let ends = words[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            return ends.count == 2 ? ends[0]..<ends[1] : nil
        }
    }

    private static func hits(in part: [UInt8], _ size: Int, _ pieces: [[UInt8]]) -> Int {
        let length = pieces.map(\.count).reduce(0, +)
        guard size >= length else { return 0 }
        var count = 0
        var index = 0
        while index <= size - length {
            defer { index += 1 }
            guard part[index] == pieces[0][0], part[index + 1] == pieces[0][1] else { continue }
            var next = index
            let fits = pieces.allSatisfy { piece in
                defer { next += piece.count }
                return (0..<piece.count).allSatisfy { part[next + $0] == piece[$0] }
            }
            if fits { count += 1 }
        }
        return count
    }
}
