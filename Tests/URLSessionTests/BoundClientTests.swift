import Foundation
import FoundationNetworking
import PaviseLab
import PaviseTransport
import PaviseURLSession
import Synchronization
import TestSupport
import Testing

@Suite struct `A session of Foundation's behind our door` {
    @Test func `gets its answers, the whole body included`() async throws {
        let lab = try URLSessionLab(handler: { LabResponse.text($0.path).with("X-Field", "one").with("X-Field", "two") }
        )
        let (data, response) = try await lab.get("/some/path?q=1")
        #expect(String(decoding: data, as: UTF8.self) == "/some/path")
        #expect(response.statusCode == 200)
        #expect(response.value(forHTTPHeaderField: "X-Field") == "one, two")
        #expect(response.url?.path == "/some/path")
    }

    @Test func `has the protocol of its client and policy, however many are made of both`() throws {
        func name(_ configuration: URLSessionConfiguration) -> ObjectIdentifier? {
            configuration.protocolClasses?.first.map { ObjectIdentifier($0) }
        }
        let client = try HTTPClient()
        let first = try #require(name(.pavise(client)))
        #expect(name(.pavise(client)) == first)
        let others = [
            name(.pavise(client, redirects: .report)), name(.pavise(try HTTPClient())),
            name(.pavise(client, consent: { _, _ in true })), name(.pavise(client, consent: { _, _ in false })),
        ]
        #expect(Set(others.compactMap(\.self) + [first]).count == 5)
    }

    @Test func `gets the https address that answered where the host is known to want it`() async throws {
        let store = HSTSStore([.init(host: "localhost", expires: .max, includesSubdomains: false)])
        let lab = try URLSessionLab(options: ClientOptions(strictTransport: store))
        let text = lab.server.address("/", host: "localhost")
        let plain = try #require(URL(string: text.replacing("https://", with: "http://")))
        let (_, response) = try await lab.session.data(from: plain)
        #expect(response.url?.absoluteString == text)
    }

    @Test func `collects a body of many pieces for a completion handler`() async throws {
        let lab = try URLSessionLab(handler: { _ in .generated(3_000_000) })
        let (data, _) = try await lab.get()
        #expect(data.count == 3_000_000)
        #expect(data.enumerated().allSatisfy { $1 == UInt8($0 % 251) })
    }

    @Test func `takes a body that is larger than a client of ours takes at once`() async throws {
        let count = HTTPRequest.Limits().body + 1
        let lab = try URLSessionLab(handler: { _ in .generated(count) })
        #expect(try await lab.get().0.count == count)
    }

    @Test func `sends fields of the request and of the session`() async throws {
        let lab = try URLSessionLab(adjust: { $0.httpAdditionalHeaders = ["X-Session": "s", "X-Both": "session"] })
        var request = try lab.request()
        request.setValue("r", forHTTPHeaderField: "X-Request")
        request.setValue("request", forHTTPHeaderField: "X-Both")
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        request.setValue("a=b; c=d", forHTTPHeaderField: "Cookie")
        _ = try await lab.session.data(for: request)
        let seen = try #require(lab.server.requests.first)
        #expect(seen.field("X-Session") == "s")
        #expect(seen.field("X-Request") == "r")
        #expect(seen.fields.filter { $0.name == "X-Both" }.map(\.value) == ["request"])
        #expect(seen.field("Authorization") == "Bearer canary")
        #expect(seen.field("Cookie") == "a=b; c=d")
    }

