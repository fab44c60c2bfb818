import Foundation
import Pavise
import PaviseProtectedStorage
import PaviseSync
import PaviseTesting
import TestSupport
import Testing

/// A server of an app's own language. Of `PaviseSync` only public names are seen here.
@Suite struct OwnRemoteTests {
    /// A folder of one device. Each call opens the synchronisation anew, as a process of its own would.
    private struct Device {
        let account: Account
        let folder: TemporaryFolder
        let server: TableServer
        let name: String

        func sync() throws(PaviseError) -> FolderSync {
            try account.sync(folder: folder.path, remote: server, named: "cards", device: name)
        }

        func write(_ path: String, _ text: String) throws {
            let file = URL(fileURLWithPath: folder.path + "/" + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }

        func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder.path + "/" + path) }

        var files: [String: String] { SyncStage.files(folder.path).mapValues { String(decoding: $0, as: UTF8.self) } }
    }

    private func devices(_ body: (Device, Device) async throws -> Void) async throws {
        try await TestWorld.run { world in
            let server = TableServer()
            let apps = (try world.app("org.example.one"), try world.app("org.example.other"))
            let one = Device(
                account: try await world.signIn(apps.0), folder: try TemporaryFolder(), server: server, name: "one")
            let other = Device(
                account: try await world.signIn(apps.1), folder: try TemporaryFolder(), server: server, name: "other")
            try await body(one, other)
            withExtendedLifetime(apps) {}
        }
    }

    @Test func `an app's own remote has the engine, the journal and the state`() async throws {
        try await devices { one, other in
            for (path, text) in [("a", "a"), ("in/b", "b"), ("c", "c"), ("d", "d")] { try one.write(path, text) }
            let first = await (try one.sync()).run()
            #expect(first.isComplete, "\(first)")
            #expect(await (try other.sync()).run().isComplete)
            #expect(one.files == ["a": "a", "in/b": "b", "c": "c", "d": "d"] && other.files == one.files)
            // The journal knows it all the next time.
            let (written, listings) = (await one.server.writes, await one.server.listings)
            let again = try one.sync()
            #expect(await again.run().done.isEmpty)
            #expect(await one.server.writes == written)
            #expect(await one.server.listings == listings + 1)
            #expect(again.state == SyncState() && again.address == nil)
            let status = try again.status()
            #expect(status.items == 5 && status.pending == 0 && status.server == nil)
            // One at a time.
            #expect {
                try one.sync()
            } throws: { ($0 as? PaviseError)?.code == .busy }
        }
    }

    @Test func `changes of both devices are merged through an app's own remote, and a conflict is closed`()
        async throws
    {
        try await devices { one, other in
            let names = ["a", "b", "c", "d", "in/e", "in/f"] + (0..<6).map { "more \($0)" }
            for name in names { try one.write(name, name) }
            for device in [one, other] { #expect(await (try device.sync()).run().isComplete) }
            try other.write("a", "theirs")
            try other.remove("b")
            try FileManager.default.moveItem(
                atPath: other.folder.path + "/in", toPath: other.folder.path + "/moved")
            try one.write("a", "mine")
            try one.write("c", "changed")
            for device in [other, one, other] { #expect(await (try device.sync()).run().isComplete) }
            #expect(one.files == other.files && one.files["b"] == nil && one.files["c"] == "changed")
            #expect(one.files["moved/e"] == "in/e" && one.files["a"] == "theirs")
            do {
                let sync = try one.sync()
                let conflict = try #require(try await sync.conflicts().first)
                #expect(conflict.device == "one")
                try await sync.close(conflict, keeping: .copy)
                #expect(await sync.run().isComplete)
            }
            #expect(await (try other.sync()).run().isComplete)
            #expect(one.files == other.files && one.files["a"] == "mine" && one.files.count == 11)
            let kept = try (try one.sync()).kept()
            #expect(kept.contains { $0.name == "a" && $0.reason == .replaced })
        }
    }

    @Test func `the app lock closes it, what its remote says ends a run is told, and a sign-out leaves the files`()
        async throws
    {
        try await TestWorld.run { world in
            let app = try world.app()
            try await app.lock.setPIN("482913")
            let account = try await world.signIn(app)
            let server = TableServer()
            let sealed = try account.sync(sealed: "cards", remote: server, named: "cards", device: "one")
            let folder = try #require(sealed.sealed)
            try folder.write(Array("one".utf8), to: "a")
            #expect(sealed.state.unsent == 1)
            await server.stop(.unreachable("No network."))
            #expect(await sealed.run().failure == .unreachable("No network."))
            #expect(sealed.state.unsent == 1)
            await server.stop(nil)
            app.lock.lockNow()
            #expect(await sealed.run().failure == .locked)
            // Nor is anything read of what is kept, or of what files are called.
            let digest = ContentDigest(of: Array("one".utf8))
            await #expect(throws: SyncFailure.locked) { _ = try await sealed.content(digest) }
            await #expect(throws: SyncFailure.locked) { _ = try await sealed.conflicts() }
            await #expect(throws: SyncFailure.locked) { _ = try await sealed.preview() }
            #expect(throws: SyncFailure.locked) { _ = try sealed.kept() }
            #expect(throws: SyncFailure.locked) { _ = try sealed.questions() }
            #expect(throws: PaviseError.appLocked) {
                try account.sync(sealed: "more", remote: server, named: "more", device: "one")
            }
            #expect(await server.writes == 0)
            _ = try await app.lock.unlock("482913")
            #expect(await sealed.run().isComplete)
            #expect(await server.writes == 1)
            #expect(sealed.state == SyncState())
            _ = await account.signOut()
            #expect(await sealed.run().failure != nil)
            #expect(try await server.list().count == 1)
        }
    }

    @Test func `DR26: an account's keys are renewed together with the journal of a synchronisation`() async throws {
        try await TestWorld.run { world in
            let app = try world.app()
            let account = try await world.signIn(app)
            let server = TableServer()
            var names: [(name: String, protection: ProtectionClass)] = []
            do {
                let sync = try account.sync(sealed: "cards", remote: server, named: "cards", device: "one")
                try (try #require(sync.sealed)).write(Array("one".utf8), to: "a")
                #expect(await sync.run().isComplete)
                names.append((sync.databaseName, .untilFirstUserAuthentication))
            }
            await #expect { try await account.renewKeys(databases: []) } throws: {
                ($0 as? PaviseError)?.code == .invalidInput
            }
            try await account.renewKeys(databases: names)
            let again = try account.sync(sealed: "cards", remote: server, named: "cards", device: "one")
            #expect(try again.status().items == 1)
            #expect(await again.run().isComplete)
            #expect(await server.writes == 1)
        }
    }
}

