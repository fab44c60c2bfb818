import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDatabase

/// Pages and records get another key each 65,536 generations of the log, and nothing is rewritten for it (DR29;
/// Decisions/0002).
@Suite struct KeyEpochTests {
    private static let page = 4096

    @Test(
        arguments: [(0, 0), (1, 0), (65_535, 0), (65_536, 1), (131_071, 1), (131_072, 2)] as [(UInt64, UInt32)])
    func `DR29: a key of pages and records is for 65,536 generations of the log`(
        _ generation: UInt64, _ epoch: UInt32
    ) {
        var position = LogPosition()
        position.generation = generation
        #expect(position.epoch == epoch)
    }

    @Test func `DR29: a database that was in use for long changes its page key, and reads what the old one sealed`()
        throws
    {
        let young = try Shelf()
        let writer = try young.openWithTable()
        let texts = (0..<40).map { "\($0) " + String(repeating: "m", count: 1000) }
        for text in texts { try writer.run("INSERT INTO note(text) VALUES (?)", [.text(text)]) }
        // As a kill leaves them.
        let files = try young.files()
        writer.close()

        let shelf = try Shelf()
        try shelf.put(try aged(files, key: shelf.key, to: 65_535))
        let database = try shelf.open()
        try database.run("PRAGMA wal_checkpoint(RESTART)")
        #expect(Set(epochs(of: try shelf.files().main)) == [0])
        // The next write begins generation 65,536.
        try database.run("UPDATE note SET text = ? WHERE id = 1", [.text("new")])
        try database.run("PRAGMA wal_checkpoint(RESTART)")
        let found = epochs(of: try shelf.files().main)
        #expect(Set(found) == [0, 1])
        let records = try shelf.files().log
        #expect(number(records[..<4]) == 1 || number(records[512..<516]) == 1)
        let expected = ["new"] + texts.dropFirst()
        #expect(try shelf.texts(database) == expected)
        database.close()
        #expect(shelf.finding() == .texts(expected))

        // It is another key: under the old one such a page does not open.
        let page = try #require(found.lastIndex(of: 1))
        var forged = try shelf.files()
        let end = (page + 2) * Self.page
        forged.main.replaceSubrange(end - 4..<end, with: [0, 0, 0, 0])
        try shelf.put(forged)
        #expect(shelf.finding().isDamage)
    }

    /// The number of the key of each page: the last four bytes of it.
    private func epochs(of main: [UInt8]) -> [UInt32] {
        stride(from: 2 * Self.page, through: main.count, by: Self.page).map { number(main[$0 - 4..<$0]) }
    }

    private func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    /// The same files, whose log has begun anew so often: its position is sealed again, into the place of the older
    /// one.
    private func aged(
        _ files: Shelf.Files, key: borrowing SecretBytes, to generation: UInt64
    ) throws -> Shelf.Files {
        let cipher = try PageEncryption(key: key, file: Array(files.main[FileHead.identifierRange]))
        let newest = unsafe files.log.withUnsafeBytes { log in unsafe LogFile.place.newest(in: log, cipher) }
        var position = try #require(newest)
        position.sequence += 1
        position.generation = generation
        let (epoch, index) = (position.epoch, position.sequence & 1)
        var content = position.encoded
        var seal = [UInt8](repeating: 0, count: PageEncryption.sealCount)
        let isSealed = unsafe content.withUnsafeMutableBytes { content in
            unsafe seal.withUnsafeMutableBytes { seal in
                unsafe cipher.seal(
                    UnsafeRawBufferPointer(content), into: content, seal: seal, .records(epoch: epoch), .position,
                    index)
            }
        }
        #expect(isSealed)
        let slot = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: epoch >> $0) } + seal + content
        let start = Int(index) * SlotPair.stride
        var aged = files
        aged.log.replaceSubrange(start..<start + slot.count, with: slot)
        return aged
    }
}
