internal import CPaviseOpenSSL
package import PavisePrimitives

/// What a key on Curve25519 is for. The two forms are not interchangeable: a key is one or the other.
package enum Curve25519Use: String, CaseIterable, Sendable {
    /// Ed25519 (RFC 8032): signatures.
    case signing = "ED25519"
    /// X25519 (RFC 7748): agreement.
    case agreement = "X25519"

    var number: Int32 { self == .signing ? EVP_PKEY_ED25519 : EVP_PKEY_X25519 }
}

/// A public key on Curve25519: 32 bytes.
package final class Curve25519PublicKey: Sendable {
    let handle: KeyHandle
    /// What the key is for.
    package let use: Curve25519Use
    /// The key as RFC 8032 §5.1.5 and RFC 7748 §5 encode it.
    package let raw: [UInt8]

    /// Takes 32 bytes. For X25519 every value is a key (RFC 7748 §5); bytes that are no point of Ed25519 verify
    /// nothing.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` for another length.
    package init(raw: [UInt8], use: Curve25519Use) throws(CryptoFailure) {
        guard raw.count == 32 else { throw .invalidKey }
        handle = try unsafe KeyHandle.adopting(EVP_PKEY_new_raw_public_key(use.number, nil, raw, raw.count))
        self.use = use
        self.raw = raw
    }

    /// The public half of a pair, which only its public part is ever asked for.
    fileprivate init(halfOf pair: KeyHandle, use: Curve25519Use) throws(CryptoFailure) {
        handle = pair
        self.use = use
        raw = try pair.octets(OSSL_PKEY_PARAM_PUB_KEY)
    }

    /// Whether `signature` (64 bytes) belongs to `message`. Always `false` for a key that agrees.
    package func verify(signature: [UInt8], message: [UInt8]) -> Bool {
        guard use == .signing, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer {
            unsafe EVP_MD_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, handle.pointer) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// A private key on Curve25519, in memory.
package final class Curve25519PrivateKey: Sendable {
    let handle: KeyHandle
    /// The public half.
    package let publicKey: Curve25519PublicKey

    /// Makes a fresh key.
    package init(generating use: Curve25519Use) throws(CryptoFailure) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, use.rawValue, nil) else { throw .last(use.rawValue) }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard unsafe EVP_PKEY_keygen_init(context) == 1, unsafe EVP_PKEY_generate(context, &key) == 1,
            let key = unsafe key
        else { throw .last(use.rawValue) }
        handle = unsafe KeyHandle(owning: key)
        publicKey = try Curve25519PublicKey(halfOf: handle, use: use)
    }

    /// Takes the 32 bytes of a private key.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` for another length.
    package init(raw: Span<UInt8>, use: Curve25519Use) throws(CryptoFailure) {
        guard raw.count == 32 else { throw .invalidKey }
        let key = unsafe raw.withUnsafeBytes { buffer in
            unsafe EVP_PKEY_new_raw_private_key(
                use.number, nil, buffer.bindMemory(to: UInt8.self).baseAddress, buffer.count)
        }
        handle = try unsafe KeyHandle.adopting(key)
        publicKey = try Curve25519PublicKey(halfOf: handle, use: use)
    }

    /// The private key: 32 bytes.
    package func raw() throws(CryptoFailure) -> SecretBytes { try handle.raw25519() }

    /// The signature of a whole message: 64 bytes (RFC 8032 §5.1.6).
    package func sign(message: [UInt8]) throws(CryptoFailure) -> [UInt8] {
        guard publicKey.use == .signing else { throw .invalidParameter("the key is for agreement") }
        guard let context = unsafe EVP_MD_CTX_new() else { throw .last("EdDSA") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = 64
        var signature = [UInt8](repeating: 0, count: count)
        guard unsafe EVP_DigestSignInit(context, nil, nil, nil, handle.pointer) == 1,
            unsafe EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == 64
        else { throw .last("EdDSA") }
        return signature
    }

    /// The secret of X25519 with `peer`: 32 bytes.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` for a peer of small order, whose secret would be zero (RFC 7748 §6.1).
    package func sharedSecret(with peer: Curve25519PublicKey) throws(CryptoFailure) -> SecretBytes {
        guard publicKey.use == .agreement, peer.use == .agreement else { throw .invalidKey }
        return try handle.derive(with: peer.handle, count: 32)
    }
}

extension Curve25519PublicKey {
    /// The SubjectPublicKeyInfo, DER (RFC 8410 §4).
    package func spki() throws(CryptoFailure) -> [UInt8] { try handle.spki() }
}
