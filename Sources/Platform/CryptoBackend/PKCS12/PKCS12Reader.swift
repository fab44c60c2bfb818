internal import CPaviseOpenSSL

/// Walks through the bags of a file whose authentication code fits.
struct PKCS12Reader {
    private(set) var content = PKCS12Content()
    private let passphrase: PKCS12.Passphrase
    private var cost: PKCS12Cost
    private let depth: Int

    init(passphrase: PKCS12.Passphrase, cost: PKCS12Cost, depth: Int) {
        self.passphrase = passphrase
        self.cost = cost
        self.depth = depth
    }

    /// Reads all bags.
    mutating func read(_ file: OpaquePointer) throws(PKCS12Failure) {
        guard let parts = unsafe PKCS12_unpack_authsafes(file) else { throw .malformed }
        defer { unsafe pavise_pkcs7_stack_free(parts) }
        for index in unsafe 0..<max(0, pavise_pkcs7_count(parts)) {
            guard let part = unsafe pavise_pkcs7_at(parts, index), let bags = unsafe try unpack(part) else {
                throw .malformed
            }
            defer { unsafe pavise_bag_stack_free(bags) }
            unsafe try read(bags: bags, depth)
        }
    }

    // The bags of one part, which may be encrypted; `nil` for a form that nobody uses, such as a public-key envelope.
    private mutating func unpack(_ part: UnsafeMutablePointer<PKCS7>) throws(PKCS12Failure) -> OpaquePointer? {
        switch unsafe OBJ_obj2nid(part.pointee.type) {
        case NID_pkcs7_data:
            guard unsafe part.pointee.d.data != nil else { throw .malformed }
            return unsafe PKCS12_unpack_p7data(part)
        case NID_pkcs7_encrypted:
            // The content may be left out (RFC 2315 §10.1). OpenSSL of before January 2026 reads it all the same.
            guard let content = unsafe part.pointee.d.encrypted?.pointee.enc_data,
                unsafe content.pointee.enc_data != nil
            else { throw .malformed }
            unsafe try cost.encryption(content.pointee.algorithm)
            // The passphrase is right, so what does not decrypt has a cipher that is not here, or is damaged inside.
            guard let bags = unsafe PKCS12_unpack_p7encdata(part, passphrase.bytes, Int32(passphrase.count)) else {
                throw .unsupported
            }
            return unsafe bags
        default: throw .unsupported
        }
    }

    private mutating func read(bags: OpaquePointer, _ depth: Int) throws(PKCS12Failure) {
        guard depth > 0 else { throw .excessive }
        for index in unsafe 0..<max(0, pavise_bag_count(bags)) {
            try cost.bag()
            guard let bag = unsafe pavise_bag_at(bags, index) else { throw .malformed }
            switch unsafe PKCS12_SAFEBAG_get_nid(bag) {
            case NID_keyBag: unsafe addKey(PKCS12_SAFEBAG_get0_p8inf(bag), bag)
            case NID_pkcs8ShroudedKeyBag: unsafe try addEncryptedKey(bag)
            case NID_certBag: unsafe addCertificate(bag)
            case NID_safeContentsBag:
                guard let inner = unsafe PKCS12_SAFEBAG_get0_safes(bag) else { throw .malformed }
                unsafe try read(bags: inner, depth - 1)
            default: continue
            }
        }
    }

    private mutating func addEncryptedKey(_ bag: OpaquePointer) throws(PKCS12Failure) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        guard let sealed = unsafe PKCS12_SAFEBAG_get0_pkcs8(bag) else { throw .malformed }
        unsafe X509_SIG_get0(sealed, &algorithm, nil)
        unsafe try cost.encryption(algorithm)
        let key = unsafe PKCS12_decrypt_skey_ex(
            bag, passphrase.bytes, Int32(passphrase.count), PKCS12Library.shared.context, nil)
        guard let key = unsafe key else { throw .unsupported }
        defer { unsafe PKCS8_PRIV_KEY_INFO_free(key) }
        unsafe addKey(key, bag)
    }

    // A key of a kind that is not here is left out; the others are of use.
    private mutating func addKey(_ info: OpaquePointer?, _ bag: OpaquePointer) {
        guard let info = unsafe info, let pointer = unsafe EVP_PKCS82PKEY(info),
            let key = try? PrivateKey(unsafe KeyHandle(owning: pointer))
        else { return }
        unsafe content.keys.append(.init(value: key, name: Self.name(bag), identifier: Self.identifier(bag)))
    }

    private mutating func addCertificate(_ bag: OpaquePointer) {
        guard let certificate = unsafe PKCS12_SAFEBAG_get1_cert(bag) else { return }
        defer { unsafe X509_free(certificate) }
        let der = unsafe DER.bytes { unsafe i2d_X509(certificate, $0) }
        unsafe content.certificates.append(.init(value: der, name: Self.name(bag), identifier: Self.identifier(bag)))
    }

    // UTF-16 (RFC 2985 §5.5.1), read here: OpenSSL of before January 2026 writes a byte before its buffer for names in
    // many scripts (CVE-2025-69419).
    private static func name(_ bag: OpaquePointer) -> String? {
        guard let value = unsafe PKCS12_SAFEBAG_get0_attr(bag, NID_friendlyName),
            unsafe value.pointee.type == V_ASN1_BMPSTRING, let text = unsafe value.pointee.value.bmpstring
        else { return nil }
        let count = Int(unsafe ASN1_STRING_length(text))
        guard (0...2_048).contains(count), count % 2 == 0 else { return nil }
        let bytes = unsafe [UInt8](UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: count))
        let units = stride(from: 0, to: count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // Some programs write the zero of a C text, too.
        let name = String(validating: units.prefix { $0 != 0 }, as: UTF16.self)
        return name.flatMap { $0.utf8.count <= 1024 ? $0 : nil }
    }

    private static func identifier(_ bag: OpaquePointer) -> [UInt8]? {
        guard let value = unsafe PKCS12_SAFEBAG_get0_attr(bag, NID_localKeyID),
            unsafe value.pointee.type == V_ASN1_OCTET_STRING, let text = unsafe value.pointee.value.octet_string
        else { return nil }
        let count = Int(unsafe ASN1_STRING_length(text))
        guard (1...256).contains(count) else { return nil }
        return unsafe [UInt8](UnsafeBufferPointer(start: ASN1_STRING_get0_data(text), count: count))
    }
}