/// A server in memory. Each write has a condition of its kind, and changes nothing where that does not hold.
private actor TableServer: SyncRemote {
    private struct File {
        let bytes: [UInt8]
        let number: Int
        var version: RemoteVersion { RemoteVersion(validator: "\"\(number)\"", size: bytes.count) }
    }
    private var files: [SyncPath: File] = [:]
    private var folders: Set<SyncPath> = [[]]
    private(set) var writes = 0
    private(set) var listings = 0
    private var failure: SyncFailure?

    /// From here on listings fail so; no more with `nil`.
    func stop(_ failure: SyncFailure?) { self.failure = failure }

    // Whoever knows that its conditions hold says so.
    let level = ServerLevel.conditions

    func list() async throws(SyncFailure) -> [RemoteEntry] {
        if let failure { throw failure }
        listings += 1
        return folders.filter { !$0.isEmpty }.map { RemoteEntry(path: $0, version: nil, identity: nil) }
            + files.map { RemoteEntry(path: $0.key, version: $0.value.version, identity: nil) }
    }

    func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion {
        guard let file = files[path] else { throw .changed }
        try sink.begin(file.version)
        try sink.append(file.bytes)
        return file.version
    }

    func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content, old: nil)
    }

    func replace(
        _ path: SyncPath, _ content: SyncContent, old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion? {
        try put(path, content, old: old)
    }

    private func put(_ path: SyncPath, _ content: SyncContent, old: RemoteVersion?) throws(SyncFailure) -> RemoteVersion
    {
        guard files[path]?.version == old, !folders.contains(path), folders.contains(SyncPath(path.dropLast())) else {
            throw .changed
        }
        writes += 1
        let file = File(bytes: try content.bytes(), number: writes)
        files[path] = file
        return file.version
    }

    func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        guard files[path] == nil, folders.contains(SyncPath(path.dropLast())) else { throw .changed }
        folders.insert(path)
    }

    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard files[path]?.version == old, old != nil || folders.contains(path), !target.starts(with: path),
            files[target] == nil, !folders.contains(target), folders.contains(SyncPath(target.dropLast()))
        else { throw .changed }
        func moved(_ other: SyncPath) -> SyncPath {
            other.starts(with: path) ? target + other.dropFirst(path.count) : other
        }
        files = Dictionary(uniqueKeysWithValues: files.map { (moved($0.key), $0.value) })
        folders = Set(folders.map(moved))
    }

    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure) {
        guard files[path]?.version == old else { throw .changed }
        guard old == nil else {
            files[path] = nil
            return
        }
        let isEmpty = !files.keys.contains { $0.starts(with: path) }
        guard isEmpty, !folders.contains(where: { $0 != path && $0.starts(with: path) }) else { throw .changed }
        folders.remove(path)
    }
}
