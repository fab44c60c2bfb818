import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseProtectedStorage

/// What Apple's half of protected storage tells the file system, reads back of it, and hears of the lock, over a file
/// system that keeps these attributes as Apple's do (StandIns/FileAttributes).
@Suite struct DataProtectionTests {
    typealias FileProtectionType = FileProtection.FileProtectionType
    private let fixture: StorageFixture
    private let container: StorageContainer

    init() throws {
        fixture = try StorageFixture()
        container = try fixture.open()
    }

    /// What a file's class is called by Foundation.
    static func type(_ protection: ProtectionClass) -> FileProtectionType {
        switch protection {
        case .complete: .complete
        case .completeUnlessOpen: .completeUnlessOpen
        case .untilFirstUserAuthentication: .completeUntilFirstUserAuthentication
        case .none: .none
        }
    }

    /// What the system is told while `body` runs.
    private func tellings(_ body: () throws -> Void) throws -> [FileProtection.Telling] {
        let told = Mutex<[FileProtection.Telling]>([])
        try FileProtection.$observer.withValue({ telling in told.withLock { $0.append(telling) } }, operation: body)
        return told.withLock { $0 }
    }

    @Test(arguments: ProtectionClass.allCases)
    func `a file has the class that was asked for, and no backup takes it`(_ protection: ProtectionClass) throws {
        let path = container.path(of: try container.put([1], protection))
        #expect(try FileAttribute.protection.value(of: path) == Self.type(protection).rawValue)
        #expect(try FileAttribute.backup.value(of: path) == "excluded")
        for folder in [container.folder, container.filesFolder] {
            #expect(try FileAttribute.backup.value(of: folder) == "excluded")
        }
    }

    @Test(arguments: ProtectionClass.allCases)
    func `the class is set once and before the first byte`(_ protection: ProtectionClass) throws {
        let told = try tellings { _ = try container.put(pattern(200_000), protection) }
        #expect(told.map(\.size) == [0] && told.map(\.type) == [Self.type(protection).rawValue])
    }

    @Test(arguments: ProtectionClass.allCases)
    func `a database and its log have the class from their first byte on, its index that of the first unlock`(
        _ protection: ProtectionClass
    ) throws {
        let path = try container.databasePath(of: "night", protection)
        let told = try tellings {
            let database = try StorageDatabase.open("night", in: container, protection)
            _ = try database.answer("CREATE TABLE note(text TEXT)", [])
            _ = try database.answer("INSERT INTO note VALUES ('kept')", [])
            try database.keepCopy("before") { true }
            for suffix in ["", "-wal", "-shm"] {
                let file = URL(fileURLWithPath: path + suffix)
                #expect(FileManager.default.fileExists(atPath: file.path))
                let read = try FileProtection.FileManager.default.attributesOfItem(atPath: file.path)
                let isIndex = suffix == "-shm"
                let wanted = Self.type(isIndex ? .untilFirstUserAuthentication : protection)
                #expect(read[.protectionKey] as? FileProtectionType == wanted)
            }
            // Opened again while log and index are there: each is read back.
            let second = try StorageDatabase.open("night", in: container, protection)
            #expect(try second.answer("SELECT text FROM note", []).rows == [[.text("kept")]])
            #expect(try FileAttribute.backup.value(of: path + "-wal") == "excluded")
            second.close()
            database.close()
        }
        // The database and its copy.
        #expect(told.map(\.size) == [0, 0] && told.allSatisfy { $0.type == Self.type(protection).rawValue })
    }

