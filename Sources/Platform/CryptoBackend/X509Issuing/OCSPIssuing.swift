internal import CPaviseOpenSSL

/// Answers of a status service (RFC 6960), for test authorities.
package enum OCSPIssuing {
    /// An answer about `certificate`, signed by its issuer itself.
    ///
    /// - Parameters:
    ///   - certificate: DER.
    ///   - issuer: DER of the authority that issued it.
    ///   - key: The authority's key.
    ///   - isRevoked: Whether it says revoked, since an hour before `from`, because the key was stolen; otherwise good.
    ///   - from: First second since 1970.
    ///   - to: Last second since 1970.
    ///   - timestamps: Promises of logs that are laid beside the word, as one list (RFC 6962 §3.3); empty for none.
    package static func answer(
        about certificate: [UInt8], of issuer: [UInt8], key: IssuingKey, isRevoked: Bool, from: Int64, to: Int64,
        timestamps: [UInt8] = []
    ) throws(CryptoFailure) -> [UInt8] {
        guard let leaf = unsafe CertificateIssuing.parse(certificate),
            let authority = unsafe CertificateIssuing.parse(issuer), let basic = unsafe OCSP_BASICRESP_new()
        else { throw CryptoFailure.last("status answer") }
        defer {
            unsafe X509_free(leaf)
            unsafe X509_free(authority)
            unsafe OCSP_BASICRESP_free(basic)
        }
        let times = unsafe [from - 3_600, from, to].map { unsafe ASN1_GENERALIZEDTIME_set(nil, Int($0)) }
        defer { unsafe times.forEach { unsafe ASN1_GENERALIZEDTIME_free($0) } }
        guard let identifier = unsafe OCSP_cert_to_id(EVP_sha1(), leaf, authority) else {
            throw CryptoFailure.last("status answer")
        }
        defer { unsafe OCSP_CERTID_free(identifier) }
        let status = isRevoked ? V_OCSP_CERTSTATUS_REVOKED : V_OCSP_CERTSTATUS_GOOD
        guard
            let single = unsafe OCSP_basic_add1_status(
                basic, identifier, status, OCSP_REVOKED_STATUS_KEYCOMPROMISE, isRevoked ? times[0] : nil, times[1],
                times[2]),
            unsafe timestamps.isEmpty || add(timestamps, to: single),
            unsafe OCSP_basic_sign(basic, authority, key.handle, EVP_sha256(), nil, 0) == 1,
            let answer = unsafe OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
        else { throw CryptoFailure.last("status answer") }
        defer { unsafe OCSP_RESPONSE_free(answer) }
        return unsafe DER.bytes { unsafe i2d_OCSP_RESPONSE(answer, $0) }
    }

    private static func add(_ timestamps: [UInt8], to single: OpaquePointer) -> Bool {
        let name = unsafe OBJ_txt2obj("1.3.6.1.4.1.11129.2.4.5", 1)
        let value = unsafe ASN1_OCTET_STRING_new()
        defer {
            unsafe ASN1_OBJECT_free(name)
            unsafe ASN1_OCTET_STRING_free(value)
        }
        let content = DEREncoding.element(DERTag.octetString, timestamps)
        guard unsafe ASN1_OCTET_STRING_set(value, content, Int32(content.count)) == 1,
            let made = unsafe X509_EXTENSION_create_by_OBJ(nil, name, 0, value)
        else { return false }
        defer { unsafe X509_EXTENSION_free(made) }
        return unsafe OCSP_SINGLERESP_add_ext(single, made, -1) == 1
    }
}
