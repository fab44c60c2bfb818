import PaviseCrypto
import PavisePrimitives
import Testing

@Suite struct AsymmetricTests {
    @Test(arguments: Curve.allCases)
    func `a signature fits its digest and its key, and no other`(_ curve: Curve) throws {
        let key = try ECPrivateKey(generating: curve)
        let digest = Hash.digest(.sha256, Array("message".utf8))
        let signature = try key.sign(digest: digest)
        #expect(key.publicKey.verify(signature: signature, digest: digest))
        #expect(!key.publicKey.verify(signature: signature, digest: Hash.digest(.sha256, Array("other".utf8))))
        #expect(!key.publicKey.verify(signature: Array(signature.dropLast()), digest: digest))
        #expect(try !ECPrivateKey(generating: curve).publicKey.verify(signature: signature, digest: digest))
    }

    @Test(arguments: Curve.allCases)
    func `both sides of ECDH agree, as wide as the field`(_ curve: Curve) throws {
        let one = try ECPrivateKey(generating: curve)
        let other = try ECPrivateKey(generating: curve)
        let left = try one.sharedSecret(with: other.publicKey)
        let right = try other.sharedSecret(with: one.publicKey)
        let same = left.matches(right)
        #expect(same)
        #expect(left.count == curve.fieldBytes)
    }

    @Test(arguments: Curve.allCases)
    func `a scalar gives back the same key`(_ curve: Curve) throws {
        let key = try ECPrivateKey(generating: curve)
        let scalar = try key.scalar()
        let again = try scalar.withBytes { bytes in try ECPrivateKey(scalar: bytes, curve: curve) }
        #expect(again.publicKey.x963 == key.publicKey.x963)
        #expect(try ECPublicKey(spki: key.publicKey.spki()).x963 == key.publicKey.x963)
    }

    @Test func `zero, the order and more are no scalars`() throws {
        let order = try #require(Hex.decode("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"))
        let table: [[UInt8]] = [[UInt8](repeating: 0, count: 32), order, [UInt8](repeating: 255, count: 32), [1], []]
        for scalar in table {
            #expect(throws: CryptoFailure.invalidKey) { _ = try ECPrivateKey(scalar: scalar.span, curve: .p256) }
        }
    }

    @Test func `points off the curve, compressed or at infinity are no keys`() throws {
        let point = try ECPrivateKey(generating: .p256).publicKey.x963
        var off = point
        off[64] ^= 1
        let compressed: [UInt8] = [2 + (point[64] & 1)] + Array(point[1..<33])
        let hybrid = [6] + Array(point.dropFirst())
        let zeros: [UInt8] = [4] + [UInt8](repeating: 0, count: 64)
        let table: [[UInt8]] = [off, compressed, [0], [], point + [0], hybrid, zeros]
        for bytes in table {
            #expect(throws: CryptoFailure.invalidKey) { _ = try ECPublicKey(x963: bytes, curve: .p256) }
        }
    }

    @Test(arguments: [RSASignaturePadding.pkcs1(.sha256), .pss(.sha256)])
    func `RSA signs and verifies, also after export and import`(_ padding: RSASignaturePadding) throws {
        let key = try RSAPrivateKey(generating: 2048)
        let digest = Hash.digest(.sha256, Array("message".utf8))
        let signature = try key.sign(digest: digest, padding: padding)
        let exported = try key.pkcs1()
        let again = try exported.withBytes { bytes in try RSAPrivateKey(pkcs1: Array(bytes)) }
        let publicKey = try RSAPublicKey(pkcs1: again.publicKey.pkcs1)
        let other: RSASignaturePadding = padding == .pss(.sha256) ? .pkcs1(.sha256) : .pss(.sha256)
        #expect(publicKey.bits == 2048)
        #expect(publicKey.verify(signature: signature, digest: digest, padding: padding))
        #expect(!publicKey.verify(signature: signature, digest: digest, padding: other))
        #expect(!publicKey.verify(signature: signature, digest: Array(digest.reversed()), padding: padding))
        let jwk = try RSAPublicKey(modulus: publicKey.modulus(), exponent: publicKey.exponent())
        #expect(jwk.verify(signature: signature, digest: digest, padding: padding))
    }

    @Test func `bytes that are no RSA key are refused`() throws {
        let good = try RSAPrivateKey(generating: 1024).publicKey.pkcs1
        let table: [[UInt8]] = [[], [0x30], good + [0], Array(good.dropLast()), [UInt8](repeating: 0x30, count: 300)]
        for bytes in table {
            #expect(throws: CryptoFailure.invalidKey) { _ = try RSAPublicKey(pkcs1: bytes) }
        }
    }

