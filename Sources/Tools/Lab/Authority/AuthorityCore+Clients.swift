internal import PaviseCrypto
internal import PavisePrimitives

extension AuthorityCore {
    /// The client that a request comes from: a public one only says its name, a confidential one shows its secret in
    /// exactly one of the ways that the configuration names (RFC 6749 §2.3.1).
    func client(of request: LabRequest) -> String? {
        let basic = Self.basicPair(request)
        guard let name = basic?.name ?? request.form("client_id") else { return nil }
        let now = state.value
        let configuration = now.configuration(of: name)
        let posted = request.form("client_secret")
        guard name == configuration.clientID else { return nil }
        if let known = configuration.clientCertificateName {
            return basic == nil && posted == nil && Self.names(request.clientCertificate).contains(known) ? name : nil
        }
        guard let secret = now.secret(of: name) else { return basic == nil && posted == nil ? name : nil }
        let ways = configuration.clientAuthentication ?? ["client_secret_basic"]
        if let basic {
            return ways.contains("client_secret_basic") && posted == nil && secret.matches(basic.secret) ? name : nil
        }
        return ways.contains("client_secret_post") && posted.map { secret.matches($0) } == true ? name : nil
    }

    // RFC 8705 §2.1.2, tls_client_auth_san_dns.
    private static func names(_ certificate: [UInt8]) -> [String] {
        ((try? X509Certificate(der: certificate))?.extensions.alternativeNames ?? []).compactMap { name in
            guard case .dns(let text) = name else { return nil }
            return text
        }
    }

    /// The thumbprint of the certificate that a client showed (RFC 8705 §3.1, x5t#S256); `nil` without one.
    static func certificateThumbprint(_ request: LabRequest) -> String? {
        guard !request.clientCertificate.isEmpty else { return nil }
        return Base64URL.encode(Hash.digest(.sha256, request.clientCertificate))
    }

    // Both halves are form-encoded on their own.
    private static func basicPair(_ request: LabRequest) -> (name: String, secret: String)? {
        let parts = (request.field("Authorization") ?? "").split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Base64.decode(String(parts[1])) else {
            return nil
        }
        let halves = String(decoding: bytes, as: UTF8.self).split(separator: ":", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let decoded = halves.map { LabForm.decode("x=\($0)").first?.value ?? "" }
        return (decoded[0], decoded[1])
    }
}

extension AuthorityState {
    /// The configuration as the client called `name` meets it.
    func configuration(of name: String?) -> AuthorityConfiguration {
        guard let name, let client = clients[name] else { return configuration }
        var own = configuration
        own.clientID = name
        // A secret of its own is kept as a digest: ``secret(of:)``.
        own.clientSecret = nil
        own.clientAuthentication = [client.method]
        return own
    }

    /// What the client called `name` has to show; `nil` for a public one.
    func secret(of name: String) -> SecretDigest? {
        if let client = clients[name] { return client.secret }
        return configuration.clientSecret.map { SecretDigest($0) }
    }
}

/// What an authority keeps of a secret that it made itself. Those are random and long, so that no slow hash is needed,
/// as it would be for a password.
struct SecretDigest: Sendable {
    private let bytes: [UInt8]

    init(_ secret: String) { bytes = Hash.digest(.sha256, Array(secret.utf8)) }

    /// Compares without stopping at the first difference.
    func matches(_ shown: String) -> Bool {
        let other = SecretDigest(shown).bytes
        return ConstantTime.equal(bytes.span, other.span)
    }
}

extension AuthorityConfiguration {
    /// Whether `password` is that of the person called `user`.
    func isPassword(_ password: String, of user: String) -> Bool {
        users[user].map { ConstantTime.equal($0, password) } ?? false
    }
}
