import Foundation
import PaviseCommands
import PaviseIntegrity
import PavisePrimitives
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

    #if DEBUG
    /// A search of a release that finds no switch proves something only when the same search of this build finds all.
    @Test func `IN16: the switches in a debug build are those of the policy for releases, one by one`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let policy = try JSONValue.parse(
            Array(Data(contentsOf: root.appendingPathComponent("Conformance/build-policy.json"))))
        let prefix = try #require(policy["switchPrefix"]?.string)
        let program = try #require(PaviseProcess.program)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: program), options: .alwaysMapped)
        var found: Set<String> = []
        var rest = bytes.startIndex..<bytes.endIndex
        while let place = bytes.range(of: Data(prefix.utf8), in: rest) {
            found.insert(String(decoding: bytes[place.lowerBound...].prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self))
            rest = place.upperBound..<bytes.endIndex
        }
        #expect(found == Set(policy["switches"]?.array?.compactMap(\.string) ?? []) && !found.isEmpty)
    }
    #endif

    @Test func `IN15: the program prints each difference between a debug build and a release`() async {
        let stage = Stage()
        #expect(await stage.run("--version", "--verbose") == .done)
        let lines = stage.output.text.split(separator: "\n").map(String.init)
        for difference in BuildDifference.all {
            let own = BuildFacts.current.configuration == "debug" ? difference.debug : difference.release
            #expect(lines.contains { $0.hasPrefix("\(difference.subject): \(own) (") }, "\(difference.subject)")
        }
    }

    @Test func `the same search finds the lab in the lab's program`() throws {
        #expect(try marks(in: PaviseProcess.beside("pavise-lab")) == Array(Self.marks.prefix(3)))
    }
}
