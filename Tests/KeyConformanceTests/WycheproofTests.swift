import Foundation
import PavisePrimitives
import SecurityFramework
import TestSupport
import Testing

/// KEY14: Project Wycheproof through SecKey. What is "acceptable" there was decided once: Documentation/Decisions/0006.
@Suite(.enabled(if: Vectors.has("wycheproof"), "no vectors in PAVISE_VECTORS: wycheproof"))
struct `Wycheproof through SecKey` {
    @Test(
        "KEY14: ECDSA verifies what is valid and nothing else", .long,
        arguments: [
            ("ecdsa_secp256r1_sha256", 484, 256), ("ecdsa_secp256r1_sha256_p1363", 262, 256),
            ("ecdsa_secp256r1_sha512_p1363", 332, 256), ("ecdsa_secp384r1_sha384_p1363", 280, 384),
            ("ecdsa_secp521r1_sha512_p1363", 318, 521),
        ])
    func ecdsa(_ file: String, _ count: Int, _ bits: Int) throws {
        let cases = try WycheproofCase.all(file)
        #expect(cases.count == count)
        for entry in cases {
            let point = Data(hex: entry.group["publicKey"]?["uncompressed"]?.string ?? "")
            let key = try Keys.read(point, "73", "0")
            #expect(SecKeyGetBlockSize(key) == (bits + 7) / 8)
            let form = file.hasSuffix("p1363") ? "RFC4754" : "X962"
            let name = algorithm("algid:sign:ECDSA:message-\(form):\(entry.hash)")
            let code = statusCode { try key.verify(entry.bytes("sig"), of: entry.bytes("msg"), name) }
            #expect(code == (entry.isValid ? 0 : -67808), "\(entry.name)")
        }
    }

    @Test("KEY14: Ed25519 verifies what is valid and nothing else")
    func ed25519() throws {
        let cases = try WycheproofCase.all("ed25519")
        #expect(cases.count == 151)
        for entry in cases {
            let key = try Keys.read(Data(hex: entry.group["publicKey"]?["pk"]?.string ?? ""), "105", "0")
            let code = statusCode {
                try key.verify(entry.bytes("sig"), of: entry.bytes("msg"), .edDSASignatureMessageCurve25519SHA512)
            }
            #expect(code == (entry.isValid ? 0 : -67808), "\(entry.name)")
        }
    }

    @Test(
        "KEY14: RSA verifies what is valid and offered, and nothing else",
        arguments: [
            ("rsa_signature_2048_sha256", 259, 0), ("rsa_signature_3072_sha256", 259, 0),
            ("rsa_signature_4096_sha256", 258, 0), ("rsa_signature_8192_sha256", 258, 0),
            ("rsa_pss_2048_sha256_mgf1_32", 108, 0), ("rsa_pss_misc", 150, 145),
        ])
    func rsa(_ file: String, _ count: Int, _ notOffered: Int) throws {
        let cases = try WycheproofCase.all(file)
        #expect(cases.count == count)
        var skipped = 0
        var keys: [Data: SecKey] = [:]
        for entry in cases {
            let bytes = entry.groupBytes("publicKeyAsn")
            let key = try keys[bytes] ?? Keys.read(bytes, "42", "0")
            keys[bytes] = key
            let digest = try #require(hashes.first { $0.name == entry.hash })
            let isPSS = file.contains("pss")
            let padding = isPSS ? "PSS:\(digest.name):\(digest.name):\(digest.count)" : "PKCS1v15:\(digest.name)"
            // Only the salt that is as long as the digest, and one hash for both, are offered.
            let isOffered =
                !isPSS
                || (entry.group["mgfSha"]?.string == entry.group["sha"]?.string
                    && entry.group["sLen"]?.integer == Int64(digest.count))
            let name = algorithm("algid:sign:RSA:message-\(padding)")
            let code = statusCode { try key.verify(entry.bytes("sig"), of: entry.bytes("msg"), name) }
            #expect(code == (entry.isValid && isOffered ? 0 : -67808), "\(entry.name)")
            if !isOffered { skipped += 1 }
        }
        #expect(skipped == notOffered)
    }

