internal import CPaviseOpenSSL
package import PavisePrimitives

/// A passphrase as C wants it: with a zero at its end, and none inside.
package struct KeyPassphrase: ~Copyable {
    private let bytes: SecretBytes

    /// - Throws: ``KeyFileFailure/malformed`` for one with a zero byte, or more than 1023 bytes.
    package init(_ text: borrowing SecretBytes) throws(KeyFileFailure) {
        bytes = try text.withBytes { span throws(KeyFileFailure) in
            guard span.count <= 1023, !span.indices.contains(where: { span[$0] == 0 }) else { throw .malformed }
            return SecretBytes(count: span.count + 1) { target in
                for index in span.indices { target[index] = span[index] }
            }
        }
    }

    /// The bytes without the zero.
    var count: Int { bytes.count - 1 }

    /// Lends the text.
    func withText<Result, Failure: Error>(
        _ body: (UnsafePointer<CChar>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withBytes { span throws(Failure) in
            try unsafe span.withUnsafeBytes { buffer throws(Failure) in
                guard let base = unsafe buffer.bindMemory(to: CChar.self).baseAddress else {
                    preconditionFailure("A passphrase has at least its zero.")
                }
                return try unsafe body(base)
            }
        }
    }
}

extension PrivateKey {
    var handle: KeyHandle {
        switch self {
        case .rsa(let key): key.handle
        case .ec(let key): key.handle
        case .curve25519(let key): key.handle
        }
    }

    /// PrivateKeyInfo (RFC 5208), DER.
    package func pkcs8() throws(KeyFileFailure) -> SecretBytes {
        guard let info = unsafe EVP_PKEY2PKCS8(handle.pointer) else { throw .unsupported }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        return try unsafe Self.secret { unsafe i2d_PKCS8_PRIV_KEY_INFO(info, $0) }
    }

    /// The key's older form, as OpenSSL writes it: RSAPrivateKey or ECPrivateKey, DER.
    ///
    /// - Throws: ``KeyFileFailure/unsupported`` for a key on Curve25519, which has none.
    package func traditional() throws(KeyFileFailure) -> SecretBytes {
        if case .curve25519 = self { throw .unsupported }
        return try unsafe Self.secret { unsafe i2d_PrivateKey(handle.pointer, $0) }
    }

    /// EncryptedPrivateKeyInfo, DER: AES-256-CBC under PBKDF2 with SHA-256 (RFC 8018).
    package func encryptedPKCS8(
        _ passphrase: borrowing KeyPassphrase, rounds: Int = KeyFileCost.rounds
    ) throws(KeyFileFailure) -> [UInt8] {
        defer { ERR_clear_error() }
        guard let info = unsafe EVP_PKEY2PKCS8(handle.pointer) else { throw .unsupported }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        let length = Int32(passphrase.count)
        let sealed = unsafe passphrase.withText { text in
            unsafe PKCS8_encrypt(-1, EVP_aes_256_cbc(), text, length, nil, 0, Int32(rounds), info)
        }
        guard let sealed = unsafe sealed else { throw .unsupported }
        defer { unsafe X509_SIG_free(sealed) }
        let der = unsafe DER.bytes { unsafe i2d_X509_SIG(sealed, $0) }
        guard !der.isEmpty else { throw .unsupported }
        return der
    }

    private static func secret(
        _ encode: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
    ) throws(KeyFileFailure) -> SecretBytes {
        let count = encode(nil)
        guard count > 0 else {
            ERR_clear_error()
            throw .unsupported
        }
        var written: Int32 = 0
        let bytes = SecretBytes(count: Int(count)) { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                var next = unsafe buffer.bindMemory(to: UInt8.self).baseAddress
                written = unsafe encode(&next)
            }
        }
        guard written == count else {
            ERR_clear_error()
            throw .unsupported
        }
        return bytes
    }
}

/// How much work a passphrase costs.
package enum KeyFileCost {
    /// The rounds of each key derivation in files that are written: what OWASP asks of PBKDF2 with SHA-256.
    package static let rounds = 600_000
}
