import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import Testing

@Suite struct `Many requests` {
    @Test func `one after the other use one connection`() async throws {
        let lab = try TestLab()
        for _ in 0..<50 { #expect(try await lab.get().status == 200) }
        #expect(lab.server.counters.connections == 1)
        #expect(lab.server.counters.requests == 50)
    }

    @Test(arguments: [true, false])
    func `that may not leave any more when the connection is there send no byte`(_ isNew: Bool) async throws {
        let lab = try TestLab()
        if !isNew { #expect(try await lab.get().status == 200) }
        let before = lab.server.counters.requests
        let asked = Mutex(0)
        var request = HTTPRequest("GET", try lab.url())
        request.mayLeave = {
            asked.withLock {
                $0 += 1
                return $0 == 1
            }
        }
        let fixed = request
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(fixed) }
        #expect(end == .cancelled(sent: false))
        #expect(asked.withLock { $0 } == 2 && lab.server.counters.requests == before)
        #expect(try await lab.get().status == 200)
    }

    @Test func `a thousand at once all get their own answer over few connections`() async throws {
        let lab = try TestLab(handler: { .text($0.path) })
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                group.addTask { try await lab.get("/\(number)").body == Array("/\(number)".utf8) }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
        #expect(lab.server.counters.requests == 1000)
        #expect(lab.server.counters.connections <= 16)
    }

    @Test func `go on when a server drops connections, many at once and one alone by turns`() async throws {
        let lab = try TestLab(handler: { LabResponse(body: .fixed($0.body)) })
        for round in 0..<10 {
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<4 {
                    group.addTask {
                        var request = HTTPRequest("POST", try lab.url())
                        request.body = Array("round \(round), \(number)".utf8)
                        return try await lab.client.send(request).body == request.body
                    }
                }
                for try await isOwn in group { #expect(isOwn) }
            }
            if round % 2 == 0 { lab.server.dropConnections() }
            for _ in 0..<3 { #expect(try await lab.get().status == 200) }
            if round % 3 == 0 { lab.server.dropConnections() }
        }
    }

    @Test func `survive a server that drops idle connections, bodies included`() async throws {
        let lab = try TestLab(handler: { LabResponse(body: .fixed($0.body)) })
        for round in 0..<10 {
            var request = HTTPRequest("POST", try lab.url())
            request.body = Array("round \(round)".utf8)
            #expect(try await lab.client.send(request).body == request.body)
            lab.server.dropConnections()
        }
    }
}

@Suite struct `A request without an answer` {
    @Test(arguments: [("POST", false), ("PATCH", false), ("LOCK", false), ("GET", true), ("PUT", true)])
    func `on a connection that was kept is sent again only where its method says that it may be`(
        _ method: String, _ mayRepeat: Bool
    ) async throws {
        let lab = try TestLab(handler: { $0.path == "/lost" ? .hangUp : .text("hello") })
        #expect(try await lab.get().status == 200)
        let request = HTTPRequest(method, try lab.url("/lost"))
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
        #expect(end == .network("The connection was lost before the answer came.", sent: true))
        let count = lab.server.requests.count { $0.path == "/lost" }
        #expect(mayRepeat ? count > 1 : count == 1, "\(count)")
        #expect(try await lab.get().status == 200)
    }

    @Test func `ends after its idle time`() async throws {
        let lab = try TestLab(handler: { _ in .silence })
        var request = HTTPRequest("GET", try lab.url())
        request.limits.idle = .milliseconds(200)
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
        #expect(end == .timeout(sent: true))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1000)])
    func `is waited for as long as anybody says, and no figure ends the process`(_ limit: Duration) async throws {
        let lab = try TestLab()
        var request = HTTPRequest("GET", try lab.url())
        request.limits = HTTPRequest.Limits(idle: limit, total: limit)
        #expect(try await lab.client.send(request).status == 200)
    }

    @Test func `ends after its total time although bytes trickle`() async throws {
        let lab = try TestLab(handler: { _ in
            LabResponse(
                body: .chunked { _ in [1] })
        })
        var request = HTTPRequest("GET", try lab.url())
        request.limits.total = .milliseconds(300)
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
        #expect(end == .timeout(sent: true))
    }

    @Test func `to a server that never finishes the handshake ends before anything is sent`() async throws {
        let silent = try RawServer(answer: [])
        let client = try HTTPClient()
        var request = HTTPRequest("GET", try WebURL("https://127.0.0.1:\(silent.port)/"))
        request.limits.idle = .milliseconds(150)
        let end = await failure { () throws(TransportFailure) in try await client.send(request) }
        #expect(end == .timeout(sent: false))
    }

    @Test func `is cancelled with its task, and the client goes on`() async throws {
        let gate = LabGate()
        let lab = try TestLab(handler: { request in
            request.path == "/held" ? .text("late").held(by: gate) : .text("hello")
        })
        let task = Task { try await lab.get("/held") }
        #expect(await gate.waitForArrivals(1))
        task.cancel()
        let result = await task.result
        #expect(throws: TransportFailure.cancelled(sent: true)) { try result.get() }
        #expect(try await lab.get().status == 200)
        gate.open()
    }

    @Test func `is never started when its task is cancelled already`() async throws {
        let lab = try TestLab()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await lab.get()
        }
        task.cancel()
        let result = await task.result
        #expect(throws: TransportFailure.cancelled(sent: false)) { try result.get() }
        #expect(lab.server.counters.requests == 0)
    }
}

@Suite struct `An answer that is no HTTP` {
    @Test(arguments: [
        "", "garbage\r\n\r\n", "HTTP/1.1\r\n\r\n", "SSH-2.0-OpenSSH_9\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        "HTTP/1.1 200 OK\r\nBad Name: x\r\nContent-Length: 0\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: a\u{0}b\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 99999 OK\r\n\r\n",
    ])
    func `is refused`(_ text: String) async throws {
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(Array(text.utf8)), closes: true) })
        var request = HTTPRequest("GET", try lab.url())
        request.limits.idle = .seconds(5)
        let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
        switch end {
        case .malformed, .network(_, sent: true): break
        default: Issue.record("\(String(describing: end))")
        }
        #expect(end?.requestMayHaveLeft == true)
    }

    @Test(arguments: [
        (1...300).map { "X-\($0): y" }, (1...40).map { "X-\($0): \(String(repeating: "z", count: 2000))" },
        ["X: \(String(repeating: "z", count: 70_000))"],
    ])
    func `with a flood of fields is refused`(_ lines: [String]) async throws {
        let text = "HTTP/1.1 200 OK\r\n" + lines.joined(separator: "\r\n") + "\r\nContent-Length: 0\r\n\r\n"
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(Array(text.utf8)), closes: true) })
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .malformed = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    @Test func `with endless interim answers is refused`() async throws {
        let text = String(repeating: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n", count: 5000)
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(Array(text.utf8)), closes: true) })
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .malformed = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }

    @Test func `follows interim answers`() async throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-Real: 1\r\nContent-Length: 2\r\n\r\nok"
        let lab = try TestLab(handler: { _ in LabResponse(body: .raw(Array(text.utf8)), closes: true) })
        let answer = try await lab.get()
        #expect(answer.status == 200)
        #expect(answer.fields["x-real"] == "1")
        #expect(answer.fields["link"] == nil)
    }
}
