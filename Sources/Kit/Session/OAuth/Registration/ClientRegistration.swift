public import PavisePrimitives
public import PaviseTransport

/// A client that an authority has made for this program (RFC 7591 §3.2.1).
public struct ClientRegistration: Sendable {
    /// Where the registration is managed, and the token for it (RFC 7592 §3).
    public struct Management: Sendable {
        /// The client's own address, at the origin of the registration endpoint.
        public let address: WebURL
        /// Shown to that address alone.
        public let token: SharedSecretBytes
    }

    /// The client identifier.
    public let clientID: String
    /// The client's secret, where the authority insists on one.
    public let secret: SharedSecretBytes?
    /// When the secret ends, in seconds since 1970; `nil` for one that does not, and where there is none. The session
    /// ends with it, unless another client was registered before.
    public let secretExpires: Int64?
    /// Where it can be deleted; `nil` where the authority offers that not.
    public let management: Management?

    /// Reads an answer strictly.
    ///
    /// - Parameters:
    ///   - asked: What was sent.
    ///   - endpoint: The registration endpoint.
    ///   - usual: The authentication that sign-in would choose for a client with a secret; `nil` where it has none.
    init(
        _ answer: JSONValue.Parted, asked: ClientMetadata, at endpoint: WebURL, usual: ClientAuthentication.Method?
    ) throws(RegistrationProblem) {
        let document = answer.value
        guard let name = document["client_id"]?.string, Self.isVisible(name, limit: 256) else { throw .unusableClient }
        clientID = name
        guard asked.redirects.isEmpty || document["redirect_uris"] == .array(asked.redirects.map { .string($0) })
        else { throw .otherRedirects }
        secret = try Self.secret(answer, usual)
        secretExpires = secret == nil ? nil : Self.end(document["client_secret_expires_at"])
        management = Self.management(answer, endpoint)
    }

    // Without a method in the answer, a secret in it means the usual one (RFC 7591 §2).
    private static func secret(
        _ answer: JSONValue.Parted, _ usual: ClientAuthentication.Method?
    ) throws(RegistrationProblem) -> SharedSecretBytes? {
        let document = answer.value
        let secret = answer.secrets["client_secret"]
        let usualName = secret == nil ? ClientMetadata.publicClient : ClientAuthentication.Method.basic.rawValue
        let method = document["token_endpoint_auth_method"]?.string ?? usualName
        guard method != ClientMetadata.publicClient else { return nil }
        guard method == usual?.rawValue, let secret else { throw .unusableAuthentication }
        guard ClientAuthentication.isSecret(secret) else { throw .unusableAuthentication }
        return secret
    }

    // 0 is never (RFC 7591 §3.2.1). Some authorities write their numbers as text; years have four digits.
    private static func end(_ member: JSONValue?) -> Int64? {
        guard let seconds = member?.integer ?? member?.string.flatMap({ Int64($0) }),
            (1...253_402_300_799).contains(seconds)
        else { return nil }
        return seconds
    }

    // Both or none, and no other origin: the token would be a gift to whoever is there.
    private static func management(_ answer: JSONValue.Parted, _ endpoint: WebURL) -> Management? {
        guard let text = answer.value["registration_client_uri"]?.string, let address = try? WebURL(text),
            address.origin == endpoint.origin, address.fragment == nil,
            let token = answer.secrets["registration_access_token"],
            token.isVisible(limit: 4096)
        else { return nil }
        return Management(address: address, token: token)
    }

    private static func isVisible(_ text: String, limit: Int) -> Bool {
        (1...limit).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}

extension ClientRegistration.Management {
    /// Deletes the client at the authority (RFC 7592 §2.3).
    ///
    /// - Returns: Whether the authority did it, or does not know it any more.
    package func delete(
        through client: HTTPClient, within limit: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) async -> Bool {
        let request = HTTPRequest(
            "DELETE", address,
            limits: HTTPRequest.Limits(idle: limit, total: limit, body: TokenResponse.bodyLimit))
        let status = await Deadline.run(limit, sleep: sleep) {
            let credential = Authorization(scheme: "Bearer", credential: token.duplicate(), origin: address.origin)
            return try? await client.send(request, with: credential).status
        }
        // 401: the token of a client that is gone (RFC 7592 §2.3).
        return status == 204 || status == 200 || status == 404 || status == 401
    }
}
