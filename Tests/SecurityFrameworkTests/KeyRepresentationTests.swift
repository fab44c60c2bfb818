import Foundation
import SecurityFramework
import Testing

/// Keys as bytes and back (KEY1, KEY3), and how they are made.
@Suite struct `Keys have one form outside` {
    static let sizes = [192, 224, 256, 384, 521]

    static func make(_ type: CFString, _ bits: Int) throws -> SecKey {
        try SecKey.random([kSecAttrKeyType: type, kSecAttrKeySizeInBits: bits])
    }

    static func read(_ bytes: Data, _ type: CFString?, _ keyClass: CFString?) throws -> SecKey {
        var attributes: [CFString: Any] = [:]
        attributes[kSecAttrKeyType] = type
        attributes[kSecAttrKeyClass] = keyClass
        return try SecKey.reading(bytes, attributes)
    }

    static func bytes(_ key: SecKey) throws -> Data { try key.externalRepresentation() }

    @Test(arguments: sizes)
    func `EC keys make the round trip in their documented lengths`(_ bits: Int) throws {
        let field = (bits + 7) / 8
        let key = try Self.make(kSecAttrKeyTypeECSECPrimeRandom, bits)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let outside = try Self.bytes(key)
        #expect(outside.count == 3 * field + 1 && SecKeyGetBlockSize(key) == field)
        #expect(try Self.bytes(publicKey) == outside.prefix(2 * field + 1))
        let again = try Self.read(outside, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate)
        #expect(again == key && CFGetTypeID(again) == SecKeyGetTypeID())
        #expect(try Self.read(Self.bytes(publicKey), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic) == publicKey)
    }

    @Test func `RSA keys make the round trip as PKCS#1`() throws {
        let key = try Self.make(kSecAttrKeyTypeRSA, 2048)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        #expect(SecKeyGetBlockSize(key) == 256)
        #expect(try Self.read(Self.bytes(key), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate) == key)
        #expect(try Self.read(Self.bytes(publicKey), kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic) == publicKey)
        #expect(statusCode { try Self.read(try Self.bytes(key), kSecAttrKeyTypeRSA, kSecAttrKeyClassPublic) } == -50)
        #expect(
            statusCode { try Self.read(try Self.bytes(publicKey), kSecAttrKeyTypeRSA, kSecAttrKeyClassPrivate) } == -50)
    }

    @Test func `ninety-seven bytes are what the class says`() throws {
        let small = try Self.bytes(Self.make(kSecAttrKeyTypeEC, 256))
        let large = try Self.bytes(try #require(SecKeyCopyPublicKey(Self.make(kSecAttrKeyTypeEC, 384))))
        #expect(small.count == 97 && large.count == 97)
        #expect(statusCode { try Self.read(small, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic) } == -50)
        #expect(statusCode { try Self.read(large, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate) } == -50)
        #expect(statusCode { try Self.read(large, kSecAttrKeyTypeEC, kSecAttrKeyClassPublic) } == 0)
    }

    @Test func `damaged, cut and lengthened keys are refused`() throws {
        let good = try Self.bytes(Self.make(kSecAttrKeyTypeEC, 256))
        for index in [0, 1, 40, 64, 65, 96] {
            var changed = good
            changed[index] ^= 1
            #expect(statusCode { try Self.read(changed, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate) } == -50)
        }
        for bytes in [Data(), good.dropLast(), good + [0], Data(repeating: 4, count: 65)] {
            #expect(statusCode { try Self.read(Data(bytes), kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate) } == -50)
            #expect(statusCode { try Self.read(Data(bytes), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic) } == -50)
        }
    }

    @Test(arguments: [0x00, 0xFF] as [UInt8])
    func `a scalar of zero or above the order is refused`(_ byte: UInt8) throws {
        let point = try Self.bytes(Self.make(kSecAttrKeyTypeEC, 256)).prefix(65)
        let key = point + Data(repeating: byte, count: 32)
        #expect(statusCode { try Self.read(key, kSecAttrKeyTypeEC, kSecAttrKeyClassPrivate) } == -50)
    }

    @Test func `type and class must be there and known`() throws {
        let bytes = try Self.bytes(Self.make(kSecAttrKeyTypeEC, 256))
        #expect(statusCode { try Self.read(bytes, nil, kSecAttrKeyClassPrivate) } == -50)
        #expect(statusCode { try Self.read(bytes, kSecAttrKeyTypeEC, nil) } == -50)
        #expect(statusCode { try Self.read(bytes, "999", kSecAttrKeyClassPrivate) } == -50)
        #expect(statusCode { try Self.read(bytes, kSecAttrKeyTypeAES, kSecAttrKeyClassSymmetric) } == -4)
    }

    @Test(
        arguments: [
            (nil, 256, -50), ("999", 256, -50), ("73", 255, -25311), ("73", nil, -25311), ("42", 511, -25311),
            ("42", 9000, -25311),
        ]
            as [(String?, Int?, Int)])
    func `a key that is not offered says why`(_ type: String?, _ bits: Int?, _ code: Int) {
        var parameters: [CFString: Any] = [:]
        parameters[kSecAttrKeyType] = type
        parameters[kSecAttrKeySizeInBits] = bits
        #expect(statusCode { try SecKey.random(parameters) } == code)
    }

    @Test(arguments: [("73", 256), ("73", 521), ("42", 1024)])
    func `both halves carry the same label, which is SHA-1 of the public bytes`(_ type: String, _ bits: Int) throws {
        let key = try Self.make(type as CFString, bits)
        let publicKey = try #require(SecKeyCopyPublicKey(key))
        let mine = try #require(SecKeyCopyAttributes(key))
        let theirs = try #require(SecKeyCopyAttributes(publicKey))
        #expect(mine[kSecAttrApplicationLabel] as? Data == Data(publicKey.applicationLabel))
        #expect(mine[kSecAttrApplicationLabel] as? Data == theirs[kSecAttrApplicationLabel] as? Data)
        #expect((mine[kSecAttrApplicationLabel] as? Data)?.count == 20)
        #expect(mine[kSecAttrKeySizeInBits] as? Int == bits && mine[kSecAttrCanSign] as? Bool == true)
        #expect(theirs[kSecAttrCanSign] as? Bool == false && theirs[kSecAttrCanDerive] as? Bool == false)
    }

    @Test func `the label of a known key is known`() throws {
        let point = """
            04ce0158c3746a73bd882181d5ec91fa336e399ff9cb9f1cab7b503bb1ce673addf56727c940b5c6b38758d1c8209dedbcb9e5c7203e652b\
            3d49342858e3d34762
            """
        let bytes = stride(from: 0, to: point.count, by: 2).compactMap { offset in
            UInt8(point.dropFirst(offset).prefix(2), radix: 16)
        }
        let key = try Self.read(Data(bytes), kSecAttrKeyTypeEC, kSecAttrKeyClassPublic)
        let label = key.applicationLabel.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        #expect(label == "0042c3298e23f15d1ef06303e35bf8044efa653c")
    }

    @Test func `what the keychain keeps gives the same key back`() throws {
        for key in [try Self.make(kSecAttrKeyTypeEC, 256), try Self.make(kSecAttrKeyTypeRSA, 1024)] {
            for half in [key, try #require(SecKeyCopyPublicKey(key))] {
                let (attributes, data) = (half.keychainAttributes(), try half.keychainData())
                #expect(try SecKey.restored(attributes: attributes, data: data) == half)
                #expect(throws: NSError.self) {
                    try SecKey.restored(attributes: attributes, data: Array(data.dropLast()))
                }
            }
        }
    }
}
