import Foundation
import PaviseLab
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// Bodies in pieces, downloads that are resumed, redirects with consent and inspections over a URLSession (AP-C4,
/// AP-C5).
@Suite struct CarrierBodyTests {
    private static let large = (0..<64).map { number in [UInt8](repeating: UInt8(number), count: 65_536) }

    private func server(_ answer: StandInResponse) -> StandInServer {
        var server = StandInServer()
        server.answer = { _ in answer }
        return server
    }

    @Test func `a reader that waits makes the server wait, and gets every byte`() async throws {
        let lab = try CarrierLab(server: server(StandInResponse(pieces: Self.large)))
        let (answer, body) = try await lab.client.open(lab.request(), carrying: .none)
        #expect(answer.status == 200)
        await lab.network.wait { $0.suspensions == 1 }
        // Nothing comes while it is suspended: the bound is the mark and one piece.
        #expect(lab.network.delivered <= 1 << 20 + 65_536)
        var whole: [UInt8] = []
        for try await piece in body {
            #expect(!piece.isEmpty && piece.count <= 1 << 20 + 65_536)
            whole += piece
        }
        #expect(whole == Self.large.flatMap { $0 })
    }

    @Test func `whoever lets go of a body ends the transfer`() async throws {
        let lab = try CarrierLab(server: server(StandInResponse(pieces: Self.large)))
        _ = try await lab.client.open(lab.request(), carrying: .none)
        await lab.network.wait { $0.cancellations == 1 }
    }

    @Test func `a receiver that throws, and a head that is not wanted, end the transfer`() async throws {
        struct Full: Error {}
        let lab = try CarrierLab(server: server(StandInResponse(pieces: Self.large)))
        let request = try lab.request()
        let end = await failure { () throws(TransportFailure) in
            try await lab.client.stream(request, carrying: .none, head: { _ in true }, receive: { _ in throw Full() })
        }
        #expect(end == .receiver("Full"))
        await lab.network.wait { $0.cancellations == 1 }
        _ = try await lab.client.stream(
            request, carrying: .none, head: { _ in false }, receive: { _ in Issue.record("a piece came") })
        await lab.network.wait { $0.cancellations == 2 }
    }

