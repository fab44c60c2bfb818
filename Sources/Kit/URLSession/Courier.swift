internal import PaviseTransport

/// Carries one message through a door and follows redirects as the door's policy says.
struct Courier: Sendable {
    let door: Door
    let message: OutgoingMessage

    /// The whole answer, or the redirect that was not followed.
    ///
    /// - Throws: As ``refusal(_:)`` for a redirect that no policy allows.
    func collect() async throws(TransportFailure) -> HTTPResponse {
        let outcome = try await door.client.follow(
            message.request, carrying: message.lines, door.redirects, door.consent)
        if let stop = outcome.stop, let refusal = Self.refusal(stop) { throw refusal }
        return outcome.response
    }

    /// The head of the answer, the address it came from, and its body to be read. Bodies of redirects that are followed are
    /// not read.
    func open() async throws(TransportFailure) -> (HTTPResponse, WebURL, BodyStream) {
        var walk = door.client.walk(door.redirects)
        var request = message.request
        var lines = message.lines
        var agreed: String?
        while true {
            let (answer, body) = try await door.client.open(request, carrying: lines)
            if let agreed, answer.connection.leafSPKI != agreed { throw Self.changed(request.url.origin) }
            agreed = nil
            switch walk.step(after: answer, to: request) {
            case .finish:
                if let stop = walk.hops.last?.stop, let refusal = Self.refusal(stop) { throw refusal }
                return (answer, request.url, body)
            case .follow(let next, let carries):
                if !carries { lines = .none }
                request = next
            case .ask(let next):
                lines = .none
                let target = try await door.client.ask(next.url.origin, &walk, door.consent, next.limits)
                guard let target else { return (answer, request.url, body) }
                agreed = target.path.first?.base64
                request = next
            }
        }
    }

    /// The failure for a redirect that nobody may follow; `nil` for one that is an answer to the app.
    static func refusal(_ stop: RedirectStop) -> TransportFailure? {
        switch stop {
        case .reported, .otherOrigin, .consentRefused, .notRepeatable, .originNotAllowed: nil
        case .downgrade: .refusedByATS("A redirect from https to http is refused.")
        case .refusedByATS(let origin): .refusedByATS("A redirect to \(origin) is refused. Use https.")
        case .loop(let url): .redirects("The redirects of \(url.origin) go in a circle.")
        case .tooMany(let limit): .redirects("The server redirects more than \(limit) times.")
        case .unusableTarget: .malformed("A redirect names no address that can be used.")
        case .certificateChanged(let origin): changed(origin)
        }
    }

    private static func changed(_ origin: Origin) -> TransportFailure {
        .tls("\(origin) shows another key than the one that was agreed to.")
    }
}
