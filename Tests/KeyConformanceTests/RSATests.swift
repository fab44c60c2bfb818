import Foundation
import SecurityFramework
import TestSupport
import Testing

/// KEY8 and KEY9: the limits of RSA.
@Suite struct `RSA through SecKey` {
    @Test("KEY8: OAEP takes its maximum and not a byte more", arguments: hashes, [1024, 2048])
    func oaep(_ hash: (name: String, count: Int), _ bits: Int) throws {
        let key = try Keys.one("42", bits)
        let publicKey = try key.publicHalf()
        let name = algorithm("algid:encrypt:RSA:OAEP:\(hash.name)")
        let limit = bits / 8 - 2 * hash.count - 2
        guard limit >= 0 else {
            #expect(!SecKeyIsAlgorithmSupported(publicKey, .encrypt, name))
            #expect(statusCode { try publicKey.encrypt(Data(), name) } == -50)
            return
        }
        for size in Set([0, 1, limit - 1, limit]) where size >= 0 && size <= limit {
            let plain = Data(repeating: 5, count: size)
            let packet = try publicKey.encrypt(plain, name)
            #expect(packet.count == bits / 8)
            #expect(try key.decrypt(packet, name) == plain)
        }
        #expect(statusCode { try publicKey.encrypt(Data(count: limit + 1), name) } == -50)
    }

    @Test("KEY8: PKCS#1 v1.5 takes eleven bytes less than the modulus", arguments: [1024, 2048])
    func pkcs1(_ bits: Int) throws {
        let key = try Keys.one("42", bits)
        let publicKey = try key.publicHalf()
        let limit = bits / 8 - 11
        for size in [0, 1, limit - 1, limit] {
            let plain = Data(repeating: 5, count: size)
            let packet = try publicKey.encrypt(plain, .rsaEncryptionPKCS1)
            #expect(packet.count == bits / 8)
            #expect(try key.decrypt(packet, .rsaEncryptionPKCS1) == plain)
        }
        #expect(statusCode { try publicKey.encrypt(Data(count: limit + 1), .rsaEncryptionPKCS1) } == -50)
        let signature = try key.signature(of: Data(repeating: 9, count: limit), .rsaSignatureDigestPKCS1v15Raw)
        try publicKey.verify(signature, of: Data(repeating: 9, count: limit), .rsaSignatureDigestPKCS1v15Raw)
        #expect(statusCode { try key.signature(of: Data(count: limit + 1), .rsaSignatureDigestPKCS1v15Raw) } == -50)
    }

    @Test("KEY8: a bad PKCS#1 packet is one error, whatever is wrong with it")
    func oneError() throws {
        let key = try Keys.one("42", 1024)
        let publicKey = try key.publicHalf()
        func block(_ bytes: [UInt8]) throws -> Data {
            try publicKey.encrypt(Data(bytes + [UInt8](repeating: 1, count: 128 - bytes.count)), .rsaEncryptionRaw)
        }
        let filled = [UInt8](repeating: 7, count: 120)
        let packets = [
            try block([0, 1] + filled + [0]), try block([1, 2] + filled + [0]), try block([0, 2, 7, 7, 0]),
            try block([0, 2]), try block([0, 0]), Data(count: 128), Data(), Data(count: 127), Data(count: 129),
            Data(repeating: 0xFF, count: 128),
        ]
        var texts: Set<String> = []
        for packet in packets {
            let error = #expect(throws: NSError.self) { try key.decrypt(packet, .rsaEncryptionPKCS1) }
            #expect(error?.code == -50)
            texts.insert(error?.localizedDescription ?? "")
        }
        #expect(texts.count == 1)
        #expect(try key.decrypt(block([0, 2] + filled + [0]), .rsaEncryptionPKCS1) == Data(repeating: 1, count: 5))
    }

    @Test("KEY8: raw RSA puts zeros in front, and takes no number above the modulus")
    func raw() throws {
        let key = try Keys.one("42", 1024)
        let publicKey = try key.publicHalf()
        for size in [0, 1, 127] {
            let plain = Data(repeating: 3, count: size)
            let packet = try publicKey.encrypt(plain, .rsaEncryptionRaw)
            #expect(packet.count == 128)
            #expect(try key.decrypt(packet, .rsaEncryptionRaw) == Data(count: 128 - size) + plain)
            let signature = try key.signature(of: plain, .rsaSignatureRaw)
            try publicKey.verify(signature, of: plain, .rsaSignatureRaw)
            #expect(try publicKey.encrypt(signature, .rsaEncryptionRaw) == Data(count: 128 - size) + plain)
        }
        for bytes in [Data(repeating: 0xFF, count: 128), Data(count: 129)] {
            #expect(statusCode { try publicKey.encrypt(bytes, .rsaEncryptionRaw) } == -50)
            #expect(statusCode { try key.signature(of: bytes, .rsaSignatureRaw) } == -50)
            #expect(statusCode { try key.decrypt(bytes, .rsaEncryptionRaw) } == -50)
        }
    }

    @Test("KEY8: the session key has 16 bytes below 4096 bits and 32 from there on", .long, arguments: [4095, 4096])
    func sessionKey(_ bits: Int) throws {
        let key = try Keys.make("42", bits)
        let packet = try key.publicHalf().encrypt(Data("text".utf8), .rsaEncryptionOAEPSHA256AESGCM)
        #expect(packet.count == 512 + 4 + 16)
        #expect(try key.decrypt(packet.prefix(512), .rsaEncryptionOAEPSHA256).count == (bits < 4096 ? 16 : 32))
        #expect(try key.decrypt(packet, .rsaEncryptionOAEPSHA256AESGCM) == Data("text".utf8))
    }

    @Test("KEY8: 1024 bits carry a session key under every hash that fits, and each defect is -50", arguments: hashes)
    func hybrid(_ hash: String, _ count: Int) throws {
        let key = try Keys.one("42", 1024)
        let publicKey = try key.publicHalf()
        let name = algorithm("algid:encrypt:RSA:OAEP:\(hash):AESGCM")
        #expect(SecKeyIsAlgorithmSupported(publicKey, .encrypt, name) == (hash != "SHA512"))
        guard hash != "SHA512" else { return }
        let packet = try publicKey.encrypt(Data("text".utf8), name)
        #expect(try key.decrypt(packet, name) == Data("text".utf8))
        for index in packet.indices {
            var changed = packet
            changed[index] ^= 1
            #expect(statusCode { try key.decrypt(changed, name) } == -50, "byte \(index)")
            #expect(statusCode { try key.decrypt(packet.prefix(index), name) } == -50, "\(index)")
        }
    }

    @Test("KEY9: PSS needs sixteen times the digest and ten bits", arguments: hashes)
    func pss(_ hash: String, _ count: Int) throws {
        let (key, name) = (try Keys.one("42", 1024), algorithm("algid:sign:RSA:message-PSS:\(hash):\(hash):\(count)"))
        let isOffered = 1024 >= 16 * count + 10
        #expect(isOffered == (hash != "SHA512"))
        #expect(SecKeyIsAlgorithmSupported(key, .sign, name) == isOffered)
        #expect(statusCode { try key.signature(of: Data([1]), name) } == (isOffered ? 0 : -50))
        #expect(
            statusCode { try key.publicHalf().verify(Data(count: 128), of: Data([1]), name) }
                == (isOffered ? -67808 : -50))
    }
}
