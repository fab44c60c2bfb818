import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport
import Testing

/// A server that begins an answer and never ends it.
struct StuckServer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let response: LabResponse

    static let all: [StuckServer] = [
        StuckServer(testDescription: "before the head", response: .silence),
        StuckServer(testDescription: "in the status line", response: raw("HTTP/1.1 20")),
        StuckServer(testDescription: "in the head", response: raw("HTTP/1.1 200 OK\r\nContent-Le")),
        StuckServer(testDescription: "after interim answers", response: raw("HTTP/1.1 103 Early Hints\r\n\r\n")),
        StuckServer(testDescription: "before the body", response: raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")),
        StuckServer(testDescription: "in the body", response: raw("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")),
        StuckServer(
            testDescription: "in a chunk", response: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nab")
        ),
        StuckServer(
            testDescription: "before the last chunk",
            response: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n")),
    ]

    private static func raw(_ text: String) -> LabResponse { LabResponse(body: .raw(Array(text.utf8))) }
}

@Suite struct `A bad server` {
    private func ending(_ lab: TestLab, _ change: (inout HTTPRequest) -> Void = { _ in }) async throws
        -> TransportFailure?
    {
        var request = HTTPRequest("GET", try lab.url())
        request.limits.idle = .seconds(20)
        change(&request)
        let sent = request
        return await failure { () throws(TransportFailure) in try await lab.client.send(sent) }
    }

    @Test(arguments: StuckServer.all)
    func `that gets stuck costs its time limit, and the client goes on`(_ server: StuckServer) async throws {
        let lab = try TestLab(handler: { request in
            guard request.path == "/" else { return .text("fine") }
            return server.response
        })
        let end = try await ending(lab) { $0.limits.idle = .milliseconds(150) }
        // A server of the lab that has written raw bytes waits for the next request, so the line stays open.
        #expect(end == .timeout(sent: true))
        #expect(try await lab.get("/next").status == 200)
    }

    @Test(arguments: [
        "X: y\r\n", "X: \(String(repeating: "z", count: 9000))\r\n", "X:\r\n", "\u{1}: x\r\n", " folded\r\n",
    ])
    func `with fields without end is stopped`(_ line: String) async throws {
        let count = 4_000_000 / line.utf8.count
        let bytes = Array("HTTP/1.1 200 OK\r\n".utf8) + Array(String(repeating: line, count: count).utf8)
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(bytes), closes: true) })
        switch try await ending(lab) {
        case .malformed, .network(_, sent: true): break
        case let end: Issue.record("\(String(describing: end))")
        }
    }

    @Test func `with interim answers without end is stopped`() async throws {
        let bytes = Array(String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n", count: 50_000).utf8)
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(bytes), closes: true) })
        guard case .malformed = try await ending(lab) else {
            Issue.record("not stopped")
            return
        }
    }

    @Test(.long, arguments: [UInt8](0...120))
    func `that answers the hello with an alert is a failure of TLS, and nothing was sent`(_ alert: UInt8) async throws {
        for level: UInt8 in [1, 2] {
            let server = try RawServer(answer: [0x15, 3, 3, 0, 2, level, alert])
            let client = try HTTPClient()
            var request = HTTPRequest("GET", try WebURL("https://localhost:\(server.port)/"))
            request.limits.idle = .seconds(20)
            let sent = request
            let end = await failure { () throws(TransportFailure) in try await client.send(sent) }
            switch end {
            case .tls, .network(_, sent: false): break
            default: Issue.record("\(String(describing: end))")
            }
            #expect(end?.requestMayHaveLeft == false)
        }
    }

    @Test(
        arguments: [
            [], [0x16], [0x16, 3, 3, 0xFF, 0xFF], [0x16, 3, 3, 0, 4, 2, 0, 0, 0], [0x80, 0x2E, 1, 0, 2],
            [UInt8](repeating: 0, count: 4096), [UInt8](repeating: 0xFF, count: 4096), [0x17, 3, 3, 0, 1, 0],
            [0x16, 3, 1, 0, 4, 2, 0xFF, 0xFF, 0xFF], [0x14, 3, 3, 0, 1, 1], Array("HTTP/1.1 200 OK\r\n\r\n".utf8),
        ] as [[UInt8]])
    func `that speaks no TLS is a failure, and nothing was sent`(_ answer: [UInt8]) async throws {
        let server = try RawServer(answer: answer)
        let client = try HTTPClient()
        var request = HTTPRequest("GET", try WebURL("https://localhost:\(server.port)/"))
        request.limits.idle = .seconds(20)
        let sent = request
        let end = await failure { () throws(TransportFailure) in try await client.send(sent) }
        switch end {
        case .tls, .network(_, sent: false), .timeout(sent: false): break
        default: Issue.record("\(String(describing: end))")
        }
    }

    @Test(.long) func `with a chain of 1,000 certificates, or of ten megabytes, is refused before a request`()
        async throws
    {
        let lab = try TestLab()
        let other = try lab.authority.issue().leaf
        for count in [1_000, 10 << 20 / other.count] {
            try lab.server.use(lab.identity.sending(more: Array(repeating: other, count: count)))
            lab.server.dropConnections()
            let before = lab.server.counters.applicationBytes
            let end = try await ending(lab)
            switch end {
            case .tls, .network(_, sent: false): break
            default: Issue.record("\(count): \(String(describing: end))")
            }
            #expect(lab.server.counters.applicationBytes == before)
        }
    }

    @Test func `with a hundred needless certificates is judged by those that count`() async throws {
        let lab = try TestLab()
        let other = try lab.authority.issue().leaf
        try lab.server.use(lab.identity.sending(more: Array(repeating: other, count: 100)))
        #expect(try await lab.get().status == 200)
    }

    @Test func `with more or less body than it announced is no answer, and its rest is no second one`() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged"
        let lab = try TestLab(handler: { request in
            request.path == "/" ? LabResponse(body: .raw(Array(text.utf8))) : .text("own")
        })
        #expect(try await lab.get().body == Array("hello".utf8))
        #expect(try await lab.get("/next").body == Array("own".utf8))
        let short = try TestLab(handler: { _ in
            LabResponse(body: .raw(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc".utf8)), closes: true)
        })
        guard case .network(_, sent: true) = try await ending(short) else {
            Issue.record("an answer")
            return
        }
    }

    @Test func `that compresses a bomb meets the limit of unpacked bytes`() async throws {
        let bomb = try gzip(zeros: 64 << 20)
        let lab = try TestLab(handler: { _ in
            LabResponse(body: .fixed(bomb)).with("Content-Encoding", "gzip")
        })
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(acceptsCompressed: true))
        var request = HTTPRequest("GET", try lab.url())
        request.limits.body = 1 << 20
        let sent = request
        let end = await failure { () throws(TransportFailure) in try await client.send(sent) }
        #expect(end == .bodyTooLarge(limit: 1 << 20))
        #expect(lab.server.requests.last?.field("Accept-Encoding")?.contains("gzip") == true)
        // Without the option nothing is unpacked, and nothing is asked for.
        #expect(try await lab.client.send(HTTPRequest("GET", lab.url())).body == bomb)
        #expect(lab.server.requests.last?.field("Accept-Encoding") == nil)
    }

    @Test func `that sends a broken compressed body gives no answer`() async throws {
        let bytes = Array(try gzip(zeros: 1 << 20).prefix(10)) + [UInt8](repeating: 0xFF, count: 200)
        let lab = try TestLab(handler: { _ in LabResponse(body: .fixed(bytes)).with("Content-Encoding", "gzip") })
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(acceptsCompressed: true))
        let request = HTTPRequest("GET", try lab.url())
        let end = await failure { () throws(TransportFailure) in try await client.send(request) }
        switch end {
        case .malformed, .network(_, sent: true): break
        default: Issue.record("\(String(describing: end))")
        }
    }

    private func gzip(zeros count: Int) throws -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "head -c \(count) /dev/zero | gzip -c"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = [UInt8](output.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        return bytes
    }
}
