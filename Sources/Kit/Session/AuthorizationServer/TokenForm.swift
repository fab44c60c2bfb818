internal import PavisePrimitives

/// The parameters of each request about tokens, without those that say who the client is. Whatever is worth stealing
/// goes in as a secret, so that no text of it is ever made (oauth G3).
enum TokenForm {
    typealias Parameters = [(String, FormValue)]

    /// The name of the grant of devices (RFC 8628 §3.4).
    static let deviceGrant = "urn:ietf:params:oauth:grant-type:device_code"

    /// RFC 6749 §6.
    static func refresh(_ token: SharedSecretBytes) -> Parameters {
        [("grant_type", .text("refresh_token")), ("refresh_token", .secret(token))]
    }

    /// RFC 6749 §4.1.3, RFC 7636 §4.5.
    static func exchange(
        _ code: SharedSecretBytes, verifier: SharedSecretBytes, redirect: String, _ extra: [(String, String)]
    ) -> Parameters {
        let own: Parameters = [
            ("grant_type", .text("authorization_code")), ("code", .secret(code)), ("redirect_uri", .text(redirect)),
            ("code_verifier", .secret(verifier)),
        ]
        return own + extra.map { ($0, .text($1)) }
    }

    /// RFC 8628 §3.4.
    static func device(_ code: SharedSecretBytes) -> Parameters {
        [("grant_type", .text(deviceGrant)), ("device_code", .secret(code))]
    }

    /// RFC 7009 §2.1.
    static func revocation(_ token: SharedSecretBytes, hint: String) -> Parameters {
        [("token", .secret(token)), ("token_type_hint", .text(hint))]
    }

    /// RFC 6749 §2.3.1: what says who the client is. With HTTP Basic that stands in a field and not in the form.
    static func client(_ name: String, _ authentication: ClientAuthentication?) -> Parameters {
        switch authentication?.method {
        case nil: [("client_id", .text(name))]
        case .basic: []
        case .post: authentication.map { [("client_id", .text(name)), ("client_secret", .secret($0.secret))] } ?? []
        }
    }
}
