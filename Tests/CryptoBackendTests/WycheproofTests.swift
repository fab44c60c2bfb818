import Foundation
import PaviseCrypto
import PavisePrimitives
import TestSupport
import Testing

/// Project Wycheproof through the primitives. "Acceptable" cases are refused, all of them. Of what is not offered each
/// suite says how many cases there are; they have to be refused, and count as nothing else.
@Suite(.enabled(if: Vectors.has("wycheproof"), "no vectors in PAVISE_VECTORS: wycheproof")) struct `Wycheproof` {
    struct Case {
        let group, test: JSONValue
        var name: String { "\(test["tcId"]?.integer ?? 0) \(test["comment"]?.string ?? "")" }
        var isValid: Bool { test["result"]?.string == "valid" }

        func bytes(_ name: String) -> [UInt8] { Hex.decode(test[name]?.string ?? "") ?? [] }
        func groupBytes(_ name: String) -> [UInt8] { Hex.decode(group[name]?.string ?? "") ?? [] }
        var hash: HashFunction? {
            HashFunction(
                rawValue: (group["sha"]?.string ?? "").lowercased().replacingOccurrences(of: "-", with: ""))
        }
    }

    /// All cases of a file, in order.
    private static func cases(_ file: String) throws -> [Case] {
        let json = try JSONValue.parse(Vectors.read("wycheproof/\(file)_test.json"), limit: 1 << 23)
        return (json["testGroups"]?.array ?? []).flatMap { group in
            (group["tests"]?.array ?? []).map { Case(group: group, test: $0) }
        }
    }

    @Test(arguments: [
        ("ecdsa_secp256r1_sha256", 484), ("ecdsa_secp256r1_sha256_p1363", 262), ("ecdsa_secp256r1_sha512_p1363", 332),
        ("ecdsa_secp384r1_sha384_p1363", 280), ("ecdsa_secp521r1_sha512_p1363", 318),
    ])
    func `ECDSA verifies what is valid and nothing else`(_ file: String, _ count: Int) throws {
        let cases = try Self.cases(file)
        #expect(cases.count == count)
        for entry in cases {
            let key = try ECPublicKey(spki: entry.groupBytes("publicKeyDer"))
            let digest = Hash.digest(try #require(entry.hash), entry.bytes("msg"))
            let signature = entry.bytes("sig")
            let der = file.hasSuffix("p1363") ? ECDSASignature.der(raw: signature, curve: key.curve) : signature
            let isVerified = der.map { key.verify(signature: $0, digest: digest) } ?? false
            #expect(isVerified == entry.isValid, "\(entry.name)")
        }
    }

    @Test(arguments: [("ecdh_secp256r1", 612), ("ecdh_secp256r1_ecpoint", 355)])
    func `ECDH agrees with valid keys and refuses all others`(_ file: String, _ count: Int) throws {
        let cases = try Self.cases(file)
        #expect(cases.count == count)
        for entry in cases {
            let scalar = entry.bytes("private")
            let digits = scalar.drop { $0 == 0 }
            let padded = [UInt8](repeating: 0, count: max(0, 32 - digits.count)) + digits
            let key = try ECPrivateKey(scalar: padded.span, curve: .p256)
            let peer = entry.bytes("public")
            let publicKey =
                file.hasSuffix("ecpoint")
                ? try? ECPublicKey(x963: peer, curve: .p256) : try? ECPublicKey(spki: peer)
            let secret = publicKey.flatMap { peer -> [UInt8]? in
                guard let secret = try? key.sharedSecret(with: peer) else { return nil }
                return secret.withBytes { bytes in Array(bytes) }
            }
            #expect(secret == (entry.isValid ? entry.bytes("shared") : nil), "\(entry.name)")
        }
    }

    @Test(arguments: [
        ("rsa_signature_2048_sha256", 259, 0), ("rsa_signature_3072_sha256", 259, 0),
        ("rsa_signature_4096_sha256", 258, 0), ("rsa_signature_8192_sha256", 258, 0),
        ("rsa_pss_2048_sha256_mgf1_32", 108, 0), ("rsa_pss_misc", 150, 145),
    ])
    func `RSA verifies what is valid and nothing else`(_ file: String, _ count: Int, _ notOffered: Int) throws {
        let cases = try Self.cases(file)
        #expect(cases.count == count)
        var skipped = 0
        for entry in cases {
            let key = try RSAPublicKey(pkcs1: entry.groupBytes("publicKeyAsn"))
            let hash = try #require(entry.hash)
            let isPSS = file.contains("pss")
            // Only the salt that is as long as the digest, and one hash for both, are offered.
            let isOffered =
                !isPSS
                || (entry.group["mgfSha"]?.string == entry.group["sha"]?.string
                    && entry.group["sLen"]?.integer == Int64(hash.byteCount))
            let isVerified = key.verify(
                signature: entry.bytes("sig"), digest: Hash.digest(hash, entry.bytes("msg")),
                padding: isPSS ? .pss(hash) : .pkcs1(hash))
            #expect(isVerified == (entry.isValid && isOffered), "\(entry.name)")
            if !isOffered { skipped += 1 }
        }
        #expect(skipped == notOffered)
    }

    @Test func `OAEP opens what is valid and nothing else`() throws {
        let cases = try Self.cases("rsa_oaep_2048_sha256_mgf1sha256")
        #expect(cases.count == 37)
        #expect(cases.count { !$0.bytes("label").isEmpty } == 8)
        for entry in cases {
            // PKCS#8 holds PKCS#1 in its third field (RFC 5958 §2).
            var outer = DERReader(entry.groupBytes("privateKeyPkcs8")[...])
            var info = try outer.inside()
            _ = try info.next()
            _ = try info.next()
            let key = try RSAPrivateKey(pkcs1: Array(try info.next(DERTag.octetString).content))
            let cipher = entry.bytes("ct")
            let opened: [UInt8]?
            do {
                let plain = try key.decrypt(cipher.span, .oaep(.sha256))
                opened = plain.withBytes { bytes in Array(bytes) }
            } catch {
                opened = nil
            }
            // Only the empty label is offered.
            let isOffered = entry.bytes("label").isEmpty
            #expect(opened == (entry.isValid && isOffered ? entry.bytes("msg") : nil), "\(entry.name)")
        }
    }

    @Test func `AES-GCM seals and opens what is valid, in the sizes that are offered`() throws {
        let cases = try Self.cases("aes_gcm")
        #expect(cases.count == 316)
        var skipped = 0
        for entry in cases {
            let key = entry.bytes("key")
            let nonce = entry.bytes("iv")
            let sealed = entry.bytes("ct") + entry.bytes("tag")
            let isOffered = [16, 32].contains(key.count) && [12, 16].contains(nonce.count)
            let opened: [UInt8]?
            do {
                let cipher = try AESGCM(key: key.span)
                let plain = try cipher.open(sealed.span, nonce: nonce, associatedData: entry.bytes("aad"))
                opened = plain.withBytes { bytes in Array(bytes) }
            } catch {
                opened = nil
            }
            #expect(opened == (entry.isValid && isOffered ? entry.bytes("msg") : nil), "\(entry.name)")
            if !isOffered { skipped += 1 }
        }
        #expect(skipped == 144)
    }

    @Test func `HKDF gives what is asked for up to its limit`() throws {
        let cases = try Self.cases("hkdf_sha256")
        #expect(cases.count == 86)
        for entry in cases {
            let size = Int(entry.test["size"]?.integer ?? 0)
            let derived: [UInt8]?
            do {
                let secret = try KDF.hkdf(
                    entry.bytes("ikm").span, salt: entry.bytes("salt"), info: entry.bytes("info"), count: size)
                derived = secret.withBytes { bytes in Array(bytes) }
            } catch {
                derived = nil
            }
            #expect(derived == (entry.isValid ? entry.bytes("okm") : nil), "\(entry.name)")
        }
    }

    @Test func `HMAC gives the tag, or the beginning of it`() throws {
        let cases = try Self.cases("hmac_sha256")
        #expect(cases.count == 174)
        for entry in cases {
            let tag = HMAC.sha256(key: entry.bytes("key").span, entry.bytes("msg"))
            let wanted = entry.bytes("tag")
            #expect((Array(tag.prefix(wanted.count)) == wanted) == entry.isValid, "\(entry.name)")
        }
    }

    @Test func `AES key wrap opens what is valid and nothing else`() throws {
        let cases = try Self.cases("aes_wrap")
        #expect(cases.count == 165)
        // Wrapping keys of 24 bytes are not offered.
        #expect(cases.count { $0.bytes("key").count == 24 } == 55)
        for entry in cases {
            let key = entry.bytes("key")
            let unwrapped: [UInt8]?
            do {
                let secret = try AESKeyWrap.unwrap(entry.bytes("ct"), with: key.span)
                unwrapped = secret.withBytes { bytes in Array(bytes) }
            } catch {
                unwrapped = nil
            }
            let isOffered = key.count != 24
            #expect(unwrapped == (entry.isValid && isOffered ? entry.bytes("msg") : nil), "\(entry.name)")
        }
    }
}
