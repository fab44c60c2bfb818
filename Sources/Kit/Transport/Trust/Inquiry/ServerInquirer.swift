/// Code of the app that is asked about the servers of new connections, inside their handshakes: a delegate of
/// URLSession's.
package protocol ServerInquirer: AnyObject, Sendable {
    /// Whose connections may be used again without a new question.
    var pool: InquiryPool { get }

    /// Asks. Must not block; `answer` may be called on any thread, and only the first call counts. As long as there is
    /// none, the handshake stands still, until the request's own time has passed.
    func ask(_ question: ServerQuestion, answer: @escaping @Sendable (TrustDisposition) -> Void)
}

/// A group of requests that are asked about by the same code. Two groups never share a connection: what one accepted,
/// the other may refuse. The identity counts.
package final class InquiryPool: Sendable {
    package init() {}
}

/// What is known about a server when the app is asked.
package struct ServerQuestion: Sendable {
    /// Where the connection goes.
    package let origin: Origin
    /// The certificates as they were sent, DER, the server's own first.
    package let certificates: [[UInt8]]
    /// The answer of a status service that came along (RFC 6066 §8), DER; empty without one.
    package let staple: [UInt8]
    /// Where the client's own evaluation lets trust begin.
    package let anchors: TrustPolicy.Anchors
    /// When the server was judged, in seconds since 1970.
    package let seconds: Int64
}

/// What the app says, in URLSession's words.
package enum TrustDisposition: Hashable, Sendable {
    /// The client's own judgement holds: `performDefaultHandling`.
    case asJudged
    /// `useCredential` with a credential for server trust.
    case accepted
    /// `cancelAuthenticationChallenge`.
    case cancelled
    /// `rejectProtectionSpace`.
    case rejected
}
