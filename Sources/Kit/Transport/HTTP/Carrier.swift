package import PavisePrimitives

/// What each platform's client brings: one exchange with a server that was judged.
///
/// What is decided before and after an exchange (reserved fields, credentials, cookies, hosts with https only), and
/// what is made of several (redirects with consent, downloads that are resumed), stands once, in extensions of this
/// protocol.
package protocol Carrier: PolicyUpdatable {
    /// The clock for certificates, cookies and limits.
    var time: TimeSource { get }
    /// What it does beside sending and judging.
    var options: ClientOptions { get }
    /// What App Transport Security says about each request.
    var gate: ATSGate { get }

    /// Sends `request` with the lines that belong to its origin, and collects the answer.
    func exchange(_ request: HTTPRequest, carrying lines: SecretFields) async throws(TransportFailure) -> HTTPResponse

    /// The same with a body that the caller reads at its own pace.
    func open(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream)

    /// Makes the handshake with `origin` and nothing more: no byte of a request is sent, trusted or not.
    func inspect(_ origin: Origin, limits: HTTPRequest.Limits) async throws(TransportFailure) -> ServerInspection
}

extension Carrier {
    /// The line of a credential for the origin of `request`.
    package func lines(
        _ authorization: borrowing Authorization, for request: HTTPRequest
    ) throws(TransportFailure) -> SecretFields {
        SecretFields(authorization: try RequestRules.credential(authorization, for: request.url.origin))
    }

    /// The request with https where its host asked for it before (RFC 6797 §8.3).
    func upgraded(_ request: HTTPRequest) -> HTTPRequest {
        guard let store = options.strictTransport, request.url.origin.scheme == .http else { return request }
        var request = request
        request.url = store.upgraded(request.url, at: time.wallSeconds)
        return request
    }

    /// The lines with the cookies of this client, where the caller brings none of its own.
    func lines(_ lines: SecretFields, withCookiesFor url: WebURL) -> SecretFields {
        guard lines.cookie == nil, let text = options.cookies?.line(for: url, at: time.wallSeconds) else {
            return lines
        }
        var lines = lines
        lines.cookie = SecretField(field: "Cookie", value: SecretBytes(utf8: text))
        return lines
    }

    /// Whether anything of an answer's head is kept for later.
    var remembersHeads: Bool { options.cookies != nil || options.strictTransport != nil }

    /// Keeps what the head of an answer says for later requests: cookies, and the wish for https. Only what a
    /// connection without failures says is believed for later (RFC 6797 §8.1).
    func remember(_ fields: HTTPFields, under decision: TrustDecision?, from url: WebURL) {
        let seconds = time.wallSeconds
        options.cookies?.store(fields, from: url, at: seconds)
        switch decision {
        case .allow(.valid), .allow(.pinned): options.strictTransport?.note(fields, from: url.origin, at: seconds)
        default: break
        }
    }
}
