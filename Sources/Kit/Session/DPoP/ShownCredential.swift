package import PavisePrimitives
package import PaviseTransport

/// A credential that may be shown more than once, and the only origin that gets it.
package struct ShownCredential: Sendable {
    /// Whether it is an access token.
    let isToken: Bool
    private let secret: SharedSecretBytes
    private let origin: Origin

    /// An access token.
    package init(token: SharedSecretBytes, for origin: Origin) {
        isToken = true
        secret = token
        self.origin = origin
    }

    /// A client's name and password (RFC 6749 §2.3.1), as HTTP Basic has them.
    init(basic: SharedSecretBytes, for origin: Origin) {
        isToken = false
        secret = basic
        self.origin = origin
    }

    /// The token's digest, for `ath`; `nil` for another credential.
    var digest: [UInt8]? { isToken ? secret.digest : nil }

    /// A copy to be sent. An access token that is bound goes out under the scheme `DPoP`.
    func authorization(isBound: Bool) -> Authorization {
        Authorization(
            scheme: isToken ? isBound ? "DPoP" : "Bearer" : "Basic", credential: secret.duplicate(), origin: origin)
    }
}
