import Foundation
import PavisePrimitives
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import AppleProtectedStorage

/// What Apple's half of protected storage tells the file system, reads back of it, and hears of the lock, over a file
/// system that keeps these attributes as Apple's do. Word of the lock is the whole process's, so one test at a time.
@Suite(.serialized) struct DataProtectionTests {
    private let folder: TemporaryFolder
    private let container: StorageContainer

    init() throws {
        folder = try TemporaryFolder()
        let home = PaviseHome(path: folder.path + "/home")
        try DurableFile.makeDirectory(home.path)
        let environment = SecurityEnvironment(home: home)
        container = try SecurityEnvironment.$override.withValue(environment) {
            try StorageContainer.open(home.path + "/protected", name: "home", mayCreate: true)
        }
        announce(isUnlocked: true)
    }

    private func inHome<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    private func put(
        _ bytes: [UInt8], _ protection: ProtectionClass, replacing: StoredFileID? = nil
    ) throws -> StoredFileID {
        try inHome {
            try container.writeFile(
                name: "night", type: "text/plain", modified: 1, protection: protection, replacing: replacing
            ) { write throws(StorageFailure) in try write(bytes) }.get()
        }
    }

    private func get(_ file: StoredFileID) throws -> [UInt8] {
        try inHome { try container.readFile(file).readAll(limit: 100) }
    }

    /// What UIApplication posts.
    private func announce(isUnlocked: Bool) {
        let name =
            isUnlocked
            ? "UIApplicationProtectedDataDidBecomeAvailable" : "UIApplicationProtectedDataWillBecomeUnavailable"
        NotificationCenter.default.post(name: NSNotification.Name(name), object: nil)
    }

    static let types: [(ProtectionClass, FileProtectionType)] = [
        (.complete, .complete), (.completeUnlessOpen, .completeUnlessOpen),
        (.untilFirstUserAuthentication, .completeUntilFirstUserAuthentication), (.none, .none),
    ]

    @Test(arguments: types)
    func `a file has the class that was asked for, and no backup takes it`(
        _ protection: ProtectionClass, _ type: FileProtectionType
    ) throws {
        let file = try put([1], protection)
        #expect(try ExtendedAttribute.protection.value(of: container.path(of: file)) == type.rawValue)
        #expect(try ExtendedAttribute.backup.value(of: container.path(of: file)) == "excluded")
        #expect(try ExtendedAttribute.backup.value(of: container.folder) == "excluded")
        #expect(try get(file) == [1])
    }

    @Test func `a file that takes another's place has its class too`() throws {
        let file = try put([1], .untilFirstUserAuthentication)
        #expect(try put([2], .complete, replacing: file) == file)
        let path = container.path(of: file)
        #expect(try ExtendedAttribute.protection.value(of: path) == FileProtectionType.complete.rawValue)
        #expect(try ExtendedAttribute.backup.value(of: path) == "excluded")
        #expect(try get(file) == [2])
    }

    @Test(arguments: AttributeFault.allCases)
    func `a system that does otherwise than it was told is an error and never silence`(_ fault: AttributeFault) {
        #expect(throws: StorageFailure.damaged(.protection)) {
            try AttributeFault.$current.withValue(fault) { _ = try put([1], .complete) }
        }
    }

    @Test(arguments: [AttributeFault.backupRefused, .backupForgotten])
    func `a folder that backups would take is none for a container`(_ fault: AttributeFault) {
        #expect(throws: StorageFailure.damaged(.protection)) {
            try AttributeFault.$current.withValue(fault) {
                try inHome {
                    _ = try StorageContainer.open(folder.path + "/home/other", name: "other", mayCreate: true)
                }
            }
        }
    }

    @Test func `no key of a class is worth anything on another device`() {
        let classes = ProtectionClass.allCases.map { StorageSurroundings.accessible($0) }
        let readable = classes + [StorageSurroundings.always]
        let unlocked = kSecAttrAccessibleWhenUnlockedThisDeviceOnly as String
        let first = kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String
        #expect(readable == [unlocked, unlocked, first, first, first])
    }

    @Test func `once the system announced the lock, keys that were read are worth nothing until the unlock`() throws {
        let files = try ProtectionClass.allCases.map { ($0, try put([7], $0)) }
        for (_, file) in files { #expect(try get(file) == [7]) }
        announce(isUnlocked: false)
        for (protection, file) in files where protection.needsUnlocked {
            #expect(throws: StorageFailure.locked) { _ = try get(file) }
        }
        for (protection, file) in files where !protection.needsUnlocked { #expect(try get(file) == [7]) }
        #expect(throws: StorageFailure.locked) { _ = try put([8], .complete) }
        let late = try put([9], .completeUnlessOpen)
        announce(isUnlocked: true)
        for (_, file) in files { #expect(try get(file) == [7]) }
        #expect(try get(late) == [9])
    }

    @Test(.timeLimit(.minutes(1)))
    func `who watches the lock hears of it from the system's announcement`() async throws {
        let told = Mutex(0)
        let observation = container.observeLock { told.withLock { $0 += 1 } }
        announce(isUnlocked: false)
        while told.withLock({ $0 }) == 0 { try await Task.sleep(for: .milliseconds(2)) }
        announce(isUnlocked: true)
        withExtendedLifetime(observation) { #expect(told.withLock { $0 } == 1) }
    }
}
