import PaviseLab
import PaviseTransport
import TestSupport
import Testing

/// Every record of a handshake and of an answer, disturbed in every way: each ends in a failure of its own kind, within
/// its limit, and the failure tells the truth about whether anything was sent.
@Suite struct `A disturbed connection` {
    @Test(.long, arguments: [LabTLS.Version.tls12, .tls13], RecordRelay.Mischief.allCases)
    func `ends in a failure at every record, and the next one is fine`(
        _ version: LabTLS.Version, _ mischief: RecordRelay.Mischief
    ) async throws {
        let lab = try TestLab(tls: LabTLS(minimum: version, maximum: version))
        let relay = try RecordRelay(to: lab.server)
        let count = try await undisturbed(lab, relay)
        #expect(count >= 4)
        for step in 0..<count {
            lab.server.forget()
            relay.disturb(step, with: mischief)
            let end = await ending(lab, relay, mischief)
            #expect(isExpected(end, of: mischief), "record \(step): \(String(describing: end))")
            _ = await lab.server.settle()
            if let end, !end.requestMayHaveLeft {
                // A handshake may be over, and the request behind it not read yet.
                #expect(await lab.server.waitUntilLeft(), "record \(step)")
                #expect(lab.server.counters.applicationBytes == 0, "record \(step)")
            }
        }
        _ = try await undisturbed(lab, relay)
    }

    @Test func `is no help to the next ones, which meet the same record`() async throws {
        let lab = try TestLab()
        let relay = try RecordRelay(to: lab.server)
        for step in 0..<2 {
            relay.disturb(step, with: .end)
            for _ in 0..<3 {
                let end = await ending(lab, relay, .end)
                #expect(isExpected(end, of: .end), "record \(step): \(String(describing: end))")
            }
        }
        #expect(try await undisturbed(lab, relay) >= 4)
    }

    // A client of its own, so that no connection of before is used. The number of records up to the answer's last.
    private func undisturbed(_ lab: TestLab, _ relay: RecordRelay) async throws -> Int {
        relay.disturb(nil)
        let client = try HTTPClient(policy: lab.client.policy)
        let answer = try await client.send(HTTPRequest("GET", WebURL("https://localhost:\(relay.port)/")))
        #expect(answer.body == Array("hello".utf8))
        return relay.records
    }

    private func ending(
        _ lab: TestLab, _ relay: RecordRelay, _ mischief: RecordRelay.Mischief
    ) async -> TransportFailure? {
        do throws(TransportFailure) {
            let client = try HTTPClient(policy: lab.client.policy)
            guard let url = try? WebURL("https://localhost:\(relay.port)/") else { return nil }
            var request = HTTPRequest("GET", url)
            request.limits.idle = [.silence, .leftOut].contains(mischief) ? .milliseconds(150) : .seconds(20)
            request.limits.total = mischief == .trickle ? .milliseconds(150) : .seconds(60)
            let answer = try await client.send(request)
            #expect(answer.body == Array("hello".utf8))
            return nil
        } catch {
            return error
        }
    }

    // TLS 1.3 takes a change of ciphers that means nothing any number of times (RFC 8446 §5), and a client does without
    // it.
    private func isExpected(_ end: TransportFailure?, of mischief: RecordRelay.Mischief) -> Bool {
        switch (end, mischief) {
        case (.timeout, .silence), (.timeout, .trickle), (.timeout, .leftOut): true
        // A certificate of TLS 1.2 comes in the clear, so a changed one is judged, and refused.
        case (.untrusted, .flippedBit): true
        case (nil, .twice), (nil, .leftOut): true
        case (.tls, _), (.network, _), (.malformed, _): mischief != .silence && mischief != .trickle
        default: false
        }
    }
}

@Suite struct `A server that wants another handshake` {
    @Test func `in the same connection does not get it, and the connection is not used again`() async throws {
        let lab = try TestLab(tls: LabTLS(maximum: .tls12), handler: { LabResponse.text($0.path).afterRenegotiation })
        // The answer may come before the server hears the refusal, which ends the connection.
        do throws(TransportFailure) { #expect(try await lab.get("/first").body == Array("/first".utf8)) } catch {
            guard case .network(_, sent: true) = error else {
                Issue.record("\(error)")
                return
            }
        }
        lab.server.answer { _ in .text("fine") }
        #expect(try await lab.get("/next").status == 200)
        #expect(lab.server.counters.connections == 2)
        #expect(lab.server.counters.handshakes == 2)
    }
}
