import Foundation
import PavisePrimitives
import SecurityFramework
import Testing

/// KEY1 and KEY3: keys as bytes, and their label.
@Suite struct `Key representations` {
    @Test("KEY1: each kind makes the round trip in its documented length", arguments: Keys.kinds)
    func roundTrip(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        let (mine, theirs) = (try key.externalRepresentation(), try publicKey.externalRepresentation())
        let field = (bits + 7) / 8
        switch type {
        case "73": #expect(mine.count == 3 * field + 1 && theirs.count == 2 * field + 1 && mine.first == 4)
        case "42": #expect(mine.first == 0x30 && theirs.first == 0x30 && theirs.count < mine.count)
        default: #expect(mine.count == 32 && theirs.count == 32)
        }
        #expect(SecKeyGetBlockSize(key) == field && SecKeyGetBlockSize(publicKey) == field)
        #expect(try Keys.read(mine, type, "1") == key)
        #expect(try Keys.read(theirs, type, "0") == publicKey)
        #expect(try Keys.read(mine, type, "1").publicHalf() == publicKey)
        #expect(try Keys.read(mine, type, "1").externalRepresentation() == mine)
        #expect(CFGetTypeID(key) == SecKeyGetTypeID() && key.fact(kSecAttrKeySizeInBits) == bits)
        #expect(key.fact(kSecAttrKeyType) == type && publicKey.fact(kSecAttrKeyType) == type)
    }

    @Test(
        "KEY1: bytes of the other class are refused", arguments: Keys.kinds.filter { $0.bits != 256 || $0.type == "73" }
    )
    func wrongClass(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        #expect(statusCode { try Keys.read(key.externalRepresentation(), type, "0") } == -50)
        #expect(statusCode { try Keys.read(key.publicHalf().externalRepresentation(), type, "1") } == -50)
    }

    @Test("KEY1: cut and lengthened bytes are refused", arguments: Keys.kinds, ["0", "1"])
    func wrongLength(_ kind: (type: String, bits: Int), _ keyClass: String) throws {
        let key = try Keys.one(kind.type, kind.bits)
        let good = try (keyClass == "1" ? key : key.publicHalf()).externalRepresentation()
        for bytes in [Data(), good.dropLast(), good.dropFirst(), good + [0], [0] + good, good + good] {
            #expect(statusCode { try Keys.read(Data(bytes), kind.type, keyClass) } == -50, "\(bytes.count)")
        }
    }

    @Test("KEY1: every truncation of a PKCS#1 and of an EC key is refused", arguments: [("42", 1024), ("73", 256)])
    func truncations(_ type: String, _ bits: Int) throws {
        let good = try Keys.one(type, bits).externalRepresentation()
        for count in 0..<good.count where !(type == "73" && count == 65) {
            #expect(statusCode { try Keys.read(good.prefix(count), type, "1") } == -50, "\(count)")
        }
    }

    @Test(
        "KEY1: a point off the curve, compressed, hybrid or at infinity is refused",
        arguments: [192, 224, 256, 384, 521])
    func points(_ bits: Int) throws {
        let field = (bits + 7) / 8
        let good = try Keys.one("73", bits).publicHalf().externalRepresentation()
        var off = good
        off[2 * field] ^= 1
        let compressed = Data([2 + (good[2 * field] & 1)]) + good[1...field]
        let hybrid = Data([6 + (good[2 * field] & 1)]) + good.dropFirst()
        let large = Data([4]) + Data(repeating: 0xFF, count: 2 * field)
        let table: [Data] = [off, compressed, hybrid, Data([0]), Data([4]) + Data(count: 2 * field), large]
        for bytes in table { #expect(statusCode { try Keys.read(bytes, "73", "0") } == -50) }
    }

    @Test(
        "KEY1: a scalar of 0, or of the order and above, is refused",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
            "ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632552",
            "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
        ])
    func scalars(_ scalar: String) throws {
        let point = try Keys.one("73", 256).publicHalf().externalRepresentation()
        #expect(statusCode { try Keys.read(point + Data(Hex.decode(scalar) ?? []), "73", "1") } == -50)
    }

