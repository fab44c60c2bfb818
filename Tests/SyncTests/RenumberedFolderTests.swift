import Synchronization
import Testing

@testable import PaviseSync

/// A file system that numbers its files anew each time it is mounted, in the order in which they are looked at, as FUSE
/// does where the program behind it has no numbers.
private struct RenumberedFolder: SyncFolder {
    let inner: SimulatedFolder

    func scan() async throws(SyncFailure) -> [FolderEntry] {
        try await inner.scan().enumerated().map { number, entry in
            var renumbered = FolderEntry(path: entry.path, status: entry.status, identity: "1:\(number)")
            renumbered.mayRecur = true
            return renumbered
        }
    }

    func read(_ path: SyncPath) async throws(SyncFailure) -> FileContent { try await inner.read(path) }

    func write(
        _ content: SyncContent, to path: SyncPath, replacing old: ContentDigest?
    ) async throws(SyncFailure) -> WrittenFile {
        try await inner.write(content, to: path, replacing: old)
    }

    func makeFolder(_ path: SyncPath) async throws(SyncFailure) { try await inner.makeFolder(path) }

    func move(_ path: SyncPath, to target: SyncPath) async throws(SyncFailure) {
        try await inner.move(path, to: target)
    }

    func delete(_ path: SyncPath, expecting old: ContentDigest?) async throws(SyncFailure) {
        try await inner.delete(path, expecting: old)
    }
}

/// Files that were unpacked in one second, and have one time.
@Suite struct RenumberedFolderTests {
    struct File: Sendable {
        let name: String
        let text: String
        var time: Int64 = 7
        var change: Int64 = 7
    }

    private static let unpacked = [File(name: "a", text: "A"), File(name: "b", text: "BB"), File(name: "c", text: "C")]

    /// What a person does before the folder is mounted again; each moves the numbers of the files behind it.
    static let changes: [[File]] = [
        [File(name: "aa", text: "AA", change: 8)], [File(name: "aa", text: "NEW", change: 8)],
        [File(name: "aa", text: "NEW", change: 8), File(name: "b", text: "EDITED", time: 9, change: 9)],
        [
            File(name: "aa", text: "NEW", change: 8), File(name: "b", text: "EDITED", time: 9, change: 9),
            File(name: "c", text: "EDITED TOO", time: 9, change: 9),
        ],
    ]

    private func put(_ files: [File], into world: SimulatedWorld) {
        world.state.withLock { state in
            for file in files {
                state.disks[.here]?[file.name] = .file(
                    bytes: Array(file.text.utf8), modified: file.time, change: file.change, identity: 0)
            }
        }
    }

    private func run(_ world: SimulatedWorld) async -> SyncReport {
        await SyncEngine(
            folder: RenumberedFolder(inner: SimulatedFolder(world: world)), remote: SimulatedRemote(world: world),
            journal: SimulatedJournal(world: world), device: "test", width: 1, milliseconds: { 0 }
        ).run()
    }

    private func contents(_ side: SyncSide, of world: SimulatedWorld) -> [String: String] {
        world.state.withLock { state in
            (state.disks[side] ?? [:]).compactMapValues { node in
                guard case .file(let bytes, _, _, _) = node else { return nil }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    @Test(arguments: changes)
    func `SY1: a file that has the number of another one keeps its content and its name`(
        _ change: [File]
    ) async {
        let world = SimulatedWorld(seed: 1)
        world.state.withLock { ($0.isQuiet, $0.hasWeakTags, $0.hasIdentities) = (true, false, false) }
        put(Self.unpacked, into: world)
        #expect(await run(world).failure == nil)
        put(change, into: world)
        let report = await run(world)
        #expect(report.failure == nil && report.questions.isEmpty)
        var expected: [String: String] = [:]
        for file in Self.unpacked + change { expected[file.name] = file.text }
        #expect(contents(.here, of: world) == expected)
        #expect(contents(.there, of: world) == expected)
        let moves = report.done.filter { if case .move = $0 { true } else { false } }
        #expect(moves.isEmpty)
    }

    @Test func `SY1: a file that was renamed is still moved, by its number, size and time`() async {
        let world = SimulatedWorld(seed: 1)
        world.state.withLock { ($0.isQuiet, $0.hasWeakTags, $0.hasIdentities) = (true, false, false) }
        put(Self.unpacked, into: world)
        #expect(await run(world).failure == nil)
        world.state.withLock { state in
            let file = state.disks[.here]?["c"]
            state.disks[.here]?["cc"] = file
            state.disks[.here]?["c"] = nil
        }
        let report = await run(world)
        #expect(report.failure == nil && report.questions.isEmpty)
        let moves = report.done.filter { if case .move(.there, _, _) = $0 { true } else { false } }
        #expect(moves.count == 1)
        #expect(contents(.there, of: world) == ["a": "A", "b": "BB", "cc": "C"])
    }
}
