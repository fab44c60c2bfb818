import PaviseCrypto
import PavisePrimitives
import Testing

/// A peer that breaks the handshake at some step: each ends in an error of its own, in time.
@Suite struct `A handshake for diagnosis` {
    private static let limit: Int32 = 300

    /// What a peer answers to the first bytes; `nil` keeps it silent.
    private func outcome(_ answer: [UInt8]?, closes: Bool = true) async throws -> TLSFailure? {
        let listener = try TCPListener.listen()
        let port = listener.port
        let client = try DiagnosticHandshake(.everything)
        let task = Task { () -> TLSFailure? in
            let result = try await WorkerThread.run { () -> TLSFailure? in
                guard let socket = try? TCPStream.dial(host: "localhost", port: port, within: 5_000) else { return nil }
                do throws(TLSFailure) {
                    _ = try client.perform(over: socket, serverName: "localhost", within: Self.limit)
                    return nil
                } catch {
                    return error
                }
            }
            return result
        }
        guard let peer = try listener.accept(within: 5_000) else {
            Issue.record("nobody connected")
            return nil
        }
        _ = try peer.read(upTo: 4_096, within: 5_000)
        if let answer { try peer.write(answer.span) }
        if closes { peer.shutDown() }
        return try await task.value
    }

    @Test func `with a silent peer ends when the time is up`() async throws {
        #expect(try await outcome(nil, closes: false) == .timeout)
    }

    @Test func `with a peer that closes ends at once`() async throws {
        #expect(try await outcome(nil) == .handshake("the peer closed"))
    }

    @Test func `with a peer that speaks http knows that this is no TLS`() async throws {
        #expect(try await outcome(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8)) == .handshake("wrong version number"))
    }

    @Test(arguments: [(UInt8(40), "handshake failure"), (70, "protocol version"), (80, "internal error")])
    func `with a peer that sends an alert names it`(_ alert: UInt8, _ words: String) async throws {
        guard case .handshake(let reason)? = try await outcome([21, 3, 1, 0, 2, 2, alert]) else {
            Issue.record("no failure of the handshake")
            return
        }
        #expect(reason.contains("alert") && reason.contains(words))
    }

    @Test func `with a record that never ends stops when the time is up`() async throws {
        #expect(try await outcome([22, 3, 3, 0x40, 0, 2, 0, 0x3F, 0xFC], closes: false) == .timeout)
    }

    @Test func `finds no address for a name that nobody has`() {
        do throws(SystemFailure) {
            _ = try TCPStream.dial(host: "no-such-name.invalid", port: 443, within: 1_000)
            Issue.record("it was found")
        } catch {
            #expect(error.operation == "resolve")
        }
    }
}
