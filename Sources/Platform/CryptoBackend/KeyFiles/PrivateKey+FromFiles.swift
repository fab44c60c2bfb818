internal import CPaviseOpenSSL
internal import PavisePrimitives

extension PrivateKey {
    /// Reads a key in clear: PrivateKeyInfo, RSAPrivateKey or ECPrivateKey, and nothing behind it.
    package init(der: [UInt8]) throws(KeyFileFailure) {
        defer { ERR_clear_error() }
        do {
            switch OuterForm(der) {
            case .pkcs8: self = try Self.pkcs8(der)
            case .rsaPrivateKey: self = .rsa(try RSAPrivateKey(pkcs1: der))
            case .ecPrivateKey: self = .ec(try Self.sec1(der))
            default: throw KeyFileFailure.malformed
            }
        } catch let failure as KeyFileFailure {
            throw failure
        } catch {
            throw .malformed
        }
    }

    /// Reads EncryptedPrivateKeyInfo (RFC 5208 §6) and nothing behind it.
    package init(
        encryptedPKCS8 der: [UInt8], _ passphrase: borrowing KeyPassphrase, limits: PKCS12Limits = PKCS12Limits()
    ) throws(KeyFileFailure) {
        defer { ERR_clear_error() }
        let sealed = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let made = unsafe d2i_X509_SIG(nil, &next, buffer.count) else { return nil }
            guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe X509_SIG_free(made)
                return nil
            }
            return unsafe made
        }
        guard let sealed = unsafe sealed else { throw .malformed }
        defer { unsafe X509_SIG_free(sealed) }
        var algorithm: UnsafePointer<X509_ALGOR>?
        unsafe X509_SIG_get0(sealed, &algorithm, nil)
        var cost = PKCS12Cost(limits)
        do throws(PKCS12Failure) { unsafe try cost.encryption(algorithm) } catch {
            throw error == .excessive ? .excessive : .malformed
        }
        let length = Int32(passphrase.count)
        let info = unsafe passphrase.withText { text in
            unsafe PKCS8_decrypt_ex(sealed, text, length, PKCS12Library.shared.context, nil)
        }
        guard let info = unsafe info else { throw Self.refusal }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let pointer = unsafe EVP_PKCS82PKEY(info), let key = try? PrivateKey(unsafe KeyHandle(owning: pointer))
        else { throw .unsupported }
        self = key
    }

    /// Reads a block of PEM that is encrypted by its head, as OpenSSL wrote keys until its version 1.0.
    package init(
        encryptedPEM section: PEMSection, _ passphrase: borrowing KeyPassphrase
    ) throws(KeyFileFailure) {
        defer { ERR_clear_error() }
        guard ["RSA PRIVATE KEY", "EC PRIVATE KEY"].contains(section.label), section.text.count <= 65_536 else {
            throw .unsupported
        }
        try Self.checkHead(of: section)
        guard let bio = unsafe BIO_new_mem_buf(section.text, Int32(section.text.count)) else { throw .malformed }
        defer { unsafe BIO_free(bio) }
        // With a text and no function of ours, OpenSSL takes the text and asks nobody.
        let pointer = unsafe passphrase.withText { text in
            unsafe PEM_read_bio_PrivateKey(bio, nil, nil, UnsafeMutableRawPointer(mutating: text))
        }
        guard let pointer = unsafe pointer else { throw Self.refusalOfBlock }
        guard let key = try? PrivateKey(unsafe KeyHandle(owning: pointer)) else { throw .unsupported }
        self = key
    }

    // Only what was decrypted speaks of the passphrase: its end (padding), or that it is no key. All else that OpenSSL
    // says last is about a cipher or a derivation that it does not have.
    private static var refusal: KeyFileFailure {
        let code = ERR_peek_last_error()
        guard ERR_GET_LIB(code) == ERR_LIB_PKCS12 else { return .unsupported }
        switch ERR_GET_REASON(code) {
        case PKCS12_R_PKCS12_CIPHERFINAL_ERROR, PKCS12_R_DECODE_ERROR: return .passphrase
        default: return .unsupported
        }
    }

    private static var refusalOfBlock: KeyFileFailure {
        let code = ERR_peek_last_error()
        guard ERR_GET_LIB(code) == ERR_LIB_PEM else { return .passphrase }
        switch ERR_GET_REASON(code) {
        case PEM_R_UNSUPPORTED_ENCRYPTION: return .unsupported
        case PEM_R_NOT_PROC_TYPE, PEM_R_NOT_ENCRYPTED, PEM_R_NOT_DEK_INFO, PEM_R_SHORT_HEADER: return .encryptionHead
        default: return .passphrase
        }
    }

    // The line with the cipher and its start value (RFC 1421 §4.6.1.3). A damaged one, and a cipher that OpenSSL knows
    // by name and does not have, such as DES, end there as a wrong passphrase does.
    private static func checkHead(of section: PEMSection) throws(KeyFileFailure) {
        let mark = Array("DEK-Info:".utf8)
        let lines = section.text.split(separator: UInt8(ascii: "\n"))
        guard let line = lines.first(where: { $0.starts(with: mark) }),
            let comma = line.firstIndex(of: UInt8(ascii: ","))
        else { throw .encryptionHead }
        let name = line[..<comma].dropFirst(mark.count).filter { $0 != UInt8(ascii: " ") }
        guard name.allSatisfy({ (0x21..<0x7F).contains($0) }) else { throw .encryptionHead }
        guard let cipher = unsafe EVP_CIPHER_fetch(nil, String(decoding: name, as: UTF8.self), nil) else {
            throw .unsupported
        }
        defer { unsafe EVP_CIPHER_free(cipher) }
        let start = line[line.index(after: comma)...]
        let count = Int(unsafe EVP_CIPHER_get_iv_length(cipher))
        guard start.count == 2 * count, Hex.decode(String(decoding: start, as: UTF8.self)) != nil else {
            throw .encryptionHead
        }
    }

    private static func pkcs8(_ der: [UInt8]) throws -> PrivateKey {
        let info = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return unsafe d2i_PKCS8_PRIV_KEY_INFO(nil, &next, buffer.count)
        }
        guard let info = unsafe info else { throw KeyFileFailure.malformed }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(info) }
        guard let pointer = unsafe EVP_PKCS82PKEY(info) else { throw KeyFileFailure.unsupported }
        return try PrivateKey(unsafe KeyHandle(owning: pointer))
    }

    private static func sec1(_ der: [UInt8]) throws -> ECPrivateKey {
        var outer = DERReader(der[...])
        var list = try outer.inside()
        guard try list.next(DERTag.integer).smallInteger() == 1 else { throw KeyFileFailure.malformed }
        var scalar = Array(try list.next(DERTag.octetString).content)
        defer { Wipe.bytes(&scalar) }
        guard let parameters = try list.optional(DERTag.context(0, constructed: true)) else {
            throw KeyFileFailure.unsupported
        }
        var named = DERReader(parameters.content)
        let name = try named.next(DERTag.objectIdentifier).objectIdentifier()
        try named.finish()
        guard let curve = Curve.allCases.first(where: { $0.identifier == name }) else {
            throw KeyFileFailure.unsupported
        }
        let key = try ECPrivateKey(scalar: scalar.span, curve: curve)
        let tagged = try list.optional(DERTag.context(1, constructed: true))
        try list.finish()
        guard let tagged else { return key }
        var inner = DERReader(tagged.content)
        let point = Array(try inner.next(DERTag.bitString).octetsOfBitString())
        try inner.finish()
        guard point == key.publicKey.x963 else { throw KeyFileFailure.malformed }
        return key
    }
}