    @Test("KEY14: RSA makes the expected PKCS#1 v1.5 signatures")
    func rsaGeneration() throws {
        let cases = try WycheproofCase.all("rsa_pkcs1_2048_sig_gen")
        #expect(cases.count == 43)
        for entry in cases {
            let key = try Keys.read(SubjectPublicKey.privateBytes(of: entry.groupBytes("privateKeyPkcs8")), "42", "1")
            let name = algorithm("algid:sign:RSA:message-PKCS1v15:\(entry.hash)")
            #expect(try key.signature(of: entry.bytes("msg"), name) == entry.bytes("sig"), "\(entry.name)")
        }
    }

    @Test("KEY14: OAEP opens what is valid and has no label, and nothing else")
    func oaep() throws {
        let cases = try WycheproofCase.all("rsa_oaep_2048_sha256_mgf1sha256")
        #expect(cases.count == 37)
        #expect(cases.count { !$0.bytes("label").isEmpty } == 8)
        for entry in cases {
            let key = try Keys.read(SubjectPublicKey.privateBytes(of: entry.groupBytes("privateKeyPkcs8")), "42", "1")
            let opened = try? key.decrypt(entry.bytes("ct"), .rsaEncryptionOAEPSHA256)
            let isOffered = entry.isValid && entry.bytes("label").isEmpty
            #expect(opened == (isOffered ? entry.bytes("msg") : nil), "\(entry.name)")
            #expect(isOffered || statusCode { try key.decrypt(entry.bytes("ct"), .rsaEncryptionOAEPSHA256) } == -50)
        }
    }

    @Test(
        "KEY14: ECDH agrees with valid keys and refuses all others",
        arguments: [
            ("ecdh_secp256r1", 612), ("ecdh_secp256r1_ecpoint", 355),
        ])
    func ecdh(_ file: String, _ count: Int) throws {
        let cases = try WycheproofCase.all(file)
        #expect(cases.count == count)
        for entry in cases {
            let peer =
                file.hasSuffix("ecpoint")
                ? try? Keys.read(entry.bytes("public"), "73", "0")
                : WycheproofCase.key(spki: entry.bytes("public"), "73")
            let key = try Scalars.key(entry.bytes("private"))
            let secret = try peer.map { try key.agree(with: $0, .ecdhKeyExchangeStandard) }
            #expect(secret == (entry.isValid ? entry.bytes("shared") : nil), "\(entry.name)")
        }
    }

    @Test("KEY14: ECDH with keys of JSON Web Keys")
    func ecdhWeb() throws {
        let cases = try WycheproofCase.all("ecdh_secp256r1_webcrypto")
        #expect(cases.count == 353)
        for entry in cases {
            let peer = entry.test["public"].flatMap { JWKPeer.point($0) }.flatMap { try? Keys.read($0, "73", "0") }
            let scalar = entry.test["private"].flatMap { JWKPeer.number("d", $0) } ?? Data()
            let secret = try peer.map { try Scalars.key(scalar).agree(with: $0, .ecdhKeyExchangeStandard) }
            #expect(secret == (entry.isValid ? entry.bytes("shared") : nil), "\(entry.name)")
        }
    }

    @Test("KEY14: X25519 agrees as RFC 7748 says, and refuses a secret of zero")
    func x25519() throws {
        let cases = try WycheproofCase.all("x25519_jwk")
        #expect(cases.count == 531)
        var (refused, unreadable) = (0, 0)
        for entry in cases {
            guard
                let key = entry.test["private"].flatMap({ JWKPeer.x25519("d", $0) }).flatMap({
                    try? Keys.read($0, "106", "1")
                }),
                let peer = entry.test["public"].flatMap({ JWKPeer.x25519("x", $0) }).flatMap({
                    try? Keys.read($0, "106", "0")
                })
            else {
                #expect(!entry.isValid && !entry.isAcceptable, "\(entry.name)")
                unreadable += 1
                continue
            }
            let expected = entry.bytes("shared")
            let secret = try? key.agree(with: peer, .ecdhKeyExchangeStandard)
            if expected.contains(where: { $0 != 0 }) {
                #expect(secret == expected, "\(entry.name)")
            } else {
                #expect(secret == nil, "\(entry.name)")
                refused += 1
            }
        }
        #expect(refused == 31 && unreadable == 13)
    }
}

/// Scalars of other libraries, which may have zeros in front or lack them.
enum Scalars {
    static func key(_ scalar: Data) throws -> SecKey {
        let digits = scalar.drop { $0 == 0 }
        return try P256Peer.key(Data(count: Swift.max(0, 32 - digits.count)) + digits)
    }
}
