import Foundation
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseVault

/// The vault as an app has it: keychain and enclave key, in a folder of the test's own.
@Suite struct PlatformVaultTests {
    private let folder: TemporaryFolder
    private let name = ItemName(checkedService: "org.pavise.test", "ann")
    private let key = EnclaveKey(tag: "org.pavise.test.key")

    init() throws { folder = try TemporaryFolder() }

    private func inKeychain<Value>(_ body: () throws -> Value) rethrows -> Value {
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        return try SecurityEnvironment.$override.withValue(environment, operation: body)
    }

    @Test func `a secret is sealed by the element, stored, and gone with its key`() throws {
        try inKeychain {
            let store = KeychainStore()
            let vault = TokenVault(store: store, key: key)
            #expect(throws: VaultFailure.keyLost) { try vault.store(Array("x".utf8).span, as: name) }
            try vault.prepare()
            try vault.prepare()
            try vault.store(Array("canary".utf8).span, as: name)
            let text = textOf(try vault.read(name))
            #expect(text == "canary")
            let packet = textOf(try store.read(name)) ?? ""
            #expect(!packet.contains("canary"))
            try vault.destroyKey()
            try vault.destroyKey()
            #expect(throws: VaultFailure.keyLost) { _ = try vault.read(name) }
            try vault.prepare()
            #expect(throws: VaultFailure.corrupt(.packet)) { _ = try vault.read(name) }
        }
    }

    @Test func `any changed bit of a packet is damage`() throws {
        try inKeychain {
            try key.prepare()
            let packet = try key.seal([1, 2, 3].span)
            #expect(packet.count == 3 + 81)
            for index in stride(from: 0, to: packet.count, by: 7) {
                var changed = packet
                changed[index] ^= 0x10
                let found = failure(opening: changed)
                #expect(found == .corrupt(.packet))
            }
            #expect(failure(opening: []) == .corrupt(.packet))
        }
    }

    @Test func `what the vault stores and its key are of this device alone, after the first unlock`() throws {
        try inKeychain {
            let vault = TokenVault(store: KeychainStore(), key: key)
            try vault.prepare()
            try vault.store([1].span, as: name)
            for itemClass in [kSecClassGenericPassword, kSecClassKey] {
                let query: [String: Any] = [kSecClass as String: itemClass]
                let items = KeychainBridge.attributes(query, of: name.service).items
                #expect(!items.isEmpty)
                for item in items {
                    let accessible = item[kSecAttrAccessible as String] as? String
                    #expect(accessible == kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly as String)
                    #expect(item[kSecAttrSynchronizable as String] as? Bool != true)
                }
            }
        }
    }

    @Test func `a key that nobody can look up is neither made nor taken for prepared`() throws {
        try inKeychain { try key.prepare() }
        var environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"))
        environment.lock = LockSwitch(.beforeFirstUnlock)
        SecurityEnvironment.$override.withValue(environment) {
            #expect(throws: VaultFailure.locked(status: errSecInteractionNotAllowed)) { try key.prepare() }
        }
        environment.accessGroups = []
        SecurityEnvironment.$override.withValue(environment) {
            #expect(throws: VaultFailure.denied(status: errSecMissingEntitlement)) { try key.prepare() }
        }
    }

    @Test func `of two keys of one tag everybody takes the older, and what either sealed opens`() throws {
        let time = ManualTime()
        let environment = SecurityEnvironment(home: PaviseHome(path: folder.path + "/home"), time: time.source)
        try SecurityEnvironment.$override.withValue(environment) {
            #expect(EnclaveBridge.create(tag: key.tag) == errSecSuccess)
            let first = try key.publicPoint()
            let packet = try key.seal([1, 2, 3].span)
            // Two more processes that found none either; what one of them noted as the moment is earlier.
            time.setWall(seconds: 1_800_000_000)
            #expect(EnclaveBridge.create(tag: key.tag) == errSecSuccess)
            let older = try key.publicPoint()
            #expect(older != first)
            time.setWall(seconds: 1_950_000_000)
            #expect(EnclaveBridge.create(tag: key.tag) == errSecSuccess)
            #expect(try key.publicPoint() == older)
            let opened = try key.open(packet.span).withBytes { bytes in Array(bytes) }
            #expect(opened == [1, 2, 3])
            let other = try key.seal([4].span)
            let again = try key.open(other.span).withBytes { bytes in Array(bytes) }
            #expect(again == [4])
            #expect(failure(opening: Array(repeating: 4, count: 90)) == .corrupt(.packet))
            try key.destroy()
            #expect(EnclaveBridge.find(tag: key.tag) == errSecItemNotFound)
        }
    }

    private func failure(opening packet: [UInt8]) -> VaultFailure? {
        do throws(VaultFailure) { _ = try key.open(packet.span) } catch { return error }
        return nil
    }
}
