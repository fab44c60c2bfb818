package import PavisePrimitives

/// What moves the bytes of an ``HTTPClient``: libcurl on Linux, URLSession on Apple's systems.
///
/// A carrier decides nothing. What may be sent, with which credential and cookies, through which proxy, under which
/// demands of App Transport Security, and what follows from an answer (a redirect, a cookie, another try), is decided
/// once, by the client. It follows no redirect, uses no cache, and keeps no cookie or credential of its own.
package protocol HTTPCarrier: Sendable {
    /// Judges the servers of new connections by `policy` from now on. What is on its way ends under the old one; no
    /// later request uses its connections.
    func use(_ policy: TrustPolicy)

    /// Carries a request, and collects the answer.
    func exchange(_ order: CarrierOrder) async throws(TransportFailure) -> CarriedResponse

    /// The same with a body that the caller reads at its own pace.
    func open(_ order: CarrierOrder) async throws(TransportFailure) -> (CarriedResponse, BodyStream)

    /// The same with a body that is lent piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    func stream(
        _ order: CarrierOrder, head: @Sendable (CarriedResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse

    /// Makes the handshake with the origin of the request and nothing more: no byte of it is sent, trusted or not.
    func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection
}

/// A request that may be sent, and all that was decided about it.
package struct CarrierOrder: Sendable {
    /// The request: its method and fields are such as a caller may set.
    package let request: HTTPRequest
    /// The lines with secrets that belong to its origin.
    package let lines: SecretFields
    /// What App Transport Security asks of the connection.
    package let parameters: ATSParameters
    /// The proxy on the way; `nil` goes straight, over a URLSession by the system's settings.
    package let proxy: String?
    /// The app's own code that is asked about the server of a new connection; `nil` for none.
    package let inquirer: (any ServerInquirer)?
}

/// An answer, and what was said about the server that gave it.
package struct CarriedResponse: Sendable {
    /// The answer. Its body is empty where it comes in pieces.
    package var response: HTTPResponse
    /// What the policy said in the handshake; `nil` without TLS.
    package let decision: TrustDecision?

    /// An answer from its parts.
    package init(_ response: HTTPResponse, decision: TrustDecision? = nil) {
        self.response = response
        self.decision = decision
    }
}

/// Makes the carrier of a client. It is asked again where a client like this one with other options is wanted.
package typealias MakeCarrier =
    @Sendable (TrustPolicy, TimeSource, ClientOptions) throws(TransportFailure) -> any HTTPCarrier

extension HTTPCarrier {
    /// For a carrier whose bodies are read at the caller's pace.
    package func stream(
        _ order: CarrierOrder, head: @Sendable (CarriedResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let (answer, body) = try await open(order)
        do {
            guard try head(answer) else { return answer.response }
            var pieces = body.makeAsyncIterator()
            while let piece = try await pieces.next(isolation: #isolation) { try receive(piece) }
            return answer.response
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw .receiver("\(type(of: error))")
        }
    }
}
