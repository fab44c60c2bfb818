internal import PaviseCrypto
internal import PavisePrimitives

extension CertificateAuthority {
    /// Issues a certificate through authorities of one's own making, right or wrong, which the server then sends along.
    ///
    /// - Parameters:
    ///   - profile: What the server's certificate says.
    ///   - authorities: From the root downwards; the last one signs the server's certificate. Empty lets the root sign.
    ///   - keys: Gives the server its key.
    /// - Throws: ``LabFailure/cryptography(_:)`` for a profile that OpenSSL cannot express.
    public func issue(
        _ profile: LeafProfile, below authorities: [AuthorityProfile], keys: KeyRing = KeyRing()
    ) throws(LabFailure) -> ServerIdentity {
        try LabFailure.translating { () throws(CryptoFailure) in
            var signers = [root]
            for authority in authorities {
                let key = try keys.key(authority.key)
                let signer = signers[signers.count - 1]
                let certificate = try CertificateIssuing.issue(
                    try authority.template(now: clock.wallSeconds), for: key, issuer: signer.certificate,
                    issuerKey: signer.key)
                signers.append(Signer(certificate: certificate, key: key))
            }
            let key = try keys.key(profile.key)
            let signer = signers[signers.count - 1]
            let leaf = try CertificateIssuing.issue(
                try profile.template(now: clock.wallSeconds), for: key,
                issuer: profile.isSelfSigned ? nil : signer.certificate,
                issuerKey: profile.isSelfSigned ? key : signer.key)
            let rest = profile.isSelfSigned ? [] : signers.dropFirst().reversed().map(\.certificate)
            return ServerIdentity(chain: [leaf] + rest, key: key)
        }
    }
}
