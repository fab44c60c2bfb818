import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import Synchronization
import TestSupport
import Testing

/// New keys for a container that keeps its data, whenever the work is cut off.
@Suite struct RenewalTests {
    let folder: TemporaryFolder
    let lock = LockSwitch()
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }
    private static let nights = [ProtectedContainer.DatabaseName("nights", protection: .complete)]

    init() throws { folder = try TemporaryFolder() }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: home, lock: lock)
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    private func open() throws -> ProtectedContainer { try run { try ProtectedContainer.open("diary", in: home) } }

    private func renew(_ databases: [ProtectedContainer.DatabaseName] = RenewalTests.nights) throws {
        try run { try ProtectedContainer.renewKeys(of: "diary", databases: databases, in: home) }
    }

    private func fill() throws -> [StoredFileID] {
        let container = try open()
        let files = try ProtectionClass.allCases.map { protection in
            try container.files.put(
                [UInt8](repeating: protection.rawValue, count: 70_000), named: "\(protection)", type: "a/b",
                protection: protection)
        }
        let database = try container.database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        try database.write { try $0.run("INSERT INTO night(text) VALUES ('kept')") }
        database.close()
        return files
    }

    private func check(_ files: [StoredFileID]) throws {
        let container = try open()
        for (id, protection) in zip(files, ProtectionClass.allCases) {
            let bytes = [UInt8](repeating: protection.rawValue, count: 70_000)
            #expect(try container.files.get(id, limit: 1 << 20) == bytes)
        }
        #expect(
            try container.files.list().map { try $0.content.get().attributes.type } == Array(repeating: "a/b", count: 4)
        )
        let database = try container.database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        #expect(try database.read { try $0.value("SELECT text FROM night", as: String.self) } == "kept")
        #expect(try database.verify().isIntact)
        database.close()
        #expect(try run { try ProtectedContainer.names(in: home) } == ["diary"])
    }

    @Test func `all data is there under other keys, and what was sealed under the old ones opens no more`() throws {
        let files = try fill()
        let old = try open()
        let place = folder.path + "/home/containers"
        let sealed = try DurableFile.read("\(place)/diary/files/\(files[0])", limit: 1 << 20)
        for _ in 0..<3 {
            try renew()
            try check(files)
        }
        #expect(throws: StorageFailure.absent) { try old.files.get(files[0], limit: 1 << 20) }
        // The odd one of three: the second place is in use, and an old file that is put there is foreign.
        try DurableFile.write(sealed, to: "\(place)/diary~/files/\(files[0])")
        #expect(throws: StorageFailure.foreign) { try open().files.get(files[0], limit: 1 << 20) }
        #expect(!DurableFile.exists("\(place)/diary"))
        try run { try open().remove() }
        #expect(try run { try ProtectedContainer.names(in: home) } == [])
        #expect(try open().files.list() == [])
    }

    @Test(arguments: 1...8)
    func `a kill after any step loses nothing, and the next opening ends it`(_ step: Int) throws {
        let files = try fill()
        let count = Mutex(0)
        #expect(throws: (any Error).self) {
            try StorageContainer.RenewalStep.$observer.withValue({ _ in
                count.withLock { count in
                    count += 1
                    return count < step
                }
            }) { try renew() }
        }
        try check(files)
        try renew()
        try check(files)
    }

    @Test func `a kill between the decision and the removal of the old keys is finished`() throws {
        let files = try fill()
        for removal in StorageContainer.RemovalStep.allCases {
            #expect(throws: (any Error).self) {
                let armed = Mutex(false)
                try StorageContainer.RenewalStep.$observer.withValue({ step in
                    if step == .state(4) { armed.withLock { $0 = true } }
                    return true
                }) {
                    try StorageContainer.RemovalStep.$observer.withValue({ step in
                        !armed.withLock { $0 } || step != removal
                    }) { try renew() }
                }
            }
            try check(files)
        }
    }

    @Test func `a database that was not named, a lock and a damaged file stop it before anything is changed`() throws {
        let files = try fill()
        #expect(throws: ProtectedDatabaseError.storage(.unusable(.databases))) { try renew([]) }
        try check(files)
        lock.state = .locked
        #expect(throws: ProtectedDatabaseError.locked) { try renew() }
        lock.state = .unlocked
        try check(files)
        let path = folder.path + "/home/containers/diary/files/\(files[3])"
        let whole = try DurableFile.read(path, limit: 1 << 20)
        var bytes = whole
        bytes[bytes.count - 1] ^= 1
        try DurableFile.write(bytes, to: path)
        #expect(throws: ProtectedDatabaseError.damaged(.content)) { try renew() }
        // What was copied by then takes no room.
        #expect(!DurableFile.exists(folder.path + "/home/containers/diary~"))
        try DurableFile.write(whole, to: path)
        try check(files)
    }

    @Test func `DR26: a database that was not named is told of before anything is copied`() throws {
        let files = try fill()
        let steps = Mutex(0)
        StorageContainer.RenewalStep.$observer.withValue({ _ in
            steps.withLock { $0 += 1 }
            return true
        }) {
            #expect(throws: ProtectedDatabaseError.storage(.unusable(.databases))) { try renew([]) }
        }
        #expect(steps.withLock { $0 } == 0)
        try check(files)
    }

    // Two pieces of each of four files, and the last word before the decision.
    @Test(arguments: 0...9)
    func `DR26: who stops it before the decision finds the old container whole`(_ pieces: Int) throws {
        let files = try fill()
        let before = try open().platform.identifier
        var (heard, bytes) = (0, 0)
        let outcome = try run {
            try ProtectedContainer.renewKeys(of: "diary", databases: Self.nights, in: home) { count in
                heard += 1
                bytes += count
                return heard <= pieces
            }
        }
        #expect(outcome == (pieces < 9 ? .stopped : .renewed))
        #expect(heard == min(pieces + 1, 9) && (bytes == 280_000) == (pieces >= 7))
        #expect(DurableFile.exists(folder.path + "/home/containers/diary~") == (pieces == 9))
        #expect(try (open().platform.identifier == before) == (pieces < 9))
        try check(files)
    }

    @Test func `DR26: a file that nobody can look at stops it before anything is changed`() throws {
        let files = try fill()
        let path = folder.path + "/home/containers/diary/files/\(files[1])"
        let observer = FileObserver(failure: { $0.call == .look && $0.path == path ? EIO : nil })
        FileObserver.$current.withValue(observer) {
            #expect(throws: ProtectedDatabaseError.self) { try renew() }
        }
        try check(files)
        try renew()
        try check(files)
    }

    @Test func `cached images are left behind, and the cache works on`() throws {
        let files = try fill()
        let cache = try ImageCache.open(in: try open(), protection: .complete)
        try cache.keep([1], for: "/a", user: "u")
        cache.close()
        try renew()
        try check(files)
        let again = try ImageCache.open(in: try open(), protection: .complete)
        #expect(try again.image(for: "/a", user: "u") == nil)
        try again.keep([2], for: "/a", user: "u")
        #expect(try again.image(for: "/a", user: "u") == [2])
    }

    @Test func `erasable files come along, and stay erasable`() throws {
        _ = try fill()
        let container = try open()
        let file = try container.files.put([1, 2], named: "e", protection: .complete, erasable: true)
        try renew()
        let renewed = try open()
        #expect(try renewed.files.get(file, limit: 9) == [1, 2])
        let path = folder.path + "/home/containers/diary~/files/\(file)"
        let copy = try DurableFile.read(path, limit: 1 << 20)
        try renewed.files.remove(file)
        try DurableFile.write(copy, to: path)
        #expect(throws: StorageFailure.absent) { try open().files.get(file, limit: 9) }
    }

    // What a write that waits for its lock while `step` is reached says, and how often the database has its word then.
    private func write(at step: StorageContainer.RenewalStep) throws -> (failure: ProtectedDatabaseError?, rows: Int?) {
        _ = try fill()
        let database = try open().database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        let outcome = Mutex<Result<Void, any Error>?>(nil)
        let ended = DispatchSemaphore(value: 0)
        try StorageContainer.RenewalStep.$observer.withValue({ reached in
            guard reached == step else { return true }
            Thread.detachNewThread {
                let result = Result { _ = try database.write { try $0.run("INSERT INTO night(text) VALUES ('late')") } }
                outcome.withLock { $0 = result }
                ended.signal()
            }
            // It waits for the lock by then; where it does not, it comes later and is refused as well.
            usleep(200_000)
            return true
        }) { try renew() }
        ended.wait()
        database.close()
        let now = try open().database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        defer { now.close() }
        let rows = try now.read { try $0.value("SELECT count(*) FROM night WHERE text = 'late'", as: Int.self) }
        guard case .failure(let error)? = outcome.withLock({ $0 }) else { return (nil, rows) }
        return (try #require(error as? ProtectedDatabaseError), rows)
    }

    @Test(arguments: [StorageContainer.RenewalStep.databasesCopied, .closed, .state(4)])
    func `DR26: a write between the copy and the decision is refused, and never lost`(
        _ step: StorageContainer.RenewalStep
    ) throws {
        let (failure, rows) = try write(at: step)
        #expect(failure == .absent && rows == 0)
    }

    @Test func `DR26: a file that was replaced by one with the same number stops it before anything is lost`() throws {
        let files = try fill()
        let path = folder.path + "/home/containers/diary/files/\(files[1])"
        #expect(throws: ProtectedDatabaseError.busy) {
            try StorageContainer.RenewalStep.$observer.withValue({ step in
                // In its own place: what two replacements leave where the system gives numbers again.
                if step == .databasesCopied, let bytes = try? DurableFile.read(path, limit: 1 << 20) {
                    try? Data(bytes).write(to: URL(fileURLWithPath: path))
                }
                return true
            }) { try renew() }
        }
        try check(files)
    }

    @Test func `DR26: after a kill behind the decision nobody writes into what is about to go`() throws {
        let files = try fill()
        let database = try open().database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        #expect(throws: (any Error).self) {
            try StorageContainer.RenewalStep.$observer.withValue({ $0 != .state(4) }) { try renew() }
        }
        #expect(throws: ProtectedDatabaseError.absent) {
            try database.write { try $0.run("INSERT INTO night(text) VALUES ('late')") }
        }
        database.close()
        try check(files)
    }

    @Test func `DR26: a write that runs is waited for, and is there afterwards`() throws {
        _ = try fill()
        let database = try open().database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        let begun = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? database.write { access in
                try access.run("INSERT INTO night(text) VALUES ('early')")
                begun.signal()
                usleep(300_000)
            }
            ended.signal()
        }
        begun.wait()
        try renew()
        ended.wait()
        database.close()
        let now = try open().database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        #expect(try now.read { try $0.value("SELECT count(*) FROM night WHERE text = 'early'", as: Int.self) } == 1)
        now.close()
    }

    @Test func `DR26: another process that writes all the time loses no row that it was told is stored`() async throws {
        let (home, notes) = (folder.path + "/home", folder.path + "/notes")
        _ = try RenewalChild.open(home).database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(processExitsWith: .success) { [home = home as String, notes = notes as String] in
                    try RenewalChild.write(home, notes: notes)
                }
            }
            // Until it writes.
            while try (DurableFile.readIfPresent(notes, limit: 1 << 20) ?? []).count < 20 {
                try await Task.sleep(for: .milliseconds(2))
            }
            try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: PaviseHome(path: home))) {
                try ProtectedContainer.renewKeys(
                    of: "diary", databases: Self.nights, in: PaviseHome(path: home))
            }
            try await group.waitForAll()
        }
        let stored = try RenewalChild.texts(home)
        let noted = String(decoding: try DurableFile.read(notes, limit: 1 << 20), as: UTF8.self)
            .split(separator: "\n").map(String.init)
        #expect(noted.count > 5 && Set(noted).subtracting(stored).isEmpty)
    }
}

/// A process that writes until its container is gone: the code of a test's child.
private enum RenewalChild {
    static func open(_ home: String) throws -> ProtectedContainer {
        let home = PaviseHome(path: home)
        return try SecurityEnvironment.$override.withValue(SecurityEnvironment(home: home)) {
            try ProtectedContainer.open("diary", in: home)
        }
    }

    static func texts(_ home: String) throws -> Set<String> {
        let database = try open(home).database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        defer { database.close() }
        return try database.read { access in
            Set(try access.rows("SELECT text FROM night").map { try $0.value("text", as: String.self) })
        }
    }

    static func write(_ home: String, notes: String) throws {
        let database = try open(home).database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        defer { database.close() }
        let file = try FileDescriptor.open(notes, O_WRONLY | O_CREAT | O_APPEND)
        for number in 0... {
            do {
                try database.write { try $0.run("INSERT INTO night(text) VALUES (\("row \(number)"))") }
            } catch ProtectedDatabaseError.absent {
                return
            }
            try file.write(Array("row \(number)\n".utf8).span)
            usleep(1_000)
        }
    }
}