    @Test func `sends bodies of requests, uploads, files and streams`() async throws {
        let lab = try URLSessionLab(handler: { LabResponse(body: .fixed($0.body)) })
        let body = Data((0..<200_000).map { UInt8($0 % 256) })
        var request = try lab.request("/body", "POST")
        request.httpBody = body
        #expect(try await lab.session.data(for: request).0 == body)
        request.httpBody = nil
        #expect(try await lab.session.upload(for: request, from: body).0 == body)
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: folder.path + "/upload")
        try body.write(to: file)
        #expect(try await lab.session.upload(for: request, fromFile: file).0 == body)
        request.httpBodyStream = InputStream(data: body)
        #expect(try await lab.session.data(for: request).0 == body)
    }

    @Test func `loads nothing for a request that may only be answered from what is kept`() async throws {
        let lab = try URLSessionLab()
        _ = try await lab.get()
        var request = try lab.request()
        request.cachePolicy = .returnCacheDataDontLoad
        let offline = request
        #expect(await urlError { try await lab.session.data(for: offline) }?.code == .resourceUnavailable)
        #expect(lab.server.requests.count == 1)
    }

    @Test func `sends no file of this machine whose path stands in a link`() async throws {
        let delegate = PieceCounter()
        let lab = try URLSessionLab(delegate: delegate)
        let folder = try TemporaryFolder()
        try Data("private".utf8).write(to: URL(fileURLWithPath: folder.path + "/own"))
        let link = try #require(URL(string: "https://home.example\(folder.path)/own"))
        lab.session.uploadTask(with: try lab.request("/", "PUT"), fromFile: link).resume()
        await delegate.end()
        #expect((delegate.result.error as? URLError)?.code == .badURL)
        #expect(lab.server.requests.isEmpty)
    }

    @Test func `gives a delegate the pieces as they come`() async throws {
        let delegate = PieceCounter()
        let lab = try URLSessionLab(delegate: delegate, handler: { _ in .generated(3_000_000) })
        lab.session.dataTask(with: try lab.request()).resume()
        await delegate.end()
        let (pieces, bytes, error) = delegate.result
        #expect(bytes == 3_000_000)
        #expect(pieces > 1)
        #expect(error == nil)
    }

    @Test func `cancels with the task, as -999`() async throws {
        let gate = LabGate()
        let lab = try URLSessionLab(handler: { _ in .text("late").held(by: gate) })
        let task = Task { try await lab.get() }
        #expect(await gate.waitForArrivals(1))
        task.cancel()
        #expect(await urlError { try await task.value }?.code == .cancelled)
        gate.open()
    }

    @Test func `ends at the request's time-out, as -1001`() async throws {
        let lab = try URLSessionLab(handler: { $0.path == "/silent" ? .silence : .text("hello") })
        // Over a connection that is there: a handshake beside many other tests may take longer than the request's time.
        _ = try await lab.get()
        var request = try lab.request("/silent")
        request.timeoutInterval = 0.2
        let error = await urlError { try await lab.session.data(for: request) }
        #expect(error?.code == .timedOut)
        #expect(error?.transportFailure == .timeout(sent: true))
    }

    @Test func `says that a download task is not possible, and does not trap`() async throws {
        let lab = try URLSessionLab()
        let request = try lab.request()
        let error = await urlError { try await lab.session.download(for: request) }
        #expect(error?.code == .unsupportedURL)
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `gives the 401 itself, and Foundation does not send the request again around our checks`() async throws {
        let lab = try URLSessionLab(handler: { _ in
            LabResponse.text("who?", status: 401).with("WWW-Authenticate", "Basic realm=\"x\"")
        })
        let (data, response) = try await lab.get()
        #expect(response.statusCode == 401)
        #expect(String(decoding: data, as: UTF8.self) == "who?")
        #expect(response.value(forHTTPHeaderField: "X-Pavise-WWW-Authenticate") == "Basic realm=\"x\"")
        #expect(lab.server.counters.requests == 1)
    }

    @Test func `carries five hundred tasks at once, a third of them cancelled`() async throws {
        let lab = try URLSessionLab(handler: { .text($0.path) })
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<500 {
                let request = try lab.request("/\(number)")
                group.addTask {
                    let task = Task { try await lab.session.data(for: request).0 }
                    if number.isMultiple(of: 3) { task.cancel() }
                    do { return try await task.value == Data("/\(number)".utf8) } catch {
                        return number.isMultiple(of: 3) && (error as? URLError)?.code == .cancelled
                    }
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test func `keeps each configuration's own policy, however many there are`() async throws {
        let labs = try (0..<9).map { _ in try URLSessionLab() }
        for lab in labs { #expect(try await lab.get().1.statusCode == 200) }
        for (one, other) in zip(labs, labs.dropFirst()) {
            let request = try one.request()
            #expect(await urlError { try await other.session.data(for: request) }?.code == .serverCertificateUntrusted)
        }
    }
}

@Suite struct `A server that the door refuses` {
    @Test(arguments: [
        LeafProfile(validity: .expired), LeafProfile(names: ["other.example"], addresses: []),
        LeafProfile(isSelfSigned: true),
    ])
    func `for its certificate is -1202, and no byte of a request leaves`(_ profile: LeafProfile) async throws {
        let lab = try URLSessionLab(profile)
        let error = await urlError { try await lab.get() }
        #expect(error?.code == .serverCertificateUntrusted)
        guard case .untrusted = error?.transportFailure else {
            Issue.record("\(String(describing: error))")
            return
        }
        await lab.server.wait { $0.failedHandshakes == 1 }
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `for its pins is -1202, and no byte of a request leaves`() async throws {
        let other = try #require(Pin(try CertificateAuthority().issue().pin))
        let pins = try PinSet(hosts: ["localhost"], leaf: [other], backup: .notRequired)
        let lab = try URLSessionLab(pins: [pins])
        let error = await urlError { try await lab.get() }
        #expect(error?.code == .serverCertificateUntrusted)
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `for its TLS is -1200`() async throws {
        let lab = try URLSessionLab(
            LeafProfile(key: .rsa(bits: 2048)), tls: LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0))
        #expect(await urlError { try await lab.get() }?.code == .secureConnectionFailed)
    }

    @Test func `for plain http is -1022, and no connection is made`() async throws {
        let lab = try URLSessionLab()
        let plain = try LabServer.start(nil) { _ in .text("hello") }
        let url = try #require(URL(string: plain.address()))
        let error = await urlError { try await lab.session.data(from: url) }
        #expect(error?.code == .appTransportSecurityRequiresSecureConnection)
        #expect(error?.code.rawValue == -1022)
        #expect(plain.counters.connections == 0)
    }
}

@Suite struct `A redirect behind the door` {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `to another origin is the answer, and nothing goes there`(_ status: Int) async throws {
        let other = try URLSessionLab()
        let target = other.server.address("/stolen", host: "localhost")
        let lab = try URLSessionLab(handler: { _ in .redirect(status, to: target) })
        var request = try lab.request()
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        let (_, response) = try await lab.session.data(for: request)
        #expect((response as? HTTPURLResponse)?.statusCode == status)
        #expect(other.server.counters.connections == 0)
    }

    @Test func `within the origin is followed with the credential`() async throws {
        let lab = try URLSessionLab(handler: { $0.path == "/a" ? .redirect(302, to: "/b") : .text("there") })
        var request = try lab.request("/a")
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        let (data, _) = try await lab.session.data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(lab.server.requests.map { $0.field("Authorization") } == ["Bearer canary", "Bearer canary"])
    }

    @Test func `to another origin, agreed to, carries no credential there, nor on from there`() async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(LeafProfile())
        let other = try LabServer.start(identity) { $0.path == "/a" ? .redirect(302, to: "/b") : .text("there") }
        let target = other.address("/a", host: "localhost")
        let first = try LabServer.start(identity) { _ in .redirect(302, to: target) }
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
        let configuration = URLSessionConfiguration.pavise(client, redirects: .withConsent) { _, _ in true }
        var request = URLRequest(url: try #require(URL(string: first.address("/", host: "localhost"))))
        request.setValue("Bearer canary", forHTTPHeaderField: "Authorization")
        request.setValue("a=canary", forHTTPHeaderField: "Cookie")
        let (data, _) = try await URLSession(configuration: configuration).data(for: request)
        #expect(String(decoding: data, as: UTF8.self) == "there")
        #expect(first.requests.map { $0.field("Authorization") } == ["Bearer canary"])
        #expect(other.requests.map(\.path) == ["/a", "/b"])
        #expect(other.requests.allSatisfy { $0.field("Authorization") == nil && $0.field("Cookie") == nil })
    }

    @Test func `is followed for a delegate too, and only the last body is delivered`() async throws {
        let delegate = PieceCounter()
        let lab = try URLSessionLab(
            delegate: delegate,
            handler: {
                $0.path == "/a"
                    ? LabResponse(status: 302, fields: [.init("Location", "/b")], body: .fixed([1, 2, 3]))
                    : .generated(500_000)
            })
        lab.session.dataTask(with: try lab.request("/a")).resume()
        await delegate.end()
        #expect(delegate.result.bytes == 500_000)
    }

    @Test func `to http is -1022, and one in a circle is -1007`() async throws {
        let down = try URLSessionLab(handler: { _ in .redirect(302, to: "http://localhost/") })
        #expect(
            await urlError { try await down.get() }?.code == .appTransportSecurityRequiresSecureConnection)
        let circle = try URLSessionLab(handler: {
            $0.path == "/a" ? .redirect(302, to: "/b") : .redirect(302, to: "/a")
        })
        #expect(await urlError { try await circle.get("/a") }?.code == .httpTooManyRedirects)
        #expect(circle.server.counters.requests == 2)
    }
}

/// Counts what a delegate is given.
private final class PieceCounter: NSObject, URLSessionDataDelegate {
    private let state = Mutex((pieces: 0, bytes: 0, error: (any Error)?.none))
    private let over = Ending()

    var result: (pieces: Int, bytes: Int, error: (any Error)?) { state.withLock { $0 } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        state.withLock {
            $0.pieces += 1
            $0.bytes += data.count
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        state.withLock { $0.error = error }
        over.finish()
    }

    func end() async { await over.wait() }
}

/// One event that one task waits for.
private final class Ending: Sendable {
    private let stream: AsyncStream<Void>
    private let source: AsyncStream<Void>.Continuation

    init() { (stream, source) = AsyncStream.makeStream() }

    func finish() { source.finish() }

    func wait() async { for await _ in stream {} }
}
