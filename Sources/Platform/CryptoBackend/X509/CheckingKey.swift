internal import CPaviseOpenSSL

/// A public key that checks signatures of authorities: on certificates, revocation lists, answers and timestamps.
package struct CheckingKey: Sendable {
    private let handle: KeyHandle
    private let kind: X509Key.Kind

    /// Takes the key of a SubjectPublicKeyInfo that was read before; `nil` for one that OpenSSL does not take.
    package init?(_ key: X509Key, spki: [UInt8]) {
        guard let handle = Self.handle(key) ?? (try? KeyHandle.fromSPKI(spki)) else { return nil }
        self.handle = handle
        kind = key.kind
    }

    /// Takes a SubjectPublicKeyInfo and nothing behind it.
    package init?(spki: [UInt8]) {
        guard let key = try? X509Key(spki: spki) else { return nil }
        self.init(key, spki: spki)
    }

    var pointer: OpaquePointer { unsafe handle.pointer }

    /// Whether the key made `signature` over `message` in this way. A key of another type never did.
    package func isSignature(
        _ signature: ArraySlice<UInt8>, of message: ArraySlice<UInt8>, _ scheme: SignatureScheme
    ) -> Bool {
        guard scheme.fits(kind), let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerifyInit(context, nil, scheme.hash?.method, nil, handle.pointer) == 1
                    && EVP_DigestVerify(
                        context, signature.baseAddress, signature.count, message.baseAddress, message.count) == 1
            }
        }
    }

    // OpenSSL 3.0 needs a third of a millisecond to find out what kind of key a SubjectPublicKeyInfo holds. We know.
    private static func handle(_ key: X509Key) -> KeyHandle? {
        switch key.kind {
        case .ec: curveKey(key)
        case .rsa: try? RSAPublicKey(modulus: key.modulus, exponent: key.exponent).handle
        default: nil
        }
    }

    // Setting the point checks that it is on the curve.
    private static func curveKey(_ key: X509Key) -> KeyHandle? {
        guard let curve = key.curve, key.encoded.count == curve.pointBytes, key.encoded.first == 4,
            let template = CurveTemplate.of(curve), let copy = unsafe EVP_PKEY_dup(template.pointer)
        else { return nil }
        let handle = unsafe KeyHandle(owning: copy)
        guard unsafe EVP_PKEY_set1_encoded_public_key(copy, key.encoded, key.encoded.count) == 1 else {
            ERR_clear_error()
            return nil
        }
        return handle
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

/// A key on each curve whose copies get other points: the parameters of a curve take long to set up.
private struct CurveTemplate {
    let handle: KeyHandle

    var pointer: OpaquePointer { unsafe handle.pointer }

    private static let all: [Curve: CurveTemplate] = Dictionary(
        uniqueKeysWithValues: Curve.allCases.compactMap { curve in
            (try? ECPrivateKey(generating: curve)).flatMap { pair in
                // Of the public half alone, so that no copy has a private one.
                let half = try? ECPublicKey(x963: pair.publicKey.x963, curve: curve)
                return half.map { (curve, CurveTemplate(handle: $0.handle)) }
            }
        })

    static func of(_ curve: Curve) -> CurveTemplate? { all[curve] }
}
