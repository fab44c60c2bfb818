internal import CPaviseOpenSSL

/// A public key that checks signatures of authorities: on certificates, revocation lists, answers and timestamps.
package struct CertificateVerificationKey: Sendable {
    private enum Material: Sendable {
        /// A point of a curve that is set into a key object when it is needed.
        case point(CurveCheckers, [UInt8], spki: [UInt8])
        case handle(KeyHandle)
    }

    private let material: Material
    private let kind: X509Key.Kind

    /// Takes the key of a SubjectPublicKeyInfo that was read before; `nil` for one that OpenSSL does not take.
    package init?(_ key: X509Key, spki: [UInt8]) {
        guard let material = Self.material(key, spki: spki) else { return nil }
        self.material = material
        kind = key.kind
    }

    /// Takes a SubjectPublicKeyInfo and nothing behind it.
    package init?(spki: [UInt8]) {
        guard let key = try? X509Key(spki: spki) else { return nil }
        self.init(key, spki: spki)
    }

    /// The key as an object of its own; `nil` for a point that is not on its curve, and after a failed self-test.
    var handle: KeyHandle? {
        guard isTested else { return nil }
        return switch material {
        case .handle(let handle): handle
        case .point(_, _, let spki): try? KeyHandle.fromSPKI(spki)
        }
    }

    /// Whether the key made `signature` over `message` in this way. A key of another type never did.
    package func isSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ scheme: SignatureScheme
    ) -> Bool {
        guard scheme.fits(kind) else { return false }
        switch (material, scheme.hash) {
        case (.point(let checkers, let point, _), let hash?):
            return checkers.isSignature(signature, digest: Hash.digest(hash, message.span), by: point)
        case (.point, nil): return false
        case (.handle(let handle), let hash):
            return isTested && Self.isSignature(signature, of: message, hash, by: handle)
        }
    }

    // The known answers of its algorithm; CurveCheckers ask for that of a curve.
    private var isTested: Bool {
        kind != .rsa || (ConditionalSelfTest.rsaPKCS1.isRight && ConditionalSelfTest.rsaPSS.isRight)
    }

    private static func isSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ hash: HashFunction?, by handle: KeyHandle
    ) -> Bool {
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerifyInit(context, nil, hash?.method, nil, handle.pointer) == 1
                    && EVP_DigestVerify(
                        context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
            }
        }
    }

    // OpenSSL 3.0 tries one decoder after the other to find out which kind of key a SubjectPublicKeyInfo holds, which
    // takes longer than a check (Documentation/Benchmarks.md). The kind is known here.
    private static func material(_ key: X509Key, spki: [UInt8]) -> Material? {
        if let curve = key.curve, key.encoded.count == curve.pointBytes, key.encoded.first == 4,
            let checkers = CurveCheckers.of(curve)
        {
            return .point(checkers, key.encoded, spki: spki)
        }
        let handle =
            key.kind == .rsa
            ? try? RSAPublicKey(modulus: key.modulus, exponent: key.exponent).handle : nil
        return (handle ?? (try? KeyHandle.fromSPKI(spki))).map(Material.handle)
    }
}

/// How a signature is made.
package enum SignatureScheme: Hashable, Sendable {
    /// RSASSA-PKCS1-v1_5 (RFC 8017 §8.2).
    case rsa(HashFunction)
    /// ECDSA, the two numbers in DER (RFC 3279 §2.2.3).
    case ecdsa(HashFunction)
    /// Ed25519 or Ed448 (RFC 8410).
    case edwards

    var hash: HashFunction? {
        switch self {
        case .rsa(let hash), .ecdsa(let hash): hash
        case .edwards: nil
        }
    }

    func fits(_ kind: X509Key.Kind) -> Bool {
        switch self {
        case .rsa: kind == .rsa
        case .ecdsa: kind == .ec
        case .edwards: kind == .ed25519 || kind == .ed448
        }
    }
}
