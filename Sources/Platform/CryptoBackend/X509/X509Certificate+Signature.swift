internal import CPaviseOpenSSL

extension X509Certificate {
    /// Whether the key of `issuer` made this certificate's signature. Names are not compared here.
    package func isSigned(by issuer: X509Certificate) -> Bool {
        CertificateVerificationKey(issuer.key, spki: issuer.spki).map(isSigned) ?? false
    }

    /// Whether the key in a SubjectPublicKeyInfo made this certificate's signature.
    package func isSigned(bySPKI spki: [UInt8]) -> Bool {
        CertificateVerificationKey(spki: spki).map(isSigned) ?? false
    }

    private func isSigned(_ key: CertificateVerificationKey) -> Bool {
        guard let scheme = signature.scheme else { return isSignedUnusually(key) }
        return key.isSignature(signatureValue, of: signedPart, scheme)
    }

    // PSS with its parameters, old hashes, DSA: OpenSSL reads the certificate once more.
    private func isSignedUnusually(_ key: CertificateVerificationKey) -> Bool {
        let certificate = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return unsafe d2i_X509(nil, &next, buffer.count)
        }
        defer {
            unsafe X509_free(certificate)
            ERR_clear_error()
        }
        guard let certificate = unsafe certificate, let key = key.handle else { return false }
        return unsafe X509_verify(certificate, key.pointer) == 1
    }
}
