package import PavisePrimitives

/// The lines with secrets that go along with one request. They belong to its origin and are never part of the request.
package struct CarriedLines: Sendable {
    /// The `Authorization` line.
    package var authorization: CredentialLine?
    /// The `Cookie` line.
    package var cookie: CredentialLine?

    /// None, or these.
    package init(authorization: CredentialLine? = nil, cookie: CredentialLine? = nil) {
        self.authorization = authorization
        self.cookie = cookie
    }

    /// Nothing secret.
    package static var none: CarriedLines { CarriedLines() }
}
