internal import CPaviseOpenSSL
package import PavisePrimitives

// RSAES-OAEP (RFC 8017 §7.1): empty label, MGF1 with the same hash. PKCS#1 v1.5 encryption is left out on purpose:
// its decryption is a padding oracle that every caller would have to hide.
extension RSAPublicKey {
    /// The most bytes that OAEP takes; negative when the key is too small for the hash.
    package func maximumPlaintext(_ hash: HashFunction) -> Int { (bits + 7) / 8 - 2 * hash.byteCount - 2 }

    /// Encrypts at most ``maximumPlaintext(_:)`` bytes.
    package func encrypt(_ plain: Span<UInt8>, hash: HashFunction) throws(CryptoFailure) -> [UInt8] {
        guard plain.count <= maximumPlaintext(hash) else { throw .invalidParameter("too long for the key") }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("OAEP") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_encrypt_init(context) == 1, unsafe configureOAEP(context, hash) else {
            throw .last("OAEP")
        }
        var count = (bits + 7) / 8
        var output = [UInt8](repeating: 0, count: count)
        let status = unsafe plain.withUnsafeBytes { input in
            unsafe EVP_PKEY_encrypt(
                context, &output, &count, input.bindMemory(to: UInt8.self).baseAddress, input.count)
        }
        guard status == 1, count == output.count else { throw .last("OAEP") }
        return output
    }
}

extension RSAPrivateKey {
    /// Decrypts what ``RSAPublicKey/encrypt(_:hash:)`` made.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package func decrypt(_ cipher: [UInt8], hash: HashFunction) throws(CryptoFailure) -> SecretBytes {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("OAEP") }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_PKEY_decrypt_init(context) == 1, unsafe configureOAEP(context, hash) else {
            throw .last("OAEP")
        }
        var count = Int(unsafe EVP_PKEY_get_size(handle.pointer))
        guard cipher.count == count else { throw .authentication }
        var output = [UInt8](repeating: 0, count: count)
        defer { Wipe.bytes(&output) }
        guard unsafe EVP_PKEY_decrypt(context, &output, &count, cipher, cipher.count) == 1 else {
            throw .authentication
        }
        return SecretBytes(copying: output.span.extracting(..<count))
    }
}

private func configureOAEP(_ context: OpaquePointer, _ hash: HashFunction) -> Bool {
    unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash.method) == 1
        && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
}

/// AES-GCM under a session key that OAEP carries: Apple's `rsaEncryptionOAEP…AESGCM`.
///
/// ```
/// packet = OAEP(session key) ‖ ciphertext ‖ tag (16 bytes)
/// ```
///
/// The nonce is sixteen zero bytes and the associated data the public key as PKCS#1; the session key is fresh.
package enum RSAHybrid {
    /// Encrypts for `recipient`.
    package static func seal(
        _ plain: Span<UInt8>, to recipient: RSAPublicKey, hash: HashFunction
    ) throws(CryptoFailure) -> [UInt8] {
        guard let session = try? SecretBytes.random(count: recipient.bits < 4096 ? 16 : 32) else { throw .entropy }
        let key = try recipient.pkcs1()
        return try session.withBytes { session throws(CryptoFailure) in
            let cipher = try AESGCM(key: session)
            return try recipient.encrypt(session, hash: hash)
                + cipher.seal(plain, nonce: zeroes, associatedData: key)
        }
    }

    /// Decrypts a packet.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package static func open(
        _ packet: [UInt8], with key: RSAPrivateKey, hash: HashFunction
    ) throws(CryptoFailure) -> SecretBytes {
        let publicKey = try key.publicKey()
        let size = (publicKey.bits + 7) / 8
        guard packet.count >= size + AESGCM.tagCount else { throw .authentication }
        let session = try key.decrypt(Array(packet.prefix(size)), hash: hash)
        guard session.count == (publicKey.bits < 4096 ? 16 : 32) else { throw .authentication }
        let sealed = Array(packet.dropFirst(size))
        let associatedData = try publicKey.pkcs1()
        return try session.withBytes { session throws(CryptoFailure) in
            try AESGCM(key: session).open(sealed.span, nonce: zeroes, associatedData: associatedData)
        }
    }

    private static let zeroes = [UInt8](repeating: 0, count: 16)
}
