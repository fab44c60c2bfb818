import Testing

@testable import PaviseTransport

/// The Info.plist of the program that runs: tests have no bundle with one.
@Suite struct OwnPropertyListTests {
    @Test func `a program without an Info_plist has none, and that is no failure`() throws {
        #expect(try InfoPropertyList.ofBundle() == nil)
    }
}
