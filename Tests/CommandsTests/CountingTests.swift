import Testing

@testable import PaviseCommands

/// How numbers and what they count are written.
@Suite struct CountingTests {
    @Test(arguments: [(0, "0 errors"), (1, "1 error"), (2, "2 errors"), (-1, "-1 errors")])
    func `one thing is written in the singular, and no other number`(_ count: Int, _ words: String) {
        #expect(count.counting("error") == words)
    }

    @Test func `a plural of its own is written where there is one`() {
        #expect(1.counting("item is", "items are") == "1 item is")
        #expect(UInt32(3).counting("entry", "entries") == "3 entries")
    }
}
