import PaviseCrypto
import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

@Suite struct LabServerTests {
    let authority: CertificateAuthority
    let identity: ServerIdentity

    init() throws {
        authority = try CertificateAuthority()
        identity = try authority.issue()
    }

    @Test func `a request is answered and remembered`() throws {
        let server = try LabServer.start(identity) { .text("you asked for \($0.path)").with("X-Query", $0.query) }
        let answer = try RawClient().get("/a?b=c", from: server, fields: ["X-One: 1"])
        #expect(answer.status == 200)
        #expect(answer.body == "you asked for /a")
        #expect(answer.field("X-Query") == "b=c")
        #expect(answer.version == "TLSv1.3")
        #expect(server.requests.map(\.target) == ["/a?b=c"])
        #expect(server.requests.first?.field("x-one") == "1")
        #expect(server.counters.handshakes == 1)
    }

    @Test func `a form arrives decoded`() throws {
        let server = try LabServer.start(identity) { .text($0.form("a b") ?? "none") }
        #expect(try RawClient().post("/", "x=1&a+b=c%26%20d%zz", to: server).body == "c& d%zz")
    }

    @Test func `one connection carries several requests`() throws {
        let server = try LabServer.start(nil) { .text("<\($0.path)>") }
        let text = "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        let answer = try RawClient(tls: nil).send(text, to: server)
        #expect(answer.text.contains("</1>"))
        #expect(answer.text.contains("</2>"))
        #expect(server.counters.connections == 1)
        #expect(server.requests.map(\.connection) == [1, 1])
    }

    @Test func `a server that forgot its past still knows every connection, and stops at once`() async throws {
        let server = try LabServer.start(nil) { request in request.path == "/open" ? .silence : .text("x") }
        let held = try TCPStream.connect(port: server.port)
        let text = Array("GET /open HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        try held.write(text.span)
        #expect(await server.wait { $0.requests == 1 })
        server.forget()
        // Numbered from 1 again, this one would take the first one's place, and its end would leave nobody to cut.
        #expect(try RawClient(tls: nil).send("GET / HTTP/1.1\r\nConnection: close\r\n\r\n", to: server).status == 200)
        #expect(server.requests.map(\.connection) == [2])
        server.stop()
        #expect(server.hasEnded)
        _ = consume held
    }

    @Test func `chunks are read and written`() throws {
        let server = try LabServer.start(nil) { request in
            LabResponse(body: .chunked { $0 == 0 ? request.body : $0 == 1 ? Array("!".utf8) : nil })
        }
        let head = "POST / HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
        let text = head + "3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n"
        #expect(try RawClient(tls: nil).send(text, to: server).body == "5\r\nabcde\r\n1\r\n!\r\n0\r\n\r\n")
    }

    @Test(arguments: [
        "GET /\r\n\r\n", "\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "GET / HTTP/1.1\r\nX: " + String(repeating: "x", count: 70_000),
    ])
    func `broken requests end the connection and nothing else`(_ text: String) throws {
        let server = try LabServer.start(nil) { _ in .text("no") }
        #expect(try RawClient(tls: nil).send(text, to: server).text == "")
        #expect(server.requests.isEmpty)
        #expect(try RawClient(tls: nil).get("/", from: server).body == "no")
    }

    @Test func `a body over 1 GiB is answered with 413, and ends the connection before any of it`() throws {
        let server = try LabServer.start(nil) { _ in .text("no") }
        let text = "GET / HTTP/1.1\r\nContent-Length: 1073741825\r\n\r\n"
        #expect(try RawClient(tls: nil).send(text, to: server).text.hasPrefix("HTTP/1.1 413 "))
        #expect(server.requests.isEmpty)
        #expect(try RawClient(tls: nil).get("/", from: server).body == "no")
    }

    @Test func `an answer can be cut at any byte`() throws {
        let server = try LabServer.start(identity) { _ in .text("hello").cut(after: 12) }
        #expect(try RawClient().get("/", from: server).text == "HTTP/1.1 200")
    }

    @Test func `a gate holds an answer until it opens`() async throws {
        let gate = LabGate()
        let server = try LabServer.start(nil) { _ in .text("late").held(by: gate) }
        async let answer = WorkerThread.run { try? RawClient(tls: nil).get("/", from: server).body }
        #expect(await gate.waitForArrivals(1))
        #expect(server.counters.requests == 1)
        gate.open()
        #expect(try await answer == "late")
    }

    @Test func `stop ends silence, gates and idle connections`() async throws {
        let gate = LabGate()
        let server = try LabServer.start(nil) { $0.path == "/gate" ? .text("x").held(by: gate) : .silence }
        let port = server.port
        let idle = try TCPStream.connect(port: port)
        async let silent = WorkerThread.run { (try? RawClient(tls: nil).get("/", from: server).text) ?? "refused" }
        async let held = WorkerThread.run { (try? RawClient(tls: nil).get("/gate", from: server).text) ?? "refused" }
        #expect(await server.wait { $0.requests == 2 && $0.connections == 3 })
        server.stop()
        #expect(try await silent == "")
        #expect(try await held == "")
        #expect(try idle.read(upTo: 10, within: 10_000).isEmpty)
        #expect(throws: SystemFailure.self) { _ = try TCPStream.connect(port: port).number }
    }

    @Test func `a server without references frees its port`() throws {
        var server: LabServer? = try LabServer.start(nil) { _ in .text("x") }
        let port = try #require(server?.port)
        server = nil
        #expect(throws: SystemFailure.self) { _ = try TCPStream.connect(port: port).number }
        server = try LabServer.start(nil, port: port) { _ in .text("again") }
        #expect(server?.port == port)
    }

    @Test func `the certificate can be swapped while the server runs`() throws {
        let server = try LabServer.start(identity) { _ in .text("x") }
        let other = try authority.issue()
        #expect(try RawClient().get("/", from: server).chain == identity.chain)
        try server.use(other)
        #expect(try RawClient().get("/", from: server).chain == other.chain)
        #expect(other.pin != identity.pin)
    }

    @Test func `a client that only shakes hands sends no application byte`() throws {
        let server = try LabServer.start(identity) { _ in .text("x") }
        _ = try RawClient().send("", to: server)
        #expect(server.counters.applicationBytes == 0)
        _ = try RawClient().get("/", from: server)
        #expect(server.counters.applicationBytes > 0)
    }

    @Test func `versions and suites are as asked`() async throws {
        let rsa = try authority.issue(LeafProfile(key: .rsa(bits: 2048)))
        let old = LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        let server = try LabServer.start(rsa, tls: old) { _ in .text("x") }
        #expect(throws: TLSFailure.self) { try RawClient().get("/", from: server) }
        #expect(await server.wait { $0.failedHandshakes == 1 })
        var weak = TLSParameters()
        weak.minimum = .tls11
        weak.securityLevel = 0
        #expect(try RawClient(tls: weak).get("/", from: server).version == "TLSv1.1")
        try server.use(rsa, tls: LabTLS(maximum: .tls12, suites: "AES128-GCM-SHA256"))
        #expect(try RawClient().get("/", from: server).suite == "AES128-GCM-SHA256")
    }

    @Test(.long) func `a long answer is made while it is sent`() throws {
        let server = try LabServer.start(nil) { _ in .generated(300_000) }
        let answer = try RawClient(tls: nil).get("/", from: server)
        #expect(answer.field("Content-Length") == "300000")
        let expected = String(decoding: (0..<300_000).map { UInt8($0 % 251) }, as: UTF8.self)
        #expect(answer.body == expected)
    }
}
