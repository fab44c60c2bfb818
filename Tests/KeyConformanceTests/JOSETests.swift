import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// KEY14: JSON Web Signatures and Keys, where their algorithms are SecKey's.
@Suite(.enabled(if: Vectors.has("wycheproof") && Vectors.has("jose"), "no vectors in PAVISE_VECTORS: wycheproof, jose"))
struct `JSON Web files through SecKey` {
    // The algorithm of a header and the type of key that it needs.
    private static let algorithms: [String: (name: SecKeyAlgorithm, type: String)] = [
        "ES256": (.ecdsaSignatureMessageRFC4754SHA256, "EC P-256"),
        "ES384": (.ecdsaSignatureMessageRFC4754SHA384, "EC P-384"),
        "ES512": (.ecdsaSignatureMessageRFC4754SHA512, "EC P-521"),
        "RS256": (.rsaSignatureMessagePKCS1v15SHA256, "RSA"), "RS384": (.rsaSignatureMessagePKCS1v15SHA384, "RSA"),
        "RS512": (.rsaSignatureMessagePKCS1v15SHA512, "RSA"), "PS256": (.rsaSignatureMessagePSSSHA256, "RSA"),
        "PS384": (.rsaSignatureMessagePSSSHA384, "RSA"), "PS512": (.rsaSignatureMessagePSSSHA512, "RSA"),
        "EdDSA": (.edDSASignatureMessageCurve25519SHA512, "OKP Ed25519"),
    ]

    private static func type(_ jwk: JSONValue) -> String {
        [jwk["kty"]?.string, jwk["crv"]?.string].compactMap(\.self).joined(separator: " ")
    }

    private static func key(_ jwk: JSONValue) -> SecKey? {
        switch type(jwk) {
        case "EC P-256", "EC P-384", "EC P-521":
            guard let x = JWKPeer.number("x", jwk), let y = JWKPeer.number("y", jwk) else { return nil }
            return try? Keys.read(Data([4]) + x + y, "73", "0")
        case "RSA":
            guard let n = JWKPeer.number("n", jwk), let e = JWKPeer.number("e", jwk) else { return nil }
            return try? Keys.read(PKCS1Peer.publicKey(n, e), "42", "0")
        case "OKP Ed25519": return JWKPeer.number("x", jwk).flatMap { try? Keys.read($0, "105", "0") }
        default: return nil
        }
    }

    // `nil` where header, key or signature is not one of ours.
    private static func verdict(_ jws: String, _ jwk: JSONValue) -> Bool? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap({ try? JSONValue.parse($0) }),
            let algorithm = algorithms[header["alg"]?.string ?? ""], algorithm.type == type(jwk),
            header["crit"] == nil, jwk["alg"]?.string ?? header["alg"]?.string == header["alg"]?.string,
            jwk["use"]?.string ?? "sig" == "sig",
            jwk["key_ops"]?.array?.contains(where: { $0.string == "verify" }) ?? true, let key = key(jwk),
            let signature = Base64URL.decode(parts[2])
        else { return nil }
        let text = Data("\(parts[0]).\(parts[1])".utf8)
        return SecKeyVerifySignature(key, algorithm.name, text as CFData, Data(signature) as CFData, nil)
    }

    @Test(
        "KEY14: every valid asymmetric web signature of Wycheproof verifies, no invalid one does",
        arguments: [
            ("json_web_signature", 401), ("json_web_crypto", 83),
        ])
    func wycheproof(_ file: String, _ count: Int) throws {
        let cases = try WycheproofCase.all(file)
        #expect(cases.count == count)
        var verified = 0
        for entry in cases {
            guard let jws = entry.test["jws"]?.string, let jwk = entry.group["public"] else { continue }
            let verdict = Self.verdict(jws, jwk)
            if verdict == true { verified += 1 }
            // A key with weak primes is a key: SecKey does not look for one manufacturer's mistake (decision 6).
            if entry.test["comment"]?.string == "rejectsKeyWithRocaVulnerability" { continue }
            #expect(entry.isValid || verdict != true, "\(entry.name)")
            #expect(!entry.isValid || verdict != false, "\(entry.name)")
        }
        #expect(verified > 0)
    }

    @Test(
        "KEY14: the signatures of RFC 7520 and RFC 8037 verify",
        arguments: [
            "jws/4_1.rsa_v15_signature", "jws/4_2.rsa-pss_signature", "jws/4_3.ecdsa_signature", "curve25519/jws",
        ])
    func cookbook(_ file: String) throws {
        let json = try JSONValue.parse(Vectors.read("jose/\(file).json"), limit: 1 << 20)
        let jws = try #require(json["output"]?["compact"]?.string)
        let jwk = try #require(json["input"]?["key"])
        #expect(Self.verdict(jws, jwk) == true)
        // Another text under the same signature.
        var parts = jws.split(separator: ".").map(String.init)
        parts[1] += "AAAA"
        #expect(Self.verdict(parts.joined(separator: "."), jwk) == false)
    }

    @Test(
        "KEY14: the RSA1_5 and RSA-OAEP packets of RFC 7520 open",
        arguments: [
            ("5_1.key_encryption_using_rsa_v15_and_aes-hmac-sha2", SecKeyAlgorithm.rsaEncryptionPKCS1, 32),
            ("5_2.key_encryption_using_rsa-oaep_with_aes-gcm", .rsaEncryptionOAEPSHA1, 32),
        ])
    func encryption(_ file: String, _ algorithm: SecKeyAlgorithm, _ count: Int) throws {
        let json = try JSONValue.parse(Vectors.read("jose/jwe/\(file).json"), limit: 1 << 20)
        let jwk = try #require(json["input"]?["key"])
        let numbers = try ["n", "e", "d", "p", "q", "dp", "dq", "qi"].map { try #require(JWKPeer.number($0, jwk)) }
        let key = try Keys.read(PKCS1Peer.privateKey(numbers), "42", "1")
        let packet = try #require(
            json["encrypting_key"]?["encrypted_key"]?.string.flatMap { Base64URL.decode($0) })
        let opened = try key.decrypt(Data(packet), algorithm)
        #expect(opened.count == count)
        let expected = json["generated"]?["cek"]?.string.flatMap { Base64URL.decode($0) }
        #expect([UInt8](opened) == expected)
    }
}

/// Writes PKCS#1 as a peer does.
enum PKCS1Peer {
    static func publicKey(_ n: Data, _ e: Data) -> Data { sequence(integer(n) + integer(e)) }

    static func privateKey(_ numbers: [Data]) -> Data {
        sequence(integer(Data([0])) + numbers.map(integer).reduce(Data(), +))
    }

    private static func integer(_ number: Data) -> Data {
        let digits = Data(number.drop { $0 == 0 })
        return tagged(2, (digits.first ?? 0x80) >= 0x80 ? Data([0]) + digits : digits)
    }

    private static func sequence(_ content: Data) -> Data { tagged(0x30, content) }

    private static func tagged(_ tag: UInt8, _ content: Data) -> Data {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)] : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return Data([tag] + length) + content
    }
}
