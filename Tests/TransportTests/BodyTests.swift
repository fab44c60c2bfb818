import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// The bytes that the lab's generated answer and these tests use.
private let longPattern = (0..<10_000_000).map { UInt8($0 % 251) }
private func pattern(_ count: Int) -> [UInt8] { Array(longPattern.prefix(count)) }

@Suite struct `A body` {
    @Test(.long, arguments: [0, 1, 60, 16_384, 65_537, 1 << 20, 10_000_000])
    func `of any size arrives whole, both ways`(_ count: Int) async throws {
        let lab = try TestLab(handler: { request in
            request.method == "POST" ? LabResponse(body: .fixed(request.body)) : .generated(count)
        })
        var request = HTTPRequest("GET", try lab.url())
        request.limits.body = 16 << 20
        #expect(try await lab.client.send(request).body == pattern(count))
        request.method = "POST"
        request.body = pattern(count)
        #expect(try await lab.client.send(request).body == pattern(count))
        let upload = try #require(lab.server.requests.last)
        #expect(upload.field("Content-Length") == "\(count)")
        #expect(upload.field("Expect") == nil)
        #expect(upload.field("Content-Type") == nil)
    }

    @Test func `in chunks arrives whole`() async throws {
        let lab = try TestLab(handler: { _ in LabResponse(body: .chunked { $0 < 100 ? pattern($0 + 1) : nil }) })
        #expect(try await lab.get().body == (0..<100).flatMap { pattern($0 + 1) })
    }

    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "OPTIONS"])
    func `is not needed by any method`(_ method: String) async throws {
        let lab = try TestLab()
        let answer = try await lab.client.send(HTTPRequest(method, try lab.url()))
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty == (method == "HEAD"))
        #expect(lab.server.requests.map(\.method) == [method])
        // The next request on the same handle must not inherit anything.
        #expect(try await lab.get().body == Array("hello".utf8))
    }

    @Test func `over the limit ends the exchange`() async throws {
        let lab = try TestLab(handler: { request in
            request.path == "/chunked"
                ? LabResponse(body: .chunked { $0 < 100 ? pattern(100) : nil }) : .generated(10_000)
        })
        for path in ["/", "/chunked"] {
            var request = HTTPRequest("GET", try lab.url(path))
            request.limits.body = 9_999
            let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
            #expect(end == .bodyTooLarge(limit: 9_999))
            request.limits.body = 10_000
            #expect(try await lab.client.send(request).body.count == 10_000)
        }
    }

    @Test func `that ends early is no answer`() async throws {
        let lab = try TestLab(handler: { _ in LabResponse.generated(100_000).cut(after: 50_000) })
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .network(_, sent: true) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
    }
}

@Suite struct `A streamed body` {
    private func bearer(_ url: WebURL) -> Authorization {
        Authorization(scheme: "Bearer", credential: SecretBytes(utf8: "token"), origin: url.origin)
    }

    @Test func `arrives in order and in pieces`() async throws {
        let lab = try TestLab(handler: { _ in .generated(5_000_000) })
        let url = try lab.url()
        let received = Mutex<(bytes: [UInt8], largest: Int, heads: Int)>(([], 0, 0))
        let answer = try await lab.client.stream(
            HTTPRequest("GET", url), with: bearer(url),
            head: { head in
                received.withLock { $0.heads += 1 }
                return head.status == 200
            },
            receive: { piece in
                received.withLock {
                    $0.bytes += piece
                    $0.largest = max($0.largest, piece.count)
                }
            })
        #expect(answer.status == 200 && answer.body.isEmpty)
        let found = received.withLock { $0 }
        #expect(found.bytes == pattern(5_000_000))
        #expect(found.largest <= 1 << 20)
        #expect(found.heads == 1)
    }

    @Test func `gives the reader few bytes before the server has more`() async throws {
        let seen = SeenBytes()
        let lab = try TestLab(handler: { _ in
            LabResponse(
                body: .chunked { index in
                    // The server goes on when the reader has what came before, or ends the body after ten seconds.
                    for _ in 0..<1000 where seen.count < index { Blocking.pause(milliseconds: 10) }
                    return index < 3 && seen.count >= index ? [UInt8(index)] : nil
                })
        })
        let (_, body) = try await lab.client.open(HTTPRequest("GET", lab.url()))
        for try await piece in body { seen.add(piece.count) }
        #expect(seen.count == 3)
    }

