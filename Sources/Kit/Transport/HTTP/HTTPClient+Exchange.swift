internal import PavisePrimitives

extension HTTPClient {
    /// Sends `request` with the lines that belong to its origin, and collects the answer.
    package func exchange(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> HTTPResponse {
        try await noting(request) { (request) async throws(TransportFailure) in
            let answer = try await shared.carrier.exchange(try order(request, lines))
            remember(answer, to: request)
            return (answer.response, ())
        }.answer
    }

    /// The same with a body that the caller reads at its own pace.
    package func open(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        let (answer, body) = try await noting(request) { (request) async throws(TransportFailure) in
            let (answer, body) = try await shared.carrier.open(try order(request, lines))
            remember(answer, to: request)
            return (answer.response, body)
        }
        return (answer, body)
    }

    /// The same with a body that is lent piece by piece; see ``stream(_:with:head:receive:)``.
    package func stream(
        _ request: HTTPRequest, carrying lines: SecretFields, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        try await noting(request) { (request) async throws(TransportFailure) in
            let answer = try await shared.carrier.stream(
                try order(request, lines),
                head: { answer in
                    remember(answer, to: request)
                    return try head(answer.response)
                }, receive: receive)
            return (answer, ())
        }.answer
    }

    /// Makes the handshake with `origin` and nothing more: no byte of a request is sent, trusted or not.
    public func inspect(
        _ origin: Origin, limits: HTTPRequest.Limits = .init()
    ) async throws(TransportFailure) -> ServerInspection {
        guard origin.scheme == .https else {
            throw .refusedByATS(
                ATSRefusal(.requiresSecureConnection, at: origin, "A server without TLS shows no certificate."))
        }
        try tracker?.checkStanding()
        let (managed, _, gate) = shared.demands
        if let refusal = managed?.refusal(of: origin) { throw refusal }
        return try await shared.carrier.inspect(
            CarrierOrder(
                request: HTTPRequest("GET", WebURL(of: origin), limits: limits), lines: .none,
                parameters: try gate.admit(origin), proxy: try proxy(to: origin), inquirer: inquirer))
    }

    // Before any connection: what management forbids, then what App Transport Security forbids, then what no caller
    // may set. What a connection to this origin has to keep chooses among the carrier's connections.
    private func order(_ request: HTTPRequest, _ lines: SecretFields) throws(TransportFailure) -> CarrierOrder {
        let origin = request.url.origin
        let (managed, tls, gate) = shared.demands
        if let refusal = managed?.refusal(of: origin) ?? tls.refusal(of: origin) { throw refusal }
        let parameters = try gate.admit(origin)
        try RequestRules.check(request)
        if let mayLeave = request.mayLeave, !mayLeave() { throw .cancelled(sent: false) }
        return CarrierOrder(
            request: request, lines: self.lines(lines, withCookiesFor: request.url), parameters: parameters,
            proxy: try proxy(to: origin), inquirer: inquirer)
    }

    /// The proxy on the way to `origin`; `nil` goes straight there.
    private func proxy(to origin: Origin) throws(TransportFailure) -> String? {
        switch options.proxies.way(to: origin) {
        case .direct: return nil
        case .proxy(let address): return address
        case .unusable(let variable):
            throw .unusableRequest("The variable \(variable) names no http proxy. Write http://host:port, or unset it.")
        }
    }

    /// The request with https where its host asked for it before (RFC 6797 §8.3).
    package func upgraded(_ request: HTTPRequest) -> HTTPRequest {
        guard let store = options.strictTransport, request.url.origin.scheme == .http else { return request }
        var request = request
        request.url = store.upgraded(request.url, at: time.wallSeconds)
        return request
    }

    // The lines with the cookies of this client, where the caller brings none of its own.
    private func lines(_ lines: SecretFields, withCookiesFor url: WebURL) -> SecretFields {
        guard lines.cookie == nil, let text = options.cookies?.line(for: url, at: time.wallSeconds) else {
            return lines
        }
        var lines = lines
        lines.cookie = SecretField(field: "Cookie", value: SecretBytes(utf8: text))
        return lines
    }

    // Keeps what the head of an answer says for later requests: cookies, and the wish for https. Only what a connection
    // without failures says is believed for later (RFC 6797 §8.1).
    private func remember(_ answer: CarriedResponse, to request: HTTPRequest) {
        guard options.cookies != nil || options.strictTransport != nil else { return }
        if let leaf = request.agreedLeaf, leaf != answer.response.connection.leafSPKI { return }
        let (url, seconds) = (request.url, time.wallSeconds)
        options.cookies?.store(answer.response.fields, from: url, at: seconds)
        switch answer.decision {
        case .allow(.valid), .allow(.pinned):
            options.strictTransport?.note(answer.response.fields, from: url.origin, at: seconds)
        default: break
        }
    }
}
