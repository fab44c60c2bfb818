internal import CPaviseOpenSSL

/// Makes PKCS#12 files whose inside is anything, for tests of the reader behind the authentication code.
package enum PKCS12Writing {
    /// A file with `contents` in the place of the safes, and the code that `passphrase` gives in one round.
    package static func authenticated(contents: [UInt8], passphrase: String) throws(CryptoFailure) -> [UInt8] {
        // RFC 7292 §4: version 3, then the safes as PKCS#7 data.
        let data: [UInt8] = [6, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 7, 1]
        let octets = DEREncoding.element(DERTag.octetString, contents)
        let safes = DEREncoding.element(
            DERTag.sequence, data + DEREncoding.element(DERTag.context(0, constructed: true), octets))
        let bytes = DEREncoding.element(DERTag.sequence, [2, 1, 3] + safes)
        let file = unsafe bytes.withUnsafeBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe d2i_PKCS12(nil, &next, buffer.count)
        }
        guard let file = unsafe file else { throw .last("PKCS#12") }
        defer { unsafe PKCS12_free(file) }
        guard unsafe PKCS12_set_mac(file, passphrase, Int32(passphrase.utf8.count), nil, 0, 1, EVP_sha256()) == 1 else {
            throw .last("PKCS#12")
        }
        return unsafe DER.bytes { unsafe i2d_PKCS12(file, $0) }
    }
}
