internal import PavisePrimitives

/// What a request may hold, whatever carries it. Pure.
enum RequestRules {
    // Set by the client itself, or by a credential that is given beside the request.
    private static let reserved: Set<String> = [
        "authorization", "connection", "content-length", "cookie", "expect", "host", "http2-settings", "keep-alive",
        "proxy-authorization", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// Refuses what a caller may not ask for.
    static func check(_ request: HTTPRequest) throws(TransportFailure) {
        try check(method: request.method)
        for field in request.fields.fields { try check(field) }
    }

    /// Refuses a field that the caller may not set: it would smuggle a credential, a second length or another host in.
    ///
    /// - Throws: ``TransportFailure/unusableRequest(_:)`` with the field's name.
    static func check(_ field: HTTPFields.Field) throws(TransportFailure) {
        guard !reserved.contains(field.name.lowercased()) else {
            throw .unusableRequest("The field \(field.name) is not set by the caller.")
        }
    }

    /// Refuses a method that is no token (RFC 9110 §9.1).
    static func check(method: String) throws(TransportFailure) {
        guard HTTPFields.isToken(method.utf8) else {
            throw .unusableRequest("The method or a field holds a forbidden character.")
        }
    }

    /// The line for a credential that may go to `origin` (rules R1 to R3: only there, only with TLS, never elsewhere).
    static func credential(
        _ authorization: borrowing Authorization, for origin: Origin
    ) throws(TransportFailure) -> SecretField {
        guard origin.scheme == .https, authorization.origin == origin else { throw .credentialRefused(origin) }
        guard let line = SecretField(scheme: authorization.scheme, credential: authorization.credential) else {
            throw .unusableRequest("The credential holds a byte that no field may hold.")
        }
        return line
    }
}
