package import PavisePrimitives

/// One exchange, in the words of libcurl. Every text in it was checked by the caller; the engine checks again what
/// could smuggle a second line into the request.
package struct CurlRequest: Sendable {
    /// A token such as `GET`.
    package var method: String
    /// The whole address without a fragment.
    package var url: String
    /// The host of `url`, as the judge shall see it.
    package var host: String
    /// The port of `url`.
    package var port: UInt16
    /// `Name: value` without line ends.
    package var lines: [String]
    /// The line with the credential, kept apart because it is wiped.
    package var credential: SecretField?
    /// The `Cookie` line, kept apart for the same reason.
    package var cookie: SecretField?
    /// What is sent; `nil` sends none.
    package var body: [UInt8]?
    /// What is sent in place of ``body`` and is wiped with its last owner.
    package var secretBody: SharedSecretBytes?
    /// What is sent in place of ``body``, read as the server takes it.
    package var source: (any BodySource)?
    /// Where the connection goes first: an address like `http://proxy.example:3128`; `nil` goes straight to the host.
    package var proxy: String?
    /// Whether compressed bodies are asked for, and unpacked before they are counted.
    package var acceptsCompressed = false
    /// Whether the times of the exchange are read from libcurl at its end.
    package var isMeasured = false
    /// Milliseconds without a byte until the exchange ends.
    package var idleMilliseconds: Int64
    /// Milliseconds for the whole exchange.
    package var totalMilliseconds: Int64
    /// The greatest body that is collected, in bytes.
    package var bodyLimit: Int
    /// Whether the answer's body is a secret: it is collected in one place and wiped with its last owner.
    package var isAnswerSecret = false
    /// Asked when the connection is there, immediately before the first byte; `false` sends nothing.
    package var mayLeave: (@Sendable () -> Bool)?
    /// Who is asked about the server of a new connection, after the judge; `nil` for nobody.
    package var inquiry: JudgedConnection.Inquiry?
    /// Stops after the handshake, before any byte of a request, on a connection of its own.
    package var handshakeOnly = false

    /// A request without credential and body.
    package init(
        method: String, url: String, host: String, port: UInt16, lines: [String] = [], idleMilliseconds: Int64,
        totalMilliseconds: Int64, bodyLimit: Int
    ) {
        self.method = method
        self.url = url
        self.host = host
        self.port = port
        self.lines = lines
        self.idleMilliseconds = idleMilliseconds
        self.totalMilliseconds = totalMilliseconds
        self.bodyLimit = bodyLimit
    }

    /// Whether to send it twice is to send it once, by its method (RFC 9110 §9.2.2, IANA's HTTP Method Registry).
    var isIdempotent: Bool {
        switch method {
        case "GET", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "PROPPATCH", "REPORT", "SEARCH", "MKCOL",
            "COPY", "MOVE", "UNLOCK":
            true
        default: false
        }
    }

    /// The size of the body in bytes; `nil` without one.
    var bodyCount: Int? { source?.count ?? secretBody?.bytes.count ?? body?.count }

    /// The next bytes of the body.
    func bodyBytes(at offset: Int, upTo limit: Int) -> ArraySlice<UInt8>? {
        if let source { return source.read(at: offset, upTo: limit).map { $0[...] } }
        guard let body, offset <= body.count else { return nil }
        return body[offset..<min(body.count, offset + limit)]
    }

    /// Whether every part is free of characters that could end a line early.
    var isOneLinePerField: Bool {
        Self.isOneLine(method) && Self.isOneLine(url) && Self.isOneLine(host) && lines.allSatisfy(Self.isOneLine)
            && proxy.map(Self.isOneLine) != false
            && method.utf8.allSatisfy { $0 >= 0x41 && $0 <= 0x5A || $0 == 0x2D || $0 == 0x5F }
            && !method.isEmpty
    }

    private static func isOneLine(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
    }
}
