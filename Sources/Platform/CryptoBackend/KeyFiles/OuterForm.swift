/// What a file in DER is, by its first elements alone. The bytes behind them are not read yet.
package enum OuterForm: Hashable, Sendable {
    /// X.509 (RFC 5280).
    case certificate
    /// SubjectPublicKeyInfo (RFC 5280 §4.1).
    case publicKey
    /// RSAPublicKey (RFC 8017 appendix A.1.1).
    case rsaPublicKey
    /// RSAPrivateKey (RFC 8017 appendix A.1.2).
    case rsaPrivateKey
    /// ECPrivateKey (RFC 5915).
    case ecPrivateKey
    /// PrivateKeyInfo (RFC 5208, RFC 5958).
    case pkcs8
    /// EncryptedPrivateKeyInfo (RFC 5208 §6).
    case encryptedPKCS8
    /// SignedData (RFC 2315 §9), which may hold certificates alone.
    case pkcs7
    /// PFX (RFC 7292 §4).
    case pkcs12

    /// `nil` for bytes that begin like none of these, or are not one element alone.
    package init?(_ der: [UInt8]) {
        guard let form = try? Self.read(der) else { return nil }
        self = form
    }

    private static func read(_ der: [UInt8]) throws(DERFailure) -> OuterForm {
        var outer = DERReader(der[...])
        var list = try outer.inside()
        try outer.finish()
        let first = try list.next()
        let second = try list.next()
        switch (first.tag, second.tag) {
        case (DERTag.integer, DERTag.integer): return list.isAtEnd ? .rsaPublicKey : .rsaPrivateKey
        case (DERTag.integer, DERTag.octetString): return .ecPrivateKey
        case (DERTag.integer, DERTag.sequence): return try first.smallInteger() == 3 ? .pkcs12 : .pkcs8
        case (DERTag.sequence, DERTag.octetString): return .encryptedPKCS8
        case (DERTag.sequence, DERTag.bitString): return .publicKey
        case (DERTag.sequence, DERTag.sequence): return .certificate
        case (DERTag.objectIdentifier, DERTag.context(0, constructed: true)):
            guard try first.objectIdentifier() == CertificateBag.signedData else { throw DERFailure() }
            return .pkcs7
        default: throw DERFailure()
        }
    }
}
