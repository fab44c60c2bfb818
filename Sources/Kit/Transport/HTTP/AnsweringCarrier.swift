package import PavisePrimitives

extension HTTPClient {
    /// A client without a network: `answer` says what comes back for each request that the client lets through, and
    /// `inspect` what a handshake shows. For tests of what stands above a client, and for work that must send nothing.
    package convenience init(
        policy: TrustPolicy = TrustPolicy(), configuration: ATSConfiguration = .strict, time: TimeSource = .system,
        options: ClientOptions = ClientOptions(),
        answering answer: @escaping @Sendable (CarrierOrder) async throws(TransportFailure) -> HTTPResponse,
        inspecting inspect: @escaping @Sendable (Origin) async throws(TransportFailure) -> ServerInspection = {
            (_) throws(TransportFailure) in throw .network("There is no network here.", sent: false)
        }
    ) {
        let carrier = AnsweringCarrier(answer: answer, inspect: inspect)
        self.init(
            Shared(
                carrier, policy: policy, configuration: configuration, time: time, options: options,
                make: { (_, _, _) in carrier }))
    }

    /// A client that sends nothing.
    package static var silent: HTTPClient {
        HTTPClient(answering: { (_) throws(TransportFailure) in throw .cancelled(sent: false) })
    }
}

/// A carrier whose answers are made by a closure.
private struct AnsweringCarrier: HTTPCarrier {
    let answer: @Sendable (CarrierOrder) async throws(TransportFailure) -> HTTPResponse
    let inspect: @Sendable (Origin) async throws(TransportFailure) -> ServerInspection

    func use(_ policy: TrustPolicy) {}

    func exchange(_ order: CarrierOrder) async throws(TransportFailure) -> CarriedResponse {
        CarriedResponse(try await answer(order))
    }

    func open(_ order: CarrierOrder) async throws(TransportFailure) -> (CarriedResponse, BodyStream) {
        let whole = try await answer(order)
        return (CarriedResponse(whole), BodyStream(collected: whole.body))
    }

    func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection {
        try await inspect(order.request.url.origin)
    }
}

extension SecretFields {
    /// The credential of the `Authorization` line as text, without its scheme, for whoever plays a server.
    package var credentialText: String? {
        authorization?.withBytes { bytes in
            String(decoding: Array(bytes), as: UTF8.self).split(separator: " ").last.map(String.init)
        }
    }
}
