package import PavisePrimitives

/// What a server answered.
public struct HTTPResponse: Sendable {
    /// The three-digit status.
    public let status: Int
    /// The header fields.
    public let fields: HTTPFields
    /// The whole body; empty for a streamed answer, whose body came in pieces.
    ///
    /// An answer with tokens is kept where it is wiped with its last owner; who reads it here gets a copy that is not.
    public var body: [UInt8] {
        secretBody.map { secret in secret.bytes.withBytes { span in span.indices.map { span[$0] } } } ?? plainBody
    }
    private let plainBody: [UInt8]
    /// The body where it is a secret.
    package var secretBody: BoxedSecret?
    /// What the connection was: version, suite, certificate.
    public let connection: ConnectionFacts
    /// Where the server wants to send the client, when the status is a redirect. It was not followed.
    public let redirect: RedirectReport?
    /// How long its parts took; `nil` unless ``ClientOptions/isMeasured`` asks for it.
    public let metrics: RequestMetrics?
    /// What the server showed on the connection that carried the answer; `nil` without TLS, and from clients that do not tell.
    package var server: PresentedServer?
    /// The type of the token in it, where a layer below the session has judged it (RFC 9449 §5).
    package var judgedTokenType: String?

    /// An answer from its parts.
    public init(
        status: Int, fields: HTTPFields, body: [UInt8], connection: ConnectionFacts = ConnectionFacts(),
        redirect: RedirectReport? = nil, metrics: RequestMetrics? = nil
    ) {
        self.status = status
        self.fields = fields
        plainBody = body
        self.connection = connection
        self.redirect = redirect
        self.metrics = metrics
    }
}

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

/// A redirect that was reported and not followed (connections C22 to C27).
public struct RedirectReport: Hashable, Sendable {
    /// What speaks against following it.
    public enum Concern: Hashable, Sendable {
        /// The target is another scheme, host or port: no credential may go there.
        case otherOrigin
        /// From https to http: refused, always.
        case downgrade
        /// `Location` is missing, doubled or no address Pavise uses.
        case unusableTarget
    }

    /// The status that asked for it: 301, 302, 303, 307 or 308.
    public let status: Int
    /// The address that answered.
    public let from: WebURL
    /// The address it names; `nil` when that is unusable.
    public let target: WebURL?
    /// Empty for a target of the same origin.
    public let concerns: Set<Concern>

    /// A report from its parts.
    public init(status: Int, from: WebURL, target: WebURL?, concerns: Set<Concern>) {
        self.status = status
        self.from = from
        self.target = target
        self.concerns = concerns
    }
}
