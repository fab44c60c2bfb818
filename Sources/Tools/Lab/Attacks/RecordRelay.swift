internal import PavisePrimitives

/// Somebody between client and server who has no key and does mischief at one record of the server's TLS (RFC 8446
/// §5.1).
///
/// ```swift
/// let relay = try RecordRelay(to: server)
/// // … a request through relay.port, undisturbed …
/// relay.disturb(2, with: .silence)              // from the third record on nothing comes through
/// ```
///
/// Each connection has two threads. The relay ends, with every thread and socket, when the last reference to it goes
/// away.
public final class RecordRelay: Sendable {
    /// What is done in place of a record, or with it.
    public enum Mischief: String, CaseIterable, Hashable, Sendable {
        /// Nothing comes any more, and the connection stays open.
        case silence
        /// From here on one byte comes every few milliseconds.
        case trickle
        /// The connection ends.
        case end
        /// The connection is reset.
        case reset
        /// An alert that ends the connection takes the record's place.
        case fatalAlert
        /// A goodbye takes the record's place.
        case goodbye
        /// A record of zeros comes first.
        case zeros
        /// The last bit of the record is turned over.
        case flippedBit
        /// The record comes twice.
        case twice
        /// The record is left out.
        case leftOut
    }

    private struct State: Sendable {
        var step: Int?
        var mischief = Mischief.silence
        var records = 0
        /// How often the mischief was changed: each connection counts its records from there.
        var changes = 0
        var isStopping = false
    }

    /// The port on 127.0.0.1.
    public let port: UInt16
    private let state: Monitor<State>

    /// Relays connections to `server`, undisturbed at first.
    ///
    /// - Throws: ``LabFailure/system(_:)`` without a port or a thread.
    public init(to server: LabServer) throws(LabFailure) {
        let listener = try LabFailure.system { () throws(SystemFailure) in LabListener(try .listen()) }
        let state = Monitor(State())
        (port, self.state) = (listener.socket.port, state)
        let target = server.port
        try LabFailure.system { () throws(SystemFailure) in
            try WorkerThread.start {
                while !state.value.isStopping {
                    guard let client = try? listener.socket.accept(within: 5),
                        let server = try? TCPStream.connect(port: target)
                    else { continue }
                    Self.carry(LabSocket(client), LabSocket(server), state)
                }
            }
        }
    }

    deinit { state.change { $0.isStopping = true } }

    /// Does mischief at record `step` of each connection from now on, counted from 0; `nil` does none.
    public func disturb(_ step: Int?, with mischief: Mischief = .silence) {
        state.change {
            ($0.step, $0.mischief) = (step, mischief)
            $0.records = 0
            $0.changes += 1
        }
    }

    /// How many records of the server have come since the last change.
    public var records: Int { state.value.records }

    private static func carry(_ client: LabSocket, _ server: LabSocket, _ state: Monitor<State>) {
        try? WorkerThread.start {
            while let bytes = wait(for: client, state), !bytes.isEmpty {
                guard (try? server.stream.write(bytes.span)) != nil else { break }
            }
            server.stream.shutDown()
        }
        try? WorkerThread.start {
            var relay = Records(client: client, server: server)
            var (own, changes) = (0, state.value.changes)
            while !state.value.isStopping, let record = relay.next(state) {
                let (mischief, step, now): (Mischief?, Int, Int) = state.change { state in
                    state.records += 1
                    let step = state.changes == changes ? own : 0
                    return (state.step == step ? state.mischief : nil, step, state.changes)
                }
                (own, changes) = (step + 1, now)
                guard relay.pass(record, mischief, state) else { break }
            }
            client.stream.shutDown()
            server.stream.shutDown()
        }
    }

    // The next bytes; none at the end, `nil` when the relay ends.
    private static func wait(for socket: LabSocket, _ state: Monitor<State>) -> [UInt8]? {
        while !state.value.isStopping {
            do throws(SystemFailure) { return try socket.stream.read(upTo: 65_536, within: 20) } catch {
                guard error.isTimeout else { return [] }
            }
        }
        return nil
    }

    /// The records of one server's connection.
    private struct Records {
        let client: LabSocket
        let server: LabSocket
        private var buffer: [UInt8] = []
        private var isSlow = false

        init(client: LabSocket, server: LabSocket) {
            self.client = client
            self.server = server
        }

        mutating func next(_ state: Monitor<State>) -> [UInt8]? {
            while true {
                if buffer.count >= 5 {
                    let size = 5 + Int(buffer[3]) << 8 + Int(buffer[4])
                    if buffer.count >= size {
                        defer { buffer.removeFirst(size) }
                        return Array(buffer.prefix(size))
                    }
                }
                guard let more = RecordRelay.wait(for: server, state), !more.isEmpty else { return nil }
                buffer += more
            }
        }

        /// Passes `record` on, or does its mischief.
        ///
        /// - Returns: Whether there is more to come.
        mutating func pass(_ record: [UInt8], _ mischief: Mischief?, _ state: Monitor<State>) -> Bool {
            switch mischief {
            case .silence:
                while !state.value.isStopping, isOpen { _ = state.wait(within: 20, until: \.isStopping) }
                return false
            case .end: return false
            case .reset:
                client.stream.endWithReset()
                return false
            case .fatalAlert: return last([0x15, 3, 3, 0, 2, 2, 40], state)
            case .goodbye: return last([0x15, 3, 3, 0, 2, 1, 0], state)
            case .zeros:
                return send([0x17, 3, 3, 0, 32] + [UInt8](repeating: 0, count: 32), state) && send(record, state)
            case .flippedBit: return send(record.dropLast() + [record[record.count - 1] ^ 1], state)
            case .twice: return send(record + record, state)
            case .leftOut: return true
            case .trickle:
                isSlow = true
                return send(record, state)
            case nil: return send(record, state)
            }
        }

        // Whether the client is still there: what it says is read by the other thread, which shuts the server down at
        // its end.
        private var isOpen: Bool {
            do throws(SystemFailure) { return try !server.stream.read(upTo: 65_536, within: 5).isEmpty } catch {
                return error.isTimeout
            }
        }

        private func last(_ bytes: [UInt8], _ state: Monitor<State>) -> Bool {
            _ = send(bytes, state)
            return false
        }

        private func send(_ bytes: [UInt8], _ state: Monitor<State>) -> Bool {
            guard isSlow else { return (try? client.stream.write(bytes.span)) != nil }
            for byte in bytes {
                let one = [byte]
                guard !state.wait(within: 20, until: \.isStopping), (try? client.stream.write(one.span)) != nil else {
                    return false
                }
            }
            return true
        }
    }
}