    @Test("KEY1: the point of one key with the scalar of another is refused", arguments: [192, 224, 256, 384, 521])
    func mismatchedHalves(_ bits: Int) throws {
        let field = (bits + 7) / 8
        let (one, other) = (try Keys.one("73", bits), try Keys.make("73", bits))
        let mixed =
            try one.externalRepresentation().prefix(2 * field + 1) + other.externalRepresentation().suffix(field)
        #expect(statusCode { try Keys.read(Data(mixed), "73", "1") } == -50)
    }

    @Test("KEY1: an RSA key whose numbers do not fit is refused, whichever byte is changed")
    func changedRSA() throws {
        let good = try Keys.one("42", 1024).externalRepresentation()
        for index in good.indices {
            var changed = good
            changed[index] ^= 1
            #expect(statusCode { try Keys.read(changed, "42", "1") } == -50, "byte \(index)")
        }
    }

    @Test("KEY1: an even modulus, an even exponent and sizes that are not offered are refused")
    func oddRSA() throws {
        let good = try Keys.one("42", 1024).publicHalf().externalRepresentation()
        // SEQUENCE (3 bytes of header), modulus (3 bytes of header, 129 bytes), exponent (2 bytes of header, 010001).
        var evenModulus = good
        evenModulus[3 + 3 + 128] &= 0xFE
        var evenExponent = good
        evenExponent[good.count - 1] &= 0xFE
        // 504 bits.
        let short = Data([0x30, 0x47, 0x02, 0x40, 0]) + Data(repeating: 0xFF, count: 63) + [2, 3, 1, 0, 1]
        for bytes in [evenModulus, evenExponent, short] {
            #expect(statusCode { try Keys.read(bytes, "42", "0") } == -50)
        }
    }

