/// What a status service says about a certificate.
public enum CertificateStatus: Hashable, Sendable, CaseIterable {
    /// It is not revoked.
    case good
    /// It was revoked an hour ago, because its key was stolen.
    case revoked
}
