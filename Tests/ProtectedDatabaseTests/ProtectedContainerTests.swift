import Foundation
import PaviseDevice
import PavisePrimitives
import PaviseProtectedStorage
import PaviseStorage
import SecurityFramework
import TestSupport
import Testing

/// What an app does with a container: files and databases that end together.
@Suite struct ProtectedContainerTests {
    let folder: TemporaryFolder
    let lock = LockSwitch()
    private var home: PaviseHome { PaviseHome(path: folder.path + "/home") }

    init() throws { folder = try TemporaryFolder() }

    private func run<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: home, lock: lock)
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    private func open(_ name: String, mayCreate: Bool = true) throws -> ProtectedContainer {
        try run { try ProtectedContainer.open(name, in: home, mayCreate: mayCreate) }
    }

    @Test func `DR11, DR25: files and databases of a container end with it, and those of others stay`() throws {
        let (diary, other) = (try open("diary"), try open("other"))
        let file = try diary.files.put([1, 2], named: "a", protection: .complete)
        let kept = try other.files.put([3], named: "b", protection: .complete)
        let nights = try diary.database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        try nights.write { try $0.run("INSERT INTO night(text) VALUES ('x')") }
        #expect(try run { try ProtectedContainer.names(in: home) } == ["diary", "other"])
        #expect(try open("diary").files.get(file, limit: 9) == [1, 2])

        try run { try diary.remove() }
        try run { try diary.remove() }
        #expect(throws: StorageFailure.absent) { try diary.files.get(file, limit: 9) }
        #expect(throws: ProtectedDatabaseError.absent) { try nights.read { try $0.rows("SELECT 1") } as [DatabaseRow] }
        #expect(throws: StorageFailure.absent) { try open("diary", mayCreate: false) }
        #expect(try run { try ProtectedContainer.names(in: home) } == ["other"])
        #expect(try other.files.get(kept, limit: 9) == [3])
        #expect(throws: StorageFailure.absent) { try open("diary").files.get(file, limit: 9) }
    }

    @Test func `DR9: files and databases follow the lock, and come back with the unlock`() throws {
        let diary = try open("diary")
        let file = try diary.files.put([1], named: "a", protection: .complete)
        let nights = try diary.database("nights", protection: .complete, migrations: DatabaseFixture.steps)
        lock.state = .locked
        #expect(throws: StorageFailure.locked) { try diary.files.get(file, limit: 9) }
        #expect(throws: ProtectedDatabaseError.locked) { try nights.read { try $0.rows("SELECT 1") } as [DatabaseRow] }
        lock.state = .unlocked
        #expect(try diary.files.get(file, limit: 9) == [1])
        #expect(try nights.read { try $0.value("SELECT count(*) FROM night", as: Int.self) } == 0)
        nights.close()
        try diary.removeDatabase("nights", protection: .complete)
        #expect(throws: ProtectedDatabaseError.absent) {
            try diary.database("nights", protection: .complete, migrations: [], mayCreate: false)
        }
    }

    @Test(arguments: ["", "A", "a/b", "..", "a.lock", "ä", String(repeating: "a", count: 65), "a\u{0}"])
    func `another name is no container`(_ name: String) throws {
        #expect(throws: StorageFailure.unusable(.name)) { try open(name) }
        #expect(throws: StorageFailure.unusable(.name)) { try run { try ProtectedContainer.remove(name, in: home) } }
        #expect(!FileManager.default.fileExists(atPath: home.path))
    }

    @Test func `the container of the home is that of its files`() throws {
        let file = try run { try ProtectedFiles.of(home).put([7], named: "a", protection: .complete) }
        #expect(try run { try ProtectedContainer.ofHome(home).files.get(file, limit: 9) } == [7])
        #expect(try run { try ProtectedContainer.names(in: home) } == [])
    }
}
