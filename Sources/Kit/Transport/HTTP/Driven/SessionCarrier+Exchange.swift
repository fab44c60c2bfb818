internal import PavisePrimitives

extension SessionCarrier {
    /// Sends `request` with the lines that belong to its origin, and collects the answer.
    package func exchange(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> HTTPResponse {
        let request = upgraded(request)
        let exchange = try begin(request, lines)
        let head = try await exchange.head()
        var body: [UInt8] = []
        while let piece = try await exchange.next() {
            guard body.count + piece.count <= request.limits.body else {
                let failure = TransportFailure.bodyTooLarge(limit: request.limits.body)
                exchange.task.stop(failure)
                throw failure
            }
            body += piece
        }
        let fields = try HTTPFields(head)
        remember(fields, under: verdict(of: exchange.task)?.decision, from: request.url)
        var answer = response(head.status, fields, request.isAnswerSecret ? [] : body, of: exchange.task, to: request)
        if request.isAnswerSecret {
            answer.secretBody = SharedSecretBytes(
                SecretBytes(count: body.count) { bytes in for index in body.indices { bytes[index] = body[index] } })
            for index in body.indices { body[index] = 0 }
        }
        return answer
    }

    /// The same with a body that the caller reads at its own pace.
    package func open(
        _ request: HTTPRequest, carrying lines: SecretFields
    ) async throws(TransportFailure) -> (HTTPResponse, BodyStream) {
        let request = upgraded(request)
        let exchange = try begin(request, lines)
        let head = try await exchange.head()
        let fields = try HTTPFields(head)
        remember(fields, under: verdict(of: exchange.task)?.decision, from: request.url)
        return (response(head.status, fields, [], of: exchange.task, to: request), BodyStream(pieces: exchange))
    }

    /// The same with a body that is lent piece by piece; see ``HTTPClient/stream(_:with:head:receive:)``.
    package func stream(
        _ request: HTTPRequest, carrying lines: SecretFields, head: @Sendable (HTTPResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let (answer, body) = try await open(request, carrying: lines)
        do {
            guard try head(answer) else { return answer }
            var pieces = body.makeAsyncIterator()
            while let piece = try await pieces.next(isolation: #isolation) { try receive(piece) }
            return answer
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw .receiver("\(type(of: error))")
        }
    }

    private func response(
        _ status: Int, _ fields: HTTPFields, _ body: [UInt8], of task: CarriedTask, to request: HTTPRequest
    ) -> HTTPResponse {
        let (verdict, measurement) = (verdict(of: task), task.measurement)
        var answer = HTTPResponse(
            status: status, fields: fields, body: body, connection: ConnectionFacts(verdict, measurement),
            redirect: RedirectReport(status: status, fields: fields, from: request.url),
            metrics: options.isMeasured ? measurement.map(RequestMetrics.init) : nil)
        answer.server = verdict?.server
        return answer
    }
}
