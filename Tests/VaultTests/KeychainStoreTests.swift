import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseVault

/// The store over a real keychain in a folder of the test's own.
@Suite struct KeychainStoreTests {
    private let folder: TemporaryFolder
    private let lock = LockSwitch()
    private let name = ItemName(checkedService: "org.pavise.test", "ann")
    private let store = KeychainStore()

    init() throws { folder = try TemporaryFolder() }

    private func inKeychain<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"), lock: lock)
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    @Test func `an item is added once, read, replaced and deleted`() throws {
        try inKeychain {
            let missing = textOf(try store.read(name))
            #expect(missing == nil)
            try store.add(Array("one".utf8).span, as: name)
            #expect(throws: VaultFailure.duplicate) { try store.add(Array("two".utf8).span, as: name) }
            let first = textOf(try store.read(name))
            #expect(first == "one")
            try store.replace(Array("two".utf8).span, as: name)
            let second = textOf(try store.read(name))
            #expect(second == "two")
            try store.delete(name)
            try store.delete(name)
            let gone = textOf(try store.read(name))
            #expect(gone == nil)
        }
    }

    @Test func `a replacement makes the item where there is none`() throws {
        try inKeychain {
            try store.replace([1, 2, 3].span, as: name)
            let isThere = textOf(try store.read(name)) != nil
            #expect(isThere)
        }
    }

    @Test func `a locked device says locked, not absent, and changes nothing`() throws {
        try inKeychain {
            try store.replace(Array("one".utf8).span, as: name)
            lock.state = .beforeFirstUnlock
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) { _ = try store.read(name) }
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) {
                try store.replace([9].span, as: name)
            }
            lock.state = .unlocked
            let kept = textOf(try store.read(name))
            #expect(kept == "one")
        }
    }

    @Test(arguments: [
        (errSecInteractionNotAllowed, VaultFailure.locked(status: -25308)), (errSecUserCanceled, .denied(status: -128)),
        (errSecAuthFailed, .denied(status: -25293)), (errSecMissingEntitlement, .denied(status: -34018)),
        (errSecDecode, .corrupt(.item)), (errSecDuplicateItem, .duplicate), (-61, .system(status: -61)),
        (errSecParam, .system(status: -50)), (errSecNotAvailable, .system(status: -25291)),
    ])
    func `each status has one meaning, and unknown ones are carried`(_ status: Int32, _ failure: VaultFailure) {
        #expect(VaultFailure(status: status) == failure)
        #expect(VaultFailure(status: 0) == nil)
    }
}
