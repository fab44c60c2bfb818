internal import PavisePrimitives

/// A proxy on loopback that the environment may name, and that does what it likes with a CONNECT (RFC 9110 §9.3.6).
///
/// Each connection has a thread of its own. The proxy ends, with every thread and socket, when the last reference to it
/// goes away.
public final class LyingProxy: Sendable {
    /// What it does.
    public enum Lie: Hashable, Sendable {
        /// What it should: it carries bytes to the server that was asked for.
        case none
        /// It carries bytes to another server, which has to show a certificate.
        case otherServer
        /// It answers with a page instead of a tunnel, as a captive portal does, and says 200.
        case page
        /// It sends elsewhere.
        case redirect
        /// It asks for a name and a password, and asks again.
        case lure
        /// It answers something that is no HTTP.
        case noise
        /// It ends the connection.
        case hangUp
    }

    private struct State: Sendable {
        var heard: [UInt8] = []
        var connections = 0
        var isStopping = false

        mutating func take(_ bytes: [UInt8]) { heard += bytes.prefix(LyingProxy.recordLimit - heard.count) }
    }

    /// The most bytes that are remembered.
    static let recordLimit = 1 << 20

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let state: Monitor<State>

    /// A proxy that tells `lie`.
    ///
    /// - Parameters:
    ///   - lie: What it does.
    ///   - target: The port on 127.0.0.1 to which a tunnel leads, whatever the client asked for.
    /// - Throws: ``LabFailure/system(_:)`` without a port or a thread.
    public init(_ lie: Lie, to target: UInt16) throws(LabFailure) {
        let listener = try LabFailure.system { () throws(SystemFailure) in LabListener(try .listen()) }
        let state = Monitor(State())
        (port, self.state) = (listener.socket.port, state)
        try LabFailure.system { () throws(SystemFailure) in
            try WorkerThread.start {
                while !state.value.isStopping {
                    guard let client = try? listener.socket.accept(within: 5) else { continue }
                    Self.serve(LabSocket(client), lie, target, state)
                }
            }
        }
    }

    deinit { state.change { $0.isStopping = true } }

    /// What clients sent, the bytes inside a tunnel included: the first MiB.
    public var heard: [UInt8] { state.value.heard }

    /// How many connections came.
    public var connections: Int { state.value.connections }

    private static func serve(_ client: LabSocket, _ lie: Lie, _ target: UInt16, _ state: Monitor<State>) {
        state.change { $0.connections += 1 }
        try? WorkerThread.start {
            defer { client.stream.shutDown() }
            while let head = head(from: client, state), !head.isEmpty {
                guard let answer = answer(lie) else {
                    guard lie != .hangUp, let server = try? TCPStream.connect(port: target) else { return }
                    let tunnel = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
                    guard (try? client.stream.write(tunnel.span)) != nil else { return }
                    return carry(client, LabSocket(server), state)
                }
                let bytes = Array(answer.utf8)
                guard (try? client.stream.write(bytes.span)) != nil else { return }
            }
        }
    }

    private static func answer(_ lie: Lie) -> String? {
        switch lie {
        case .none, .otherServer, .hangUp: nil
        case .page: "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\nforged"
        case .redirect: "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"
        case .lure:
            "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"forged\"\r\n"
                + "Proxy-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n"
        case .noise: "\u{0}\u{1}\u{2}\r\n\r\n"
        }
    }

    private static func head(from client: LabSocket, _ state: Monitor<State>) -> [UInt8]? {
        var head: [UInt8] = []
        while !state.value.isStopping, head.count < 65_536 {
            do throws(SystemFailure) {
                let bytes = try client.stream.read(upTo: 4096, within: 50)
                guard !bytes.isEmpty else { return nil }
                state.change { $0.take(bytes) }
                head += bytes
                if head.suffix(4) == [13, 10, 13, 10] { return head }
            } catch {
                guard error.isTimeout else { return nil }
            }
        }
        return nil
    }

    private static func carry(_ client: LabSocket, _ server: LabSocket, _ state: Monitor<State>) {
        defer { server.stream.shutDown() }
        while !state.value.isStopping {
            for (one, other) in [(client, server), (server, client)] {
                do throws(SystemFailure) {
                    let bytes = try one.stream.read(upTo: 65_536, within: 2)
                    guard !bytes.isEmpty else { return }
                    if one === client { state.change { $0.take(bytes) } }
                    try other.stream.write(bytes.span)
                } catch {
                    guard error.isTimeout else { return }
                }
            }
        }
    }
}
