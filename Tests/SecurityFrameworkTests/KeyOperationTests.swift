import Foundation
import PaviseCrypto
import SecurityFramework
import TestSupport
import Testing

/// Signing, verifying, agreeing, encrypting through Apple's functions (KEY2, KEY4 to KEY6, KEY9 to KEY11).
@Suite struct `Keys do what their algorithms say` {
    static let hashes: [(String, Int)] = [("SHA1", 20), ("SHA224", 28), ("SHA256", 32), ("SHA384", 48), ("SHA512", 64)]

    static func algorithm(_ name: String) -> SecKeyAlgorithm { SecKeyAlgorithm(rawValue: name as CFString) }

    static func make(_ type: CFString, _ bits: Int) throws -> (SecKey, SecKey) {
        let key = try SecKey.random([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
        return (key, try #require(SecKeyCopyPublicKey(key)))
    }

    static let message = Data("the quick brown fox".utf8)

    @Test(arguments: [("73", 256), ("73", 384), ("73", 521), ("42", 2048)])
    func `a digest's signature is the message's, and nothing else fits`(_ type: String, _ bits: Int) throws {
        let (key, publicKey) = try Self.make(type as CFString, bits)
        let (_, stranger) = try Self.make(type as CFString, bits)
        for (hash, count) in Self.hashes {
            let function = try #require(HashFunction(rawValue: hash.lowercased()))
            let digest = Data(Hash.digest(function, [UInt8](Self.message)))
            let families =
                type == "73"
                ? ["ECDSA:%-X962:\(hash)", "ECDSA:%-RFC4754:\(hash)"]
                : ["RSA:%-PKCS1v15:\(hash)", "RSA:%-PSS:\(hash):\(hash):\(count)"]
            for family in families {
                let overDigest = Self.algorithm("algid:sign:" + family.replacingOccurrences(of: "%", with: "digest"))
                let overMessage = Self.algorithm("algid:sign:" + family.replacingOccurrences(of: "%", with: "message"))
                let signature = try key.signature(of: digest, overDigest)
                #expect(statusCode { try publicKey.verify(signature, of: Self.message, overMessage) } == 0)
                #expect(statusCode { try stranger.verify(signature, of: Self.message, overMessage) } == -67808)
                #expect(statusCode { try publicKey.verify(signature, of: digest, overMessage) } == -67808)
                #expect(statusCode { try key.signature(of: Self.message, overDigest) } == -50)
            }
        }
    }

    @Test(arguments: [Data(), Data([0x30]), Data([0x30, 0x80, 0, 0]), Data(repeating: 0xFF, count: 200)])
    func `what is no signature does not verify`(_ signature: Data) throws {
        let (_, publicKey) = try Self.make(kSecAttrKeyTypeEC, 256)
        for algorithm in [SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256, .ecdsaSignatureMessageRFC4754SHA256] {
            #expect(statusCode { try publicKey.verify(signature, of: Self.message, algorithm) } == -67808)
        }
    }

    @Test func `a digest without a name may have any length`() throws {
        let (key, publicKey) = try Self.make(kSecAttrKeyTypeEC, 256)
        for count in [1, 20, 32, 64, 100] {
            let digest = Data(repeating: 9, count: count)
            let signature = try key.signature(of: digest, .ecdsaSignatureDigestX962)
            try publicKey.verify(signature, of: digest, .ecdsaSignatureDigestX962)
        }
    }

    @Test(arguments: [192, 256, 384, 521])
    func `what is encrypted opens, also under the other name of the same agreement`(_ bits: Int) throws {
        let (key, publicKey) = try Self.make(kSecAttrKeyTypeEC, bits)
        for (hash, _) in Self.hashes.dropFirst() {
            for family in ["AESGCM", "AESGCM-KDFIV"] {
                let standard = Self.algorithm("algid:encrypt:ECIES:ECDH:KDFX963:\(hash):\(family)")
                let cofactor = Self.algorithm("algid:encrypt:ECIES:ECDHC:KDFX963:\(hash):\(family)")
                let packet = try publicKey.encrypt(Self.message, standard)
                #expect(packet.count == 2 * ((bits + 7) / 8) + 1 + Self.message.count + 16)
                #expect(try key.decrypt(packet, cofactor) == Self.message)
            }
        }
    }

    @Test func `every defect of a packet is the same error`() throws {
        let (key, publicKey) = try Self.make(kSecAttrKeyTypeEC, 256)
        let algorithm = SecKeyAlgorithm.eciesEncryptionStandardX963SHA256AESGCM
        let packet = try publicKey.encrypt(Self.message, algorithm)
        let other = SecKeyAlgorithm.eciesEncryptionStandardVariableIVX963SHA256AESGCM
        var texts: Set<String> = []
        for index in [0, 1, 64, 65, packet.count - 1] {
            var changed = packet
            changed[index] ^= 1
            let error = #expect(throws: NSError.self) { try key.decrypt(changed, algorithm) }
            #expect(error?.code == -50)
            texts.insert(error?.localizedDescription ?? "")
        }
        #expect(texts.count == 1)
        #expect(statusCode { try key.decrypt(packet, other) } == -50)
        #expect(statusCode { try key.decrypt(Data(), algorithm) } == -50)
    }

    @Test func `both sides agree on the same bytes`() throws {
        let (one, onePublic) = try Self.make(kSecAttrKeyTypeEC, 256)
        let (two, twoPublic) = try Self.make(kSecAttrKeyTypeEC, 256)
        let plain = try one.agree(with: twoPublic, .ecdhKeyExchangeStandard)
        #expect(plain.count == 32)
        #expect(try plain == two.agree(with: onePublic, .ecdhKeyExchangeCofactor))
        let algorithm = SecKeyAlgorithm.ecdhKeyExchangeStandardX963SHA256
        for size in [1, 31, 32, 33, 1000] {
            let parameters: [CFString: Any] = [
                SecKeyKeyExchangeParameter.requestedSize.rawValue: size,
                SecKeyKeyExchangeParameter.sharedInfo.rawValue: Data("info".utf8),
            ]
            let derived = try one.agree(with: twoPublic, algorithm, parameters)
            #expect(derived.count == size)
            #expect(try derived == two.agree(with: onePublic, algorithm, parameters))
        }
        let (_, stranger) = try Self.make(kSecAttrKeyTypeEC, 384)
        #expect(statusCode { try one.agree(with: twoPublic, algorithm) } == -50)
        #expect(statusCode { try one.agree(with: stranger, .ecdhKeyExchangeStandard) } == -50)
    }

    @Test func `a short RSA key has no room for a long digest`() throws {
        let (key, _) = try Self.make(kSecAttrKeyTypeRSA, 1024)
        #expect(!SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA512))
        #expect(SecKeyIsAlgorithmSupported(key, .sign, .rsaSignatureMessagePSSSHA384))
        #expect(statusCode { try key.signature(of: Self.message, .rsaSignatureMessagePSSSHA512) } == -50)
    }

    @Test(.long, arguments: hashes)
    func `OAEP takes what fits, and not a byte more`(_ hash: String, _ count: Int) throws {
        let (key, publicKey) = try Self.make(kSecAttrKeyTypeRSA, 2048)
        let algorithm = Self.algorithm("algid:encrypt:RSA:OAEP:\(hash)")
        let limit = 256 - 2 * count - 2
        for size in [0, 1, limit] {
            let plain = Data(repeating: 5, count: size)
            let packet = try publicKey.encrypt(plain, algorithm)
            #expect(packet.count == 256)
            #expect(try key.decrypt(packet, algorithm) == plain)
        }
        #expect(statusCode { try publicKey.encrypt(Data(repeating: 5, count: limit + 1), algorithm) } == -50)
        let hybrid = Self.algorithm("algid:encrypt:RSA:OAEP:\(hash):AESGCM")
        let packet = try publicKey.encrypt(Self.message, hybrid)
        #expect(packet.count == 256 + Self.message.count + 16)
        #expect(try key.decrypt(packet, hybrid) == Self.message)
        for index in [0, 255, 256, packet.count - 1] {
            var changed = packet
            changed[index] ^= 1
            #expect(statusCode { try key.decrypt(changed, hybrid) } == -50)
        }
        #expect(statusCode { try key.decrypt(Data(), hybrid) } == -50)
        #expect(statusCode { try key.decrypt(packet.prefix(256), hybrid) } == -50)
    }

    @Test func `what is denied is refused, what is promised works`() throws {
        let algorithms: [SecKeyAlgorithm] = [
            .ecdsaSignatureMessageX962SHA256, .rsaSignatureMessagePSSSHA256, .ecdhKeyExchangeStandard,
            .eciesEncryptionStandardX963SHA256AESGCM, .rsaEncryptionOAEPSHA256, .rsaSignatureRaw,
            Self.algorithm("algid:nonsense"),
        ]
        let (ec, ecPublic) = try Self.make(kSecAttrKeyTypeEC, 256)
        let (rsa, rsaPublic) = try Self.make(kSecAttrKeyTypeRSA, 2048)
        for key in [ec, ecPublic, rsa, rsaPublic] {
            for algorithm in algorithms {
                func answer(_ operation: SecKeyOperationType, _ success: Int = 0) -> Int {
                    SecKeyIsAlgorithmSupported(key, operation, algorithm) ? success : -50
                }
                #expect(statusCode { try key.signature(of: Self.message, algorithm) } == answer(.sign))
                #expect(statusCode { try key.encrypt(Self.message, algorithm) } == answer(.encrypt))
                #expect(statusCode { try key.agree(with: ecPublic, algorithm) } == answer(.keyExchange))
                #expect(statusCode { try key.verify(Data(), of: Self.message, algorithm) } == answer(.verify, -67808))
            }
        }
    }
}
