import Foundation
import PaviseLab
import PaviseLog
import PavisePrimitives
import PaviseProtectedStorage
import PaviseSession
import PaviseStorage
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import Pavise

/// Files, databases, streams and downloads of an app, behind its lock.
@Suite struct `What an app keeps` {
    private final class Lines: LogSink {
        let all = Mutex<[String]>([])
        func write(_ entry: LogEntry) -> Bool {
            all.withLock { $0.append(String(decoding: entry.text, as: UTF8.self)) }
            return true
        }
    }

    private static let steps = [
        DatabaseMigration(1, "nights", "CREATE TABLE night(date TEXT PRIMARY KEY, awake INTEGER)")
    ]

    /// What lies on the disk below a folder, as one text.
    private static func disk(_ folder: String) -> [UInt8] {
        var found: [UInt8] = []
        for case let name as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
            found +=
                Array(name.utf8) + (FileManager.default.contents(atPath: folder + "/" + name).map(Array.init) ?? [])
        }
        return found
    }

    @Test func `a body comes piece by piece, and ends with the lock`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            var count = 0
            for try await piece in account.stream("/api/large/3000000") { count += piece.count }
            #expect(count == 3_000_000)
            await #expect { for try await _ in account.stream("/api/large/70000", limit: 1000) {} } throws: {
                ($0 as? PaviseError)?.code == .tooLarge
            }
            await #expect { for try await _ in account.stream("/api/forbidden") {} } throws: {
                ($0 as? PaviseError)?.code == .forbidden
            }
            var received = 0
            await #expect {
                for try await piece in account.stream("/api/large/100000000") {
                    received += piece.count
                    app.lock.lockNow()
                }
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(received <= 2 << 20)
        }
    }

    @Test func `a download is sealed on the disk, goes on after a break, and leaves nothing when it fails`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let progress = Mutex<[DownloadProgress]>([])
            world.authority.fail(.api, with: .cut(after: 400_000), times: 2)
            let before = world.calls
            let file = try await account.download("/api/file/1000000", to: account.files, protection: .complete) {
                seen in
                progress.withLock { $0.append(seen) }
            }
            #expect(world.calls == before + 3)
            #expect(try account.files.get(file, limit: 2_000_000) == (0..<1_000_000).map { UInt8($0 % 251) })
            #expect(progress.withLock { $0.last } == DownloadProgress(received: 1_000_000, total: 1_000_000))
            let entry = try #require(try account.files.list().first)
            #expect(try entry.content.get().attributes.name == "1000000")

            // Any window of the content would show it.
            let content = (0..<64).map { UInt8($0) }
            #expect(!Self.disk(world.folder.path).contains(content))
            #expect(!Self.disk(world.folder.path).contains(Array("version-1000000".utf8)))

            world.authority.fail(.api, with: .cut(after: 400_000))
            await #expect {
                _ = try await account.download("/api/large/1000000", to: account.files, protection: .complete)
            } throws: {
                ($0 as? PaviseError)?.code == .network
            }
            world.authority.heal()
            #expect(try account.files.list().count == 1)
        }
    }

    @Test func `a download stops at the piece that comes after the lock was closed, and is named without controls`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let files = try account.files
            let seen = Mutex(0)
            await #expect {
                _ = try await account.download("/api/large/100000000", to: files, protection: .none) { _ in
                    app.lock.lockNow()
                    seen.withLock { $0 += 1 }
                }
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(seen.withLock { $0 } == 1)
            try await app.lock.unlock(SecurityWorld.pin)
            _ = try await account.download("/api/a%1F%7F%C2%80%C2%9Fb", to: account.files, protection: .none)
            #expect(try account.files.list().map { try $0.content.get().attributes.name } == ["ab"])
        }
    }

    @Test func `a download that begins anew each time, and breaks at the same place, ends`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let asked = Mutex(0)
            var fields = HTTPFields()
            fields.append("ETag", "\"one\"")
            fields.append("Content-Length", "10")
            // It names a version, and knows nothing of ranges.
            let answer = HTTPResponse(status: 200, fields: fields, body: [])
            let download = SealedDownload(
                open: { (_) throws(PaviseError) in
                    let count = asked.withLock { asked in
                        asked += 1
                        return asked
                    }
                    // Without an end of its own it would ask for ever.
                    guard count < 50 else { throw PaviseError(CancellationError()) }
                    return (answer, BodyStream(collected: [1, 2, 3]))
                }, environment: SessionEnvironment(sleep: { _ in }),
                request: HTTPRequest("GET", try account.connection.url("/file")), files: try account.files,
                protection: .complete, name: "file", progress: { _ in })
            await #expect(throws: TransportFailure.self) { _ = try await download.run() }
            #expect(asked.withLock { $0 } == SealedDownload.tries)
            #expect(try account.files.list().isEmpty)
        }
    }

    @Test(arguments: [
        ("/files/%E2%80%8Fa%E2%80%AEb.pdf", "ab.pdf"), ("/files/%EF%BB%BFc", "c"), ("/files/%E2%80%8E", "download"),
        ("/files/%E2%80%A8%E2%81%A6", "download"), ("/files/n%C3%A4chte?x=/y", "nächte"),
    ])
    func `a download has a name that a file may have, whatever its address is`(_ path: String, _ name: String) {
        #expect(SealedDownload.name(of: path) == name)
        #expect(!name.unicodeScalars.contains { StoredFileAttributes.isControl($0) })
    }

    @Test func `after a reinstallation an app's storage begins anew, and a folder that is lost alone is damage`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let first = try world.app()
            let old = try first.files.put([1] as [UInt8], named: "a", protection: .none)
            let home = first.connections.home.path
            try DurableFile.move(home, to: world.folder.path + "/before")
            // Where no system makes the home somebody may put it back.
            let waiting = try world.app()
            #expect { _ = try waiting.files } throws: { ($0 as? PaviseError)?.code == .damaged }
            try? FileManager.default.removeItem(atPath: home)
            let app = try world.app(isHomeTheSystems: true)
            #expect(try app.files.list().isEmpty)
            _ = try app.files.put([2] as [UInt8], named: "b", protection: .none)
            #expect(try app.files.list().count == 1)
            // Nobody reads what was.
            let place = "/protected/files/\(old)"
            try DurableFile.move(world.folder.path + "/before" + place, to: home + place)
            #expect(throws: StorageFailure.foreign) { try app.files.get(old, limit: 9) }
            try DurableFile.move(home + "/protected", to: world.folder.path + "/lost")
            let again = try world.app(isHomeTheSystems: true)
            #expect { _ = try again.files } throws: { ($0 as? PaviseError)?.code == .damaged }
        }
    }

    @Test func `DR26: an app's own keys and those of an account are renewed, and nothing is lost`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            let account = try await world.signedIn(app)
            let steps = [DatabaseMigration(1, "notes", "CREATE TABLE note(text TEXT)")]
            let (own, theirs) = (try app.files, try account.files)
            let first = try own.put([1] as [UInt8], named: "a", protection: .complete)
            let second = try theirs.put([2] as [UInt8], named: "b", protection: .none, erasable: true)
            let notes = try app.database("notes", protection: .complete, migrations: steps)
            try await notes.write { access in _ = try access.run("INSERT INTO note(text) VALUES ('kept')") }
            let before = try account.container().platform.identifier
            // One that is not named would be lost.
            await #expect { try await app.renewKeys(databases: []) } throws: {
                ($0 as? PaviseError)?.code == .invalidInput
            }
            #expect(try own.get(first, limit: 9) == [1])
            try await app.renewKeys(databases: [("notes", .complete)])
            try await account.renewKeys(databases: [])
            #expect(throws: StorageFailure.absent) { try own.get(first, limit: 9) }
            #expect(try app.files.get(first, limit: 9) == [1])
            #expect(try account.files.get(second, limit: 9) == [2])
            #expect(try account.container().platform.identifier != before)
            let again = try app.database("notes", protection: .complete, migrations: steps)
            let text = try await again.read { access in
                try access.value("SELECT text FROM note", as: String.self)
            }
            #expect(text == "kept")
            _ = await account.signOut()
            #expect(try account.files.list().isEmpty)
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            await #expect { try await app.renewKeys(databases: [("notes", .complete)]) } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
        }
    }

    @Test func `FD16: a renewal of keys ends with the lock, and nothing was changed`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let (own, theirs) = (try app.files, try account.files)
            let first = try own.put([1] as [UInt8], named: "a", protection: .complete)
            let second = try theirs.put([2] as [UInt8], named: "b", protection: .complete)
            let before = try account.container().platform.identifier
            let closing: @Sendable (StorageContainer.RenewalStep) -> Bool = { step in
                if step == .fileCopied { app.lock.lockNow() }
                return true
            }
            await StorageContainer.RenewalStep.$observer.withValue(closing) {
                await #expect { try await app.renewKeys(databases: []) } throws: {
                    ($0 as? PaviseError)?.code == .appLocked
                }
            }
            try await app.lock.unlock(SecurityWorld.pin)
            await StorageContainer.RenewalStep.$observer.withValue(closing) {
                await #expect { try await account.renewKeys(databases: []) } throws: {
                    ($0 as? PaviseError)?.code == .appLocked
                }
            }
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try own.get(first, limit: 9) == [1])
            #expect(try theirs.get(second, limit: 9) == [2])
            #expect(try account.container().platform.identifier == before)
        }
    }

    @Test func `a download has a type that a file may have, whatever the server says`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            for (said, wanted) in [
                ("text/plain; charset=utf-8", "text/plain;charset=utf-8"), ("image/png", "image/png"), ("", ""),
                ("text/ü", ""), (String(repeating: "a", count: 128), ""),
            ] {
                var fields = HTTPFields()
                if !said.isEmpty { fields.append("Content-Type", said) }
                let type = SealedDownload.type(HTTPResponse(status: 200, fields: fields, body: []))
                #expect(type == wanted)
                #expect(throws: Never.self) {
                    try account.files.put([1] as [UInt8], named: "a", type: type, protection: .none)
                }
            }
        }
    }

    @Test func `FD16: a closed lock stands before files and databases, and no key of theirs stays`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let files = try account.files
            let secret = try files.put([1, 2, 3], named: "secret", protection: .complete)
            let reader = try files.open(secret)
            let diary = try app.database("diary", protection: .complete, migrations: Self.steps)
            try await diary.write { try $0.run("INSERT INTO night(date, awake) VALUES ('2026-11-24', 3)") }

            app.lock.lockNow()
            #expect(throws: StorageFailure.locked) { try files.get(secret, limit: 10) }
            #expect(throws: StorageFailure.locked) { try reader.readAll(limit: 10) }
            #expect(throws: StorageFailure.locked) { try files.put([1], named: "new", protection: .complete) }
            await #expect(throws: ProtectedDatabaseError.locked) {
                try await diary.read { try $0.value("SELECT 1", as: Int.self) }
            }
            #expect { _ = try account.files } throws: { ($0 as? PaviseError)?.code == .appLocked }
            #expect {
                _ = try app.database("diary", protection: .complete, migrations: Self.steps)
            } throws: {
                ($0 as? PaviseError)?.recovery == .unlock
            }
            // A recording goes on.
            let sound = try files.put([9], named: "sound", protection: .completeUnlessOpen)
            #expect(throws: StorageFailure.locked) { try files.get(sound, limit: 10) }

            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try files.get(secret, limit: 10) == [1, 2, 3])
            #expect(try files.get(sound, limit: 10) == [9])
            #expect(try await diary.read { try $0.value("SELECT awake FROM night", as: Int.self) } == 3)
            app.lock.enterBackground()
            #expect(!app.lock.enterForeground().isOpen)
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try await diary.read { try $0.value("SELECT awake FROM night", as: Int.self) } == 3)
        }
    }

    @Test func `FD4: a removal empties the app's caches, as a sign-out does`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            _ = try await world.signedIn(app)
            let cache = MemoryCache<String, Int>()
            app.caches.add(cache)
            cache.set(1, for: "one")
            #expect(try await app.remove("work").localFailures == [])
            #expect(cache.value(for: "one") == nil)
        }
    }

    @Test func `a sign-out empties the account, a wipe empties the app, and neither reaches another app`() async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let (app, other) = (try world.app("org.example.one"), try world.app("org.example.two"))
            let account = try await world.signedIn(app)
            let cache = MemoryCache<String, Int>()
            app.caches.add(cache)
            cache.set(1, for: "one")
            _ = try account.files.put([1], named: "mine", protection: .complete)
            _ = try account.database("own", protection: .complete, migrations: Self.steps)
            _ = try app.files.put([2], named: "app's", protection: .complete)
            _ = try app.database("diary", protection: .complete, migrations: Self.steps)
            _ = try other.files.put([3], named: "other's", protection: .complete)

            #expect(await account.signOut().localFailure == nil)
            #expect(cache.value(for: "one") == nil)
            #expect(try account.files.list().isEmpty)
            #expect(try app.files.list().count == 1)
            try await app.wipe()
            #expect(try app.files.list().isEmpty)
            #expect(
                try await app.database("diary", protection: .complete).read {
                    try $0.value("SELECT count(*) FROM sqlite_master WHERE name = 'night'", as: Int.self)
                } == 0)
            #expect(try other.files.list().count == 1)
        }
    }

    @Test func `DR22: an account's images are kept sealed, behind the lock, and end with its sign-out`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app()
            try await app.lock.setPIN(SecurityWorld.pin)
            let account = try await world.signedIn(app)
            let before = world.calls
            let image = try await account.image("/api/image/70000", protection: .complete)
            #expect(image == (0..<70_000).map { UInt8($0 % 251) })
            #expect(try await account.image("/api/image/70000", protection: .complete) == image)
            #expect(world.calls == before + 1)
            #expect(!Self.disk(world.folder.path).contains((0..<64).map { UInt8($0) }))

            // Another object for the same account has the same images.
            let other = try app.account("work")
            #expect(try await other.image("/api/image/70000", protection: .complete) == image)
            app.lock.lockNow()
            for account in [account, other] {
                await #expect {
                    _ = try await account.image("/api/image/70000", protection: .complete)
                } throws: {
                    ($0 as? PaviseError)?.code == .appLocked
                }
            }
            try await app.lock.unlock(SecurityWorld.pin)
            #expect(try await account.image("/api/image/70000", protection: .complete) == image)
            #expect(world.calls == before + 1)

            // What the server keeps for itself, and what is no image.
            for _ in 0..<2 { _ = try await account.image("/api/large/1000", protection: .complete) }
            #expect(world.calls == before + 3)
            await #expect {
                _ = try await account.image("/api/forbidden", protection: .complete)
            } throws: {
                ($0 as? PaviseError)?.code == .forbidden
            }

            let container = try account.container().platform.folder
            _ = await account.signOut()
            #expect(!FileManager.default.fileExists(atPath: container))
            for account in [account, other] {
                await #expect(throws: PaviseError.self) {
                    _ = try await account.image("/api/image/70000", protection: .complete)
                }
            }
        }
    }

    @Test func `DR22: an image that comes after the sign-out is given, and kept for nobody`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let account = try await world.signedIn(try world.app())
            let container = try account.container().platform.folder
            let gate = LabGate()
            world.authority.fail(.api, with: .late(gate), times: 1)
            async let image = account.image("/api/image/70000", protection: .complete)
            #expect(await gate.waitForArrivals(1))
            #expect(await account.signOut().localFailure == nil)
            gate.open()
            #expect(try await image.count == 70_000)
            #expect(!FileManager.default.fileExists(atPath: container))
        }
    }

    @Test(arguments: [true, false])
    func `DR20: an app's caches hear of memory running short from its start on, or the log says that they do not`(
        _ isTold: Bool
    ) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let groups = Mutex<[CacheGroup]>([])
            let lines = Lines()
            var configuration = SecurityConfiguration()
            configuration.log = LogOutput(sinks: [lines])
            let app = try SecurityWorld.Place(home: world.home, anchor: world.trusted).app(
                "org.example.diary", configuration,
                pressure: { group throws(SystemFailure) in
                    groups.withLock { $0.append(group) }
                    guard !isTold else { return }
                    throw SystemFailure(operation: "open", path: "/proc/pressure/memory", code: ENOENT)
                })
            #expect(groups.withLock { $0.count == 1 && $0.first === app.caches })
            #expect(lines.all.withLock { $0.contains { $0.contains("memory runs short") } } == !isTold)
        }
    }

    @Test func `the last wrong PIN takes the app's own files, too`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            var configuration = SecurityConfiguration()
            configuration.lock = try AppLockPolicy(freeAttempts: 3, attempts: 3)
            let app = try world.app("org.example.diary", configuration)
            try await app.lock.setPIN(SecurityWorld.pin)
            _ = try app.files.put([2], named: "app's", protection: .complete)
            #expect(
                FileManager.default.fileExists(atPath: world.folder.path + "/home/apps/org.example.diary/protected"))
            app.lock.lockNow()
            for _ in 0..<3 { _ = try? await app.lock.unlock("111222") }
            #expect(
                !FileManager.default.fileExists(atPath: world.folder.path + "/home/apps/org.example.diary/protected"))
        }
    }

    @Test func `the screen is covered while nobody sees it, and behind a lock of the device`() throws {
        let world = try SecurityWorld()
        try world.inHomeNow {
            var configuration = SecurityConfiguration()
            let covers = Mutex<[Bool]>([])
            configuration.cover = { isCovered in covers.withLock { $0.append(isCovered) } }
            let app = try world.app("org.example.diary", configuration)
            app.lock.enterBackground()
            app.lock.enterForeground()
            app.report(.screenLocked)
            #expect(covers.withLock { $0 } == [true, false, true])
        }
    }
}

extension [UInt8] {
    /// Whether the bytes occur in it.
    fileprivate func contains(_ part: [UInt8]) -> Bool { Data(self).range(of: Data(part)) != nil }
}
