/// Somebody between client and server who holds a certificate that looks right and a key that is not the server's.
public enum ManInTheMiddle: String, CaseIterable, Hashable, Sendable {
    /// The same authority, which the client trusts, certified another key: only a pin tells.
    case trustedAuthority
    /// An authority that the client does not know, with the same name as the real one.
    case namesakeAuthority

    /// A certificate with the same names as a good one, for another key.
    public func identity(against authority: CertificateAuthority) throws(LabFailure) -> ServerIdentity {
        switch self {
        case .trustedAuthority: try authority.issue()
        case .namesakeAuthority: try CertificateAuthority(name: authority.name).issue()
        }
    }

    /// Takes the place of `server`: from the next connection on, clients meet the wrong key at the same address.
    ///
    /// Open connections are cut, so that a client cannot go on with one that it has already checked.
    ///
    /// - Returns: The false identity.
    @discardableResult
    public func takeOver(_ server: LabServer, of authority: CertificateAuthority) throws(LabFailure) -> ServerIdentity {
        let identity = try identity(against: authority)
        try server.use(identity)
        server.dropConnections()
        return identity
    }
}