    @Test("KEY1: SubjectPublicKeyInfo, PKCS#8 and PEM are refused", arguments: Keys.kinds)
    func wrappers(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicBytes = [UInt8](try key.publicHalf().externalRepresentation())
        let privateBytes = [UInt8](try key.externalRepresentation())
        let spki = Data(Self.der(0x30, Self.identifier(type, bits) + Self.der(0x03, [0] + publicBytes)))
        let inner = Self.inner(privateBytes, type, bits)
        let pkcs8 = Data(Self.der(0x30, [2, 1, 0] + Self.identifier(type, bits) + Self.der(0x04, inner)))
        // They are sound: whoever takes the wrapping off has what is taken.
        if (type, bits) == ("73", 256) { #expect(SubjectPublicKey.bytes(of: spki) == Data(publicBytes)) }
        if type == "42" { #expect(try SubjectPublicKey.privateBytes(of: pkcs8) == Data(privateBytes)) }
        let texts = [("PUBLIC", spki), ("PRIVATE", pkcs8)].map { name, bytes in
            Data("-----BEGIN \(name) KEY-----\n\(bytes.base64EncodedString())\n-----END \(name) KEY-----\n".utf8)
        }
        for bytes in [spki, pkcs8] + texts {
            #expect(statusCode { try Keys.read(bytes, type, "0") } == -50)
            #expect(statusCode { try Keys.read(bytes, type, "1") } == -50)
        }
    }

    private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        guard count > 127 else { return [tag, UInt8(count)] + content }
        guard count > 255 else { return [tag, 0x81, UInt8(count)] + content }
        return [tag, 0x82, UInt8(count >> 8), UInt8(count & 0xFF)] + content
    }

    // RFC 5480 §2.1.1, RFC 8017 appendix A.1, RFC 8410 §3.
    private static func identifier(_ type: String, _ bits: Int) -> [UInt8] {
        let prime: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01]
        let certicom: [UInt8] = [0x2B, 0x81, 0x04, 0x00]
        let curve: [UInt8]
        switch (type, bits) {
        case ("42", _): return der(0x30, der(0x06, [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]) + [5, 0])
        case ("105", _): return der(0x30, der(0x06, [0x2B, 0x65, 0x70]))
        case ("106", _): return der(0x30, der(0x06, [0x2B, 0x65, 0x6E]))
        case (_, 192): curve = prime + [0x01]
        case (_, 224): curve = certicom + [0x21]
        case (_, 256): curve = prime + [0x07]
        case (_, 384): curve = certicom + [0x22]
        default: curve = certicom + [0x23]
        }
        return der(0x30, der(0x06, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]) + der(0x06, curve))
    }

    // What PKCS#8 holds: PKCS#1, an ECPrivateKey (RFC 5915 §3), or the bytes of a Curve25519 key.
    private static func inner(_ key: [UInt8], _ type: String, _ bits: Int) -> [UInt8] {
        switch type {
        case "42": return key
        case "73":
            let size = (bits + 7) / 8
            let point = der(0x03, [0] + Array(key.prefix(2 * size + 1)))
            return der(0x30, [2, 1, 1] + der(0x04, Array(key.suffix(size))) + der(0xA1, point))
        default: return der(0x04, key)
        }
    }

    @Test("KEY1: type and class must be there and known")
    func typeAndClass() throws {
        let bytes = try Keys.one("73", 256).externalRepresentation()
        #expect(statusCode { try Keys.read(bytes, nil, "1") } == -50)
        #expect(statusCode { try Keys.read(bytes, "73", nil) } == -50)
        #expect(statusCode { try Keys.read(bytes, "43", "1") } == -50)
        #expect(statusCode { try Keys.read(bytes, "73", "7") } == -50)
        #expect(statusCode { try Keys.read(bytes, "2147483649", "2") } == -4)
    }

    @Test(
        "KEY1: a kind or size that is not offered says why",
        arguments: [
            (nil, 256, -50), ("43", 1024, -50), ("999", 256, -50), ("73", nil, -25311), ("73", 255, -25311),
            ("73", 257, -25311), ("73", 0, -25311), ("73", -256, -25311), ("42", nil, -25311), ("42", 256, -25311),
            ("42", 511, -25311), ("42", 8193, -25311), ("105", 255, -25311), ("106", 512, -25311),
            ("105", nil, -25311),
        ] as [(String?, Int?, Int)])
    func notOffered(_ type: String?, _ bits: Int?, _ code: Int) {
        var parameters: [CFString: Any] = [:]
        parameters[kSecAttrKeyType] = type
        parameters[kSecAttrKeySizeInBits] = bits
        #expect(statusCode { try SecKey.random(parameters) } == code)
    }

    @Test("KEY1: type and size may be numbers or texts")
    func spellings() throws {
        for (type, bits) in [("73" as Any, 256 as Any), (73, "256"), ("73" as NSString, 256 as NSNumber)] {
            let key = try SecKey.random([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
            #expect(SecKeyGetBlockSize(key) == 32)
        }
    }

    @Test("KEY3: the label is SHA-1 of the public bytes, the same on both halves", arguments: Keys.kinds)
    func label(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        let expected = try SHA1Peer.digest(publicKey.externalRepresentation())
        #expect(key.fact(kSecAttrApplicationLabel) == expected)
        #expect(publicKey.fact(kSecAttrApplicationLabel) == expected)
    }

    @Test("KEY3: the label of the known key is known")
    func knownLabel() throws {
        let point = """
            04ce0158c3746a73bd882181d5ec91fa336e399ff9cb9f1cab7b503bb1ce673addf56727c940b5c6b38758d1c8209dedbcb9e5c7203e652b\
            3d49342858e3d34762
            """
        let key = try Keys.read(Data(try #require(Hex.decode(point))), "73", "0")
        let label = try #require(key.fact(kSecAttrApplicationLabel, as: Data.self))
        #expect(Hex.encode([UInt8](label)) == "0042c3298e23f15d1ef06303e35bf8044efa653c")
    }

    @Test("KEY3: what a key may do stands in its attributes", arguments: Keys.kinds)
    func attributes(_ type: String, _ bits: Int) throws {
        let key = try Keys.one(type, bits)
        let publicKey = try key.publicHalf()
        for (name, forPrivate, forPublic) in [
            (kSecAttrCanDecrypt, true, false), (kSecAttrCanSign, true, false), (kSecAttrCanUnwrap, true, false),
            (kSecAttrCanEncrypt, false, true), (kSecAttrCanVerify, false, true), (kSecAttrCanWrap, false, true),
            (kSecAttrIsExtractable, true, true), (kSecAttrIsModifiable, true, true),
            (kSecAttrIsPermanent, false, false),
            (kSecAttrIsSensitive, false, false), (kSecAttrCanDerive, type != "42", false),
        ] {
            #expect(key.fact(name) == forPrivate, "\(name)")
            #expect(publicKey.fact(name) == forPublic, "\(name)")
        }
        #expect(key.fact(kSecAttrKeyClass) == "1" && publicKey.fact(kSecAttrKeyClass) == "0")
        #expect(try key.fact(kSecValueData) == key.externalRepresentation())
    }
}
