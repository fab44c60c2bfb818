import PaviseCrypto
import PavisePrimitives
import Testing

/// Known answers at the start (ST1, Documentation/Controls/Integrity.md).
@Suite struct SelfTestTests {
    @Test func `ST1: every primitive gives its known answer`() {
        #expect(CryptoSelfTest.run() == nil)
        #expect(CryptoSelfTest.failure == nil)
    }

    @Test(arguments: CryptoSelfTest.Primitive.allCases)
    func `ST1: one that does not is named`(_ primitive: CryptoSelfTest.Primitive) {
        #expect(CryptoSelfTest.run(broken: primitive) == primitive)
    }

    @Test func `ST1: what is not computed at the start is P-384 and RSA alone`() {
        #expect(CryptoSelfTest.Primitive.allCases.filter(\.isConditional) == [.rsa, .ecdsa384, .rsaPKCS1, .rsaOAEP])
    }

    @Test func `ST1: after a wrong answer at the first use P-384 and RSA do nothing, and it is named`() async {
        await #expect(processExitsWith: .success) {
            let uses = try ConditionalUses()
            #expect(uses.refused == [])
            #expect(CryptoSelfTest.failure == nil)
            ConditionalSelfTest.ecdsa384.note(isRight: false)
            #expect(uses.refused == uses.all.map(\.key))
            #expect(CryptoSelfTest.failure == .ecdsa384)
        }
    }
}

/// What has a known answer that is computed at the first use.
private struct ConditionalUses {
    let all: KeyValuePairs<String, () throws -> Bool>

    init() throws {
        let pair = try ECPrivateKey(generating: .p384)
        let digest = Hash.digest(.sha384, [1])
        let signature = try pair.sign(digest: digest)
        let authority = try #require(CertificateVerificationKey(spki: pair.publicKey.spki()))
        let rsa = try RSAPrivateKey(generating: 2048)
        let made = try rsa.sign(digest: digest, padding: .pkcs1(.sha384))
        let salted = try rsa.sign(digest: digest, padding: .pss(.sha384))
        let rsaAuthority = try #require(CertificateVerificationKey(spki: rsa.publicKey.spki()))
        let plain: [UInt8] = [7]
        let sealed = try rsa.publicKey.encrypt(plain.span, .oaep(.sha256))
        all = [
            "EC verify": { pair.publicKey.verify(signature: signature, digest: digest) },
            "EC sign": { try !pair.sign(digest: digest).isEmpty },
            "EC agreement": { try pair.sharedSecret(with: pair.publicKey).count == 48 },
            "EC authority": { authority.isSignature(signature[...], of: [1], .ecdsa(.sha384)) },
            "RSA verify": { rsa.publicKey.verify(signature: made, digest: digest, padding: .pkcs1(.sha384)) },
            "RSA-PSS verify": { rsa.publicKey.verify(signature: salted, digest: digest, padding: .pss(.sha384)) },
            "RSA sign": { try !rsa.sign(digest: digest, padding: .pss(.sha384)).isEmpty },
            "RSA checker": { RSAChecker(rsa.publicKey, .pkcs1(.sha384)).isSignature(made, of: digest) },
            "RSA authority": { rsaAuthority.isSignature(made[...], of: [1], .rsa(.sha384)) },
            "RSA encrypt": { try !rsa.publicKey.encrypt(plain.span, .oaep(.sha256)).isEmpty },
            "RSA decrypt": { try rsa.decrypt(sealed.span, .oaep(.sha256)).count == 1 },
        ]
    }

    var refused: [String] { all.filter { (try? $0.value()) != true }.map(\.key) }
}
