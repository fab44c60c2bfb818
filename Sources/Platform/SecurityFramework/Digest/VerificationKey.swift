internal import PaviseCrypto

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
package struct VerificationKey: Sendable {
    private enum Material: Sendable {
        case rsa(RSAChecker, HashFunction)
        case curve(ECPublicKey, HashFunction)
        case edwards(Curve25519PublicKey)
    }
    private let material: Material

    /// An RSA key from its two numbers, big-endian without leading zeros.
    ///
    /// - Returns: `nil` for numbers that are no key of 1024 to 8192 bits, or a form that is not RSA's.
    package init?(modulus: [UInt8], exponent: [UInt8], _ form: SignatureForm) {
        guard (128...1024).contains(modulus.count), let padding = form.padding, let hash = form.hash,
            let key = try? RSAPublicKey(modulus: modulus, exponent: exponent)
        else { return nil }
        material = .rsa(RSAChecker(key, padding), hash)
    }

    /// A point, its coordinates as wide as the field.
    ///
    /// - Returns: `nil` for a point that is not on the form's curve.
    package init?(x: [UInt8], y: [UInt8], _ form: SignatureForm) {
        guard case .ecdsa(_, let bits) = form, let curve = Curve(bits: bits), let hash = form.hash,
            x.count == curve.fieldBytes, y.count == curve.fieldBytes,
            let key = try? ECPublicKey(x963: [4] + x + y, curve: curve)
        else { return nil }
        material = .curve(key, hash)
    }

    /// An Ed25519 key: 32 bytes.
    package init?(ed25519 raw: [UInt8]) {
        guard let key = try? Curve25519PublicKey(raw: raw, use: .signing) else { return nil }
        material = .edwards(key)
    }

    /// Whether the key made `signature` over `message`. A signature of another length never is one.
    package func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        switch material {
        case .rsa(let checker, let hash): return checker.isSignature(signature, of: Hash.digest(hash, message))
        case .curve(let key, let hash):
            guard let der = ECDSASignature.der(raw: signature, curve: key.curve) else { return false }
            return key.verify(signature: der, digest: Hash.digest(hash, message))
        case .edwards(let key): return signature.count == 64 && key.verify(signature: signature, message: message)
        }
    }
}

extension SignatureForm {
    fileprivate var padding: RSASignaturePadding? {
        switch self {
        case .rsa(let digest): .pkcs1(digest.function)
        case .pss(let digest): .pss(digest.function)
        case .ecdsa, .edDSA: nil
        }
    }

    fileprivate var hash: HashFunction? {
        switch self {
        case .rsa(let digest), .pss(let digest), .ecdsa(let digest, _): digest.function
        case .edDSA: nil
        }
    }
}

extension SignatureForm.Digest {
    fileprivate var function: HashFunction {
        switch self {
        case .sha256: .sha256
        case .sha384: .sha384
        case .sha512: .sha512
        }
    }
}

extension MessageDigest {
    /// HMAC (RFC 2104), as long as the digest.
    package static func hmac(_ digest: SignatureForm.Digest, key: Span<UInt8>, _ message: [UInt8]) -> [UInt8] {
        // Each of the three hashes has one.
        HMAC.code(digest.function, key: key, message.span) ?? []
    }

    /// The digest of `bytes` (FIPS 180-4).
    package static func of(_ bytes: [UInt8], _ digest: SignatureForm.Digest) -> [UInt8] {
        Hash.digest(digest.function, bytes)
    }
}
