internal import CPaviseOpenSSL
package import PavisePrimitives

extension RSAPublicKey {
    /// Encrypts at most ``blockBytes`` − ``RSAEncryptionPadding/overhead`` bytes.
    ///
    /// - Throws: ``CryptoFailure/invalidParameter(_:)`` for more bytes, or for a number that is not below the modulus.
    package func encrypt(
        _ plain: Span<UInt8>, _ padding: RSAEncryptionPadding
    ) throws(CryptoFailure) -> [UInt8] {
        try ConditionalSelfTest.rsaOAEP.require()
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
        try ConditionalSelfTest.rsaOAEP.require()
        guard cipher.count == publicKey.blockBytes else { throw .authentication }
        return try handle.decrypt(cipher, padding)
    }
}

extension KeyHandle {
    /// Decrypts a block with this RSA key.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for every defect.
    func decrypt(_ cipher: Span<UInt8>, _ padding: RSAEncryptionPadding) throws(CryptoFailure) -> SecretBytes {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { throw .last("RSA") }
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
