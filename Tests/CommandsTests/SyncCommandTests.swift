import Foundation
import PaviseCommands
import PaviseLab
import PavisePrimitives
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// `pavise sync`: what it says, what it asks, and with which status it ends.
@Suite struct SyncCommandTests {
    private let folder: TemporaryFolder
    private var place: String { folder.path + "/files" }

    init() throws {
        folder = try TemporaryFolder()
        try DurableFile.makeDirectory(folder.path + "/files")
    }

    private func connected(_ body: (LabStage) async throws -> Void) async throws {
        let stage = try LabStage()
        let surroundings = SecurityEnvironment(home: PaviseHome(path: stage.folder.path + "/home"))
        try await SecurityEnvironment.$override.withValue(surroundings) {
            #expect(await stage.connect().status == .done)
            try await body(stage)
        }
    }

    private func sync(_ stage: LabStage, _ word: String, _ more: String...) async -> LabStage.Result {
        await stage.run(["sync", word, "work", place, "--remote", "/api/dav", "--json"] + more)
    }

    private func write(_ name: String) throws {
        try Data(name.utf8).write(to: URL(fileURLWithPath: place + "/" + name))
    }

    @Test func `SY11: the status is 3 where a person has to answer, and --yes answers what an earlier run asked`()
        async throws
    {
        try await connected { stage in
            for number in 0..<6 { try write("\(number)") }
            let first = await sync(stage, "run")
            #expect(first.status == .done && first.json?["isComplete"]?.bool == true, "\(first)")
            // A yes is none to what nobody has seen.
            for number in 0..<4 { stage.authority.files.remove("\(number)") }
            #expect(await sync(stage, "run", "--dry-run").status == .refused)
            let early = await sync(stage, "run", "--yes")
            #expect(early.status == .refused && early.json?["questions"]?.array?.count == 1)
            #expect(SyncCommandTests.names(place).count == 6)
            #expect(await sync(stage, "status").json?["questions"] == early.json?["questions"])
            #expect(await sync(stage, "run").status == .refused)
            #expect(await sync(stage, "run", "--yes").status == .done)
            #expect(SyncCommandTests.names(place) == ["4", "5"])
            #expect(await sync(stage, "run", "--dry-run").status == .done)
            #expect(await sync(stage, "recover").json?.array?.count == 6)
        }
    }

    private static func names(_ place: String) -> [String] {
        ((try? Folder.names(in: place)) ?? []).filter { $0 != ".pavise-sync" }.sorted()
    }
}
