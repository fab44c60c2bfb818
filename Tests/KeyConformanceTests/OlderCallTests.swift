import Foundation
import PaviseCrypto
import SecurityFramework
import Testing

/// The functions of 2008, which libraries still call.
@Suite struct `Older key functions` {
    static let paddings: [(SecPadding, Int)] = [
        ([], 100), (.PKCS1, 50), (.PKCS1SHA1, 20), (.PKCS1SHA224, 28), (.PKCS1SHA256, 32), (.PKCS1SHA384, 48),
        (.PKCS1SHA512, 64),
    ]

    @Test("KEY2: SecKeyRawSign and SecKeyRawVerify belong together", arguments: [("42", 1024), ("73", 256)], paddings)
    func signatures(_ kind: (String, Int), _ padding: (SecPadding, Int)) throws {
        let key = try Keys.one(kind.0, kind.1)
        let publicKey = try key.publicHalf()
        let digest = [UInt8](repeating: 7, count: padding.1)
        var signature = [UInt8](repeating: 0, count: 256)
        var count = signature.count
        #expect(SecKeyRawSign(key, padding.0, digest, digest.count, &signature, &count) == errSecSuccess)
        #expect(kind.0 == "42" ? count == 128 : (8...72).contains(count))
        #expect(SecKeyRawVerify(publicKey, padding.0, digest, digest.count, signature, count) == errSecSuccess)
        signature[10] ^= 1
        #expect(SecKeyRawVerify(publicKey, padding.0, digest, digest.count, signature, count) == errSSLCrypto)
        #expect(SecKeyRawSign(publicKey, padding.0, digest, digest.count, &signature, &count) == errSecParam)
    }

    @Test("KEY2: a raw EC signature has two numbers of one width")
    func rawEC() throws {
        let key = try Keys.one("73", 256)
        let digest = [UInt8](repeating: 7, count: 32)
        var signature = [UInt8](repeating: 0, count: 64)
        var count = 64
        #expect(SecKeyRawSign(key, .sigRaw, digest, 32, &signature, &count) == errSecSuccess)
        #expect(count == 64)
        try key.publicHalf().verify(Data(signature), of: Data(digest), .ecdsaSignatureDigestRFC4754SHA256)
    }

    @Test(
        "KEY8: SecKeyEncrypt and SecKeyDecrypt belong together",
        arguments: [([], 128), (.PKCS1, 20), (.OAEP, 20)] as [(SecPadding, Int)])
    func encryption(_ padding: SecPadding, _ size: Int) throws {
        let key = try Keys.one("42", 1024)
        let plain = [UInt8](repeating: 1, count: 20)
        var packet = [UInt8](repeating: 0, count: 128)
        var count = packet.count
        let publicKey = try key.publicHalf()
        #expect(SecKeyEncrypt(publicKey, padding, plain, plain.count, &packet, &count) == errSecSuccess)
        #expect(count == 128)
        var opened = [UInt8](repeating: 0, count: 128)
        var openedCount = 128
        #expect(SecKeyDecrypt(key, padding, packet, count, &opened, &openedCount) == errSecSuccess)
        #expect(openedCount == size && opened.prefix(openedCount).suffix(20) == plain[...])
    }

    @Test("KEY8: too small a room, a negative length and a padding without meaning are -50")
    func refusals() throws {
        let key = try Keys.one("42", 1024)
        var room = [UInt8](repeating: 0, count: 128)
        var count = 127
        let digest = [UInt8](repeating: 7, count: 32)
        #expect(SecKeyRawSign(key, .PKCS1SHA256, digest, 32, &room, &count) == errSecParam)
        count = 128
        #expect(SecKeyRawSign(key, .PKCS1SHA256, digest, -1, &room, &count) == errSecParam)
        #expect(SecKeyRawSign(key, .PKCS1SHA256, digest, 31, &room, &count) == errSecParam)
        #expect(SecKeyRawSign(key, .PKCS1MD5, digest, 16, &room, &count) == errSecParam)
        #expect(SecKeyRawSign(key, SecPadding(rawValue: 77), digest, 32, &room, &count) == errSecParam)
        let (publicKey, ecKey) = (try key.publicHalf(), try Keys.one("73", 256))
        #expect(SecKeyEncrypt(publicKey, .PKCS1SHA256, digest, 32, &room, &count) == errSecParam)
        #expect(SecKeyDecrypt(ecKey, .PKCS1, digest, 32, &room, &count) == errSecParam)
        #expect(room.allSatisfy { $0 == 0 })
    }

    @Test("KEY15: pointers with and without a type are taken, as by a C function")
    func pointers() throws {
        let key = try Keys.one("42", 1024)
        let publicKey = try key.publicHalf()
        let digest = NSMutableData(data: Data(repeating: 7, count: 32))
        let signature = try #require(NSMutableData(length: 128))
        var count = 128
        let status = unsafe SecKeyRawSign(
            key, .PKCS1SHA256, digest.bytes, digest.length, signature.mutableBytes, &count)
        #expect(status == errSecSuccess)
        let typed = unsafe digest.bytes.assumingMemoryBound(to: UInt8.self)
        let room = unsafe signature.mutableBytes.assumingMemoryBound(to: UInt8.self)
        let verdict = SecKeyRawVerify(publicKey, .PKCS1SHA256, typed, 32, room, count)
        #expect(verdict == errSecSuccess)
        let untyped = unsafe SecKeyRawVerify(publicKey, .PKCS1SHA256, digest.bytes, 32, signature.bytes, count)
        #expect(untyped == errSecSuccess)
    }
}
