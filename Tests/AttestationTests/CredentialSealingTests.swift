import PaviseCrypto
import SecurityFramework
import Testing

@testable import PavisePrimitives

/// TPM2_MakeCredential by parts and whole, against answers of others (IN14, Documentation/Controls/Integrity.md).
///
/// The whole credentials are those of tpm2_makecredential (tpm2-tools 5.4) for keys made for these tests; what it drew
/// at random was opened with the private keys. Computed anew in Python from TPM 2.0 part 1, they are the same.
@Suite struct CredentialSealingTests {
    private static let name = hex("000b9990b364319ca9ba27b3992fd3786668af59a4d35ee1242594e82f1d8da44005")
    private static let secret = Array("project-made secret, 32 bytes ok".utf8)

    private static func hex(_ text: String) -> [UInt8] { Hex.decode(text) ?? [] }

    private func bytes(_ secret: borrowing SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }

    // RFC 8009 §3 is the counter mode of SP 800-108 with HMAC; appendix A has the answers.
    @Test(
        arguments: [
            ("prf", "74657374", "9d188616f63852fe86915bb840b4a886ff3e6bb0f819b49b893393d393854295"),
            ("\0\0\0\u{2}U", "", "9fda0e56ab2d85e1569a688696c26a6c"),
        ])
    func `IN14: KDFa is the counter mode of RFC 8009`(_ label: String, _ context: String, _ answer: String) throws {
        let key = Self.hex("3705d96080c17728a0e800eab6e0d23c")
        let expected = Self.hex(answer)
        let found = try KDF.counter(key.span, label: label, context: Self.hex(context), count: expected.count)
        #expect(bytes(found) == expected)
    }

    // RFC 7518, appendix C: the concat KDF of SP 800-56A, with SHA-256 and a counter of 32 bits.
    @Test func `IN14: KDFe is the single step of RFC 7518`() throws {
        let shared = Self.hex("9e56d91d817135d372834283bf84269cfb316ea3da806a48f6daa7798cfe90c4")
        let info = Self.hex("000000074131323847434d00000005416c69636500000003426f6200000080")
        let found = try KDF.singleStep(shared.span, info: info, count: 16)
        #expect(bytes(found) == Self.hex("56aa8deaf8236d205c2228cd71a7101a"))
    }

    // SP 800-38A, F.3.13 and F.3.17. Its initial vector is what a first block chosen for that encrypts to.
    @Test(
        arguments: [
            (
                "2b7e151628aed2a6abf7158809cf4f3c",
                "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b"
                    + "26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6"
            ),
            (
                "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
                "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b"
                    + "df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471"
            ),
        ])
    func `IN14: AES-CFB gives the answers of SP 800-38A`(_ key: String, _ answer: String) throws {
        let key = Self.hex(key)
        let vector: [UInt8] = Array(0...15)
        let plain = Self.hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        let stream = try AESCFB.encrypt([UInt8](repeating: 0, count: 16).span, onceUnder: key.span)
        let first = zip(stream, vector).map { $0 ^ $1 }
        let found = try AESCFB.encrypt((first + plain).span, onceUnder: key.span)
        #expect(Array(found.prefix(16)) == vector && Array(found.dropFirst(16)) == Self.hex(answer))
    }

    @Test func `IN14: a credential for an RSA endorsement key is tpm2-tools' own, byte for byte`() throws {
        let seed = SecretBytes(
            copying: Self.hex("15c3e39645b97ac8d59f7c1fcb88e70adac61e9f85f801faca97797b6a55b18a").span)
        let credential = try CredentialSealing.credential(Self.secret, Self.name, 128, seed)
        #expect(
            Hex.encode(credential)
                == "00200de6f55245fc93a30cb67736648884ac28e012a2d5e34bec6ae698d57229422b"
                + "08b33702a496afdecee0b1c35e9b4d946d79106ac154eff1746580cc7bb62e956c29")
    }

    @Test func `IN14: a credential for a P-256 endorsement key is tpm2-tools' own, byte for byte`() throws {
        let scalar = Self.hex("dc220020eca46b2184eccf3c5606e41ef0b8561f68d078d63f8fe7ceb505d428")
        let endorsement = try ECPrivateKey(scalar: scalar.span, curve: .p256)
        let fresh = Self.hex(
            "043cd241c1f943febcf7e67d51c5867195e54733e248ca22b31495d0f75338b00f"
                + "fa20359472c8baa969aea236305c1ad6861e0f4dce8133a70dd1850955e78997")
        let shared = try endorsement.sharedSecret(with: ECPublicKey(x963: fresh, curve: .p256))
        let seed = try CredentialSealing.agreedSeed(shared, fresh, endorsement.publicKey.x963)
        #expect(bytes(seed) == Self.hex("6135f56563b6ab6c8103cc3b811aaf61de9e9762c3b40b3871dbe6e85dae598e"))
        let credential = try CredentialSealing.credential(Self.secret, Self.name, 128, seed)
        #expect(
            Hex.encode(credential)
                == "002030c48210d630ebd48589b0f2503f50ccce6df3d0169b59b8e96b292eed7a9577"
                + "62a05c2fd0c441d7447a2a7af7d4487c60589d57cbefe4c45631f78fbc64e1c95b74")
    }

    @Test func `IN14: what is wrong with the key, and what with this machine, are told apart`() throws {
        let dry = Entropy { _ throws(EntropyFailure) in throw EntropyFailure(code: 38) }
        let modulus = [UInt8](repeating: 0xC5, count: 256)
        func seal(
            _ recipient: CredentialSealing.Recipient, bits: Int = 128, secret: [UInt8] = Self.secret,
            entropy: Entropy = .kernel
        ) throws(CredentialSealing.Failure) {
            _ = try CredentialSealing.seal(
                secret, to: recipient, tiedTo: Self.name, symmetricBits: bits, entropy: entropy)
        }
        try seal(.rsa(modulus: modulus, exponent: [1, 0, 1]))
        #expect(throws: CredentialSealing.Failure.unavailable) {
            try seal(.rsa(modulus: modulus, exponent: [1, 0, 1]), entropy: dry)
        }
        let point = try ECPrivateKey(generating: .p256).publicKey.x963
        try seal(.p256(point: point), bits: 256)
        #expect(throws: CredentialSealing.Failure.input) { try seal(.p256(point: point), bits: 192) }
        #expect(throws: CredentialSealing.Failure.input) {
            try seal(.p256(point: point), secret: Self.secret + [0])
        }
        #expect(throws: CredentialSealing.Failure.input) { try seal(.rsa(modulus: [5], exponent: [3])) }
        #expect(throws: CredentialSealing.Failure.input) {
            try seal(.p256(point: [4] + [UInt8](repeating: 1, count: 64)))
        }
    }
}
