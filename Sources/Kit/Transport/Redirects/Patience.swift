internal import PavisePrimitives

/// How long all hops of one request may take together. What a person needs to answer a question does not count.
package struct Patience: Sendable {
    private let total: Duration
    private var used: Duration = .zero

    /// Patience for a request, counted from its first hop.
    package init(for request: HTTPRequest) { total = request.limits.total }

    /// The same request with what is left of the time.
    ///
    /// - Throws: ``TransportFailure/timeout(sent:)`` when nothing is left.
    package func limiting(_ request: HTTPRequest) throws(TransportFailure) -> HTTPRequest {
        guard used < total else { throw .timeout(sent: true) }
        var request = request
        request.limits.total = total - used
        return request
    }

    /// Counts a hop from its start to its end, in milliseconds of one clock.
    package mutating func spend(from start: Int64, to end: Int64) { used += .milliseconds(max(0, end - start)) }
}
