internal import CPaviseOpenSSL
package import PavisePrimitives

/// How a message is padded before RSA encrypts it (RFC 8017 §7).
package enum RSAEncryptionPadding: Hashable, Sendable {
    /// RSAES-OAEP: empty label, MGF1 with the same hash.
    case oaep(HashFunction)
    /// The same with a label, which both ends have to name.
    case labelledOAEP(HashFunction, label: [UInt8])
    /// RSAES-PKCS1-v1_5, for formats that ask for it. Who tells a stranger whether a packet opened gives the key's
    /// work away (Bleichenbacher): use OAEP.
    case pkcs1
    /// None: the message is a number below the modulus, zeros in front.
    case none

    /// The bytes that the padding takes.
    package var overhead: Int {
        switch self {
        case .oaep(let hash), .labelledOAEP(let hash, _): 2 * hash.byteCount + 2
        case .pkcs1: 11
        case .none: 0
        }
    }

    fileprivate func configure(_ context: OpaquePointer) -> Bool {
        switch self {
        case .oaep(let hash): unsafe Self.configureOAEP(context, hash)
        case .labelledOAEP(let hash, let label):
            unsafe Self.configureOAEP(context, hash) && pavise_rsa_oaep_label(context, label, label.count) == 1
        case .pkcs1:
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1
                && pavise_rsa_explicit_rejection(context) == 1
        case .none: unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_NO_PADDING) == 1
        }
    }

    private static func configureOAEP(_ context: OpaquePointer, _ hash: HashFunction) -> Bool {
        unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_OAEP_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_oaep_md(context, hash.method) == 1
            && EVP_PKEY_CTX_set_rsa_mgf1_md(context, hash.method) == 1
    }
}

extension RSAPublicKey {
    /// Encrypts at most ``blockBytes`` − ``RSAEncryptionPadding/overhead`` bytes.
    ///
    /// - Throws: ``CryptoFailure/invalidParameter(_:)`` for more bytes, or for a number that is not below the modulus.
    package func encrypt(
        _ plain: Span<UInt8>, _ padding: RSAEncryptionPadding
    ) throws(CryptoFailure) -> [UInt8] {
        guard plain.count <= blockBytes - padding.overhead else { throw .invalidParameter("too long for the key") }
        guard padding == .none, plain.count < blockBytes else { return try encryptPadded(plain, padding) }
        let missing = blockBytes - plain.count
        let padded = SecretBytes(count: blockBytes) { target in
            for index in plain.indices { target[missing + index] = plain[index] }
        }
        return try padded.withBytes { block throws(CryptoFailure) in try encryptPadded(block, padding) }
    }

    private func encryptPadded(
        _ plain: Span<UInt8>, _ padding: RSAEncryptionPadding
    ) throws(CryptoFailure) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("RSA") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_encrypt_init(context) == 1, unsafe padding.configure(context) else { throw .last("RSA") }
        var count = blockBytes
        var output = [UInt8](repeating: 0, count: count)
        let status = unsafe plain.withUnsafeBytes { input in
            unsafe EVP_PKEY_encrypt(
                context, &output, &count, input.bindMemory(to: UInt8.self).baseAddress, input.count)
        }
        guard status == 1, count == output.count else {
            ERR_clear_error()
            throw .invalidParameter("not below the modulus")
        }
        return output
    }
}

extension RSAPrivateKey {
    /// Decrypts what ``RSAPublicKey/encrypt(_:_:)`` made; without padding the result has as many bytes as the modulus.
    ///
    /// OpenSSL takes the padding off in constant time; that the packet was bad is all that can be seen.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    package func decrypt(
        _ cipher: Span<UInt8>, _ padding: RSAEncryptionPadding
    ) throws(CryptoFailure) -> SecretBytes {
        guard cipher.count == publicKey.blockBytes else { throw .authentication }
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, handle.pointer, nil) else { throw .last("RSA") }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_PKEY_decrypt_init(context) == 1, unsafe padding.configure(context) else { throw .last("RSA") }
        var count = cipher.count
        var output = [UInt8](repeating: 0, count: count)
        defer { Wipe.bytes(&output) }
        let status = unsafe cipher.withUnsafeBytes { input in
            unsafe EVP_PKEY_decrypt(
                context, &output, &count, input.bindMemory(to: UInt8.self).baseAddress, input.count)
        }
        guard status == 1, count <= output.count else { throw .authentication }
        return SecretBytes(copying: output.span.extracting(..<count))
    }
}
