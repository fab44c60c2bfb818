import Foundation
import PaviseLab
import TestSupport
import Testing

@testable import PaviseSync

/// Conflicts of a folder: what each choice does on both sides, and what it leaves in the store.
@Suite struct FolderConflictTests {
    let stage: SyncStage
    init() throws { stage = try SyncStage() }

    private typealias Choice = FolderSync.Conflict.Choice

    private func write(_ path: String, _ text: String, _ sync: FolderSync) throws {
        guard let sealed = sync.sealed else { return try stage.write(path, text) }
        try sealed.write(Array(text.utf8), to: path)
    }

    private func files(_ sync: FolderSync) throws -> [String: [UInt8]] {
        guard let sealed = sync.sealed else { return stage.files }
        var found: [String: [UInt8]] = [:]
        for item in try sealed.items() where item.status != nil {
            let path = item.path.map(\.text).joined(separator: "/")
            found[path] = try sealed.content(of: path)?.bytes()
        }
        return found
    }

    private func path(_ text: String) throws -> SyncPath {
        try text.split(separator: "/").map { try #require(SyncItemName(String($0))) }
    }

    // One file that both sides changed, and two that nobody did.
    private func conflict(_ sync: FolderSync) async throws -> FolderSync.Conflict {
        for name in ["in/plan.txt", "a", "b"] { try write(name, "base", sync) }
        #expect(await sync.run().isComplete)
        try write("in/plan.txt", "mine", sync)
        stage.server.write("in/plan.txt", Array("theirs".utf8))
        let report = await sync.run()
        #expect(report.isComplete && report.conflicts.count == 1, "\(report)")
        let open = try await sync.conflicts()
        #expect(open.count == 1 && sync.state.conflicts == 1)
        return try #require(open.first)
    }

    private func isKept(_ text: String, _ sync: FolderSync) async throws -> Bool {
        let digest = ContentDigest(of: Array(text.utf8))
        guard try sync.kept().contains(where: { $0.digest == digest && $0.reason == .replaced }) else { return false }
        return try await sync.content(digest)?.bytes() == Array(text.utf8)
    }

    @Test(arguments: [false, true])
    func `SY9: a conflict says where both versions are, whose the copy is, and what each choice loses`(
        _ isSealed: Bool
    ) async throws {
        try await stage.inHome {
            let sync = try stage.sync(isSealed ? "notes" : nil, isSealed: isSealed)
            let conflict = try await conflict(sync)
            let original = try path("in/plan.txt")
            #expect(conflict.original == original && conflict.isOriginalThere)
            #expect(conflict.copy.count == 2 && conflict.copy.last.map(ConflictNaming.isCopy) == true)
            #expect(conflict.device == "test" && conflict.made != nil)
            #expect(conflict.choices == Choice.allCases)
            #expect(conflict.loss(of: .copy) == .content(conflict.original))
            #expect(conflict.loss(of: .original) == .content(conflict.copy))
            #expect(conflict.loss(of: .both) == .nothing)
        }
    }

    @Test(arguments: [false, true], FolderSync.Conflict.Choice.allCases)
    func `SY9, SY14: each choice is done on both sides, and what it loses is kept`(
        _ isSealed: Bool, _ choice: FolderSync.Conflict.Choice
    ) async throws {
        try await stage.inHome {
            let sync = try stage.sync(isSealed ? "notes" : nil, isSealed: isSealed)
            let conflict = try await conflict(sync)
            try await sync.close(conflict, keeping: choice)
            if choice == .copy { #expect(try await isKept("theirs", sync)) }
            if choice == .original { #expect(try await isKept("mine", sync)) }
            #expect(try await sync.conflicts().isEmpty && sync.state.conflicts == 0)
            // What another one of the person's windows shows is closed already.
            await #expect(throws: SyncFailure.changed) { try await sync.close(conflict, keeping: .both) }
            let report = await sync.run()
            #expect(report.isComplete && report.conflicts.isEmpty, "\(report)")
            let rest: [String: String] =
                switch choice {
                case .copy: ["in/plan.txt": "mine"]
                case .original: ["in/plan.txt": "theirs"]
                case .both: ["in/plan.txt": "theirs", "in/plan 2.txt": "mine"]
                }
            let wanted = rest.merging(["a": "base", "b": "base"]) { one, _ in one }.mapValues { Array($0.utf8) }
            #expect(try files(sync) == wanted)
            #expect(stage.server.files == wanted)
            #expect(try await sync.conflicts().isEmpty)
            #expect(sync.state.conflicts == 0)
            await #expect(throws: SyncFailure.changed) { try await sync.close(conflict, keeping: choice) }
        }
    }

    @Test func `SY9: what another device changed while a person chose is a conflict of its own, and nothing is lost`()
        async throws
    {
        try await stage.inHome {
            let sync = try stage.sync()
            let conflict = try await conflict(sync)
            stage.server.write("in/plan.txt", Array("theirs, later".utf8))
            try await sync.close(conflict, keeping: .copy)
            let report = await sync.run()
            #expect(report.isComplete && report.conflicts.count == 1, "\(report)")
            #expect(stage.has([Array("mine".utf8), Array("theirs, later".utf8)]) && stage.files == stage.server.files)
            #expect(try await isKept("theirs", sync))
        }
    }

    @Test func `SY9: where the other version is gone, the copy takes its name, and is not deleted`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            let before = try await conflict(sync)
            stage.server.remove("in/plan.txt")
            #expect(await sync.run().isComplete)
            // The person was told of two versions.
            await #expect(throws: SyncFailure.changed) { try await sync.close(before, keeping: .original) }
            let conflict = try #require(try await sync.conflicts().first)
            #expect(!conflict.isOriginalThere && conflict.choices == [.copy, .both])
            #expect(conflict.loss(of: .copy) == .nothing && conflict.loss(of: .original) == nil)
            // A file that came there meanwhile is none that the person was told of.
            try stage.write("in/plan.txt", "new")
            await #expect(throws: SyncFailure.changed) { try await sync.close(conflict, keeping: .copy) }
            #expect(stage.text("in/plan.txt") == "new")
            try FileManager.default.removeItem(atPath: stage.place + "/in/plan.txt")
            try await sync.close(conflict, keeping: .copy)
            #expect(await sync.run().isComplete)
            #expect(stage.text("in/plan.txt") == "mine" && stage.files == stage.server.files)
            #expect(try await sync.conflicts().isEmpty)
        }
    }

    @Test func `SY9: a folder's copy can only be kept beside it, under a name that nobody has`() async throws {
        try await stage.inHome {
            for name in ["a", "b", "c", "x 2"] { try stage.write(name, "base") }
            let sync = try stage.sync()
            #expect(await sync.run().isComplete)
            try stage.write("x (conflict 2026-11-24 221500 laptop)/file", "mine")
            try stage.write("x", "theirs")
            #expect(await sync.run().isComplete)
            let conflict = try #require(try await sync.conflicts().first)
            #expect(conflict.choices == [.both] && conflict.device == "laptop" && conflict.made == 1_795_558_500)
            for choice in [Choice.copy, .original] {
                await #expect {
                    try await sync.close(conflict, keeping: choice)
                } throws: { error in
                    if case .some(.refused) = error as? SyncFailure { true } else { false }
                }
            }
            try await sync.close(conflict, keeping: .both)
            #expect(await sync.run().isComplete)
            #expect(stage.text("x 3/file") == "mine" && stage.text("x") == "theirs" && stage.text("x 2") == "base")
            #expect(stage.files == stage.server.files)
        }
    }

