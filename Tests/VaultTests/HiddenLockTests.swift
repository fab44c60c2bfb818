import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseVault

/// A device that says "not found" while it is locked, as iOS can (AP-FD6).
@Suite struct HiddenLockTests {
    private let folder: TemporaryFolder
    private let lock = LockSwitch()
    private let name = ItemName(checkedService: "org.pavise.test", "ann")
    private let key = EnclaveKey(tag: "org.pavise.key.test")
    private let locked = VaultFailure.locked(status: errSecInteractionNotAllowed)

    init() throws { folder = try TemporaryFolder() }

    private var vault: TokenVault { TokenVault(store: KeychainStore(), key: key) }

    private func onDevice<Value>(_ body: () throws -> Value) rethrows -> Value {
        var environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"), lock: lock)
        environment.hidesLocked = true
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    @Test func `the device lies: a search of its own says that nothing is there`() throws {
        try onDevice {
            try KeychainStore().replace([1].span, as: name)
            lock.state = .beforeFirstUnlock
            let query = [
                kSecClass as String: kSecClassGenericPassword as String, kSecAttrService as String: name.service,
            ]
            #expect(SecItemCopyMatching(query as CFDictionary, nil) == errSecItemNotFound)
        }
    }

    @Test func `what is there is locked, not absent, and is there after the unlock`() throws {
        try onDevice {
            try vault.prepare()
            try vault.store(Array("one".utf8).span, as: name)
            lock.state = .beforeFirstUnlock
            #expect(throws: locked) { _ = try vault.read(name) }
            #expect(throws: locked) { try vault.store([9].span, as: name) }
            #expect(throws: locked) { _ = try KeychainStore().names(of: name.account) }
            lock.state = .unlocked
            let kept = textOf(try vault.read(name))
            #expect(kept == "one")
        }
    }

    @Test func `no key is made over one that only cannot be seen`() throws {
        try onDevice {
            try vault.prepare()
            try vault.store(Array("one".utf8).span, as: name)
            lock.state = .beforeFirstUnlock
            #expect(throws: locked) { try vault.prepare() }
            #expect(throws: locked) { _ = try key.isThere() }
            lock.state = .unlocked
            try vault.prepare()
            let kept = textOf(try vault.read(name))
            #expect(kept == "one")
        }
    }

    @Test func `while the screen is locked, what is readable only without is locked, and the rest is believed`()
        throws
    {
        try onDevice {
            let service = [kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: "another.library"]
            let content: [String: Any] = [
                kSecValueData as String: Data([7]), kSecAttrAccessible as String: kSecAttrAccessibleWhenUnlocked,
            ]
            #expect(KeychainBridge.add(service.merging(content) { $1 }) == errSecSuccess)
            try KeychainStore().replace([1].span, as: name)
            lock.state = .locked
            // Of an item of others nobody knows the class; of our own, that it is readable.
            #expect(KeychainBridge.data(service).status == errSecInteractionNotAllowed)
            #expect(KeychainBridge.attributes(service).status == errSecInteractionNotAllowed)
            let identity = IdentityBridge.find(persistentReference: Array("pvid".utf8) + [1])
            #expect(identity.status != errSecItemNotFound)
            let own = textOf(try KeychainStore().read(ItemName(checkedService: "org.pavise.test", "nobody")))
            #expect(own == nil)
            lock.state = .unlocked
            #expect(KeychainBridge.data(service.merging([kSecReturnData as String: true]) { $1 }).data == Data([7]))
        }
    }

    @Test func `what is truly absent is absent on such a device too`() throws {
        try onDevice {
            let missing = textOf(try KeychainStore().read(name))
            #expect(missing == nil)
            #expect(try !key.isThere())
            try KeychainStore().delete(name)
            #expect(try KeychainStore().names(of: name.account).isEmpty)
        }
    }
}