    @Test(arguments: ["-wal", "-shm"])
    func `a database whose log or index has no class is not opened`(_ suffix: String) throws {
        let path = try container.databasePath(of: "night", .complete)
        let database = try StorageDatabase.open("night", in: container, .complete)
        _ = try database.answer("CREATE TABLE note(text TEXT)", [])
        try FileAttribute.protection.set(FileProtectionType.none.rawValue, of: path + suffix)
        #expect(throws: ProtectedDatabaseError.damaged(.protection)) {
            try StorageDatabase.open("night", in: container, .complete)
        }
        database.close()
    }

    @Test func `a database that is closed within a write refuses the rest of it, and nothing of it stays`() throws {
        let database = try StorageDatabase.open("night", in: container, .complete)
        _ = try database.answer("CREATE TABLE note(text TEXT)", [])
        #expect(throws: ProtectedDatabaseError.statement(message: "the database is closed")) {
            try database.transaction(.write) {
                _ = try database.answer("INSERT INTO note VALUES ('lost')", [])
                database.close()
            }
        }
        let again = try StorageDatabase.open("night", in: container, .complete)
        #expect(try again.answer("SELECT text FROM note", []).rows.isEmpty)
        again.close()
    }

    @Test func `DR14 nothing of a write stays where a statement took it back and the body went on`() throws {
        let database = try StorageDatabase.open("night", in: container, .complete)
        _ = try database.answer("CREATE TABLE note(text TEXT UNIQUE)", [])
        #expect(throws: ProtectedDatabaseError.statement(message: "the transaction was taken back")) {
            try database.transaction(.write) {
                _ = try database.answer("INSERT INTO note VALUES ('first')", [])
                _ = try? database.answer("INSERT OR ROLLBACK INTO note VALUES ('first')", [])
                _ = try? database.answer("INSERT INTO note VALUES ('by itself')", [])
            }
        }
        #expect(try database.answer("SELECT text FROM note", []).rows.isEmpty)
        database.close()
    }

    @Test func `a file that takes another's place has its class too`() throws {
        let file = try container.put([1], .untilFirstUserAuthentication)
        #expect(try container.put([2], .complete, replacing: file) == file)
        let path = container.path(of: file)
        #expect(try FileAttribute.protection.value(of: path) == FileProtectionType.complete.rawValue)
        #expect(try FileAttribute.backup.value(of: path) == "excluded")
        #expect(try container.get(file) == [2])
    }

    @Test(arguments: FileProtection.Fault.allCases)
    func `a system that does otherwise than it was told is an error and never silence`(
        _ fault: FileProtection.Fault
    ) throws {
        #expect(throws: StorageFailure.damaged(.protection)) {
            try FileProtection.$fault.withValue(fault) { _ = try container.put([1], .complete) }
        }
        #expect(throws: ProtectedDatabaseError.damaged(.protection)) {
            try FileProtection.$fault.withValue(fault) {
                _ = try StorageDatabase.open("night", in: container, .complete)
            }
        }
        let path = try container.databasePath(of: "night", .complete)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test(arguments: [FileProtection.Fault.backupRefused, .backupForgotten])
    func `a folder that backups would take is none for a container`(_ fault: FileProtection.Fault) {
        #expect(throws: StorageFailure.damaged(.protection)) {
            try FileProtection.$fault.withValue(fault) { _ = try fixture.open(name: "other") }
        }
    }

    @Test func `no key of a class is worth anything on another device`() {
        let classes = ProtectionClass.allCases.map { StorageSurroundings.accessible($0) }
        let unlocked = kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        let first = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        #expect(classes == [unlocked, unlocked, first, first] && StorageSurroundings.always == first)
    }

    @Test func `a process that begins before the first unlock reads nothing, and makes nothing anew`() throws {
        let keys = try ProtectionClass.allCases.map { try container.copyOfDatabaseKey($0) }
        fixture.lock.state = .beforeFirstUnlock
        #expect(throws: StorageFailure.locked) { try fixture.open() }
        fixture.lock.state = .unlocked
        let again = try fixture.open(mayCreate: false)
        #expect(try ProtectionClass.allCases.map { try again.copyOfDatabaseKey($0, mayCreate: false) } == keys)
    }

    @Test func `once the system announced the lock, keys that were read are worth nothing until the unlock`() throws {
        let files = try ProtectionClass.allCases.map { ($0, try container.put([7], $0)) }
        for (_, file) in files { #expect(try container.get(file) == [7]) }
        // The keychain would still answer: the word alone counts.
        fixture.lock.announce(isUnlocked: false)
        for (protection, file) in files where protection.needsUnlocked {
            #expect(throws: StorageFailure.locked) { _ = try container.get(file) }
        }
        for (protection, file) in files where !protection.needsUnlocked { #expect(try container.get(file) == [7]) }
        #expect(throws: StorageFailure.locked) { _ = try container.put([8], .complete) }
        let late = try container.put([9], .completeUnlessOpen)
        fixture.lock.announce(isUnlocked: true)
        for (_, file) in files { #expect(try container.get(file) == [7]) }
        #expect(try container.get(late) == [9])
    }

    @Test func `an observer is called by the announcement itself, once, and not after its end`() {
        let calls = Mutex(0)
        func heard() -> Int { calls.withLock { $0 } }
        do {
            let observation = container.observeLock { calls.withLock { $0 += 1 } }
            #expect(heard() == 0)
            fixture.lock.announce(isUnlocked: false)
            // Nobody looks every few milliseconds: what is not there now comes never.
            #expect(heard() == 1)
            fixture.lock.announce(isUnlocked: false)
            fixture.lock.announce(isUnlocked: true)
            #expect(heard() == 1)
            fixture.lock.announce(isUnlocked: false)
            #expect(heard() == 2)
            let late = container.observeLock { calls.withLock { $0 += 10 } }
            #expect(heard() == 12)
            withExtendedLifetime((observation, late)) {}
        }
        fixture.lock.announce(isUnlocked: true)
        fixture.lock.announce(isUnlocked: false)
        #expect(heard() == 12)
        fixture.lock.announce(isUnlocked: true)
    }

    @Test(arguments: ["UIApplication", "NSApplication"], ["", "Notification"])
    func `the word of a phone and that of a Mac close alike`(_ kit: String, _ ending: String) {
        let centre = NotificationCenter()
        let watch = ProtectedDataWatch(centre)
        let calls = Mutex(0)
        let observation = watch.observe { calls.withLock { $0 += 1 } }
        centre.post(name: NSNotification.Name("\(kit)ProtectedDataWillBecomeUnavailable\(ending)"), object: nil)
        #expect(!watch.isAvailable && calls.withLock { $0 } == 1)
        centre.post(name: NSNotification.Name("\(kit)ProtectedDataDidBecomeAvailable\(ending)"), object: nil)
        #expect(watch.isAvailable && calls.withLock { $0 } == 1)
        withExtendedLifetime(observation) {}
    }

    @Test func `where the system said nothing, the keychain decides`() throws {
        let file = try container.put([7], .complete)
        fixture.lock.keychain.state = .locked
        #expect(try fixture.open().identifier == container.identifier)
        #expect(throws: StorageFailure.locked) { _ = try fixture.open().get(file) }
    }

    @Test func `the process's own surroundings hear the process's own centre`() {
        #expect(StorageSurroundings.current.watch === ProtectedDataWatch.shared)
        #expect(StorageSurroundings.current.isUnlocked)
        #expect(ProtectionClass.allCases.allSatisfy { StorageSurroundings.current.isOpen($0) })
        #expect(StorageSurroundings.current.run { 7 } == 7)
        #expect(StorageSurroundings.current.run { nil as Int? } == nil)
    }
}
