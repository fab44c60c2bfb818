#if os(Linux)
internal import PaviseCurl
internal import PavisePrimitives

/// Between the Kit's requests and answers and those of the engine. Pure.
enum CurlMessage {
    static func request(_ request: HTTPRequest, carrying carried: SecretFields) -> CurlRequest {
        let origin = request.url.origin
        var message = CurlRequest(
            method: request.method, url: request.url.description, host: origin.host, port: origin.port,
            idleMilliseconds: request.limits.idle.bounded.milliseconds,
            totalMilliseconds: request.limits.total.bounded.milliseconds,
            bodyLimit: request.limits.body)
        message.lines.reserveCapacity(request.fields.fields.count)
        for field in request.fields.fields {
            message.lines.append(field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        message.credential = carried.authorization
        message.cookie = carried.cookie
        message.secretBody = request.secretBody
        if request.secretBody == nil { message.body = request.body }
        message.source = request.upload
        message.isAnswerSecret = request.isAnswerSecret
        message.mayLeave = request.mayLeave
        return message
    }

    static func response(
        _ result: Result<CurlResponse, CurlFailure>, to request: HTTPRequest, under floor: TLSClientProfile.Version,
        through proxy: String?
    ) throws(TransportFailure) -> CarriedResponse {
        switch result {
        case .success(let answer):
            var found = try response(answer.head, body: answer.body, to: request, metrics: answer.metrics)
            found.response.secretBody = answer.secretBody
            return found
        case .failure(let failure):
            throw self.failure(
                failure, to: request.url.origin, body: request.limits.body, under: floor, through: proxy)
        }
    }

    static func response(
        _ head: CurlHead, body: [UInt8], to request: HTTPRequest, metrics: CurlMetrics? = nil
    ) throws(TransportFailure) -> CarriedResponse {
        let fields = try HTTPFields(head: head.lines)
        let (connection, verdict) = facts(of: head.connection, httpMajor: head.httpMajor)
        var answer = HTTPResponse(
            status: head.status, fields: fields, body: body, connection: connection,
            redirect: RedirectReport(status: head.status, fields: fields, from: request.url),
            metrics: metrics.map(RequestMetrics.init))
        answer.server = verdict?.server
        return CarriedResponse(answer, decision: verdict?.decision)
    }

    static func facts(of connection: JudgedConnection?, httpMajor: Int?) -> (ConnectionFacts, ServerVerdict?) {
        var facts = ConnectionFacts()
        facts.httpVersion = httpMajor.map { $0 == 2 ? "2" : "1.1" }
        guard let connection else { return (facts, nil) }
        let known = connection.facts
        (facts.tlsVersion, facts.cipherSuite) = (known.version, known.suite)
        let verdict = known.verdict as? ServerVerdict
        facts.leafSPKI = verdict?.leaf
        return (facts, verdict)
    }
}

extension UploadFile: BodySource {}

extension RequestMetrics {
    fileprivate init(_ metrics: CurlMetrics) {
        self.init(
            nameLookup: .microseconds(metrics.nameLookup), connect: .microseconds(metrics.connect),
            tls: .microseconds(metrics.tls), firstByte: .microseconds(metrics.firstByte),
            total: .microseconds(metrics.total), reusedConnection: metrics.connections == 0, bytesSent: metrics.sent,
            bytesReceived: metrics.received)
    }
}
#endif
