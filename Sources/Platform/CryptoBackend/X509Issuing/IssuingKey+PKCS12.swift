internal import CPaviseOpenSSL

/// How a PKCS#12 file is protected.
package enum PKCS12Protection: Hashable, Sendable {
    /// AES-256 with PBKDF2, as newer programs write it.
    case modern
    /// RC2 of 40 bits for certificates and triple DES for keys, as older systems write it.
    case legacy
    /// As ``modern``, without an authentication code.
    case withoutCode
}

extension IssuingKey {
    /// This key and its certificate as a PKCS#12 file, for tests of the reader.
    ///
    /// - Parameters:
    ///   - certificate: DER.
    ///   - authorities: Further certificates, DER.
    ///   - rounds: Of each key derivation.
    package func pkcs12(
        certificate: [UInt8], authorities: [[UInt8]] = [], name: String? = nil, passphrase: String,
        _ protection: PKCS12Protection = .modern, rounds: Int = 2048
    ) throws(CryptoFailure) -> [UInt8] {
        guard let leaf = unsafe CertificateIssuing.parse(certificate), let others = unsafe pavise_x509_stack() else {
            throw .last("PKCS#12")
        }
        defer {
            unsafe X509_free(leaf)
            unsafe pavise_x509_stack_free(others)
        }
        for authority in authorities {
            guard let parsed = unsafe CertificateIssuing.parse(authority) else { throw .last("PKCS#12") }
            guard unsafe pavise_x509_push(others, parsed) > 0 else { throw .last("PKCS#12") }
        }
        let isLegacy = protection == .legacy
        let file = unsafe PKCS12_create_ex(
            passphrase, name, handle, leaf, others, isLegacy ? NID_pbe_WithSHA1And3_Key_TripleDES_CBC : NID_aes_256_cbc,
            isLegacy ? NID_pbe_WithSHA1And40BitRC2_CBC : NID_aes_256_cbc, Int32(rounds),
            protection == .withoutCode ? -1 : Int32(rounds), 0, PKCS12Library.shared.context, nil)
        guard let file = unsafe file else { throw .last("PKCS#12") }
        defer { unsafe PKCS12_free(file) }
        return unsafe DER.bytes { unsafe i2d_PKCS12(file, $0) }
    }
}
