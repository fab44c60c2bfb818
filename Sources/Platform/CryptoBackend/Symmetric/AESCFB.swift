internal import CPaviseOpenSSL

/// AES in CFB-128 mode (NIST SP 800-38A §6.3) with an initial vector of zeros, for formats that use each key once and
/// authenticate the result, as the TPM's do. By itself it notices no change.
package enum AESCFB {
    /// Encrypts under `key`, 16 or 32 bytes that encrypt nothing else; the result is as long as `plain`.
    package static func encrypt(_ plain: Span<UInt8>, onceUnder key: Span<UInt8>) throws(CryptoFailure) -> [UInt8] {
        guard key.count == 16 || key.count == 32 else { throw .invalidKey }
        guard plain.count <= 1 << 16 else { throw .invalidParameter("CFB length") }
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .last("AES-CFB") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        let method = unsafe key.count == 16 ? EVP_aes_128_cfb128() : EVP_aes_256_cfb128()
        let zeros = [UInt8](repeating: 0, count: 16)
        var output = [UInt8](repeating: 0, count: plain.count)
        var length: Int32 = 0
        let isDone = unsafe key.withUnsafeBytes { key in
            unsafe plain.withUnsafeBytes { plain in
                unsafe EVP_EncryptInit_ex(
                    context, method, nil, key.bindMemory(to: UInt8.self).baseAddress, zeros) == 1
                    && EVP_EncryptUpdate(
                        context, &output, &length, plain.bindMemory(to: UInt8.self).baseAddress, Int32(plain.count))
                        == 1
            }
        }
        guard isDone, Int(length) == output.count else { throw .last("AES-CFB") }
        return output
    }
}
