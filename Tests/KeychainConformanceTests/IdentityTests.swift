import Foundation
import KeychainTestSupport
import PaviseDevice
import SecurityFramework
import TestSupport
import Testing

@Suite struct IdentityTests {
    let keychain: ItemFixture
    let authority: Authority
    let certificate: SecCertificate
    let identity: SecIdentity

    init() throws {
        keychain = try ItemFixture()
        authority = try Authority()
        certificate = try authority.certificate("Anna")
        identity = try authority.identity(certificate)
    }

    private let identities: [String: Any] = ["class": kSecClassIdentity]
    private let certificates: [String: Any] = ["class": kSecClassCertificate]
    private let keys: [String: Any] = ["class": kSecClassKey]

    @discardableResult
    private func addIdentity(_ more: [String: Any] = [:]) -> OSStatus {
        add(["v_Ref": identity].merging(more) { $1 }, nil)
    }

    @Test func `KC65 an identity is added as its two halves and found as one`() {
        keychain.run {
            #expect(addIdentity() == errSecSuccess)
            #expect(count(certificates) == 1)
            #expect(count(keys) == 1)
            #expect(copy(identities, ["r_Ref": true]).result as? SecIdentity == identity)
            #expect(copy(certificates, ["r_Ref": true]).result as? SecCertificate == certificate)
            #expect(copy(keys, ["r_Ref": true]).result as? SecKey == authority.key)
        }
    }

    @Test func `KC65 an identity is found by the hash that joins its halves`() {
        keychain.run {
            addIdentity()
            #expect(copy(["class": kSecClassIdentity, "klbl": authority.hash, "r_Ref": true]).result is SecIdentity)
            #expect(copy(["class": kSecClassIdentity, "pkhh": authority.hash]).status == errSecSuccess)
            #expect(copy(["class": kSecClassIdentity, "klbl": Data([1])]).status == errSecItemNotFound)
        }
    }

    @Test func `KC65 from reference to persistent reference and back`() throws {
        try keychain.run {
            addIdentity()
            let name = try #require(reference(["v_Ref": identity]))
            #expect(name.count == 20)
            #expect(name.prefix(4) == Data("idnt".utf8))
            #expect(copy(["v_PersistentRef": name, "r_Ref": true]).result as? SecIdentity == identity)
            let ofCertificate = try #require(reference(["v_Ref": certificate]))
            #expect(name.dropFirst(4) == ofCertificate.dropFirst(4))
        }
    }

    @Test func `KC65 adding gives the persistent reference`() {
        keychain.run {
            var result: AnyObject?
            let query: [CFString: Any] = [kSecValueRef: identity, kSecReturnPersistentRef: true]
            let status = unsafe SecItemAdd(query as CFDictionary, &result)
            #expect(status == errSecSuccess)
            #expect(result as? Data == reference(identities))
        }
    }

    @Test func `KC65 twice is a duplicate, and one half may be there already`() {
        keychain.run {
            #expect(addIdentity() == errSecSuccess)
            #expect(addIdentity() == errSecDuplicateItem)
            #expect(delete(keys) == errSecSuccess)
            #expect(copy(identities).status == errSecItemNotFound)
            #expect(addIdentity() == errSecSuccess)
            #expect(delete(certificates) == errSecSuccess)
            #expect(addIdentity() == errSecSuccess)
            #expect(count(identities) == 1)
        }
    }

