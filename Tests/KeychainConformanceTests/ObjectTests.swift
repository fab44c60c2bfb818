import Foundation
import KeychainTestSupport
import SecurityFramework
import TestSupport
import Testing

/// Keys and certificates as objects.
@Suite struct ObjectTests {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    @Test(arguments: ["label", "no label"])
    func `KC66 an object finds its item whatever the item says beside it`(_ way: String) throws {
        let authority = try Authority()
        let certificate = try authority.certificate("Anna")
        let more: [String: Any] = way == "label" ? ["labl": "my own"] : [:]
        keychain.run {
            #expect(add(["v_Ref": certificate].merging(more) { $1 }, nil) == errSecSuccess)
            #expect(add(["v_Ref": authority.key, "atag": Data([5])].merging(more) { $1 }, nil) == errSecSuccess)
            #expect(copy(["v_Ref": certificate, "r_Ref": true]).result as? SecCertificate == certificate)
            #expect(copy(["v_Ref": authority.key, "r_Ref": true]).result as? SecKey == authority.key)
            #expect(update(["v_Ref": authority.key], ["labl": "changed"]) == errSecSuccess)
            #expect(attributes(["v_Ref": authority.key])["labl"] as? String == "changed")
            #expect(attributes(["v_Ref": authority.key])["atag"] as? Data == Data([5]))
            #expect(delete(["v_Ref": certificate]) == errSecSuccess)
            #expect(delete(["v_Ref": authority.key]) == errSecSuccess)
            #expect(copy(["v_Ref": authority.key]).status == errSecItemNotFound)
        }
    }

    @Test func `KC66 the caller's attribute wins over the object's`() throws {
        let certificate = try Authority().certificate("Anna")
        keychain.run {
            add(["v_Ref": certificate, "slnr": Data([9, 9])], nil)
            #expect(attributes(["class": kSecClassCertificate])["slnr"] as? Data == Data([9, 9]))
            #expect(copy(["v_Ref": certificate]).status == errSecItemNotFound)
            #expect(copy(["v_Ref": certificate, "slnr": Data([9, 9])]).status == errSecSuccess)
        }
    }

