import Foundation
import PaviseDatabase
import PavisePrimitives
import TestSupport
import Testing

@Suite struct DamageTests {
    static let texts = (0..<60).map { "text \($0) " + String(repeating: "x", count: $0 * 20) }

    /// Files in which half of the rows lie in the database and half in the log.
    static func example() throws -> Shelf.Files {
        let shelf = try Shelf()
        let database = try shelf.openWithTable()
        for text in texts.prefix(30) { try database.run("INSERT INTO note(text) VALUES (?)", [.text(text)]) }
        try database.run("PRAGMA wal_checkpoint(RESTART)")
        for text in texts.dropFirst(30) { try database.run("INSERT INTO note(text) VALUES (?)", [.text(text)]) }
        return try shelf.files()
    }

    @Test func `files as a kill leaves them open with every row`() throws {
        let shelf = try Shelf()
        try shelf.put(try Self.example())
        #expect(shelf.finding() == .texts(Self.texts))
    }

    @Test func `the log keeps its size from commit to commit, and what lies ready behind its end is no frame`() throws {
        let shelf = try Shelf()
        try shelf.put(try Self.example())
        let before = try shelf.files().log
        let end = try #require(before.lastIndex { $0 != 0 })
        #expect(before.count > end + 3 * 4148)
        var files = try shelf.files()
        for index in (end + 1)..<files.log.count { files.log[index] = 0xA5 }
        try shelf.put(files)
        #expect(shelf.finding() == .texts(Self.texts))
    }

    @Test(.long, arguments: [1, 2, 3, 4] as [UInt64])
    func `a flipped bit is refused or harmless and never a wrong value`(_ seed: UInt64) throws {
        let example = try Self.example()
        let shelf = try Shelf()
        var dice = Dice(state: seed)
        var refused = 0
        for round in 0..<100 {
            var files = example
            let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &dice)
            if round % 2 == 0 {
                files.main[Int.random(in: 0..<files.main.count, using: &dice)] ^= bit
            } else {
                // Not in the zeros behind the end, which are no frame whatever they are.
                let end = (files.log.lastIndex { $0 != 0 } ?? 0) + 1
                files.log[Int.random(in: 0..<end, using: &dice)] ^= bit
            }
            try shelf.put(files)
            let finding = shelf.finding()
            #expect(finding.isDamage || finding == .texts(Self.texts), "round \(round)")
            refused += finding.isDamage ? 1 : 0
        }
        #expect(refused > 60)
    }

    @Test func `a flipped bit in any frame of the log is refused`() throws {
        let example = try Self.example()
        let shelf = try Shelf()
        var offset = 1024 + 100
        while offset < example.log.count {
            var files = example
            files.log[offset] ^= 1
            try shelf.put(files)
            let isDamage = shelf.finding().isDamage
            // Frames of the generation before, which was moved into the database, are not looked at.
            let isOld = !isDamage && shelf.finding() == .texts(Self.texts)
            #expect(isDamage || isOld)
            offset += 4148
        }
    }
}
