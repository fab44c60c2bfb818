import PaviseCrypto
import PavisePrimitives
import Testing

@Suite struct SymmetricTests {
    private func hex(_ text: String) -> [UInt8] { Hex.decode(text.filter { $0 != " " }) ?? [] }

    @Test(arguments: [
        (HashFunction.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha224, "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha384, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
        (
            .sha512,
            "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        ),
    ])
    func `digests of abc are those of FIPS 180-4`(_ function: HashFunction, _ digest: String) {
        #expect(Hash.digest(function, Array("abc".utf8)) == hex(digest))
    }

    @Test func `a kept HMAC key gives the same codes as a fresh one, again and again`() throws {
        let key = [UInt8](repeating: 0x0b, count: 20)
        let kept = HMACKey(SecretBytes(copying: key.span))
        for text in ["Hi There", "", "Hi There", String(repeating: "x", count: 1000)] {
            #expect(kept.authenticate(Array(text.utf8)) == HMAC.sha256(key: key.span, Array(text.utf8)))
        }
        let known = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        #expect(Hex.encode(kept.authenticate(Array("Hi There".utf8))) == known)
    }

    @Test func `HMAC follows RFC 4231 cases 1 and 2`() {
        let key = [UInt8](repeating: 0x0b, count: 20)
        let jefe = Array("Jefe".utf8)
        #expect(
            HMAC.sha256(key: key.span, Array("Hi There".utf8))
                == hex("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
        #expect(
            HMAC.sha256(key: jefe.span, Array("what do ya want for nothing?".utf8))
                == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    }

    @Test func `an empty key is an empty key`() {
        let earlier: [UInt8] = [1, 2, 3]
        _ = HMAC.sha256(key: earlier.span, [9])
        let none: [UInt8] = []
        #expect(
            HMAC.sha256(key: none.span, [UInt8]())
                == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
    }

    @Test func `HKDF follows RFC 5869 cases 1 and 3`() throws {
        let secret = [UInt8](repeating: 0x0b, count: 22)
        let one = try KDF.hkdf(
            secret.span, salt: hex("000102030405060708090a0b0c"), info: hex("f0f1f2f3f4f5f6f7f8f9"), count: 42)
        let three = try KDF.hkdf(secret.span, salt: [], info: [], count: 42)
        #expect(
            one.withBytes { b in Array(b) }
                == hex("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865"))
        #expect(
            three.withBytes { b in Array(b) }
                == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"))
    }

    @Test func `key wrap follows RFC 3394 §4_6`() throws {
        let kek = hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        let key = hex("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")
        let wrapped = try AESKeyWrap.wrap(key.span, with: kek.span)
        #expect(wrapped == hex("28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21"))
        let back = try AESKeyWrap.unwrap(wrapped, with: kek.span).matches(SecretBytes(copying: key.span))
        #expect(back)
        for index in wrapped.indices {
            var altered = wrapped
            altered[index] ^= 1
            #expect(throws: CryptoFailure.authentication) { _ = try AESKeyWrap.unwrap(altered, with: kek.span) }
        }
    }

    @Test(arguments: [
        (16, "1fa68b0a8112b447aef34bd8fb5a7b829d3e862371d2cfe5"),
        (32, "64e8c3f9ce0f5ba263e9777905818a2a93c8191e7d6e8ae7"),
    ])
    func `key wrap follows RFC 3394 §4_1 and §4_3 for each size of a wrapping key`(_ size: Int, _ text: String) throws {
        let kek = (0..<UInt8(size)).map { $0 }
        let key = hex("00112233445566778899aabbccddeeff")
        #expect(try AESKeyWrap.wrap(key.span, with: kek.span) == hex(text))
        let back = try AESKeyWrap.unwrap(hex(text), with: kek.span).matches(SecretBytes(copying: key.span))
        #expect(back)
        for size in [0, 8, 17, 24, 33] {
            let kek = [UInt8](repeating: 0, count: size)
            #expect(throws: CryptoFailure.invalidKey) { try AESKeyWrap.wrap(key.span, with: kek.span) }
        }
    }

    @Test func `AES-GCM gives the ciphertext and tag of the GCM specification's case 14`() throws {
        let key = [UInt8](repeating: 0, count: 32)
        let cipher = try AESGCM(key: key.span)
        let plain = [UInt8](repeating: 0, count: 16)
        let sealed = try cipher.seal(
            plain.span, nonce: [UInt8](repeating: 0, count: 12), associatedData: [])
        #expect(sealed == hex("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919"))
    }

    @Test(arguments: [0, 1, 15, 16, 17, 4096])
    func `what was sealed opens, and no altered bit does`(_ count: Int) throws {
        let key = [UInt8](repeating: 3, count: 16)
        let cipher = try AESGCM(key: key.span)
        let plain = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let nonce = [UInt8](repeating: 9, count: 16)
        let sealed = try cipher.seal(plain.span, nonce: nonce, associatedData: [1, 2])
        let opened = try cipher.open(sealed.span, nonce: nonce, associatedData: [1, 2])
        #expect(opened.withBytes { b in Array(b) } == plain)
        expectRefused(cipher, sealed, nonce, [1, 3])
        for index in stride(from: 0, to: sealed.count, by: max(1, sealed.count / 64)) {
            var altered = sealed
            altered[index] ^= 0x80
            expectRefused(cipher, altered, nonce, [1, 2])
        }
        expectRefused(cipher, Array(sealed.dropLast()), nonce, [1, 2])
    }

    private func expectRefused(_ cipher: borrowing AESGCM, _ sealed: [UInt8], _ nonce: [UInt8], _ data: [UInt8]) {
        do throws(CryptoFailure) {
            _ = try cipher.open(sealed.span, nonce: nonce, associatedData: data)
            Issue.record("altered bytes opened")
        } catch {
            #expect(error == .authentication)
        }
    }

    @Test(arguments: [0, 8, 15, 24, 33])
    func `a key of another length is no key`(_ count: Int) {
        let key = [UInt8](repeating: 0, count: count)
        #expect(throws: CryptoFailure.invalidKey) { _ = try AESGCM(key: key.span) }
    }
}
