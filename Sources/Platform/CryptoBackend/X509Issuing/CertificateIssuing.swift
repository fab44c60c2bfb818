internal import CPaviseOpenSSL

/// Signs certificates for test authorities.
package enum CertificateIssuing {
    /// The certificate for `key` as `template` says, DER.
    ///
    /// - Parameters:
    ///   - issuer: The authority's certificate, DER; `nil` makes a self-signed one.
    ///   - issuerKey: The key that signs.
    package static func issue(
        _ template: CertificateTemplate, for key: IssuingKey, issuer: [UInt8]?, issuerKey: IssuingKey
    ) throws(CryptoFailure) -> [UInt8] {
        unsafe try issue(template, key: key.handle, issuer, issuerKey)
    }

    /// The same for a public key (SubjectPublicKeyInfo, DER) whose private half is somewhere else.
    package static func issue(
        _ template: CertificateTemplate, forPublicKey spki: [UInt8], issuer: [UInt8], issuerKey: IssuingKey
    ) throws(CryptoFailure) -> [UInt8] {
        let parsed = unsafe spki.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_PUBKEY(nil, &position, buffer.count)
        }
        guard let key = unsafe parsed else { throw CryptoFailure.last("public key") }
        defer { unsafe EVP_PKEY_free(key) }
        return unsafe try issue(template, key: key, issuer, issuerKey)
    }

    private static func issue(
        _ template: CertificateTemplate, key: OpaquePointer, _ issuer: [UInt8]?, _ issuerKey: IssuingKey
    ) throws(CryptoFailure) -> [UInt8] {
        guard let certificate = unsafe X509_new() else { throw CryptoFailure.last("certificate") }
        defer { unsafe X509_free(certificate) }
        let parent = unsafe issuer.flatMap { unsafe Self.parse($0) }
        defer { if let parent = unsafe parent { unsafe X509_free(parent) } }
        if issuer != nil, unsafe parent == nil { throw CryptoFailure.last("issuer certificate") }
        unsafe try fill(certificate, template, key, issuer: parent ?? certificate)
        for item in template.extensions {
            unsafe try add(item, to: certificate, issuer: parent ?? certificate)
        }
        guard unsafe sign(certificate, template.hash, issuerKey) else { throw CryptoFailure.last("sign certificate") }
        return unsafe DER.bytes { unsafe i2d_X509(certificate, $0) }
    }

    private static func sign(
        _ certificate: OpaquePointer, _ hash: CertificateTemplate.SignatureHash, _ key: IssuingKey
    ) -> Bool {
        guard hash == .sha256PSS else {
            return unsafe X509_sign(certificate, key.handle, key.hashesItself ? nil : digest(hash)) > 0
        }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        var parameters: OpaquePointer?
        return unsafe EVP_DigestSignInit(context, &parameters, digest(hash), nil, key.handle) == 1
            && EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
            && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, RSA_PSS_SALTLEN_DIGEST) == 1
            && X509_sign_ctx(certificate, context) > 0
    }

    private static func fill(
        _ certificate: OpaquePointer, _ template: CertificateTemplate, _ key: OpaquePointer, issuer: OpaquePointer
    ) throws(CryptoFailure) {
        let serial = unsafe BN_bin2bn(template.serial, Int32(template.serial.count), nil)
        defer { unsafe BN_free(serial) }
        let name = Array(template.subject.utf8)
        let subject = unsafe X509_get_subject_name(certificate)
        guard unsafe X509_set_version(certificate, 2) == 1,
            unsafe BN_to_ASN1_INTEGER(serial, X509_get_serialNumber(certificate)) != nil,
            unsafe X509_NAME_add_entry_by_txt(subject, "CN", utf8Text, name, Int32(name.count), -1, 0) == 1,
            unsafe X509_set_issuer_name(certificate, X509_get_subject_name(issuer)) == 1,
            unsafe ASN1_TIME_set(X509_getm_notBefore(certificate), time_t(template.notBefore)) != nil,
            unsafe ASN1_TIME_set(X509_getm_notAfter(certificate), time_t(template.notAfter)) != nil,
            unsafe X509_set_pubkey(certificate, key) == 1
        else { throw CryptoFailure.last("certificate fields") }
    }

    private static func add(
        _ item: CertificateTemplate.Extension, to certificate: OpaquePointer, issuer: OpaquePointer
    ) throws(CryptoFailure) {
        var context = unsafe X509V3_CTX()
        unsafe X509V3_set_ctx(&context, issuer, certificate, nil, nil, 0)
        guard let made = unsafe X509V3_EXT_nconf(nil, &context, item.name, item.value) else {
            throw CryptoFailure.last("extension \(item.name)")
        }
        defer { unsafe X509_EXTENSION_free(made) }
        guard unsafe X509_add_ext(certificate, made, -1) == 1 else {
            throw CryptoFailure.last("extension \(item.name)")
        }
    }

    static func parse(_ der: [UInt8]) -> OpaquePointer? {
        unsafe der.withUnsafeBufferPointer { buffer in
            var position = buffer.baseAddress
            return unsafe d2i_X509(nil, &position, buffer.count)
        }
    }

    private static func digest(_ hash: CertificateTemplate.SignatureHash) -> OpaquePointer? {
        switch hash {
        case .sha1: unsafe EVP_sha1()
        case .sha256, .sha256PSS: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        }
    }

    private static let utf8Text: Int32 = 0x1000
}
