#if os(Linux)
internal import PaviseCurl
package import PavisePrimitives
internal import Synchronization

extension HTTPClient {
    /// libcurl, with the system's rules for chains.
    package static let platformCarrier: MakeCarrier = carrier(rules: ServerRules.evaluator)

    /// A client with the rules for chains given, for tests of what follows them.
    package convenience init(
        policy: TrustPolicy, configuration: ATSConfiguration = .strict, time: TimeSource,
        options: ClientOptions = ClientOptions(), rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator
    ) throws(TransportFailure) {
        try self.init(
            policy: policy, configuration: configuration, time: time, options: options,
            carrying: Self.carrier(rules: rules))
    }

    private static func carrier(rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator) -> MakeCarrier {
        { (policy, time, options) throws(TransportFailure) in
            try CurlCarrier(policy: policy, time: time, options: options, rules: rules)
        }
    }
}

/// The carrier of Linux: libcurl on one thread. A connection is used again only under the policy it was judged by, and
/// only by requests for which App Transport Security demands the same.
final class CurlCarrier: HTTPCarrier {
    private let engine: CurlEngine
    private let time: TimeSource
    private let options: ClientOptions
    private let rules: @Sendable (TrustPolicy) -> ChainEvaluator
    private let pools: Mutex<PoolTable>

    /// A carrier with a pool of connections of its own.
    ///
    /// - Throws: ``TransportFailure/network(_:sent:)`` when the system gives no thread or descriptor.
    init(
        policy: TrustPolicy, time: TimeSource, options: ClientOptions,
        rules: @escaping @Sendable (TrustPolicy) -> ChainEvaluator
    ) throws(TransportFailure) {
        let isSlow = options.certificates.contains(where: \.isSlow)
        do throws(SystemFailure) { engine = isSlow ? try CurlEngine() : try CurlEngine.shared() } catch {
            throw .network("The network engine did not start: \(error.operation), error \(error.code).", sent: false)
        }
        self.time = time
        self.options = options
        self.rules = rules
        pools = Mutex(PoolTable(of: engine, policy: policy, time: time, options: options, evaluate: rules(policy)))
    }

    func use(_ policy: TrustPolicy) {
        let table = PoolTable(of: engine, policy: policy, time: time, options: options, evaluate: rules(policy))
        pools.withLock { $0 = table }
    }

    func exchange(_ order: CarrierOrder) async throws(TransportFailure) -> CarriedResponse {
        let pool = pool(for: order)
        return try CurlMessage.response(
            await pool.collect(message(order)), to: order.request, under: pool.floor, through: order.proxy)
    }

    func stream(
        _ order: CarrierOrder, head: @Sendable (CarriedResponse) throws -> Bool,
        receive: @Sendable ([UInt8]) throws -> Void
    ) async throws(TransportFailure) -> HTTPResponse {
        let pool = pool(for: order)
        let result: Result<CurlResponse, CurlFailure>
        do {
            result = try await pool.stream(
                message(order),
                head: { found in try head(CurlMessage.response(found, body: [], to: order.request)) }, receive: receive)
        } catch let failure as TransportFailure {
            throw failure
        } catch {
            throw .receiver("\(type(of: error))")
        }
        return try CurlMessage.response(
            result, to: order.request, under: pool.floor, through: order.proxy
        ).response
    }

    func open(_ order: CarrierOrder) async throws(TransportFailure) -> (CarriedResponse, BodyStream) {
        let (request, pool) = (order.request, pool(for: order))
        let stream = pool.open(message(order))
        switch await stream.next() {
        case .head(let head):
            let answer = try CurlMessage.response(head, body: [], to: request)
            return (answer, BodyStream(pieces: CurlPieces(stream, from: request.url.origin)))
        case .end(let failure?):
            throw CurlMessage.failure(
                failure, to: request.url.origin, body: request.limits.body, under: pool.floor, through: order.proxy)
        case .piece, .end(nil): throw .malformed("The answer has no head.")
        }
    }

    func inspect(_ order: CarrierOrder) async throws(TransportFailure) -> ServerInspection {
        let (origin, pool) = (order.request.url.origin, pool(for: order))
        var message = CurlMessage.request(order.request, carrying: .none)
        message.handshakeOnly = true
        message.proxy = order.proxy
        guard case .failure(let failure) = await pool.collect(message) else {
            throw .malformed("There was no handshake.")
        }
        guard let verdict = failure.connection?.verdict as? ServerVerdict else {
            throw CurlMessage.failure(failure, to: origin, body: 0, under: pool.floor, through: order.proxy)
        }
        return ServerInspection(
            origin: origin, decision: verdict.decision, chain: verdict.chain,
            connection: CurlMessage.facts(of: failure.connection, httpMajor: nil).0)
    }

    private func pool(for order: CarrierOrder) -> ConnectionPool {
        pools.withLock { [parameters = order.parameters, inquiries = order.inquirer?.pool] table in
            table.pool(under: parameters, askedBy: inquiries)
        }
    }

    private func message(_ order: CarrierOrder) -> CurlRequest {
        var message = CurlMessage.request(order.request, carrying: order.lines)
        message.proxy = order.proxy
        message.acceptsCompressed = options.acceptsCompressed
        message.isMeasured = options.isMeasured
        message.inquiry = inquiry(about: order)
        return message
    }

    /// The question that a new connection asks the app's own code; `nil` where there is none.
    private func inquiry(about order: CarrierOrder) -> JudgedConnection.Inquiry? {
        let origin = order.request.url.origin
        guard let inquirer = order.inquirer, origin.scheme == .https else { return nil }
        let (anchors, time) = (pools.withLock { $0.policy.anchors }, time)
        return { chain, judged, answer in
            // A certificate that cannot be read is refused without a question: there is nothing to ask about.
            guard let verdict = judged as? ServerVerdict, verdict.chain.summary != nil else { return answer(judged) }
            let question = ServerQuestion(
                origin: origin, certificates: chain.certificates, staple: chain.staple, anchors: anchors,
                seconds: time.wallSeconds)
            inquirer.ask(question) { answer(verdict.answered($0)) }
        }
    }
}

/// The pieces of a body that libcurl receives.
private final class CurlPieces: BodyPieces {
    private let stream: CurlStream
    private let origin: Origin

    init(_ stream: CurlStream, from origin: Origin) {
        self.stream = stream
        self.origin = origin
    }

    func next() async throws(TransportFailure) -> [UInt8]? {
        while true {
            switch await stream.next() {
            case .head: continue
            case .piece(let bytes): return bytes
            case .end(nil): return nil
            case .end(let failure?): throw CurlMessage.failure(failure, to: origin, body: 0)
            }
        }
    }
}
#endif
