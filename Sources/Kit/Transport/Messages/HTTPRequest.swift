public import PavisePrimitives

/// A request to a server: a method, an address, header fields, and a body that can be sent again (after a redirect, or
/// with a new token).
public struct HTTPRequest: Sendable {
    /// How long things may take.
    public struct Limits: Hashable, Sendable {
        /// Without any byte arriving, the request ends after this time. Default 30 s.
        public var idle: Duration
        /// The whole exchange ends after this time. Default 60 s.
        public var total: Duration
        /// The greatest body that is accepted, in bytes, for ``HTTPClient/send(_:)``. Default 8 MiB. Streams are not
        /// limited.
        public var body: Int

        /// The defaults, or others.
        public init(idle: Duration = .seconds(30), total: Duration = .seconds(60), body: Int = 8 << 20) {
            self.idle = idle
            self.total = total
            self.body = body
        }
    }

    /// The method, in capitals.
    public var method: String
    /// Where to.
    public var url: WebURL
    /// Fields beside those the client sets itself (Host, Content-Length).
    public var fields: HTTPFields
    /// The body, or none.
    ///
    /// A form with tokens is kept where it is wiped with its last owner; who reads it here gets a copy that is not.
    public var body: [UInt8]? {
        get {
            plainBody ?? secretBody.map { secret in secret.bytes.withBytes { span in Array(span) } }
        }
        set {
            plainBody = newValue
            secretBody = nil
        }
    }
    /// The body where it holds a secret; it goes from here straight to the network.
    package private(set) var secretBody: SharedSecretBytes?
    private var plainBody: [UInt8]?
    /// Whether the answer holds secrets: a client that can keeps its body where it is wiped with its last owner. Not
    /// for streams.
    package var isAnswerSecret = false
    /// Asked by the client before the request goes to the carrier, and on Linux again when the connection is there,
    /// immediately before the first byte: `false` sends nothing, and the request ends as cancelled. `nil` for no
    /// question.
    package var mayLeave: (@Sendable () -> Bool)?
    /// The pin of the certificate that a person agreed to before: the answer of another server is thrown away, and
    /// nothing of it is remembered. `nil` for no such question.
    package var agreedLeaf: String?
    /// A file that is sent as the body in place of ``body``, piece by piece; `nil` for none.
    public var upload: UploadFile?
    /// Time and size limits.
    public var limits: Limits

    /// A request without credentials.
    public init(
        _ method: String = "GET", _ url: WebURL, fields: HTTPFields = HTTPFields(), body: [UInt8]? = nil,
        limits: Limits = Limits()
    ) {
        self.method = method
        self.url = url
        self.fields = fields
        plainBody = body
        self.limits = limits
    }

    /// A request whose body is a secret.
    package init(_ method: String, _ url: WebURL, fields: HTTPFields, secretBody: SharedSecretBytes, limits: Limits) {
        self.init(method, url, fields: fields, limits: limits)
        self.secretBody = secretBody
    }

    /// Whether a body is sent.
    package var hasBody: Bool { plainBody != nil || secretBody != nil || upload != nil }

    mutating func removeBody() {
        body = nil
        upload = nil
    }
}

/// A credential that travels in the `Authorization` field and exists in memory only as long as needed.
///
/// It is given beside the request and not inside it, so that no request value that is stored, logged or replayed can
/// hold it.
public struct Authorization: ~Copyable, Sendable {
    /// The scheme: `Bearer`, `Basic`, `DPoP`.
    public let scheme: String
    /// The credential behind the scheme.
    public let credential: SecretBytes
    /// The only origin it may be sent to. The client refuses any other, and any origin without TLS.
    public let origin: Origin

    /// Binds a credential to an origin.
    public init(scheme: String, credential: consuming SecretBytes, origin: Origin) {
        self.scheme = scheme
        self.credential = credential
        self.origin = origin
    }
}
