internal import PavisePrimitives
internal import PaviseTransport

/// A credential that is shown more than once. An access token goes out under the scheme `DPoP`, whatever it was called.
struct ShownCredential: Sendable {
    /// Whether it is an access token.
    let isToken: Bool
    /// The token's digest, for `ath`; `nil` for another credential.
    let digest: [UInt8]?
    private let scheme: String
    private let secret: SharedSecretBytes
    private let origin: Origin

    init(_ authorization: borrowing Authorization) {
        let name = authorization.scheme.lowercased()
        isToken = name == "bearer" || name == "dpop"
        scheme = isToken ? "DPoP" : authorization.scheme
        secret = SharedSecretBytes(authorization.credential.duplicate())
        origin = authorization.origin
        digest = isToken ? secret.digest : nil
    }

    /// A copy to be sent.
    var authorization: Authorization {
        Authorization(scheme: scheme, credential: secret.duplicate(), origin: origin)
    }
}
