public import PaviseLog

/// A request and its answer as a log may show them: method, origin and a template of the path, the status, and which of
/// the usual header fields there were. Paths, queries and values are never shown but for a short list of values.
///
/// ```swift
/// let exchange = LoggedExchange(request, path: "/users/{id}", status: 503)
/// // failed: GET https://cloud.example.org/users/{id} 503 accept=application/json
/// log.error("failed: \(public: exchange)")
/// ```
///
/// A query can be a search, a path a person's name, a name of a field whatever a server makes up: OWASP's and BSI's
/// rules (TR-03161, O.Ntwk_8; OWASP Logging sheet) keep them out.
public struct LoggedExchange: LogPublic {
    /// What the line shows.
    public let logText: String
    /// See `LogPublic`.
    public static var logPublicProof: LogPublicProof<Self> { LogPublicProof() }

    /// What of an exchange a line shows.
    ///
    /// - Parameters:
    ///   - request: The request; of its address the origin is shown.
    ///   - template: The path with names in place of values: a literal.
    ///   - status: The answer's status; `nil` where there was none.
    ///   - fields: The answer's header fields; by default those of the request.
    public init(_ request: HTTPRequest, path template: StaticString, status: Int? = nil, _ fields: HTTPFields? = nil) {
        let method = Self.methods.contains(request.method) ? request.method : "OTHER"
        var text = "\(method) \(request.url.origin)\(template)"
        if let status { text += " \(status)" }
        var others = 0
        for field in (fields ?? request.fields).fields {
            let name = field.name.lowercased()
            if Self.values.contains(name), let value = Self.shown(field.value, of: name) {
                text += " \(name)=\(value)"
            } else if Self.names.contains(name) || Self.values.contains(name) {
                text += " \(name)"
            } else {
                others += 1
            }
        }
        logText = others == 0 ? text : text + " \(others) other"
    }

    private static let methods: Set = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
    /// Fields whose values say nothing about a person.
    private static let values: Set = [
        "content-type", "content-length", "content-encoding", "accept", "accept-encoding", "retry-after", "date", "age",
        "cache-control", "accept-ranges",
    ]
    /// Fields that are named and whose values are not shown.
    private static let names: Set = [
        "authorization", "cookie", "set-cookie", "www-authenticate", "location", "etag", "if-none-match", "if-range",
        "range", "content-range", "content-disposition", "dpop", "dpop-nonce", "x-request-id", "referer", "origin",
        "user-agent", "host", "link",
    ]

    /// What of a value is shown: of media types (RFC 9110, 8.3.1) no parameter but a usual `charset`, since others can
    /// be the name of a file.
    private static func shown(_ value: String, of name: String) -> String? {
        guard name == "content-type" || name == "accept" else { return isPlain(value) ? value : nil }
        let types = value.split(separator: ",").map { one in
            let parts = one.split(separator: ";", omittingEmptySubsequences: false).map { part in
                part.filter { $0 != " " && $0 != "\t" }.lowercased()
            }
            let known = parts.dropFirst().first { charsets.contains($0) }
            return (parts.first ?? "") + (known.map { "; \($0)" } ?? "")
        }
        let text = types.joined(separator: ", ")
        return isPlain(text) ? text : nil
    }

    private static let charsets: Set = [
        "charset=utf-8", "charset=utf-16", "charset=us-ascii", "charset=iso-8859-1", "charset=windows-1252",
    ]

    // Short, and of the characters that such values have: no quotation marks, in which a name can stand.
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.count <= 64
            && value.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || [0x20, 0x2A, 0x2B, 0x2C, 0x2D, 0x2E, 0x2F, 0x3A, 0x3B, 0x3D].contains(byte)
            }
    }
}
