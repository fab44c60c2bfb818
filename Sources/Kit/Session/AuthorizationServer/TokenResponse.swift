internal import PavisePrimitives
package import PaviseTransport

/// What a token endpoint's answer means. A pure function of the answer.
package enum TokenResponse: Sendable {
    /// A grant of valid shape.
    case granted(TokenGrant)
    /// `invalid_grant`, said by the server itself: the only definitive word.
    case definitive
    /// The server refuses without saying that the token is bad. `code` is its OAuth error, or `empty`.
    case rejected(code: String)
    /// Says nothing about the session. `retryAfter` is what the server asked for, in seconds; `isLost` means that the
    /// server may have acted and its answer never came.
    case transient(DegradedReason, retryAfter: Int64? = nil, isLost: Bool = false)
    /// The key that the tokens are bound to went before the request: nothing was sent, and the server has said nothing.
    case keyLost
    /// An administrator's rules let nothing be sent.
    case forbidden

    /// The greatest body that is read, in bytes (oauth T5).
    package static let bodyLimit = 65_536

    /// Judges what came back, or that nothing did.
    ///
    /// - Parameter isBound: Whether the request proved possession of a key, so that the tokens have to be bound to it.
    package init(
        _ result: Result<HTTPResponse, TokenSendFailure>, isBound: Bool = false, wallSeconds: Int64 = 0
    ) {
        switch result {
        case .success(let response): self.init(response, isBound, wallSeconds: wallSeconds)
        case .failure(.transport(.managed)): self = .forbidden
        case .failure(.transport(let failure)): self.init(failure)
        case .failure(.keyLost): self = .keyLost
        }
    }

    private init(_ failure: TransportFailure) {
        let reason = DegradedReason(failure)
        // Where trust failed or the request is none, nothing was sent: there is no answer to be lost.
        self = .transient(reason, isLost: reason == .network || reason == .server)
    }

    private init(_ response: HTTPResponse, _ isBound: Bool, wallSeconds: Int64) {
        // A date is measured by the server's own clock where it tells it: this device's may be years off. Nothing else
        // of the session listens to it.
        let clock = IMFFixdate.seconds(response.fields["Date"] ?? "") ?? wallSeconds
        let wait = RetryAfter.seconds(response.fields["Retry-After"], wallSeconds: clock)
        let fallback = Self.transient(.server, retryAfter: wait)
        switch response.status {
        case 200:
            let grant = response.partedObject.flatMap { TokenGrant($0, isBound: isBound) }
            self = grant.map(Self.granted) ?? fallback
        case 400, 401:
            self = Self.isBlank(response) ? .rejected(code: "empty") : Self.error(response) ?? fallback
        case 403:
            self = Self.error(response).map { $0.withoutFinality } ?? fallback
        default:
            self = fallback
        }
    }

    private static func error(_ response: HTTPResponse) -> TokenResponse? {
        guard let code = response.jsonObject?["error"]?.string, (1...128).contains(code.utf8.count),
            code.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        return code == "invalid_grant" ? .definitive : .rejected(code: code)
    }

    // Definitive is 400 or 401 only: a 403 comes from many things in front of a server.
    private var withoutFinality: TokenResponse {
        guard case .definitive = self else { return self }
        return .rejected(code: "invalid_grant")
    }

    private static func isBlank(_ response: HTTPResponse) -> Bool {
        var body = response.body
        defer { if response.secretBody != nil { Wipe.bytes(&body) } }
        return body.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
    }
}

/// The `Content-Type` field (RFC 9110 §8.3), as far as Pavise needs it.
package enum MediaType {
    /// Whether `text` is `application/json` or `application/…+json`, with any parameters.
    package static func isJSON(_ text: String) -> Bool {
        let essence = text.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        return essence == "application/json" || essence.hasPrefix("application/") && essence.hasSuffix("+json")
    }
}
