public import PavisePrimitives
internal import PaviseTransport

/// How a confidential client authenticates: with the secret that it got when it was registered (RFC 6749 §2.3.1).
///
/// It is part of a session's record, sealed with the tokens, and goes with them when the session ends.
public struct ClientAuthentication: Hashable, Sendable {
    /// Where the secret stands in a request.
    public enum Method: String, Hashable, Sendable, CaseIterable {
        /// In the `Authorization` field, as HTTP Basic.
        case basic = "client_secret_basic"
        /// In the form.
        case post = "client_secret_post"
    }

    /// Where the secret stands.
    public let method: Method
    /// The secret.
    public let secret: SharedSecretBytes

    /// A secret and the place for it.
    public init(_ method: Method, secret: SharedSecretBytes) {
        self.method = method
        self.secret = secret
    }

    /// Whether `secret` has a form that a secret may have: 1 to 1024 visible ASCII characters and blanks (RFC 6749
    /// appendix A.2).
    public static func isSecret(_ secret: SharedSecretBytes) -> Bool {
        secret.withBytes { span in
            (1...1024).contains(span.count) && span.indices.allSatisfy { (0x20...0x7E).contains(span[$0]) }
        }
    }

    /// Compares the secrets without stopping at the first difference.
    public static func == (one: ClientAuthentication, other: ClientAuthentication) -> Bool {
        one.method == other.method && one.secret.matches(other.secret)
    }

    /// Hashes the method alone.
    public func hash(into hasher: inout Hasher) { hasher.combine(method) }

    // Both halves are form-encoded before they are joined (RFC 6749 §2.3.1): a colon in one of them divides nothing. No
    // text of them is made, which nobody could wipe.
    func basicCredential(of clientID: String) -> SharedSecretBytes {
        SharedSecretBytes(Base64.encode(secret: FormValue.pair(clientID, secret)))
    }
}

extension AuthorizationServer {
    /// The place for a secret that this server takes; `nil` where it takes none.
    var usualMethod: ClientAuthentication.Method? {
        ClientAuthentication.Method.allCases.first { clientAuthentication.contains($0.rawValue) }
    }

    /// How a client with `secret` authenticates here: with HTTP Basic where the server takes it, else in the form.
    ///
    /// - Throws: ``SignInFailure/clientSecretNotTaken`` when the server takes neither: then the secret goes nowhere.
    func authentication(with secret: SharedSecretBytes?) throws(SignInFailure) -> ClientAuthentication? {
        guard let secret else { return nil }
        guard ClientAuthentication.isSecret(secret) else { throw .unusableClientSecret }
        guard let method = usualMethod else { throw .clientSecretNotTaken }
        return ClientAuthentication(method, secret: secret)
    }
}
