internal import CPaviseOpenSSL
package import PavisePrimitives

/// AES key wrap (RFC 3394, NIST SP 800-38F KW): a key under a key, 8 bytes longer, self-checking.
package enum AESKeyWrap {
    /// Wraps `key` (a multiple of 8, at least 16 bytes) under `kek` (16 or 32 bytes).
    package static func wrap(_ key: Span<UInt8>, with kek: Span<UInt8>) throws(CryptoFailure) -> [UInt8] {
        guard key.count >= 16, key.count % 8 == 0 else { throw .invalidParameter("key wrap length") }
        var output = [UInt8](repeating: 0, count: key.count + 8)
        var span = output.mutableSpan
        try run(key, with: kek, into: &span, encrypting: true)
        return output
    }

    /// Unwraps what ``wrap(_:with:)`` gave.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for anything else.
    package static func unwrap(_ wrapped: [UInt8], with kek: Span<UInt8>) throws(CryptoFailure) -> SecretBytes {
        guard wrapped.count >= 24, wrapped.count % 8 == 0 else { throw .authentication }
        return try SecretBytes(count: wrapped.count - 8) { span throws(CryptoFailure) in
            try run(wrapped.span, with: kek, into: &span, encrypting: false)
        }
    }

    private static func run(
        _ input: Span<UInt8>, with kek: Span<UInt8>, into output: inout MutableSpan<UInt8>, encrypting: Bool
    ) throws(CryptoFailure) {
        guard kek.count == 16 || kek.count == 32 else { throw .invalidKey }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .last("AES key wrap") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        unsafe EVP_CIPHER_CTX_set_flags(context, Int32(EVP_CIPHER_CTX_FLAG_WRAP_ALLOW))
        let method = unsafe kek.count == 16 ? EVP_aes_128_wrap() : EVP_aes_256_wrap()
        let started = unsafe kek.withUnsafeBytes {
            unsafe EVP_CipherInit_ex(
                context, method, nil, $0.bindMemory(to: UInt8.self).baseAddress, nil, encrypting ? 1 : 0)
        }
        guard started == 1 else { throw .last("AES key wrap") }
        var length: Int32 = 0
        // Unwrapping writes as many bytes as it reads before it cuts: give it room of its own.
        let scratch = UnsafeMutablePointer<UInt8>.allocate(capacity: input.count + 16)
        defer {
            unsafe OPENSSL_cleanse(scratch, input.count + 16)
            unsafe scratch.deallocate()
        }
        let status = unsafe input.withUnsafeBytes {
            unsafe EVP_CipherUpdate(
                context, scratch, &length, $0.bindMemory(to: UInt8.self).baseAddress, Int32($0.count))
        }
        guard status == 1, Int(length) == output.count else {
            ERR_clear_error()
            throw encrypting ? .last("AES key wrap") : .authentication
        }
        for index in 0..<output.count { output[index] = unsafe scratch[index] }
    }
}
