import Foundation
import Pavise
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTesting
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseSync

/// A folder that lies sealed in the store, in the place of one of the file system.
@Suite struct SealedFolderTests {
    let stage: SyncStage
    init() throws { stage = try SyncStage() }

    private func inHome<Value>(_ body: (SealedFolder) throws -> Value) throws -> Value {
        try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home)) {
            try body(SealedFolder(try stage.journal()))
        }
    }

    private func run(_ remote: WebDAVRemote? = nil) async throws -> SyncReport {
        let chosen: WebDAVRemote
        if let remote { chosen = remote } else { chosen = try await stage.remote() }
        return try await SecurityEnvironment.$override.withValue(SecurityEnvironment(home: stage.home)) {
            let journal = try stage.journal()
            return await SyncEngine(
                folder: SealedFolder(journal), remote: chosen, journal: journal, device: "test",
                milliseconds: { 1_900_000_000_000 }
            ).run()
        }
    }

    /// The sealed files, by path.
    private func files() throws -> [String: [UInt8]] {
        try inHome { folder in
            var found: [String: [UInt8]] = [:]
            for item in try folder.items() where item.status != nil {
                let path = item.path.map(\.text).joined(separator: "/")
                found[path] = try folder.content(of: path)?.bytes()
            }
            return found
        }
    }

    @Test func `files and folders come to both sides, change on both, and nothing lies on the disk in clear`()
        async throws
    {
        let large = LargeFileTests.bytes(300_000)
        try inHome { folder in
            try folder.write(Array("canary-one-7f3a".utf8), to: "canary-name.txt")
            try folder.write(large, to: "deep/er/large")
            try folder.write(Array("y".utf8), to: "y")
        }
        stage.server.write("from/there.txt", Array("canary-two-7f3a".utf8))
        #expect(try await run().isComplete)
        #expect(try files() == stage.server.files && stage.server.files.count == 4)
        try inHome { folder in
            try folder.write(Array("changed".utf8), to: "canary-name.txt")
            try folder.move("deep", to: "moved")
            try folder.remove("y")
        }
        stage.server.write("from/there.txt", Array("changed there".utf8))
        let report = try await run()
        #expect(report.isComplete && report.conflicts.isEmpty, "\(report)")
        #expect(try files() == stage.server.files)
        #expect(stage.server.files["moved/er/large"] == large && stage.server.files["y"] == nil)
        #expect(stage.server.files["canary-name.txt"] == Array("changed".utf8))
        #expect(try await run().done.isEmpty)
        for case let name as String in FileManager.default.enumerator(atPath: stage.home.path) ?? .init() {
            guard let bytes = FileManager.default.contents(atPath: stage.home.path + "/" + name) else { continue }
            for canary in ["canary-one", "canary-two", "canary-name"] {
                #expect(bytes.range(of: Data(canary.utf8)) == nil, "\(name)")
            }
        }
        #expect(stage.files.isEmpty)
    }

    @Test func `both edited: both stay, here and there`() async throws {
        try inHome { try $0.write(Array("base".utf8), to: "d.txt") }
        #expect(try await run().isComplete)
        try inHome { try $0.write(Array("mine".utf8), to: "d.txt") }
        stage.server.write("d.txt", Array("theirs".utf8))
        #expect(try await run().conflicts.count == 1)
        #expect(try files() == stage.server.files)
        #expect(Set(try files().values.map { String(decoding: $0, as: UTF8.self) }) == ["mine", "theirs"])
    }

    @Test func `SY14: what a sealed folder has stays for ever, what was replaced or removed for 30 days`() async throws
    {
        try inHome { folder in
            for text in ["old", "new"] { try folder.write(Array(text.utf8), to: "a") }
            try folder.write(Array("gone".utf8), to: "d/b")
            try folder.remove("d")
            #expect(try folder.items().map(\.path.first?.text) == ["a"])
        }
        for (days, isThere) in [(Int64(29), true), (2, false)] {
            stage.time.withLock { $0 += days * 86_400_000 }
            try inHome { folder in
                try folder.journal.sweep()
                for text in ["old", "gone"] {
                    #expect(try (folder.journal.kept(ContentDigest(of: Array(text.utf8))) != nil) == isThere, "\(text)")
                }
                #expect(try folder.content(of: "a")?.bytes() == Array("new".utf8))
                #expect(try folder.journal.kept().count == (isThere ? 2 : 0))
            }
        }
    }

    @Test func `SY14: what an app writes while a sweep goes by is not taken away`() throws {
        // At each call of the file system of a write of what is too large for a row.
        for step in 1...40 {
            let isOver = try inHome { folder in
                let (count, isSweeping) = (SharedNumber(0), SharedNumber(0))
                let journal = folder.journal
                let observer = FileObserver(done: { _ in
                    guard isSweeping.value == 0 else { return }
                    count.value += 1
                    guard count.value == step else { return }
                    isSweeping.value = 1
                    try? journal.sweep()
                    isSweeping.value = 0
                })
                let bytes = LargeFileTests.bytes(100_000 + step)
                try FileObserver.$current.withValue(observer) { try folder.write(bytes, to: "\(step)") }
                #expect(try folder.content(of: "\(step)")?.bytes() == bytes, "\(step)")
                return count.value < step
            }
            if isOver { return }
        }
        Issue.record("a write has more than 40 steps")
    }

    @Test func `SY14: what is kept long enough to go, and is written again while a sweep goes by, stays`() throws {
        let content = LargeFileTests.bytes(100_000)
        // Each time the clock is asked, a sweep could come: one that goes before the write, one between its look and
        // its row, one behind it.
        for call in 1...12 {
            let stage = try SyncStage()
            try stage.inHome {
                let (count, isSweeping) = (SharedNumber(0), SharedNumber(0))
                let found = Mutex<ProtectedJournal?>(nil)
                let now: @Sendable () -> Int64 = {
                    if isSweeping.value == 0, let journal = found.withLock({ $0 }) {
                        count.value += 1
                        if count.value == call {
                            isSweeping.value = 1
                            try? journal.sweep()
                            isSweeping.value = 0
                        }
                    }
                    return stage.time.withLock { $0 }
                }
                let folder = SealedFolder(try SyncStage.journal("one", stage.home, milliseconds: now))
                try folder.write(content, to: "a")
                try folder.remove("a")
                stage.time.withLock { $0 += 31 * 86_400_000 }
                found.withLock { $0 = folder.journal }
                defer { found.withLock { $0 = nil } }
                try folder.write(content, to: "b")
                #expect(try folder.content(of: "b")?.bytes() == content, "\(call)")
            }
        }
    }

    @Test(arguments: ["", "/a", "a/", "a//b", "../a", "a/../b", "a\u{0}", "d", ".pavise-x", "a/b"])
    func `what is no path, or is in the way, is refused`(_ path: String) throws {
        try inHome { folder in
            try folder.write([1], to: "a")
            try folder.write([2], to: "d/inner")
            #expect(throws: SyncFailure.self) { try folder.write([3], to: path) }
            #expect(throws: SyncFailure.self) { try folder.move("a", to: "d/inner") }
            #expect(throws: SyncFailure.self) { try folder.move("d", to: "d/inner/deeper") }
            #expect(try folder.items().count == 3)
        }
    }

    @Test func `of an account: it is kept equal, the lock closes it, sign-out removes it`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            try await app.lock.setPIN("482913")
            let account = try await world.signIn(app)
            let notes = try account.sync(sealed: "notes", with: "/api/dav", device: "test")
            let folder = try #require(notes.sealed)
            try folder.write(Array("rain".utf8), to: "2026/november.txt")
            #expect(await notes.run().isComplete)
            #expect(world.authority.files.files == ["2026/november.txt": Array("rain".utf8)])
            app.lock.lockNow()
            #expect(throws: SyncFailure.locked) { try folder.content(of: "2026/november.txt") }
            #expect(await notes.run().failure == .locked)
            _ = try await app.lock.unlock("482913")
            #expect(try folder.content(of: "2026/november.txt")?.bytes() == Array("rain".utf8))
            _ = await account.signOut()
            #expect(throws: SyncFailure.self) { try folder.content(of: "2026/november.txt") }
        }
    }
}