    @Test func `KC66 the two halves of a pair are two items`() throws {
        let authority = try Authority()
        let publicKey = try #require(SecKeyCopyPublicKey(authority.key))
        keychain.run {
            #expect(add(["v_Ref": authority.key], nil) == errSecSuccess)
            #expect(add(["v_Ref": publicKey], nil) == errSecSuccess)
            #expect(count(["class": kSecClassKey, "klbl": authority.hash]) == 2)
            #expect(copy(["v_Ref": publicKey, "r_Ref": true]).result as? SecKey == publicKey)
            #expect(copy(["v_Ref": authority.key, "r_Ref": true]).result as? SecKey == authority.key)
            let classes = [kSecAttrKeyClassPrivate, kSecAttrKeyClassPublic]
            for kind in classes { #expect(count(["class": kSecClassKey, "kcls": kind]) == 1) }
        }
    }

    @Test(arguments: [("42", 1024), ("73", 256)])
    func `KC66 the bytes of a public key stored without a class are a public key`(_ kind: (String, Int)) throws {
        let key = try SecKey.random([kSecAttrKeyType: kind.0, kSecAttrKeySizeInBits: kind.1])
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let bytes = try publicKey.externalRepresentation()
        keychain.run {
            let query: [String: Any] = ["class": kSecClassKey, "type": kind.0, "atag": "peer"]
            #expect(add(query.merging(["v_Data": bytes]) { $1 }, nil) == errSecSuccess)
            #expect(copy(query.merging(["r_Ref": true]) { $1 }).result as? SecKey == publicKey)
            #expect(copy(query.merging(["r_Data": true]) { $1 }).result as? Data == bytes)
        }
    }

    @Test func `KC66 the bytes of a private key need their class`() throws {
        let key = try SecKey.random([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256])
        let bytes = try key.externalRepresentation()
        keychain.run {
            let query: [String: Any] = ["class": kSecClassKey, "type": "73", "v_Data": bytes]
            #expect(add(query.merging(["atag": "none"]) { $1 }, nil) == errSecSuccess)
            #expect(add(query.merging(["atag": "own", "kcls": kSecAttrKeyClassPrivate]) { $1 }, nil) == errSecSuccess)
            let find: [String: Any] = ["class": kSecClassKey, "r_Ref": true]
            #expect(copy(find.merging(["atag": "none"]) { $1 }).status == errSecDecode)
            #expect(copy(find.merging(["atag": "own"]) { $1 }).result as? SecKey == key)
        }
    }

    @Test func `KC66 an item without an object does not stand in the way of the others`() throws {
        let key = try SecKey.random([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256])
        keychain.run {
            let junk: [String: Any] = ["class": kSecClassKey, "type": "73", "atag": "junk"]
            let symmetric: [String: Any] = ["class": kSecClassKey, "kcls": kSecAttrKeyClassSymmetric, "atag": "aes"]
            #expect(add(junk, "junk") == errSecSuccess)
            #expect(add(symmetric, "0123456789abcdef") == errSecSuccess)
            let one = copy(symmetric, ["r_Ref": true])
            #expect(one.status == errSecSuccess)
            #expect(one.result == nil)
            let all: [String: Any] = ["class": kSecClassKey, "r_Ref": true, "m_Limit": kSecMatchLimitAll]
            #expect(copy(all).status == errSecDecode)
            #expect(add(["v_Ref": key], nil) == errSecSuccess)
            #expect(copy(all).result as? [SecKey] == [key])
            let described = copy(all, ["r_Attributes": true]).result as? [[String: Any]]
            #expect(described?.map { $0["v_Ref"] is SecKey } == [false, true])
        }
    }

    @Test func `KC66 a call that cannot give the object it was asked for stores nothing`() {
        keychain.run {
            let query: [String: Any] = ["class": kSecClassKey, "type": "73", "r_Ref": true]
            #expect(add(query, "junk") == errSecDecode)
            #expect(copy(["class": kSecClassKey]).status == errSecItemNotFound)
        }
    }

    @Test func `KC66 an object added twice is a duplicate`() throws {
        let authority = try Authority()
        let certificate = try authority.certificate("Anna")
        keychain.run {
            for object in [certificate, authority.key] as [AnyObject] {
                #expect(add(["v_Ref": object], nil) == errSecSuccess)
                #expect(add(["v_Ref": object, "labl": "other"], nil) == errSecDuplicateItem)
            }
        }
    }

    @Test(arguments: ["Anna", "Grüße aus Köln", "a b c"])
    func `KC67 a certificate without label gets its subject summary`(_ subject: String) throws {
        let certificate = try Authority().certificate(subject)
        keychain.run {
            add(["v_Ref": certificate], nil)
            #expect(attributes(["class": kSecClassCertificate])["labl"] as? String == subject)
            #expect(SecCertificateCopySubjectSummary(certificate) as String? == subject)
        }
    }

    @Test func `KC67 a label of the caller's stays`() throws {
        let certificate = try Authority().certificate("Anna")
        keychain.run {
            add(["v_Ref": certificate, "labl": "mine"], nil)
            #expect(attributes(["class": kSecClassCertificate])["labl"] as? String == "mine")
        }
    }

    @Test func `a certificate's attributes are read from it`() throws {
        let authority = try Authority()
        let certificate = try authority.certificate("Anna", serial: 77, ["subjectKeyIdentifier": "hash"])
        keychain.run {
            add(["v_Ref": certificate], nil)
            let found = attributes(["class": kSecClassCertificate])
            #expect(found["slnr"] as? Data == Data([77]))
            #expect(found["pkhh"] as? Data == authority.hash)
            #expect(found["subj"] as? Data == found["issr"] as? Data)
            #expect(found["skid"] is Data)
            #expect(found["pdmn"] as? String == "dk")
            #expect(
                copy(["class": kSecClassCertificate, "r_Data": true]).result as? Data
                    == SecCertificateCopyData(certificate) as Data)
        }
    }

    @Test func `bytes that are no certificate have no reference`() {
        keychain.run {
            add(["class": kSecClassCertificate], "junk")
            #expect(copy(["class": kSecClassCertificate, "r_Ref": true]).status == errSecDecode)
            #expect(value(["class": kSecClassCertificate]) == "junk")
        }
    }

    @Test func `objects are compared, hashed and told apart`() throws {
        let authority = try Authority()
        let certificate = try authority.certificate("Anna")
        let again = try #require(SecCertificateCreateWithData(nil, SecCertificateCopyData(certificate)))
        #expect(CFEqual(certificate, again))
        #expect(CFHash(certificate) == CFHash(again))
        #expect(!CFEqual(certificate, authority.key))
        #expect(CFEqual(authority.key, authority.key))
        let identity = try authority.identity(certificate)
        let same = try authority.identity(again)
        #expect(CFEqual(identity, same))
        #expect(CFHash(identity) == CFHash(same))
        let types = [CFGetTypeID(identity), CFGetTypeID(certificate), CFGetTypeID(authority.key)]
        #expect(Set(types).count == 3)
        #expect(types == [SecIdentityGetTypeID(), SecCertificateGetTypeID(), SecKeyGetTypeID()])
        #expect(CFEqual("a" as NSString, "a" as NSString))
        #expect(CFEqual(nil, nil))
        #expect(!CFEqual(nil, certificate))
    }
}
