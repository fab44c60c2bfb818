import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// Keys and certificates that stay (KEY12), and keys of the secure element (KEY13).
@Suite struct `Keys that stay` {
    let keychain: ItemFixture
    init() throws { keychain = try ItemFixture() }

    static var element: CFString { kSecAttrTokenIDSecureEnclave }
    static let message = Data("hello".utf8)

    private static func keys(_ more: [String: Any] = [:]) -> [String: Any] {
        more.merging(["class": "keys"]) { own, _ in own }
    }

    private static func found(_ query: [String: Any]) -> SecKey? {
        copy(keys(query), ["r_Ref": true]).result as? SecKey
    }

    @Test(arguments: [("73", 256), ("42", 1024)], [[], ["1"], ["0"], ["0", "1"]])
    func `each half stays where it was asked to`(_ kind: (String, Int), _ halves: [String]) throws {
        try keychain.run {
            let parameters: [CFString: Any] = [
                kSecAttrKeyType: kind.0, kSecAttrKeySizeInBits: kind.1, kSecAttrLabel: "name",
                kSecAttrApplicationTag: Data("tag".utf8),
                kSecPrivateKeyAttrs: [kSecAttrIsPermanent: halves.contains("1")] as [CFString: Any],
                kSecPublicKeyAttrs: [kSecAttrIsPermanent: halves.contains("0")] as [CFString: Any],
            ]
            let key = try SecKey.random(parameters)
            #expect(count(Self.keys()) == halves.count)
            for half in halves {
                let query: [String: Any] = ["kcls": half, "atag": Data("tag".utf8), "labl": "name"]
                let stored = try #require(Self.found(query))
                let expected = half == "1" ? key : SecKeyCopyPublicKey(key)
                #expect(stored == expected)
                let klbl = attributes(Self.keys(query))["klbl"] as? Data
                #expect(klbl == Data(key.applicationLabel))
            }
        }
    }

    @Test func `the same key is not stored twice`() throws {
        try keychain.run {
            let key = try SecKey.random([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256])
            let query: [String: Any] = ["class": "keys", "v_Ref": key, "atag": Data("tag".utf8)]
            #expect(add(query, nil) == errSecSuccess)
            #expect(add(query, nil) == errSecDuplicateItem)
            #expect(Self.found(["atag": Data("tag".utf8)]) == key)
            #expect(delete(Self.keys(["klbl": Data(key.applicationLabel)])) == errSecSuccess)
            #expect(Self.found(["atag": Data("tag".utf8)]) == nil)
        }
    }

    private static func makeInElement(_ more: [CFString: Any] = [:]) throws -> SecKey {
        let parameters: [CFString: Any] = [
            kSecAttrKeyType: kSecAttrKeyTypeECSECPrimeRandom, kSecAttrKeySizeInBits: 256, kSecAttrTokenID: element,
            kSecAttrApplicationTag: Data("element".utf8),
        ]
        return try SecKey.random(parameters.merging(more) { _, new in new })
    }

    @Test func `a key of the element signs, agrees and decrypts, and never leaves`() throws {
        try keychain.run {
            let key = try Self.makeInElement()
            let publicKey = try #require(SecKeyCopyPublicKey(key))
            #expect(statusCode { try key.externalRepresentation() } == -4)
            #expect(try publicKey.externalRepresentation().count == 65)
            for hash in ["SHA1", "SHA224", "SHA256", "SHA384", "SHA512"] {
                for format in ["X962", "RFC4754"] {
                    let name = SecKeyAlgorithm(rawValue: "algid:sign:ECDSA:message-\(format):\(hash)" as CFString)
                    try publicKey.verify(key.signature(of: Self.message, name), of: Self.message, name)
                }
            }
            let algorithm = SecKeyAlgorithm.eciesEncryptionCofactorVariableIVX963SHA256AESGCM
            let packet = try publicKey.encrypt(Self.message, algorithm)
            #expect(try key.decrypt(packet, algorithm) == Self.message)
            let peer = try SecKey.random([kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256])
            let peerPublic = try #require(SecKeyCopyPublicKey(peer))
            #expect(
                try key.agree(with: peerPublic, .ecdhKeyExchangeStandard)
                    == peer.agree(with: publicKey, .ecdhKeyExchangeStandard))
            #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA256))
            let facts = try #require(SecKeyCopyAttributes(key))
            #expect(facts[kSecValueData] == nil && facts[kSecAttrTokenID] as? String == Self.element as String)
        }
    }

    @Test func `a key of the element stays by itself, is found again, and is gone after deletion`() throws {
        try keychain.run {
            let key = try Self.makeInElement()
            let again = try #require(Self.found(["atag": Data("element".utf8)]))
            #expect(again == key)
            let signature = try again.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256)
            try SecKeyCopyPublicKey(key)?.verify(signature, of: Self.message, .ecdsaSignatureMessageX962SHA256)
            #expect(delete(Self.keys(["atag": Data("element".utf8)])) == errSecSuccess)
            #expect(Self.found(["atag": Data("element".utf8)]) == nil)
            #expect(statusCode { try key.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == -25300)
        }
    }

    @Test func `the element makes EC keys of 256 bits only`() {
        keychain.run {
            #expect(statusCode { try Self.makeInElement([kSecAttrKeySizeInBits: 384]) } == -25311)
            #expect(statusCode { try Self.makeInElement([kSecAttrKeyType: kSecAttrKeyTypeRSA]) } == -50)
            #expect(statusCode { try Self.makeInElement([kSecAttrTokenID: "another token"]) } == -50)
            #expect(count(Self.keys()) == 0)
        }
    }

    @Test func `a key that needs biometry is not made`() throws {
        let guarded = try #require(SecAccessControl(protection: "aku", flags: [.privateKeyUsage, .biometryAny]))
        let free = try #require(SecAccessControl(protection: "aku", flags: .privateKeyUsage))
        keychain.run {
            #expect(statusCode { try Self.makeInElement([kSecAttrAccessControl: guarded]) } == -25293)
            // Not one that is never stored either, whose access control nobody else looks at.
            let passing: [CFString: Any] = [
                kSecAttrAccessControl: guarded, kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false] as [CFString: Any],
            ]
            #expect(statusCode { try Self.makeInElement(passing) } == -25293)
            #expect(statusCode { try Self.makeInElement([kSecAttrAccessControl: free]) } == 0)
            #expect(count(Self.keys()) == 1)
        }
    }

    @Test func `a key that is not to stay leaves nothing behind`() throws {
        try keychain.run {
            let key = try Self.makeInElement([kSecPrivateKeyAttrs: [kSecAttrIsPermanent: false] as [CFString: Any]])
            #expect(count(Self.keys()) == 0)
            #expect(statusCode { try key.signature(of: Self.message, .ecdsaSignatureMessageX962SHA256) } == 0)
        }
    }

    @Test func `a certificate is stored, named by its subject, and given back`() throws {
        try keychain.run {
            let der = try TrustFixture().chain().leaf
            let certificate = try #require(SecCertificate(der: der))
            #expect(add(["class": "cert", "v_Ref": certificate], nil) == errSecSuccess)
            #expect(add(["class": "cert", "v_Ref": certificate], nil) == errSecDuplicateItem)
            let query: [String: Any] = ["class": "cert", "labl": "Leaf"]
            #expect(copy(query, ["r_Ref": true]).result as? SecCertificate == certificate)
            #expect(copy(query, ["r_Data": true]).result as? Data == Data(der))
            let hash = SecCertificateCopyKey(certificate).map { Data($0.applicationLabel) }
            #expect(attributes(query)["pkhh"] as? Data == hash)
        }
    }
}
