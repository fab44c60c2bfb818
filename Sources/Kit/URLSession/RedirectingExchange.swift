internal import PavisePrimitives
internal import PaviseTransport

/// Carries one message through a bound and follows redirects as the bound's policy says.
struct RedirectingExchange: Sendable {
    let bound: BoundClient
    let message: OutgoingMessage

    /// The whole answer, or the redirect that was not followed.
    ///
    /// - Throws: As ``refusal(_:)`` for a redirect that no policy allows.
    func collect() async throws(TransportFailure) -> HTTPResponse {
        let outcome = try await bound.client.follow(
            message.request, carrying: message.lines, bound.redirects, bound.consent)
        if let stop = outcome.stop, let refusal = Self.refusal(stop, outcome.hops.last) { throw refusal }
        return outcome.response
    }

    /// The head of the answer, the address it came from, and its body to be read. Bodies of redirects that are followed
    /// are not read.
    func open() async throws(TransportFailure) -> (HTTPResponse, WebURL, BodyStream) {
        let end = try await bound.client.followOpening(
            message.request, carrying: message.lines, bound.redirects, bound.consent)
        if let hop = end.hops.last, let stop = hop.stop, let refusal = Self.refusal(stop, hop) { throw refusal }
        return (end.response, end.url, end.body)
    }

    /// The failure for a redirect that nobody may follow; `nil` for one that is an answer to the app.
    static func refusal(_ stop: RedirectStop, _ hop: HopRecord?) -> TransportFailure? {
        switch stop {
        case .reported, .otherOrigin, .consentRefused, .notRepeatable, .originNotAllowed: nil
        case .downgrade:
            hop?.to.map { .refusedByATS($0.origin.refused("A redirect from https to http is refused.", hop?.ats)) }
        case .refusedByATS(let origin):
            .refusedByATS(
                hop?.ats?.refusal(of: origin) ?? origin.refused("A redirect to \(origin) is refused. Use https.", nil))
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

extension Origin {
    fileprivate func refused(_ words: String, _ decision: ATSDecision?) -> ATSRefusal {
        ATSRefusal(.requiresSecureConnection, at: self, reasons: decision?.reasons ?? [], words)
    }
}
