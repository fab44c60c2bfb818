import Foundation
import Testing

/// What is inside the two programs, read from their files.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct ProgramContentTests {
    /// A password that everybody knows, and the lab's modules as Swift writes them into names of symbols and types.
    private static let marks = ["wonderland", "9PaviseLab", "17PaviseLabCommands", "17PaviseAttackDoors"]

    private func marks(in program: String?) throws -> [String] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: try #require(program)), options: .alwaysMapped)
        return Self.marks.filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    @Test func `the production program has nothing of the lab in it`() throws {
        #expect(try marks(in: PaviseProcess.program) == [])
    }

    @Test func `the same search finds the lab in the lab's program`() throws {
        #expect(try marks(in: PaviseProcess.beside("pavise-lab")) == Array(Self.marks.prefix(3)))
    }
}
