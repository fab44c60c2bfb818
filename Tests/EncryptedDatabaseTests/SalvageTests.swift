import Testing

@testable import PaviseDatabase

/// What is authentic in a damaged database may still be no page that SQLite wrote: memory that was wrong when the page
/// was sealed, or a fault of SQLite's own.
@Suite struct SalvageTests {
    // 2^63 - 1 and 2^40, as the format writes numbers, and how many bytes of such a row lie on the leaf (database file
    // format 1.6: U is 4,064, M is 485).
    private static let sizes: [(size: [UInt8], onLeaf: Int)] = [
        ([0xBF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], 707),
        ([0xA0, 0x80, 0x80, 0x80, 0x80, 0x00], 3516),
    ]

    // A leaf with one row of one column, the number 5, whose rest begins on page 7.
    private func leaf(_ size: [UInt8], _ onLeaf: Int) -> [UInt8] {
        var page = [UInt8](repeating: 0, count: 4096)
        page[0] = 0x0D
        page[4] = 1
        page[9] = 100
        let start: [UInt8] = size + [1, 2, 1, 5]
        page.replaceSubrange(100..<100 + start.count, with: start)
        page[100 + size.count + 1 + onLeaf + 3] = 7
        return page
    }

    @Test(arguments: [0, 1])
    func `a row that is said to be longer than any ends with its pages, and is told as cut`(number: Int) throws {
        let (size, onLeaf) = Self.sizes[number]
        let found = try #require(TableLeaf(leaf(size, onLeaf), isFirst: false))
        var asked: [UInt32] = []
        let rows = found.rows { page -> [UInt8]? in
            asked.append(page)
            guard asked.count < 9 else { return nil }
            // Page 7 leads to page 8, and page 8 back to page 7.
            var bytes = [UInt8](repeating: 0, count: 4096)
            bytes[3] = page == 7 ? 8 : 7
            return bytes
        }
        #expect(asked == [7, 8])
        #expect(rows.map(\.row) == [1])
        #expect(rows.map(\.isCut) == [true])
        #expect(rows.map(\.values) == [[.integer(5)]])
    }
}
