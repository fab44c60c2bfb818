internal import PavisePrimitives

extension SessionCarrier {
    package func exchange(_ order: CarrierOrder) async throws(TransportFailure) -> CarriedResponse {
        let request = order.request
        let exchange = try begin(order)
        let head = try await exchange.head()
        var body: [UInt8] = []
        // An array that grew would leave copies behind.
        if request.isAnswerSecret { body.reserveCapacity(request.limits.body) }
        // Also one that is too large, or breaks off, may hold tokens.
        defer { if request.isAnswerSecret { Wipe.bytes(&body) } }
        while let piece = try await exchange.next() {
            guard body.count + piece.count <= request.limits.body else {
                let failure = TransportFailure.bodyTooLarge(limit: request.limits.body)
                exchange.task.stop(failure)
                throw failure
            }
            body += piece
        }
        let fields = try HTTPFields(head)
        var answer = response(head.status, fields, request.isAnswerSecret ? [] : body, of: exchange, to: request)
        if request.isAnswerSecret {
            answer.response.secretBody = SharedSecretBytes(
                SecretBytes(count: body.count) { bytes in for index in body.indices { bytes[index] = body[index] } })
        }
        return answer
    }

    package func open(_ order: CarrierOrder) async throws(TransportFailure) -> (CarriedResponse, BodyStream) {
        let exchange = try begin(order)
        let head = try await exchange.head()
        let fields = try HTTPFields(head)
        return (response(head.status, fields, [], of: exchange, to: order.request), BodyStream(pieces: exchange))
    }

    private func response(
        _ status: Int, _ fields: HTTPFields, _ body: [UInt8], of exchange: CarriedExchange, to request: HTTPRequest
    ) -> CarriedResponse {
        let (verdict, measurement) = (exchange.verdict, exchange.task.measurement)
        var answer = HTTPResponse(
            status: status, fields: fields, body: body, connection: ConnectionFacts(verdict, measurement),
            redirect: RedirectReport(status: status, fields: fields, from: request.url),
            metrics: options.isMeasured ? measurement.map(RequestMetrics.init) : nil)
        answer.server = verdict?.server
        return CarriedResponse(answer, decision: verdict?.decision)
    }
}
