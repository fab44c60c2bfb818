extension RedirectReport {
    /// Whether the target is the same host and path with https in place of http.
    public var isUpgrade: Bool {
        guard let target, from.origin.scheme == .http, target.origin.scheme == .https else { return false }
        return target.origin.host == from.origin.host && target.path == from.path && target.query == from.query
    }

    /// Whether nobody needs to be asked: the same origin, or only TLS is added.
    var staysHere: Bool { concerns.isEmpty || isUpgrade }

    /// The request that a client which follows would send; `nil` when the redirected one must not be repeated by
    /// itself.
    ///
    /// Method and body are those of RFC 9110 §15.4, in the strict reading of connections C22. A body is dropped
    /// together with the fields that describe it. To another origin go only fields that cannot hold a credential: a
    /// list of what may go, because nobody can list the names that applications have invented for their keys.
    package func request(after request: HTTPRequest) -> HTTPRequest? {
        guard let target, let method = method(after: request.method) else { return nil }
        let dropsBody = method != request.method || method == "GET" || method == "HEAD"
        guard dropsBody || concerns.isEmpty || !request.hasBody else { return nil }
        var next = request
        next.method = method
        next.url = target
        next.fields = HTTPFields()
        next.agreedLeaf = nil
        if dropsBody { next.removeBody() }
        for field in request.fields.fields {
            let name = field.name.lowercased()
            if dropsBody && name.hasPrefix("content-") { continue }
            guard concerns.isEmpty || Self.harmless.contains(name) || (name.hasPrefix("content-") && !dropsBody) else {
                continue
            }
            next.fields.append(field.name, field.value)
        }
        return next
    }

    private static let harmless: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match",
        "if-range", "pragma", "range", "user-agent",
    ]
}
