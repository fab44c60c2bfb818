import Foundation
import KeychainTestSupport
import PaviseDatabase
import PaviseDevice
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

@Suite struct ItemKeysTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    private let tag = Data("org.example.key".utf8)

    private func makeKey(_ more: [String: Any] = [:]) -> SecKey? {
        let parameters: [String: Any] = [
            kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits as String: 256,
            kSecPrivateKeyAttrs as String: [
                kSecAttrIsPermanent as String: true, kSecAttrApplicationTag as String: tag,
            ],
        ]
        return SecKeyCreateRandomKey(parameters.merging(more) { $1 } as CFDictionary, nil)
    }

    private var query: [String: Any] { ["class": kSecClassKey, "atag": tag] }

    private func isPair(_ one: SecKey, _ other: SecKey) -> Bool {
        let message = Data("message".utf8) as CFData
        let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
        guard let signature = SecKeyCreateSignature(one, algorithm, message, nil),
            let publicKey = SecKeyCopyPublicKey(other)
        else { return false }
        return SecKeyVerifySignature(publicKey, algorithm, message, signature, nil)
    }

    @Test(arguments: [false, true])
    func `a permanent key is found again and signs`(_ inElement: Bool) throws {
        try keychain.run {
            let key = try #require(makeKey(inElement ? ["tkid": kSecAttrTokenIDSecureEnclave] : [:]))
            let found = copy(query, ["r_Ref": true])
            #expect(found.status == errSecSuccess)
            let restored = try #require(found.result as? SecKey)
            #expect(restored == key)
            #expect(isPair(restored, key))
            #expect(CFGetTypeID(restored) == SecKeyGetTypeID())
        }
    }

    @Test func `the same tag and key twice is a duplicate`() throws {
        try keychain.run {
            let key = try #require(makeKey())
            #expect(add(["class": kSecClassKey, "v_Ref": key, "atag": tag], nil) == errSecDuplicateItem)
        }
    }

    @Test func `KC66 a key object finds its item, and the caller's attribute wins`() throws {
        try keychain.run {
            let key = try #require(makeKey())
            #expect(attributes(["v_Ref": key])["atag"] as? Data == tag)
            #expect(copy(["v_Ref": key, "atag": Data("other".utf8)]).status == errSecItemNotFound)
            let name = reference(["v_Ref": key]) ?? Data()
            #expect(copy(["v_PersistentRef": name, "r_Ref": true]).result as? SecKey == key)
            #expect(delete(["class": kSecClassKey, "v_Ref": key]) == errSecSuccess)
            #expect(copy(query).status == errSecItemNotFound)
        }
    }

    @Test func `KC6 a key's attributes and the class find it again`() throws {
        try keychain.run {
            _ = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            var found = attributes(query)
            #expect(found["tkid"] as? String == "com.apple.setoken")
            #expect(found["kcls"] as? Int == 1)
            found["class"] = kSecClassKey
            #expect(copy(found, ["r_Ref": true]).result is SecKey)
        }
    }

    @Test func `deleting a key of the element destroys it for every copy`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            let message = Data([1]) as CFData
            let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
            #expect(SecKeyCreateSignature(key, algorithm, message, nil) != nil)
            #expect(delete(query) == errSecSuccess)
            #expect(SecKeyCreateSignature(key, algorithm, message, nil) == nil)
        }
    }

    // Damage below the sealing of pages, to the header of the one item.
    private func damageHeader(_ body: (inout [UInt8]) -> Void) throws {
        let device = try Device.open(keychain.environment.home)
        let database = try Database.open(keychain.database, key: try device.deviceKey(purpose: "keychain database"))
        let row = try #require(database.rows("SELECT row, header FROM item").first)
        let number = try #require(row.integer(0))
        var bytes = try #require(row.blob(1))
        body(&bytes)
        try database.run("UPDATE item SET header = ? WHERE row = ?", [.blob(bytes), .integer(number)])
    }

    @Test(arguments: [false, true])
    func `KC53 a key of the element goes at an order that names its tag, where its item has a damaged header too`(
        _ isLocked: Bool
    ) throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            try damageHeader { $0[$0.count - 1] ^= 1 }
            #expect(copy(query).status == errSecDecode)
            // An order that names another key, or none, is no order to destroy this one.
            #expect(delete(["class": kSecClassKey, "atag": Data("other".utf8)]) == errSecItemNotFound)
            #expect(delete(["class": kSecClassKey]) == errSecDecode)
            #expect(delete(query.merging(["labl": "L"]) { $1 }) == errSecDecode)
            #expect(isPair(key, key))
            if isLocked { keychain.environment.lock.state = .locked }
            #expect(delete(query) == errSecSuccess)
            keychain.environment.lock.state = .unlocked
            #expect(copy(query).status == errSecItemNotFound)
            // What waited for the unlock is destroyed by the next call.
            add(password())
            #expect(!isPair(key, key))
            #expect(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]) != nil)
        }
    }

    @Test func `KC53 an item of the element whose header is altered goes too, and a new key takes its place`() throws {
        try keychain.run {
            _ = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            // A byte of the identifier, behind the version: neither half opens any more.
            try damageHeader { $0[3] ^= 1 }
            #expect(delete(query) == errSecSuccess)
            #expect(copy(query).status == errSecItemNotFound)
            let made = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            #expect(isPair(made, made))
        }
    }

    @Test func `a key of the element stays while another item is of it`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            let other: [String: Any] = ["class": kSecClassKey, "atag": Data("other".utf8)]
            #expect(add(other.merging(["v_Ref": key]) { $1 }, nil) == errSecSuccess)
            #expect(delete(query) == errSecSuccess)
            #expect(isPair(key, key))
            #expect(delete(other) == errSecSuccess)
            #expect(!isPair(key, key))
        }
    }

    @Test func `an item of another label keeps the key of the element as well`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            let other: [String: Any] = [
                "class": kSecClassKey, "atag": Data("other".utf8), "klbl": Data("label".utf8),
            ]
            #expect(add(other.merging(["v_Ref": key]) { $1 }, nil) == errSecSuccess)
            #expect(delete(other) == errSecSuccess)
            #expect(isPair(key, key))
            #expect(delete(query) == errSecSuccess)
            #expect(!isPair(key, key))
        }
    }

    @Test func `a key of the element that is deleted while locked is destroyed after the unlock`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            keychain.environment.lock.state = .locked
            #expect(delete(query) == errSecSuccess)
            // Its handle cannot be read yet.
            #expect(isPair(key, key))
            KeychainDiagnostics.close(keychain.environment.home)
            keychain.environment.lock.state = .unlocked
            #expect(copy(query).status == errSecItemNotFound)
            #expect(!isPair(key, key))
        }
    }

    @Test func `what the element could not destroy is destroyed by a later call`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            let failing = FileObserver(failure: { step in
                step.call == .remove && step.path.contains("/keys/") ? 5 : nil
            })
            FileObserver.$current.withValue(failing) {
                #expect(delete(query) == errSecIO)
                // What is left does not keep another call from its work.
                #expect(copy(query).status == errSecItemNotFound)
            }
            #expect(isPair(key, key))
            #expect(delete(query) == errSecItemNotFound)
            #expect(!isPair(key, key))
        }
    }

    @Test func `a key of the element that another item is of again is not destroyed after the unlock`() throws {
        try keychain.run {
            let key = try #require(makeKey(["tkid": kSecAttrTokenIDSecureEnclave]))
            keychain.environment.lock.state = .locked
            #expect(delete(query) == errSecSuccess)
            let other: [String: Any] = ["class": kSecClassKey, "atag": Data("other".utf8), "pdmn": "dku"]
            #expect(add(other.merging(["v_Ref": key]) { $1 }, nil) == errSecSuccess)
            keychain.environment.lock.state = .unlocked
            #expect(copy(other).status == errSecSuccess)
            #expect(isPair(key, key))
        }
    }

    @Test func `a list of keys holds keys, and data is the external form`() throws {
        try keychain.run {
            let key = try #require(makeKey())
            let list = copy(query, ["r_Ref": true, "m_Limit": kSecMatchLimitAll]).result as? [SecKey]
            #expect(list == [key])
            let data = copy(query, ["r_Data": true]).result as? Data
            #expect(data == SecKeyCopyExternalRepresentation(key, nil) as Data?)
            let both = copy(query, ["r_Ref": true, "r_Data": true]).result as? [String: Any]
            #expect(both?["v_Ref"] as? SecKey == key)
            #expect(both?["class"] as? String == "keys")
        }
    }

    @Test func `absent and zero are the same for a key's attributes`() throws {
        try keychain.run {
            _ = try #require(makeKey())
            #expect(count(["class": kSecClassKey, "crtr": 0]) == 1)
            #expect(count(["class": kSecClassKey, "snrc": false]) == 1)
            #expect(count(["class": kSecClassKey, "snrc": true]) == 0)
        }
    }

    @Test func `an access control stays with its key`() throws {
        try keychain.run {
            let control = SecAccessControlCreateWithFlags(
                nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, .privateKeyUsage, nil)
            let half: [String: Any] = ["perm": true, "atag": tag, "accc": control as Any]
            _ = try #require(makeKey(["private": half, "tkid": kSecAttrTokenIDSecureEnclave]))
            #expect(attributes(query)["accc"] as? SecAccessControl == control)
            #expect(attributes(query)["pdmn"] as? String == "aku")
        }
    }
}
