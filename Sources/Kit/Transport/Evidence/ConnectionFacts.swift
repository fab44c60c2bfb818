/// Facts about the connection that carried an answer.
public struct ConnectionFacts: Hashable, Sendable {
    /// For example `TLSv1.3`; `nil` for plain http.
    public var tlsVersion: String?
    /// The cipher suite's OpenSSL name.
    public var cipherSuite: String?
    /// `1.1` or `2`.
    public var httpVersion: String?
    /// SHA-256 of the server's SubjectPublicKeyInfo, base64.
    public var leafSPKI: String?

    /// Nothing known.
    public init() {}
}
