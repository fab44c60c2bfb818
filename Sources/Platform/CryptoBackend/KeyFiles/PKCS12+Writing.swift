internal import CPaviseOpenSSL

extension PKCS12 {
    /// What is written into a file.
    package struct Entry {
        /// The certificate, DER.
        package let certificate: [UInt8]?
        /// The private key.
        package let key: PrivateKey?
        /// The friendly name; at most 1024 bytes count.
        package let name: String?

        /// One certificate, one key, or a key with its certificate.
        package init(certificate: [UInt8]?, key: PrivateKey?, name: String? = nil) {
            (self.certificate, self.key, self.name) = (certificate, key, name)
        }
    }

    /// A file with these entries: AES-256-CBC under PBKDF2 with SHA-256, and a code with SHA-256 (RFC 7292, RFC 8018).
    ///
    /// - Parameter rounds: Of each of the three key derivations.
    package static func file(
        _ entries: [Entry], _ passphrase: borrowing KeyPassphrase, rounds: Int = KeyFileCost.rounds
    ) throws(KeyFileFailure) -> [UInt8] {
        defer { ERR_clear_error() }
        return try unsafe passphrase.withText { text throws(KeyFileFailure) in
            var writer = unsafe PKCS12Writer(text, Int32(rounds))
            for (index, entry) in entries.enumerated() { try writer.add(entry, UInt8(truncatingIfNeeded: index + 1)) }
            return try writer.finish()
        }
    }
}

/// Fills the bags of one file.
@safe
private struct PKCS12Writer: ~Copyable {
    private let passphrase: UnsafePointer<CChar>
    private let rounds: Int32
    private var certificates: OpaquePointer?
    private var keys: OpaquePointer?

    init(_ passphrase: UnsafePointer<CChar>, _ rounds: Int32) {
        unsafe self.passphrase = passphrase
        self.rounds = rounds
    }

    deinit {
        unsafe pavise_bag_stack_free(certificates)
        unsafe pavise_bag_stack_free(keys)
    }

    mutating func add(_ entry: PKCS12.Entry, _ number: UInt8) throws(KeyFileFailure) {
        // A key and its certificate share an identifier; nobody else reads it.
        let isPair = entry.key != nil && entry.certificate != nil
        if let der = entry.certificate {
            guard let parsed = unsafe CertificateIssuing.parse(der) else { throw .malformed }
            defer { unsafe X509_free(parsed) }
            let bag = unsafe PKCS12_add_cert(&certificates, parsed)
            unsafe try mark(bag, entry.name, isPair ? number : nil)
        }
        if let key = entry.key {
            let bag = unsafe PKCS12_add_key(
                &keys, key.handle.pointer, 0, rounds, NID_aes_256_cbc, passphrase)
            unsafe try mark(bag, entry.name, isPair ? number : nil)
        }
    }

    private func mark(_ bag: OpaquePointer?, _ name: String?, _ number: UInt8?) throws(KeyFileFailure) {
        guard let bag = unsafe bag else { throw .unsupported }
        if let name, !name.isEmpty, name.utf8.count <= 1024 {
            // OpenSSL makes no name of UTF-8 with a character beyond the first 65,536.
            let units = name.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
            guard unsafe PKCS12_add_friendlyname_uni(bag, units, Int32(units.count)) == 1 else { throw .malformed }
        }
        if var number {
            guard unsafe PKCS12_add_localkeyid(bag, &number, 1) == 1 else { throw .unsupported }
        }
    }

    consuming func finish() throws(KeyFileFailure) -> [UInt8] {
        var safes: OpaquePointer?
        defer { unsafe pavise_pkcs7_stack_free(safes) }
        if unsafe certificates != nil {
            guard unsafe PKCS12_add_safe(&safes, certificates, NID_aes_256_cbc, rounds, passphrase) == 1 else {
                throw .unsupported
            }
        }
        if unsafe keys != nil {
            // Each key is encrypted in its own bag already.
            guard unsafe PKCS12_add_safe(&safes, keys, -1, 0, nil) == 1 else { throw .unsupported }
        }
        guard let safes = unsafe safes, let file = unsafe PKCS12_add_safes(safes, 0) else { throw .unsupported }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, passphrase, -1, nil, 0, rounds, EVP_sha256()) == 1 else {
            throw .unsupported
        }
        let der = unsafe DER.bytes { unsafe i2d_PKCS12(file, $0) }
        guard !der.isEmpty else { throw .unsupported }
        return der
    }
}
