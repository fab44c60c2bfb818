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

    @Test(arguments: 1...6)
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
        try DurableFile.write(whole, to: path)
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
    }
}