    @Test func `two numbers that are no RSA key of a supported size are refused`() throws {
        let key = try RSAPrivateKey(generating: 1024).publicKey
        let (modulus, exponent) = (try key.modulus(), try key.exponent())
        #expect(try RSAPublicKey(modulus: modulus, exponent: exponent).pkcs1 == key.pkcs1)
        let longer = [1] + [UInt8](repeating: 0xFF, count: 1024)
        for size in [longer, [UInt8](repeating: 0xFF, count: 2048), [0, 0] + [UInt8](repeating: 1, count: 63)] {
            #expect(throws: CryptoFailure.self) { _ = try RSAPublicKey(modulus: size, exponent: exponent) }
        }
        for other in [[], [0], [1], [0, 1], [2], [1, 0, 0]] as [[UInt8]] {
            #expect(throws: CryptoFailure.invalidKey) { _ = try RSAPublicKey(modulus: modulus, exponent: other) }
        }
        #expect(throws: CryptoFailure.invalidKey) {
            _ = try RSAPublicKey(modulus: Self.even(modulus), exponent: exponent)
        }
    }

    // RFC 5915 §3: the parameters and the point, and nothing behind either or behind the last of them.
    @Test func `an EC private key with more in it than its parts is refused`() throws {
        let key = try ECPrivateKey(generating: .p256)
        let good = try PrivateKey.ec(key).traditional().withBytes { bytes in Array(bytes) }
        var outer = DERReader(good[...])
        var list = try outer.inside()
        let start = Array(try list.next().whole) + Array(try list.next().whole)
        let (curve, point) = (Array(try list.next().content), Array(try list.next().content))
        func file(_ curve: [UInt8], _ point: [UInt8]?, _ end: [UInt8] = []) -> [UInt8] {
            let tagged = point.map { Self.element(0xA1, $0) } ?? []
            return Self.element(0x30, start + Self.element(0xA0, curve) + tagged + end)
        }
        let null: [UInt8] = [5, 0]
        #expect(file(curve, point) == good)
        _ = try PrivateKey(der: good)
        _ = try PrivateKey(der: file(curve, nil))
        for bytes in [
            file(curve, nil, null), file(curve, point, null), file(curve + null, point), file(curve, point + null),
        ] {
            #expect(throws: KeyFileFailure.malformed) { _ = try PrivateKey(der: bytes) }
        }
    }

    // The other formats that OpenSSL would take, and numbers that no pair of odd primes gives.
    @Test func `bytes that are no RSA private key are refused`() throws {
        let key = try RSAPrivateKey(generating: 1024)
        let good = try key.pkcs1().withBytes { bytes in Array(bytes) }
        var outer = DERReader(good[...])
        var list = try outer.inside()
        var numbers: [[UInt8]] = []
        while !list.isAtEnd { numbers.append(Array(try list.next().content)) }
        #expect(numbers.count == 9 && Self.sequence(numbers.map { Self.element(0x02, $0) }) == good)

        let changes: [(Int, [UInt8])] = [
            (0, [1]), (1, Self.even(numbers[1])), (1, [0x80] + numbers[1].dropFirst()), (2, [1]), (2, [1, 0, 0]),
            (2, [0]), (3, [0]), (4, Self.even(numbers[4])), (5, [0xFF]), (8, [0] + numbers[8]), (8, []),
        ]
        let changed = changes.map { place, content in
            var other = numbers
            other[place] = content
            return Self.sequence(other.map { Self.element(0x02, $0) })
        }
        let rsa: [UInt8] = [0x30, 13, 6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 13, 1, 1, 1, 5, 0]
        let pkcs8 = Self.sequence([[2, 1, 0], rsa, Self.element(0x04, good)])
        let short = Self.sequence(numbers.dropLast().map { Self.element(0x02, $0) })
        let long = Self.sequence((numbers + [[1]]).map { Self.element(0x02, $0) })
        let table = changed + [[], pkcs8, short, long, good + [0], Array(good.dropLast()), key.publicKey.pkcs1]
        for bytes in table {
            #expect(throws: CryptoFailure.invalidKey) { _ = try RSAPrivateKey(pkcs1: bytes) }
        }
    }

    private static func even(_ number: [UInt8]) -> [UInt8] { number.dropLast() + [(number.last ?? 0) & 0xFE] }

    private static func sequence(_ elements: [[UInt8]]) -> [UInt8] { element(0x30, elements.flatMap { $0 }) }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8), UInt8(count & 0xFF)]
        return [tag] + length + content
    }
}
