import Foundation
import PaviseCommands
import PaviseCrypto
import PaviseIntegrity
import PavisePrimitives
import Testing

/// What is inside the two programs, read from their files.
@Suite(.enabled(if: PaviseProcess.program != nil, "the program is not beside the tests"))
struct ProgramContentTests {
    /// The modules of Tools that `pavise` is made of. Every other module of Tools is no part of a release.
    private static let production: Set = ["PaviseArguments", "PaviseBuildCheck", "PaviseCommands"]
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(of file: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
    }

    /// The modules of Tools in the package's manifest.
    private func tools() throws -> Set<String> {
        let manifest = try Self.text(of: "Package.swift")
        return Set(manifest.matches(of: /"(\w+)", "Tools\/\w+"/).map { String($0.1) })
    }

    /// A password that everybody knows, and the modules' names as Swift writes them into names of symbols and types.
    private func marks() throws -> [String] {
        ["wonderland"] + (try tools()).subtracting(Self.production).sorted().map { "\($0.utf8.count)\($0)" }
    }

    private func marks(in program: String?) throws -> [String] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: try #require(program)), options: .alwaysMapped)
        return try marks().filter { bytes.range(of: Data($0.utf8)) != nil }
    }

    @Test func `the production program has nothing of the lab in it`() throws {
        #expect(try marks(in: PaviseProcess.program) == [])
    }

    /// This program has every module of Tools in it, so that a mark which it lacks is not what Swift writes.
    @Test func `the search for the lab finds each mark in a program that has them all`() throws {
        #expect(try tools().isSuperset(of: Self.production))
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        #expect(try marks(in: tests) == marks())
    }

    @Test func `the script looks for the same modules`() throws {
        let script = try Self.text(of: "Scripts/check-program")
        let named = try #require(script.firstMatch(of: /lab='([^']+)'/)).1.split(separator: " ").map(String.init)
        #expect(try Set(named) == tools().subtracting(Self.production))
    }

    #if DEBUG
    /// A search of a release that finds no switch proves something only when the same search of this build finds all.
    @Test func `IN16: the switches in a debug build are those of the policy for releases, one by one`() throws {
        let policy = try JSONValue.parse(
            Array(Data(contentsOf: Self.root.appendingPathComponent("Conformance/build-policy.json"))))
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

    @Test func `IN15: a release is judged by the policy whose digest the program prints`() async throws {
        let policy = try Data(contentsOf: Self.root.appendingPathComponent("Conformance/build-policy.json"))
        let digest = Hex.encode(Hash.digest(.sha256, Array(policy)))
        #expect(BuildFacts.current.policy == digest)
        let stage = Stage()
        #expect(await stage.run("--version", "--verbose") == .done)
        #expect(stage.output.text.contains("\nbuild policy: \(digest)\n"))
    }

    @Test func `the same search finds the lab in the lab's program`() throws {
        let found = try marks(in: PaviseProcess.beside("pavise-lab"))
        #expect(found.contains("wonderland") && found.contains { $0.hasSuffix("PaviseLabCommands") })
    }
}
