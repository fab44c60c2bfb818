internal import PavisePrimitives

/// The answers of ``CryptoSelfTest``, and where each is published.
enum SelfTestVectors {
    // FIPS 180-4, "abc".
    static let sha256 = bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    static let sha384 = bytes(
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca1"
            + "34c825a7")
    static let sha512 = bytes(
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23"
            + "a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
    // RFC 4231, section 4.3.
    static let hmac = bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    // RFC 5869, appendix A.1.
    static let hkdf = bytes(
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865")
    // Computed with the standard library of Python.
    static let pbkdf2 = bytes(
        "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252c02d470a285a0501bad999bf"
            + "e943c08f050235d7d68b1da55e63f73b60a57fce")
    // Computed with argon2pure: 32 KiB, two passes, one lane.
    static let argon2 = bytes("31111cc053ba0a799c0884148fd7ec9dc3631f3e8cf476cca9521d4ccc5136e8")
    // McGrew and Viega, test case 14: ciphertext and tag.
    static let gcm = bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")
    // RFC 3394, section 4.6.
    static let wrappedKey = bytes("00112233445566778899aabbccddeeff000102030405060708090a0b0c0d0e0f")
    static let keyWrap = bytes(
        "28c9f404c4b810f4cbccb35cfb87f8263f5786e2d80ed326cbc7f0e71a99f43bfb988b9b7a02dd21")
    // RFC 6979, appendix A.2.5.
    static let ecdsaKey = bytes(
        "0460fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb67903fe1008b8bc99a41ae9"
            + "e95628bc64f2f1b20c2d7e9f5177a3c294d4462299")
    static let ecdsa = bytes(
        "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716f7cb1c942d657c41d436c7a1"
            + "b6e29f65f3e900dbb9aff4064dc4ab2f843acda8")
    // RFC 5903, section 8.1.
    static let ecdhScalar = bytes("c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433")
    static let ecdhPeer = bytes(
        "04d12dfb5289c8d4f81208b70270398c342296970a0bccb74c736fc7554494bf6356fbf3ca366cc23e815785"
            + "4c13c58d6aac23f046ada30f8353e74f33039872ab")
    static let ecdh = bytes("d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de")
    // RFC 8032, section 7.1, test 2.
    static let ed25519Key = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
    static let ed25519 = bytes(
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613"
            + "d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    // RFC 7748, section 5.2.
    static let x25519Scalar = bytes("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4")
    static let x25519Peer = bytes("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c")
    static let x25519 = bytes("c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552")
    // NIST CAVP, ANSI X9.63-2001, SHA-256, first vector.
    static let x963Secret = bytes("96c05619d56c328ab95fe84b18264b08725b85e33fd34f08")
    static let x963 = bytes("443024c3dae66b95e6f5670601558f71")

    // Text that is no hexadecimal would be an answer that nothing gives: the test fails.
    private static func bytes(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }
}