    @Test func `a body beyond the limit, and a head with too many fields, are refused`() async throws {
        let lab = try CarrierLab(server: server(StandInResponse(pieces: Self.large)))
        var request = try lab.request()
        request.limits.body = 100_000
        let fixed = request
        #expect(
            await failure { () throws(TransportFailure) in try await lab.client.send(fixed) }
                == .bodyTooLarge(limit: 100_000))
        await lab.network.wait { $0.cancellations == 1 }
        let many = (0...200).map { ("X-\($0)", "y") }
        lab.serve(CarrierLab.home, lab.identity, server(StandInResponse(fields: many)))
        guard case .malformed? = await failure(of: { () throws(TransportFailure) in try await lab.client.send(fixed) })
        else {
            Issue.record("201 fields were taken")
            return
        }
    }

    @Test func `a download goes on where it was cut, with the version of then`() async throws {
        let folder = try TemporaryFolder()
        let content = Array(Self.large.flatMap { $0 }.prefix(300_000))
        let lab = try CarrierLab(
            server: server(
                StandInResponse(fields: [("ETag", "\"v1\"")], pieces: [Array(content.prefix(100_000))], error: -1005)))
        let (request, path) = (try lab.request(), folder.path + "/file")
        let cut = await failure { () throws(TransportFailure) in
            try await lab.client.download(request, carrying: .none, to: path) { _ in }
        }
        #expect(cut == .network("The connection was lost before the answer came.", sent: true))
        lab.serve(
            CarrierLab.home, lab.identity,
            server(
                StandInResponse(
                    status: 206, fields: [("ETag", "\"v1\""), ("Content-Range", "bytes 100000-299999/300000")],
                    pieces: [Array(content.dropFirst(100_000))])))
        let outcome = try await lab.client.download(request, carrying: .none, to: path) { _ in }
        guard case .file(_, let bytes, let resumed) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(bytes == 300_000 && resumed == 100_000)
        #expect(lab.network.requests.last?.lines["range"] == "bytes=100000-")
        #expect(lab.network.requests.last?.lines["if-range"] == "\"v1\"")
        #expect(try Array(Data(contentsOf: URL(fileURLWithPath: path))) == content)
    }

    @Test func `an app that was suspended meets its servers anew, and no request is sent twice by itself`() async throws
    {
        let lab = try CarrierLab()
        var server = StandInServer()
        server.answer = { [network = lab.network] _ in
            network.sleep()
            return StandInResponse(pieces: [[1], [2]])
        }
        lab.serve(CarrierLab.home, lab.identity, server)
        let request = try lab.request()
        let sent = Task { await failure { () throws(TransportFailure) in try await lab.client.send(request) } }
        await lab.network.wait { $0.asleep.count == 1 }
        lab.network.wake()
        guard case .network(_, sent: true)? = await sent.value else {
            Issue.record("a lost connection is not told as one")
            return
        }
        #expect(lab.network.requests.count == 1)
        _ = try lab.serveStranger(CarrierLab.home)
        guard
            case .untrusted? = await failure(of: { () throws(TransportFailure) in try await lab.client.send(request) })
        else {
            Issue.record("a server that came while the app slept was not judged")
            return
        }
        #expect(lab.network.requests.count == 1)
    }

    @Test func `a packed download begins anew: its tag is that of the packed bytes`() async throws {
        let folder = try TemporaryFolder()
        let packed = [("ETag", "\"v1\""), ("Content-Encoding", "gzip")]
        let lab = try CarrierLab(
            options: ClientOptions(acceptsCompressed: true),
            server: server(StandInResponse(fields: packed, pieces: [[1, 2, 3]], error: -1005)))
        let request = try lab.request()
        for _ in 0..<2 {
            _ = await failure { () throws(TransportFailure) in
                try await lab.client.download(request, carrying: .none, to: folder.path + "/file") { _ in }
            }
        }
        #expect(lab.network.requests.count == 2)
        #expect(lab.network.requests.allSatisfy { $0.lines["range"] == nil })
    }

    @Test func `a redirect is the answer: URLSession follows none by itself`() async throws {
        let lab = try CarrierLab(
            server: server(StandInResponse(status: 302, fields: [("Location", "https://other.example/x")])))
        let answer = try await lab.client.send(lab.request())
        #expect(answer.status == 302)
        #expect(answer.redirect?.concerns == [.otherOrigin])
        #expect(lab.network.requests.count == 1)
    }

    @Test func `another origin gets a byte only after a person saw its certificate and said yes`() async throws {
        let lab = try CarrierLab(
            server: server(StandInResponse(status: 302, fields: [("Location", "https://other.example/x")])))
        let target = try lab.authority.issue(LeafProfile(names: ["other.example"], addresses: []))
        lab.serve("https://other.example", target)
        for says in [false, true] {
            let before = lab.network.requests.count
            let outcome = try await lab.client.follow(lab.request(), carrying: .none, .withConsent) { hop, shown in
                #expect(lab.network.requests.count == before + 1)
                return shown.path.first?.base64 == target.pin && says
            }
            #expect(outcome.response.status == (says ? 200 : 302))
            #expect(outcome.hops.last?.consent == (says ? .given : .refused))
            #expect(lab.network.requests.count == before + (says ? 2 : 1))
        }
    }

    @Test func `the answer of another key than the one that was agreed to is thrown away`() async throws {
        let lab = try CarrierLab(
            server: server(StandInResponse(status: 302, fields: [("Location", "https://other.example/x")])))
        let profile = LeafProfile(names: ["other.example"], addresses: [])
        lab.serve("https://other.example", try lab.authority.issue(profile))
        let twin = try lab.authority.issue(profile)
        let outcome = try await lab.client.follow(lab.request(), carrying: .none, .withConsent) { _, _ in
            lab.serve("https://other.example", twin)
            return true
        }
        #expect(outcome.response.status == 302)
        #expect(outcome.stop == .certificateChanged(try WebURL("https://other.example").origin))
    }

    @Test func `an inspection shows a server, trusted or not, and sends it nothing`() async throws {
        let lab = try CarrierLab()
        let origin = try lab.request().url.origin
        // On a connection that is there already nobody would be asked.
        _ = try await lab.client.send(lab.request())
        let trusted = try await lab.client.inspect(origin)
        #expect(trusted.decision == .allow(.valid) && trusted.path.first?.base64 == lab.identity.pin)
        let stranger = try lab.serveStranger(CarrierLab.home)
        let other = try await lab.client.inspect(origin)
        #expect(other.decision.refusal?.failures == [.unknownAuthority])
        #expect(other.summary?.fingerprint == stranger.fingerprint)
        #expect(lab.network.requests.count == 1)
    }
}
