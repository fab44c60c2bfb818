internal import CPaviseOpenSSL

extension X509Certificate {
    /// Whether the key of `issuer` made this certificate's signature. Names are not compared here.
    package func isSigned(by issuer: X509Certificate) -> Bool { isSigned(bySPKI: issuer.spki) }

    /// Whether the key in a SubjectPublicKeyInfo made this certificate's signature.
    package func isSigned(bySPKI spki: [UInt8]) -> Bool {
        guard let key = try? KeyHandle.fromSPKI(spki) else { return false }
        let certificate = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            return unsafe d2i_X509(nil, &next, buffer.count)
        }
        defer {
            unsafe X509_free(certificate)
            ERR_clear_error()
        }
        guard let certificate = unsafe certificate else { return false }
        return unsafe X509_verify(certificate, key.pointer) == 1
    }
}
