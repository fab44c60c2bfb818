import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// KEY10: forms of ECDSA signatures.
@Suite struct `ECDSA through SecKey` {
    static let message = Data("the quick brown fox".utf8)
    static let curves = Curve.allCases

    @Test("KEY10: X9.62 and RFC 4754 convert into each other", arguments: curves)
    func conversion(_ curve: Curve) throws {
        let key = try Keys.one("73", curve.bits)
        let publicKey = try key.publicHalf()
        for (hash, _) in hashes {
            let der = algorithm("algid:sign:ECDSA:message-X962:\(hash)")
            let raw = algorithm("algid:sign:ECDSA:message-RFC4754:\(hash)")
            let first = try key.signature(of: Self.message, der)
            let asRaw = try #require(ECDSASignature.raw(der: [UInt8](first), curve: curve))
            #expect(asRaw.count == 2 * curve.fieldBytes)
            try publicKey.verify(Data(asRaw), of: Self.message, raw)
            let second = try key.signature(of: Self.message, raw)
            #expect(second.count == 2 * curve.fieldBytes)
            let asDER = try #require(ECDSASignature.der(raw: [UInt8](second), curve: curve))
            try publicKey.verify(Data(asDER), of: Self.message, der)
            #expect(statusCode { try publicKey.verify(first, of: Self.message, raw) } == -67808)
            #expect(statusCode { try publicKey.verify(second, of: Self.message, der) } == -67808)
        }
    }

    @Test(
        "KEY10: a digest's signature is the message's and the reverse",
        arguments: [("73", 256), ("73", 521), ("42", 2048)])
    func digestsAndMessages(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        for (hash, count) in hashes {
            let digest = Data(
                Hash.digest(try #require(HashFunction(rawValue: hash.lowercased())), [UInt8](Self.message)))
            let families =
                type == "73"
                ? ["ECDSA:%-X962:\(hash)", "ECDSA:%-RFC4754:\(hash)"]
                : ["RSA:%-PKCS1v15:\(hash)", "RSA:%-PSS:\(hash):\(hash):\(count)"]
            for family in families {
                let overDigest = algorithm("algid:sign:" + family.replacingOccurrences(of: "%", with: "digest"))
                let overMessage = algorithm("algid:sign:" + family.replacingOccurrences(of: "%", with: "message"))
                try publicKey.verify(key.signature(of: digest, overDigest), of: Self.message, overMessage)
                try publicKey.verify(key.signature(of: Self.message, overMessage), of: digest, overDigest)
                for wrong in [Data(), digest.dropLast(), digest + [0]] {
                    #expect(statusCode { try key.signature(of: Data(wrong), overDigest) } == -50)
                    #expect(statusCode { try publicKey.verify(Data([1]), of: Data(wrong), overDigest) } == -50)
                }
            }
        }
    }

    @Test("KEY10: a digest without a name may have any length, and its leftmost bits count", arguments: curves)
    func anyDigest(_ curve: Curve) throws {
        let key = try Keys.one("73", curve.bits)
        let publicKey = try key.publicHalf()
        for name in [SecKeyAlgorithm.ecdsaSignatureDigestX962, .ecdsaSignatureDigestRFC4754, .ecdsaSignatureRFC4754] {
            for count in [1, 20, 32, 64, 100] {
                let digest = Data(repeating: 9, count: count)
                try publicKey.verify(key.signature(of: digest, name), of: digest, name)
            }
            let long = Data(repeating: 9, count: 100)
            let signature = try key.signature(of: long, name)
            try publicKey.verify(signature, of: long.prefix(curve.fieldBytes), name)
        }
    }

    @Test("KEY10: bytes that are no signature do not verify", arguments: curves)
    func noSignatures(_ curve: Curve) throws {
        let publicKey = try Keys.one("73", curve.bits).publicHalf()
        let size = 2 * curve.fieldBytes
        let table: [Data] = [
            Data(), Data([0x30]), Data([0x30, 0x80, 0, 0]), Data([0x30, 6, 2, 1, 0, 2, 1, 0]), Data(count: size),
            Data(count: size - 1), Data(count: size + 1), Data(repeating: 0xFF, count: size),
        ]
        for bytes in table {
            for name in ["X962", "RFC4754"] {
                let code = statusCode {
                    try publicKey.verify(bytes, of: Self.message, algorithm("algid:sign:ECDSA:message-\(name):SHA256"))
                }
                #expect(code == -67808)
            }
        }
    }

    @Test("KEY10: an Ed25519 signature is the one of RFC 8032")
    func ed25519() throws {
        // RFC 8032 §7.1, test 2.
        let seed = "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"
        let point = "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"
        let expected = """
            92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aee\
            b00d291612bb0c00
            """
        let key = try Keys.read(Data(hex: seed), "105", "1")
        #expect(try key.publicHalf().externalRepresentation() == Data(hex: point))
        let signature = try key.signature(of: Data([0x72]), .edDSASignatureMessageCurve25519SHA512)
        #expect(signature == Data(hex: expected))
        try key.publicHalf().verify(signature, of: Data([0x72]), .edDSASignatureMessageCurve25519SHA512)
    }
}
