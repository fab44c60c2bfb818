package import PavisePrimitives

/// The lines with secrets that go along with one request. They belong to its origin and are never part of the request.
package struct SecretFields: Sendable {
    /// The `Authorization` line.
    package var authorization: SecretField?
    /// The `Cookie` line.
    package var cookie: SecretField?

    /// None, or these.
    package init(authorization: SecretField? = nil, cookie: SecretField? = nil) {
        self.authorization = authorization
        self.cookie = cookie
    }

    /// Nothing secret.
    package static var none: SecretFields { SecretFields() }
}