    @Test(arguments: ["reference", "persistent reference", "label", "class"])
    func `KC65 delete takes certificate and key`(_ way: String) throws {
        try keychain.run {
            addIdentity(["labl": "Anna's"])
            let query: [String: Any] =
                switch way {
                case "reference": ["v_Ref": identity]
                case "persistent reference": ["v_PersistentRef": try #require(reference(identities))]
                case "label": identities.merging(["labl": "Anna's"]) { $1 }
                default: identities
                }
            #expect(delete(query) == errSecSuccess)
            #expect(count(certificates) == 0)
            #expect(count(keys) == 0)
            #expect(delete(query) == errSecItemNotFound)
        }
    }

    @Test(arguments: ["certificate", "key"])
    func `KC62 an identity whose half may not be deleted stays whole`(_ half: String) {
        keychain.run {
            let fixed = ["accc": SecAccessControl(protection: "ak", flags: [], allowsDeletion: false) as Any]
            let free: [String: Any] = [:]
            let ofCertificate = half == "key" ? free : fixed
            let ofKey = half == "key" ? fixed : free
            #expect(add(["v_Ref": certificate].merging(ofCertificate) { $1 }, nil) == errSecSuccess)
            #expect(add(["v_Ref": authority.key].merging(ofKey) { $1 }, nil) == errSecSuccess)
            #expect(delete(identities) == errSecAuthFailed)
            #expect(count(certificates) == 1)
            #expect(count(keys) == 1)
        }
    }

    @Test func `KC65 the key stays while a second certificate uses it`() throws {
        let second = try authority.identity(authority.certificate("Anna again", serial: 2))
        keychain.run {
            addIdentity()
            #expect(add(["v_Ref": second], nil) == errSecSuccess)
            #expect(count(identities) == 2)
            #expect(delete(["v_Ref": identity]) == errSecSuccess)
            #expect(count(keys) == 1)
            #expect(copy(identities, ["r_Ref": true]).result as? SecIdentity == second)
            #expect(delete(identities) == errSecSuccess)
            #expect(count(keys) == 0)
        }
    }

    @Test func `KC65 an identity changes in both halves`() {
        keychain.run {
            addIdentity()
            #expect(update(["v_Ref": identity], ["labl": "New"]) == errSecSuccess)
            #expect(attributes(certificates)["labl"] as? String == "New")
            #expect(attributes(keys)["labl"] as? String == "New")
            #expect(update(identities, ["atag": Data([7])]) == errSecSuccess)
            #expect(attributes(keys)["atag"] as? Data == Data([7]))
            #expect(update(identities, ["v_Data": Data([1])]) == errSecParam)
            #expect(update(identities, ["acct": "x"]) == errSecNoSuchAttr)
            #expect(update(identities.merging(["labl": "Old"]) { $1 }, ["labl": "x"]) == errSecItemNotFound)
        }
    }

    @Test func `KC65 an identity's group moves both halves or none`() {
        keychain.run {
            addIdentity()
            #expect(update(identities, ["agrp": "two"]) == errSecSuccess)
            #expect(attributes(certificates)["agrp"] as? String == "two")
            #expect(attributes(keys)["agrp"] as? String == "two")
            #expect(update(identities, ["agrp": "foreign"]) == errSecMissingEntitlement)
            #expect(attributes(identities)["agrp"] as? String == "two")
        }
    }

    @Test func `an identity shows the attributes of both halves and the key's value`() {
        keychain.run {
            addIdentity(["atag": Data([9])])
            let found = attributes(identities)
            #expect(found["subj"] is Data)
            #expect(found["atag"] as? Data == Data([9]))
            #expect(found["labl"] as? String == "Anna")
            #expect(found["pkhh"] as? Data == found["klbl"] as? Data)
            #expect(found["v_Data"] == nil)
            let value = copy(identities, ["r_Data": true]).result as? Data
            let external = SecKeyCopyExternalRepresentation(authority.key, nil) as Data?
            #expect(value == external)
        }
    }

    @Test func `a key alone and a certificate alone are no identity`() throws {
        try keychain.run {
            add(["v_Ref": certificate], nil)
            #expect(copy(identities).status == errSecItemNotFound)
            let publicKey = try #require(SecKeyCopyPublicKey(authority.key))
            add(["v_Ref": publicKey], nil)
            #expect(copy(identities).status == errSecItemNotFound)
            add(["v_Ref": authority.key], nil)
            #expect(count(identities) == 1)
        }
    }

    @Test func `an identity without a reference cannot be added`() {
        keychain.run {
            #expect(add(identities, nil) == errSecInvalidItemRef)
            #expect(add(identities.merging(["labl": "x"]) { $1 }, "data") == errSecInvalidItemRef)
        }
    }

    @Test func `identities are listed, and a limit is kept`() throws {
        try keychain.run {
            for number in 1...3 {
                let other = try Authority()
                add(["v_Ref": try other.identity(other.certificate("Person \(number)"))], nil)
            }
            let all = copy(identities, ["r_Ref": true, "m_Limit": kSecMatchLimitAll]).result as? [SecIdentity]
            #expect(all?.count == 3)
            let two = copy(identities, ["r_Ref": true, "m_Limit": 2]).result as? [SecIdentity]
            #expect(two?.count == 2)
            #expect(copy(identities, ["r_Ref": true]).result is SecIdentity)
        }
    }

    @Test func `SecIdentityCreateWithCertificate finds the key in the keychain`() {
        keychain.run {
            var found: SecIdentity?
            let before = SecIdentityCreateWithCertificate(nil, certificate, &found)
            #expect(before == errSecItemNotFound)
            #expect(found == nil)
            add(["v_Ref": authority.key], nil)
            let after = SecIdentityCreateWithCertificate(nil, certificate, &found)
            #expect(after == errSecSuccess)
            #expect(found == identity)
        }
    }

    @Test func `an identity gives its halves and its type`() throws {
        var half: SecCertificate?
        SecIdentityCopyCertificate(identity, &half)
        #expect(half == certificate)
        var key: SecKey?
        SecIdentityCopyPrivateKey(identity, &key)
        #expect(key == authority.key)
        #expect(CFGetTypeID(identity) == SecIdentityGetTypeID())
        #expect(CFGetTypeID(certificate) == SecCertificateGetTypeID())
        let stranger = try Authority()
        #expect(SecIdentityCreate(nil, certificate, stranger.key) == nil)
        let publicKey = try #require(SecKeyCopyPublicKey(authority.key))
        #expect(SecIdentityCreate(nil, certificate, publicKey) == nil)
    }

    @Test func `a locked key locks its identity`() {
        keychain.run {
            addIdentity()
            keychain.environment.lock.state = .locked
            #expect(copy(identities).status == errSecInteractionNotAllowed)
            #expect(copy(certificates).status == errSecSuccess)
            keychain.environment.lock.state = .unlocked
            #expect(copy(identities).status == errSecSuccess)
        }
    }
}
