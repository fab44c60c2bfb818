internal import PaviseCrypto
internal import PavisePrimitives

/// An HTTP/1.1 server on loopback, with or without TLS, that answers exactly what a test says and remembers what it
/// saw.
///
/// ```swift
/// let authority = try CertificateAuthority()
/// let server = try LabServer.start(try authority.issue()) { request in .text("you asked for \(request.path)") }
/// try talk(server.address("/x"))                // a client under test
/// print(server.requests.map(\.path))            // ["/x"]
/// print(server.counters.applicationBytes)       // 0 when a client refused the certificate
/// server.stop()
/// ```
///
/// Each connection has a thread of its own, on which the handler runs; a handler may block. The server ends, with every
/// thread and socket, in ``stop()`` or when the last reference to it goes away.
public final class LabServer: Sendable {
    /// Answers one request.
    public typealias Handler = @Sendable (LabRequest) -> LabResponse

    /// What the server counted since it started.
    public struct Counters: Hashable, Sendable {
        /// Connections that were accepted.
        public var connections = 0
        /// Handshakes that were completed.
        public var handshakes = 0
        /// Handshakes that resumed an earlier session.
        public var resumptions = 0
        /// Handshakes that failed on either side.
        public var failedHandshakes = 0
        /// Requests that arrived whole.
        public var requests = 0
        /// Bytes that clients sent above TLS: with 0, no byte of a request left the client.
        public var applicationBytes = 0
    }

    private let core: LabServerCore
    /// The port on 127.0.0.1.
    public let port: UInt16
    let isSecure: Bool

    private init(core: LabServerCore, port: UInt16, isSecure: Bool) {
        self.core = core
        self.port = port
        self.isSecure = isSecure
    }

    deinit { core.stop() }

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - identity: The certificate and key; `nil` makes a server of plain http.
    ///   - tls: Versions and suites.
    ///   - port: 0 lets the system choose one.
    ///   - handler: Answers requests, on the connection's own thread.
    /// - Throws: ``LabFailure`` when the port or the certificate cannot be used.
    public static func start(
        _ identity: ServerIdentity?, tls: LabTLS = LabTLS(), port: UInt16 = 0, handler: @escaping Handler
    ) throws(LabFailure) -> LabServer {
        let core = LabServerCore(handler: handler)
        if let identity { try core.use(identity, tls) }
        let listener = try LabFailure.system { () throws(SystemFailure) in LabListener(try .listen(port: port)) }
        let chosen = listener.socket.port
        try LabFailure.system { () throws(SystemFailure) in try core.serve(listener) }
        return LabServer(core: core, port: chosen, isSecure: identity != nil)
    }

    /// Serves another certificate, or other versions, from the next connection on. Open connections keep the old one.
    public func use(_ identity: ServerIdentity, tls: LabTLS = LabTLS()) throws(LabFailure) {
        try core.use(identity, tls)
    }

    /// Answers with another handler from the next request on.
    public func answer(_ handler: @escaping Handler) { core.state.change { $0.handler = handler } }

    /// The address of `path` on this server, for example `https://127.0.0.1:4711/x`.
    ///
    /// - Parameters:
    ///   - host: Another name that leads to loopback, such as `localhost`.
    ///   - path: The path, which begins with a slash.
    public func address(_ path: String = "/", host: String = "127.0.0.1") -> String {
        "\(isSecure ? "https" : "http")://\(host):\(port)\(path)"
    }

    /// Ends connections in the middle of requests' bodies; `nil` lets them come whole again.
    public func cutBodies(_ rule: LabRequest.BodyCut?) { core.state.change { $0.cut = rule } }

    /// The latest requests in the order they arrived, at most 20,000.
    public var requests: [LabRequest] { core.state.value.requests }

    /// What was counted so far.
    public var counters: Counters { core.state.value.counters }

    /// The certificates that clients showed in completed handshakes, DER.
    public var clientCertificates: [[UInt8]] { core.state.value.clients }

    /// How often a client could be asked for its certificate in the middle of a connection; see
    /// ``LabResponse/asksWho``.
    public var lateQuestions: Int { core.state.value.lateQuestions }

    /// What clients sent above TLS, or all that they sent to a server without TLS: the first MiB of all connections
    /// together.
    public var received: [UInt8] { core.state.value.received }

    /// What clients sent on the wire, handshakes included: the first MiB of all connections together.
    public var heard: [UInt8] { core.state.value.heard }

    /// Why handshakes failed, in OpenSSL's words, at most the first 1,000.
    public var handshakeFailures: [String] { core.state.value.handshakeFailures }

    /// Forgets the requests and starts all counters at 0.
    public func forget() {
        core.state.change {
            $0.requests = []
            $0.counters = Counters()
            $0.handshakeFailures = []
            $0.received = []
            $0.heard = []
        }
    }

    /// Suspends until every connection that clients made was accepted and its handshake is over, one way or the other:
    /// from then on the records say who has come, and how each handshake ended.
    ///
    /// What a client has sent behind its handshake may not have been read by then. It is in the records when the
    /// connection is over: after ``stop()``, which ends it and waits.
    ///
    /// - Returns: `false` when a handshake is still open after `limit`.
    @discardableResult
    public func settle(within limit: Duration = .seconds(10)) async -> Bool {
        let core = core
        return await Waiting.done { core.settle(within: limit.milliseconds) }
    }

    /// Suspends until no connection is open any more: all that clients sent was read then.
    ///
    /// - Returns: `false` when one is still open after `limit`.
    @discardableResult
    package func waitUntilLeft(within limit: Duration = .seconds(10)) async -> Bool {
        let state = core.state
        return await Waiting.done { state.wait(within: limit.milliseconds) { $0.sockets.isEmpty } }
    }

    /// Suspends until `condition` holds for the counters.
    ///
    /// - Returns: `false` when it did not hold within `limit`.
    @discardableResult
    public func wait(
        within limit: Duration = .seconds(30), until condition: @escaping @Sendable (Counters) -> Bool
    ) async -> Bool {
        let state = core.state
        return await Waiting.done { state.wait(within: limit.milliseconds) { condition($0.counters) } }
    }

    /// Ends every open connection without a goodbye; the server goes on.
    public func dropConnections() { core.dropConnections() }

    /// Whether all threads have ended.
    package var hasEnded: Bool { core.state.value.threads == 0 }

    /// Ends all connections and threads and frees the port. Blocks until that is done; a second call does nothing.
    public func stop() { core.stop() }
}
