import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

@Suite struct `A redirect` {
    @Test(arguments: [301, 302, 303, 307, 308])
    func `to another origin is reported, and no byte of the bearer arrives there`(_ status: Int) async throws {
        let other = try TestLab()
        let target = other.server.address("/stolen", host: "localhost")
        let lab = try TestLab(handler: { _ in .redirect(status, to: target) })
        let url = try lab.url("/start")
        let bearer = Authorization(
            scheme: "Bearer", credential: SecretBytes(utf8: "canary-\(status)"), origin: url.origin)
        let answer = try await lab.client.send(HTTPRequest("GET", url), with: bearer)
        #expect(answer.status == status)
        let report = try #require(answer.redirect)
        #expect(report.target?.description == target)
        #expect(report.concerns == [.otherOrigin])
        #expect(lab.server.requests.map { $0.field("Authorization") } == ["Bearer canary-\(status)"])
        #expect(other.server.counters.connections == 0)
    }

    @Test func `from https to http is a downgrade`() async throws {
        let lab = try TestLab(handler: { _ in .redirect(302, to: "http://localhost/x") })
        let report = try #require(try await lab.get().redirect)
        #expect(report.concerns == [.otherOrigin, .downgrade])
        #expect(report.method(after: "GET") == nil)
    }

    @Test(
        arguments: [
            ("/next", 302, "GET", "GET"), ("/next", 303, "POST", "GET"), ("/next", 302, "POST", nil),
            ("/next", 301, "POST", nil),
            ("/next", 307, "POST", "POST"), ("https://other.example/", 308, "POST", nil),
            ("/next", 303, "HEAD", "HEAD"),
            ("https://other.example/", 301, "GET", "GET"),
        ] as [(String, Int, String, String?)])
    func `says which method may be repeated`(_ location: String, _ status: Int, _ method: String, _ next: String?)
        throws
    {
        var fields = HTTPFields()
        fields.append("Location", location)
        let report = try #require(
            RedirectReport(status: status, fields: fields, from: try WebURL("https://a.example/b/c")))
        #expect(report.method(after: method) == next)
    }

    @Test(arguments: [
        [], ["/a", "/b"], ["javascript:alert(1)"], ["https://user@host/"], ["https://ho st/"], ["//"], ["https://"],
        ["http:\\\\evil"], ["/\u{1}"],
    ])
    func `without one usable target is reported as such`(_ locations: [String]) throws {
        var fields = HTTPFields()
        for location in locations { fields.append("Location", location) }
        let report = try #require(RedirectReport(status: 302, fields: fields, from: try WebURL("https://a.example/")))
        #expect(report.target == nil)
        #expect(report.concerns == [.unusableTarget])
    }

    @Test(arguments: [200, 300, 304, 305, 306, 401])
    func `is none for any other status`(_ status: Int) throws {
        var fields = HTTPFields()
        fields.append("Location", "/x")
        #expect(RedirectReport(status: status, fields: fields, from: try WebURL("https://a.example/")) == nil)
    }
}

@Suite struct `A credential` {
    @Test func `for another origin is refused before anything is sent`() async throws {
        let lab = try TestLab()
        let bearer = Authorization(
            scheme: "Bearer", credential: SecretBytes(utf8: "canary"), origin: try WebURL("https://localhost:1/").origin
        )
        let url = try lab.url()
        do throws(TransportFailure) {
            _ = try await lab.client.send(HTTPRequest("GET", url), with: bearer)
            Issue.record("sent")
        } catch { #expect(error == .credentialRefused(url.origin)) }
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `never goes over plain http, even where http is allowed`() async throws {
        let plain = try LabServer.start(nil) { _ in .text("hello") }
        let client = try HTTPClient(configuration: .absent)
        let url = try WebURL(plain.address())
        let bearer = Authorization(scheme: "Bearer", credential: SecretBytes(utf8: "canary"), origin: url.origin)
        do throws(TransportFailure) {
            _ = try await client.send(HTTPRequest("GET", url), with: bearer)
            Issue.record("sent")
        } catch { #expect(error == .credentialRefused(url.origin)) }
        #expect(try await client.send(HTTPRequest("GET", url)).status == 200)
        #expect(plain.requests.allSatisfy { $0.field("Authorization") == nil })
    }

    @Test(arguments: ["a\r\nX-Evil: 1", "a b", "", "ä", "a\u{0}"])
    func `that could start a second line is refused`(_ text: String) async throws {
        let lab = try TestLab()
        let url = try lab.url()
        let bearer = Authorization(scheme: "Bearer", credential: SecretBytes(utf8: text), origin: url.origin)
        do throws(TransportFailure) {
            _ = try await lab.client.send(HTTPRequest("GET", url), with: bearer)
            Issue.record("sent")
        } catch {
            guard case .unusableRequest = error else {
                Issue.record("\(error)")
                return
            }
        }
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `is not taken from the fields`() async throws {
        let lab = try TestLab()
        for name in ["Authorization", "Host", "Content-Length", "Transfer-Encoding", "Cookie", "connection"] {
            var fields = HTTPFields()
            fields.append(name, "x")
            let request = HTTPRequest("GET", try lab.url(), fields: fields)
            let end = await failure { () throws(TransportFailure) in try await lab.client.send(request) }
            guard case .unusableRequest = end else {
                Issue.record("\(name): \(String(describing: end))")
                continue
            }
        }
        #expect(lab.server.counters.connections == 0)
    }
}
