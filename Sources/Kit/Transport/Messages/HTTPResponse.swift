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
        secretBody.map { secret in secret.bytes.withBytes { span in Array(span) } } ?? plainBody
    }
    private let plainBody: [UInt8]
    /// The body where it is a secret.
    package var secretBody: SharedSecretBytes?
    /// What the connection was: version, suite, certificate.
    public let connection: ConnectionFacts
    /// Where the server wants to send the client, when the status is a redirect. It was not followed.
    public let redirect: RedirectReport?
    /// How long its parts took; `nil` unless ``ClientOptions/isMeasured`` asks for it.
    public let metrics: RequestMetrics?
    /// What the server showed on the connection that carried the answer; `nil` without TLS, and from clients that do
    /// not tell.
    package var server: PresentedServer?

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
