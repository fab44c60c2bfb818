internal import PavisePrimitives

/// What a client tells of itself when it registers (RFC 7591 §2), as a native app (RFC 8252).
struct ClientMetadata: Hashable, Sendable {
    /// What people see.
    var name: String
    /// The loopback addresses that codes may go to; empty for a device without a browser.
    var redirects: [String]
    /// The scopes that it will ask for.
    var scopes: [String]
    /// How it wants to authenticate.
    var authentication: String

    /// The name of a client without a secret.
    static let publicClient = "none"

    /// The request's body.
    var document: JSONValue {
        let grant = redirects.isEmpty ? TokenForm.deviceGrant : "authorization_code"
        return .fields([
            "client_name": .string(name), "application_type": "native",
            "redirect_uris": redirects.isEmpty ? nil : .array(redirects.map { .string($0) }),
            "grant_types": [.string(grant), "refresh_token"],
            "response_types": redirects.isEmpty ? [] : ["code"],
            "token_endpoint_auth_method": .string(authentication),
            "scope": .string(scopes.joined(separator: " ")),
        ])
    }
}
