import Foundation
import SecurityFramework
import Testing

/// KEY12: which halves stay, under which names.
@Suite struct `Keys that stay, through SecKey` {
    let keychain: KeychainFixture
    init() throws { keychain = try KeychainFixture() }

    static let kinds: [(type: String, bits: Int, isElement: Bool)] = [
        ("73", 256, false), ("42", 1024, false), ("105", 256, false), ("106", 256, false), ("73", 256, true),
    ]
    private static let tag = Data("tag".utf8)

    private static func parameters(
        _ kind: (type: String, bits: Int, isElement: Bool), _ halves: [String]?
    ) -> [CFString: Any] {
        var parameters: [CFString: Any] = [
            kSecAttrKeyType: kind.type, kSecAttrKeySizeInBits: kind.bits, kSecAttrLabel: "name",
            kSecAttrApplicationTag: tag,
        ]
        if kind.isElement { parameters[kSecAttrTokenID] = kSecAttrTokenIDSecureEnclave }
        guard let halves else { return parameters }
        parameters[kSecPrivateKeyAttrs] = [kSecAttrIsPermanent: halves.contains("1")] as [CFString: Any]
        parameters[kSecPublicKeyAttrs] = [kSecAttrIsPermanent: halves.contains("0")] as [CFString: Any]
        return parameters
    }

    @Test(
        "KEY12: each half stays where it was asked to, under the given names", arguments: kinds,
        [[], ["1"], ["0"], ["0", "1"]])
    func halves(_ kind: (type: String, bits: Int, isElement: Bool), _ halves: [String]) throws {
        try keychain.run {
            let key = try SecKey.random(Self.parameters(kind, halves))
            #expect(keychain.count() == halves.count)
            #expect(key.fact(kSecAttrIsPermanent) == halves.contains("1"))
            for half in halves {
                let names: [String: Any] = ["kcls": half, "atag": Self.tag, "labl": "name"]
                let expected = half == "1" ? key : try key.publicHalf()
                #expect(keychain.key(names) == expected)
                #expect(keychain.key(["kcls": half, "klbl": Data(key.applicationLabel)]) == expected)
                #expect(keychain.key(["kcls": half, "type": kind.type, "bsiz": kind.bits]) == expected)
            }
        }
    }

    @Test("KEY12: at the top level permanence holds for both halves", arguments: kinds)
    func topLevel(_ kind: (type: String, bits: Int, isElement: Bool)) throws {
        try keychain.run {
            var parameters = Self.parameters(kind, nil)
            parameters[kSecAttrIsPermanent] = true
            let key = try SecKey.random(parameters)
            #expect(keychain.count() == 2 && keychain.key(["kcls": "1"]) == key)
        }
    }

    @Test("KEY12: without a word only an element's private half stays", arguments: kinds)
    func byDefault(_ kind: (type: String, bits: Int, isElement: Bool)) throws {
        try keychain.run {
            let key = try SecKey.random(Self.parameters(kind, nil))
            #expect(keychain.count() == (kind.isElement ? 1 : 0))
            #expect(key.fact(kSecAttrIsPermanent) == kind.isElement)
        }
    }

    @Test("KEY12: what a half says of itself wins over the top level")
    func override() throws {
        try keychain.run {
            _ = try SecKey.random([
                kSecAttrKeyType: "73", kSecAttrKeySizeInBits: 256, kSecAttrIsPermanent: true, kSecAttrLabel: "both",
                kSecPublicKeyAttrs: [kSecAttrLabel: "public", kSecAttrApplicationTag: Self.tag] as [CFString: Any],
            ])
            #expect(keychain.count(["labl": "both", "kcls": "1"]) == 1)
            #expect(keychain.count(["labl": "public", "kcls": "0"]) == 1)
        }
    }

    @Test("KEY12: a second key of the same tag is another key; the same key is -25299", arguments: kinds)
    func second(_ kind: (type: String, bits: Int, isElement: Bool)) throws {
        try keychain.run {
            let one = try SecKey.random(Self.parameters(kind, ["1"]))
            let other = try SecKey.random(Self.parameters(kind, ["1"]))
            #expect(one != other && keychain.count(["atag": Self.tag]) == 2)
            let again: [String: Any] = ["class": "keys", "v_Ref": one, "atag": Self.tag, "labl": "name"]
            #expect(SecItemAdd(again as CFDictionary, nil) == errSecDuplicateItem)
        }
    }

    @Test("KEY12: a deleted key is gone", arguments: kinds)
    func deletion(_ kind: (type: String, bits: Int, isElement: Bool)) throws {
        try keychain.run {
            let key = try SecKey.random(Self.parameters(kind, ["0", "1"]))
            let query: [String: Any] = ["class": "keys", "klbl": Data(key.applicationLabel)]
            #expect(SecItemDelete(query as CFDictionary) == errSecSuccess)
            #expect(keychain.count() == 0 && SecItemDelete(query as CFDictionary) == errSecItemNotFound)
            if kind.isElement {
                #expect(statusCode { try key.signature(of: Self.tag, .ecdsaSignatureMessageX962SHA256) } == -25300)
            }
        }
    }

    @Test("KEY12: a key that stays works after it is read again", arguments: kinds)
    func readAgain(_ kind: (type: String, bits: Int, isElement: Bool)) throws {
        try keychain.run {
            let key = try SecKey.random(Self.parameters(kind, ["1"]))
            let again = try #require(keychain.key(["atag": Self.tag]))
            for name in algorithmNames where SecKeyIsAlgorithmSupported(again, .sign, algorithm(name)) {
                guard name.contains("message") else { continue }
                let signature = try again.signature(of: Self.tag, algorithm(name))
                try key.publicHalf().verify(signature, of: Self.tag, algorithm(name))
            }
            if !kind.isElement { #expect(try again.externalRepresentation() == key.externalRepresentation()) }
        }
    }

    @Test("KEY12: SecKeyGeneratePair gives both halves and keeps what it is asked to keep")
    func pair() {
        keychain.run {
            var (publicKey, privateKey): (SecKey?, SecKey?) = (nil, nil)
            var parameters = Self.parameters(Self.kinds[0], ["0", "1"])
            let status = SecKeyGeneratePair(parameters as CFDictionary, &publicKey, &privateKey)
            #expect(status == errSecSuccess)
            #expect(
                privateKey.flatMap { SecKeyCopyPublicKey($0) } == publicKey
                    && publicKey?.fact(kSecAttrIsPermanent) == true)
            #expect(keychain.count() == 2)
            parameters[kSecAttrKeySizeInBits] = nil
            #expect(SecKeyGeneratePair(parameters as CFDictionary, nil, nil) == errSecKeySizeNotAllowed)
        }
    }
}
