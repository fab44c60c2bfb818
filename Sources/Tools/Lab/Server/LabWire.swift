internal import PaviseCrypto
internal import PavisePrimitives

/// A connected socket that two threads know: the one that serves it and the one that stops the server.
final class LabSocket: Sendable {
    let stream: TCPStream
    init(_ stream: consuming TCPStream) { self.stream = stream }
}

/// Plain or protected bytes of one connection, with what was read too early kept for later.
struct LabWire: ~Copyable {
    private enum Layer: ~Copyable {
        case plain
        case secure(TLSStream)
    }

    /// Nothing more can be read or written.
    enum Ended: Error {
        case ended
    }

    private let socket: LabSocket
    private let layer: Layer
    private var buffer: [UInt8] = []
    private let hear: @Sendable ([UInt8]) -> Void
    /// What the client showed in the handshake; empty without a certificate.
    let clientCertificate: [UInt8]

    /// A wire without protection; `hear` gets every application byte that arrives.
    init(plain socket: LabSocket, hear: @escaping @Sendable ([UInt8]) -> Void) {
        self.socket = socket
        self.layer = .plain
        self.hear = hear
        clientCertificate = []
    }

    /// A wire whose handshake is done.
    init(
        secure tls: consuming TLSStream, _ socket: LabSocket, client: [UInt8],
        hear: @escaping @Sendable ([UInt8]) -> Void
    ) {
        self.socket = socket
        self.layer = .secure(tls)
        self.hear = hear
        clientCertificate = client
    }

    /// Bytes up to and with `mark`, or the end when more than `limit` come before it.
    mutating func read(through mark: [UInt8], limit: Int) throws(Ended) -> [UInt8] {
        var searched = 0
        while true {
            if let end = buffer[searched...].firstRange(of: mark)?.upperBound {
                guard end <= limit else { throw .ended }
                return take(end)
            }
            searched = max(0, buffer.count - mark.count + 1)
            guard buffer.count <= limit else { throw .ended }
            try fill()
        }
    }

    /// The next byte, which stays to be read.
    mutating func peek() throws(Ended) -> UInt8 {
        if buffer.isEmpty { try fill() }
        return buffer[0]
    }

    /// The next `size` bytes.
    mutating func read(_ size: Int) throws(Ended) -> [UInt8] {
        while buffer.count < size { try fill() }
        return take(size)
    }

    /// Waits until the peer says something or goes away. What it says is kept.
    mutating func waitForPeer() throws(Ended) { try fill() }

    /// Sends all of `bytes`.
    borrowing func write(_ bytes: [UInt8]) throws(Ended) {
        do {
            switch layer {
            case .plain: try socket.stream.write(bytes.span)
            case .secure(let tls): try tls.write(bytes, to: socket.stream)
            }
        } catch { throw .ended }
    }

    /// Asks for another handshake; without TLS, or with TLS 1.3, this is the end.
    borrowing func askForHandshake() throws(Ended) {
        do {
            switch layer {
            case .plain: throw Ended.ended
            case .secure(let tls): try tls.askForHandshake(over: socket.stream)
            }
        } catch { throw .ended }
    }

    /// Asks for the client's certificate in the middle of the connection.
    ///
    /// - Parameter wasAsked: Called when the question could be put.
    /// - Returns: The certificate, DER; empty without one.
    mutating func askForCertificate(_ wasAsked: () -> Void) throws(Ended) -> [UInt8] {
        do {
            switch layer {
            case .plain: throw Ended.ended
            case .secure(let tls): try tls.askForCertificate(over: socket.stream)
            }
        } catch { throw .ended }
        wasAsked()
        try fill()
        switch layer {
        case .plain: return []
        case .secure(let tls): return tls.peerCertificate
        }
    }

    /// Ends the connection with the goodbye of its protocol.
    borrowing func close() {
        switch layer {
        case .plain: break
        case .secure(let tls): tls.close(over: socket.stream)
        }
        socket.stream.shutDown()
    }

    /// Ends the connection without a goodbye.
    borrowing func cut() { socket.stream.shutDown() }

    private mutating func take(_ size: Int) -> [UInt8] {
        defer { buffer.removeFirst(size) }
        return Array(buffer.prefix(size))
    }

    private mutating func fill() throws(Ended) {
        let more: [UInt8]
        do {
            switch layer {
            case .plain: more = try socket.stream.read(upTo: 65_536, within: Self.patience)
            case .secure(let tls): more = try tls.read(upTo: 65_536, from: socket.stream, within: Self.patience)
            }
        } catch { throw .ended }
        guard !more.isEmpty else { throw .ended }
        hear(more)
        buffer += more
    }

    /// How long an idle connection is kept, in milliseconds.
    static let patience: Int32 = 120_000
}