    @Test func `makes the server wait while the reader is slow`() async throws {
        let written = Atomic(0)
        let server = Counter()
        let lab = try TestLab(handler: { _ in
            LabResponse(
                body: .chunked { index in
                    server.value.withLock { $0 = index * 65_536 }
                    return index < 1000 ? [UInt8](repeating: 7, count: 65_536) : nil
                })
        })
        let url = try lab.url()
        let gate = LabGate()
        let first = Atomic(true)
        let opened = Atomic(0)
        _ = try await lab.client.stream(
            HTTPRequest("GET", url), with: bearer(url), head: { _ in true },
            receive: { piece in
                written.wrappingAdd(piece.count, ordering: .relaxed)
                guard first.exchange(false, ordering: .relaxed) else { return }
                // While this closure holds on, the server gets stuck with what fits in the buffers between.
                var last = -1
                while true {
                    let now = server.value.withLock { $0 }
                    if now == last { break }
                    last = now
                    Blocking.pause(milliseconds: 200)
                }
                opened.store(last, ordering: .relaxed)
            })
        _ = gate
        #expect(opened.load(ordering: .relaxed) < 32 << 20)
        #expect(written.load(ordering: .relaxed) == 1000 * 65_536)
    }

    @Test(.timeLimit(.minutes(1)))
    func `that stops after its reader was slow ends after its idle time, and not after the whole one`() async throws {
        let over = SeenBytes()
        defer { over.add(1) }
        let lab = try TestLab(handler: { _ in
            LabResponse(
                body: .chunked { index in
                    guard index == 48 else { return [UInt8](repeating: 7, count: 65_536) }
                    while over.count == 0 { Blocking.pause(milliseconds: 20) }
                    return nil
                })
        })
        var request = HTTPRequest("GET", try lab.url())
        request.limits = HTTPRequest.Limits(idle: .milliseconds(500), total: .seconds(40))
        let (_, body) = try await lab.client.open(request)
        var pieces = body.makeAsyncIterator()
        _ = try await pieces.next()
        // As much as is held comes meanwhile, and the first look at the times finds a pause.
        try await Task.sleep(for: .seconds(1))
        let begin = ContinuousClock.now
        var end: TransportFailure?
        do { while try await pieces.next() != nil {} } catch { end = error as? TransportFailure }
        #expect(end == .timeout(sent: true))
        #expect(ContinuousClock.now - begin < .seconds(20))
    }

    @Test func `is not read when the head is not wanted`() async throws {
        let lab = try TestLab(handler: { _ in LabResponse(status: 401, body: .fixed(pattern(3_000_000))) })
        let url = try lab.url()
        let answer = try await lab.client.stream(
            HTTPRequest("GET", url), with: bearer(url), head: { $0.status != 401 },
            receive: { _ in Issue.record("a piece came") })
        #expect(answer.status == 401)
        #expect(try await lab.client.send(HTTPRequest("HEAD", url)).status == 401)
    }

    @Test func `ends with the reader's own failure`() async throws {
        struct DiskFull: Error {}
        let lab = try TestLab(handler: { _ in .generated(1_000_000) })
        let url = try lab.url()
        do throws(TransportFailure) {
            _ = try await lab.client.stream(
                HTTPRequest("GET", url), with: bearer(url), head: { _ in true }, receive: { _ in throw DiskFull() })
            Issue.record("an answer came")
        } catch { #expect(error == .receiver("DiskFull")) }
    }

    @Test func `that is cut is a failure`() async throws {
        let lab = try TestLab(handler: { _ in LabResponse.generated(1_000_000).cut(after: 600_000) })
        let url = try lab.url()
        do throws(TransportFailure) {
            _ = try await lab.client.stream(
                HTTPRequest("GET", url), with: bearer(url), head: { _ in true }, receive: { _ in })
            Issue.record("an answer came")
        } catch {
            guard case .network(_, sent: true) = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}

private final class Counter: Sendable {
    let value = Mutex(0)
}

/// How many bytes a reader has seen.
private final class SeenBytes: Sendable {
    private let seen = Atomic(0)

    var count: Int { seen.load(ordering: .acquiring) }

    func add(_ count: Int) { seen.wrappingAdd(count, ordering: .releasing) }
}
