internal import CryptoKit
internal import Foundation
internal import PavisePrimitives
internal import Security

/// How a signature is made (RFC 7518 §3.1, RFC 8037 §3.1).
package enum SignatureForm: Hashable, Sendable {
    /// The hash below a signature; EdDSA has its own.
    package enum Digest: Hashable, Sendable {
        case sha256
        case sha384
        case sha512
    }

    /// RSASSA-PKCS1-v1_5.
    case rsa(Digest)
    /// RSASSA-PSS, MGF1 with the same hash, salt as long as the digest.
    case pss(Digest)
    /// ECDSA on the curve whose field has this many bits, as r ‖ s, each as wide as the field.
    case ecdsa(Digest, bits: Int)
    /// Ed25519.
    case edDSA
}

/// The public key of a stranger, for one form of signature, which it checks many times.
// Safe to share: a SecKey never changes, and the system's calls on it are safe from any thread.
package struct VerificationKey: @unchecked Sendable {
    private enum Material {
        case system(SecKey, SecKeyAlgorithm, signatureBytes: Int?)
        case edwards(Curve25519.Signing.PublicKey)
    }
    private let material: Material

    /// An RSA key from its two numbers, big-endian without leading zeros.
    ///
    /// - Returns: `nil` for numbers that are no key of 1024 to 8192 bits, or a form that is not RSA's.
    package init?(modulus: [UInt8], exponent: [UInt8], _ form: SignatureForm) {
        guard (128...1024).contains(modulus.count), let algorithm = form.rsaAlgorithm,
            let key = Self.key(PKCS1.publicKey(modulus, exponent), kSecAttrKeyTypeRSA)
        else { return nil }
        material = .system(key, algorithm, signatureBytes: modulus.count)
    }

    /// A point, its coordinates as wide as the field.
    ///
    /// - Returns: `nil` for a point that is not on the form's curve.
    package init?(x: [UInt8], y: [UInt8], _ form: SignatureForm) {
        guard case .ecdsa(let digest, let bits) = form, x.count == (bits + 7) / 8, y.count == x.count,
            let key = Self.key([4] + x + y, kSecAttrKeyTypeECSECPrimeRandom)
        else { return nil }
        material = .system(key, digest.ecdsa, signatureBytes: 2 * x.count)
    }

    /// An Ed25519 key: 32 bytes.
    package init?(ed25519 raw: [UInt8]) {
        guard raw.count == 32, let key = try? Curve25519.Signing.PublicKey(rawRepresentation: raw) else { return nil }
        material = .edwards(key)
    }

    /// Whether the key made `signature` over `message`. A signature of another length never is one.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .system(let key, let algorithm, let size):
            guard size == nil || size == signature.count else { return false }
            return unsafe SecKeyVerifySignature(
                key, algorithm, Data(message) as CFData, Data(signature) as CFData, nil)
        case .edwards(let key): return signature.count == 64 && key.isValidSignature(signature, for: message)
        }
    }

    private static func key(_ bytes: [UInt8], _ type: CFString) -> SecKey? {
        let attributes: [String: Any] = [
            kSecAttrKeyType as String: type, kSecAttrKeyClass as String: kSecAttrKeyClassPublic,
        ]
        return unsafe SecKeyCreateWithData(Data(bytes) as CFData, attributes as CFDictionary, nil)
    }
}

extension SignatureForm {
    fileprivate var rsaAlgorithm: SecKeyAlgorithm? {
        switch self {
        case .rsa(.sha256): .rsaSignatureMessagePKCS1v15SHA256
        case .rsa(.sha384): .rsaSignatureMessagePKCS1v15SHA384
        case .rsa(.sha512): .rsaSignatureMessagePKCS1v15SHA512
        case .pss(.sha256): .rsaSignatureMessagePSSSHA256
        case .pss(.sha384): .rsaSignatureMessagePSSSHA384
        case .pss(.sha512): .rsaSignatureMessagePSSSHA512
        case .ecdsa, .edDSA: nil
        }
    }
}

extension SignatureForm.Digest {
    fileprivate var ecdsa: SecKeyAlgorithm {
        switch self {
        case .sha256: .ecdsaSignatureMessageRFC4754SHA256
        case .sha384: .ecdsaSignatureMessageRFC4754SHA384
        case .sha512: .ecdsaSignatureMessageRFC4754SHA512
        }
    }
}

/// PKCS#1 RSAPublicKey in DER (RFC 8017 appendix A.1.1): what the system's keys are made from.
private enum PKCS1 {
    static func publicKey(_ modulus: [UInt8], _ exponent: [UInt8]) -> [UInt8] {
        element(0x30, element(0x02, positive(modulus)) + element(0x02, positive(exponent)))
    }

    private static func positive(_ number: [UInt8]) -> [UInt8] {
        number.first.map { $0 & 0x80 != 0 } ?? true ? [0] + number : number
    }

    private static func element(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        guard content.count >= 128 else { return [tag, UInt8(content.count)] + content }
        let bytes: [UInt8] = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: content.count >> $0) }
        let length = [UInt8](bytes.drop { $0 == 0 })
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }
}

extension MessageDigest {
    /// HMAC (RFC 2104), as long as the digest.
    package static func hmac(_ digest: SignatureForm.Digest, key: Span<UInt8>, _ message: [UInt8]) -> [UInt8] {
        var copy = Array(key)
        defer { Wipe.bytes(&copy) }
        let secret = SymmetricKey(data: copy)
        return switch digest {
        case .sha256: Array(HMAC<SHA256>.authenticationCode(for: message, using: secret))
        case .sha384: Array(HMAC<SHA384>.authenticationCode(for: message, using: secret))
        case .sha512: Array(HMAC<SHA512>.authenticationCode(for: message, using: secret))
        }
    }

    /// The digest of `bytes` (FIPS 180-4).
    package static func of(_ bytes: [UInt8], _ digest: SignatureForm.Digest) -> [UInt8] {
        switch digest {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha384: Array(SHA384.hash(data: bytes))
        case .sha512: Array(SHA512.hash(data: bytes))
        }
    }
}
