import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// KEY2: what is denied is refused with -50, what is promised works.
@Suite struct `The algorithm matrix` {
    static let message = Data("the quick brown fox".utf8)

    // What the caller gives: a digest of the right length where the name asks for one.
    private static func input(_ name: String) -> Data {
        guard name.contains("digest-"), let hash = hashes.last(where: { name.contains($0.name) }) else {
            return message
        }
        return Data(repeating: 7, count: hash.count)
    }

    private static var parameters: [CFString: Any] { [SecKeyKeyExchangeParameter.requestedSize.rawValue: 40] }

    @Test("KEY2: support agrees with the operation, for each kind, half and algorithm", arguments: Keys.kinds)
    func matrix(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        var promised = 0
        for name in algorithmNames + ["algid:nonsense", "", "algid:sign:RSA:digest-PKCS1v15:MD5"] {
            let algorithm = algorithm(name)
            let input = Self.input(name)
            for half in [key, publicKey] {
                func answer(_ operation: SecKeyOperationType, _ success: Int = 0) -> Int {
                    let isSupported = SecKeyIsAlgorithmSupported(half, operation, algorithm)
                    if isSupported { promised += 1 }
                    return isSupported ? success : -50
                }
                #expect(statusCode { try half.signature(of: input, algorithm) } == answer(.sign), "\(name)")
                #expect(statusCode { try half.encrypt(input, algorithm) } == answer(.encrypt), "\(name)")
                #expect(
                    statusCode { try half.agree(with: publicKey, algorithm, Self.parameters) } == answer(.keyExchange),
                    "\(name)")
                #expect(
                    statusCode { try half.verify(Data(), of: input, algorithm) } == answer(.verify, -67808), "\(name)")
                // A packet of nothing is -50 in both cases; one that was made opens exactly where that is promised.
                let packet = (try? publicKey.encrypt(input, algorithm)) ?? Data()
                #expect(statusCode { try half.decrypt(packet, algorithm) } == answer(.decrypt), "\(name)")
            }
        }
        #expect(promised == Self.promises(type, bits))
    }

    // Five calls of a promise: sign, verify, encrypt, decrypt, agree. Counted by hand from the list of algorithms.
    private static func promises(_ type: String, _ bits: Int) -> Int {
        let (agreements, ecies) = (12, 18)
        switch type {
        case "73": return 2 * 23 + agreements + 2 * ecies
        case "106": return agreements + 2 * ecies
        case "105": return 2
        // 1024 bits have no room for PSS with SHA-512, nor for OAEP with it.
        default: return bits == 1024 ? 2 * (22 - 2) + 2 * (12 - 2) : 2 * 22 + 2 * 12
        }
    }

    @Test("KEY2: a signature of each promised algorithm verifies, and no other data does", arguments: Keys.kinds)
    func signatures(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        for name in algorithmNames where SecKeyIsAlgorithmSupported(key, .sign, algorithm(name)) {
            let input = Self.input(name)
            let signature = try key.signature(of: input, algorithm(name))
            try publicKey.verify(signature, of: input, algorithm(name))
            var other = input
            other[0] ^= 0x40
            #expect(statusCode { try publicKey.verify(signature, of: other, algorithm(name)) } == -67808, "\(name)")
            var changed = signature
            changed[signature.count / 2] ^= 1
            #expect(statusCode { try publicKey.verify(changed, of: input, algorithm(name)) } == -67808, "\(name)")
            #expect(statusCode { try publicKey.verify(Data(), of: input, algorithm(name)) } == -67808, "\(name)")
        }
    }

    @Test("KEY2: the names of the constants are the documented texts")
    func texts() {
        let table: [(SecKeyAlgorithm, String)] = [
            (.rsaSignatureRaw, "algid:sign:RSA:raw"), (.rsaEncryptionRaw, "algid:encrypt:RSA:raw"),
            (.rsaSignatureDigestPKCS1v15Raw, "algid:sign:RSA:digest-PKCS1v15"),
            (.rsaSignatureDigestPKCS1v15SHA256, "algid:sign:RSA:digest-PKCS1v15:SHA256"),
            (.rsaSignatureMessagePKCS1v15SHA512, "algid:sign:RSA:message-PKCS1v15:SHA512"),
            (.rsaSignatureDigestPSSSHA256, "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"),
            (.rsaSignatureMessagePSSSHA384, "algid:sign:RSA:message-PSS:SHA384:SHA384:48"),
            (.rsaEncryptionPKCS1, "algid:encrypt:RSA:PKCS1"),
            (.rsaEncryptionOAEPSHA256, "algid:encrypt:RSA:OAEP:SHA256"),
            (.rsaEncryptionOAEPSHA512AESGCM, "algid:encrypt:RSA:OAEP:SHA512:AESGCM"),
            (.ecdsaSignatureRFC4754, "algid:sign:ECDSA:RFC4754"),
            (.ecdsaSignatureDigestX962, "algid:sign:ECDSA:digest-X962"),
            (.ecdsaSignatureMessageX962SHA256, "algid:sign:ECDSA:message-X962:SHA256"),
            (.ecdsaSignatureDigestRFC4754SHA384, "algid:sign:ECDSA:digest-RFC4754:SHA384"),
            (.ecdhKeyExchangeStandard, "algid:keyexchange:ECDH"),
            (.ecdhKeyExchangeCofactorX963SHA512, "algid:keyexchange:ECDHC:KDFX963:SHA512"),
            (.eciesEncryptionStandardX963SHA1AESGCM, "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"),
            (
                .eciesEncryptionCofactorVariableIVX963SHA256AESGCM,
                "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
            ),
            (.edDSASignatureMessageCurve25519SHA512, "algid:sign:EdDSA:message-Curve25519:SHA512"),
        ]
        for (algorithm, text) in table { #expect(algorithm.rawValue as String == text) }
    }
}
