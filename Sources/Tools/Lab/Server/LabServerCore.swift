internal import PaviseCrypto
internal import PavisePrimitives

/// The listening socket, closed with its last reference.
final class LabListener: Sendable {
    let socket: TCPListener
    init(_ socket: consuming TCPListener) { self.socket = socket }
}

/// What the threads of a server share. It outlives the ``LabServer`` only until its threads have ended.
final class LabServerCore: Sendable {
    struct State: Sendable {
        var handler: LabServer.Handler
        var cut: LabRequest.BodyCut?
        var context: TLSServerContext?
        var isStopping = false
        var threads = 0
        var sockets: [Int: LabSocket] = [:]
        var requests: [LabRequest] = []
        var handshakeFailures: [String] = []
        var clients: [[UInt8]] = []
        var lateQuestions = 0
        /// The number of the latest connection. The counters may be set back, this is not.
        var lastSocket = 0
        var counters = LabServer.Counters()
        var received: [UInt8] = []
        var heard: [UInt8] = []
        /// How often nobody was waiting to be accepted.
        var idleRounds = 0
    }

    /// The most bytes of a record: the first MiB.
    static let recordLimit = 1 << 20

    let state: Monitor<State>

    init(handler: @escaping LabServer.Handler) { state = Monitor(State(handler: handler)) }

    func use(_ identity: ServerIdentity, _ tls: LabTLS) throws(LabFailure) {
        let context = try LabFailure.translating { () throws(CryptoFailure) in
            try TLSServerContext(
                tls.parameters, chain: identity.chain, key: identity.key,
                evidence: ServerEvidence(staple: identity.staple, timestamps: identity.timestamps))
        }
        state.change { $0.context = context }
    }

    /// Accepts connections on a thread of its own until the server stops.
    func serve(_ listener: LabListener) throws(SystemFailure) {
        try startThread { core in
            while !core.state.value.isStopping {
                guard let stream = try? listener.socket.accept(within: 5) else {
                    core.state.change { $0.idleRounds += 1 }
                    continue
                }
                core.serve(LabSocket(stream))
            }
            listener.socket.shutDown()
        }
    }

    func dropConnections() {
        for socket in state.value.sockets.values { socket.stream.shutDown() }
    }

    /// Waits until every connection that was made was accepted, and every handshake of them is over.
    func settle(within milliseconds: Int64) -> Bool {
        let begun = state.value.idleRounds
        return state.wait(within: milliseconds) { state in
            let counters = state.counters
            let isDecided =
                state.context == nil || counters.connections <= counters.handshakes + counters.failedHandshakes
            return state.isStopping || (state.idleRounds >= begun + 2 && isDecided)
        }
    }

    func stop() {
        state.change { $0.isStopping = true }
        dropConnections()
        _ = state.wait(within: 30_000) { $0.threads == 0 }
    }

    private func serve(_ socket: LabSocket) {
        let number: Int? = state.change {
            guard !$0.isStopping else { return nil }
            $0.counters.connections += 1
            $0.lastSocket += 1
            $0.sockets[$0.lastSocket] = socket
            return $0.lastSocket
        }
        guard let number else { return }
        do {
            try startThread { core in
                core.converse(socket, number)
                core.state.change { $0.sockets[number] = nil }
            }
        } catch {
            state.change { $0.sockets[number] = nil }
        }
    }

    private func startThread(_ body: @escaping @Sendable (LabServerCore) -> Void) throws(SystemFailure) {
        state.change { $0.threads += 1 }
        do throws(SystemFailure) {
            try WorkerThread.start { [self] in
                body(self)
                state.change { $0.threads -= 1 }
            }
        } catch {
            state.change { $0.threads -= 1 }
            throw error
        }
    }

    private func converse(_ socket: LabSocket, _ number: Int) {
        guard let wire = openWire(socket) else { return socket.stream.shutDown() }
        let client = wire.clientCertificate
        var exchange = LabExchange(wire, connection: number)
        do throws(LabWire.Ended) {
            while try answer(&exchange, client) {}
            exchange.close()
        } catch {
            exchange.cut()
        }
    }

    private func answer(_ exchange: inout LabExchange, _ client: [UInt8]) throws(LabWire.Ended) -> Bool {
        var request = try exchange.nextRequest(state.value.cut)
        request.clientCertificate = client
        let handler = state.change { state in
            state.counters.requests += 1
            if state.requests.count >= 20_000 { state.requests.removeFirst(1000) }
            state.requests.append(request)
            return state.handler
        }
        let response = handler(request)
        guard !request.isTorn else { throw .ended }
        response.gate?.pass { state.value.isStopping }
        guard !state.value.isStopping else { throw .ended }
        if response.asksWho {
            let shown = try exchange.askWho { state.change { $0.lateQuestions += 1 } }
            if !shown.isEmpty { state.change { $0.clients.append(shown) } }
        }
        return try exchange.send(response, to: request)
    }

    private func openWire(_ socket: LabSocket) -> LabWire? {
        let state = state
        let hear: @Sendable ([UInt8]) -> Void = { bytes in state.change { $0.take(bytes) } }
        guard let context = state.value.context else { return LabWire(plain: socket, hear: hear) }
        do throws(TLSFailure) {
            let tls = try TLSStream.server(context) { bytes in state.change { $0.overhear(bytes) } }
            try tls.handshake(over: socket.stream, within: LabWire.patience)
            let isResumed = tls.isResumed
            let client = tls.peerCertificate
            state.change {
                $0.counters.handshakes += 1
                if !client.isEmpty { $0.clients.append(client) }
                $0.counters.resumptions += isResumed ? 1 : 0
            }
            return LabWire(secure: tls, socket, client: client, hear: hear)
        } catch {
            state.change {
                $0.counters.failedHandshakes += 1
                if $0.handshakeFailures.count < 1000 { $0.handshakeFailures.append("\(error)") }
            }
            return nil
        }
    }
}

extension LabServerCore.State {
    fileprivate mutating func take(_ bytes: [UInt8]) {
        counters.applicationBytes += bytes.count
        received += bytes.prefix(LabServerCore.recordLimit - received.count)
        if context == nil { overhear(bytes) }
    }

    fileprivate mutating func overhear(_ bytes: [UInt8]) {
        heard += bytes.prefix(LabServerCore.recordLimit - heard.count)
    }
}