    @Test func `SY2: who only looks on closes nothing`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            let conflict = try await conflict(sync)
            let beside = try stage.sync(isBeside: true)
            #expect(try await beside.conflicts() == [conflict])
            await #expect(throws: SyncFailure.busy) { try await beside.close(conflict, keeping: .both) }
            #expect(stage.files.count == 4)
        }
    }

    @Test func `SY2: who only looks on takes nothing for a rest that a run is just writing`() async throws {
        try await stage.inHome {
            let sync = try stage.sync()
            let conflict = try await conflict(sync)
            let digest = ContentDigest(of: Array("old".utf8))
            let rests = try [".pavise-new-1", FolderLeftover.gone(digest, nil, #require(SyncItemName("a")))]
            for name in rests { try stage.write(name, "old") }
            for looking in [try stage.sync(isBeside: true), sync] {
                #expect(try await looking.conflicts() == [conflict])
                #expect(rests.map { stage.text($0) } == ["old", "old"])
            }
            #expect(await sync.run().isComplete)
            #expect(rests.map { stage.text($0) } == [nil, nil])
        }
    }

    @Test func `a copy's name is read as it was made, and any other is no time`() throws {
        let naming = ConflictNaming(milliseconds: 1_900_000_000_000, device: "Ada's laptop")
        let name = try #require(SyncItemName("plan.txt"))
        let copy = ConflictNaming.Copy(original: name, seconds: 1_900_000_000, device: "Ada's laptop")
        #expect(ConflictNaming.copy(naming.name(for: name)) == copy)
        #expect(ConflictNaming.copy(name) == nil)
        for moment in ["2026-13-01 000000", "2026-02-29 000000", "2026-11-24 240000", "2026-11-24 2215"] {
            let odd = try #require(SyncItemName("plan (conflict \(moment) x).txt"))
            #expect(
                ConflictNaming.copy(odd) == ConflictNaming.Copy(original: name, seconds: nil, device: nil), "\(moment)")
        }
        #expect(ConflictNaming.copy(try #require(SyncItemName(" (conflict x)"))) == nil)
        #expect(ConflictNaming.name(beside: name, number: 2).text == "plan 2.txt")
    }

    @Test(arguments: [
        "(conflict of interest)", "(conflict x)", "(conflict 2026)", "(conflict 2026-11-24)", "(conflict 2026-11-24 9)",
        "(conflict 24-11-2026 221500 x)", "(conflict 2026-11-24 noon x)",
    ])
    func `SY9: a person's own words in parentheses make no copy, and stay in the name of one`(_ words: String) throws {
        let name = try #require(SyncItemName("statement \(words).txt"))
        #expect(ConflictNaming.copy(name) == nil && !ConflictNaming.isCopy(name))
        let copy = ConflictNaming(milliseconds: 1_900_000_000_000, device: "laptop").name(for: name)
        #expect(copy.text == "statement \(words) (conflict 2030-03-17 174640 laptop).txt")
        #expect(ConflictNaming.copy(copy)?.original == name)
    }
}
