import PaviseTransport
import Testing

/// One redirect and what becomes of it.
struct RedirectCase: CustomTestStringConvertible, Sendable {
    let status: Int
    var method = "GET"
    var from = "https://a.example/start"
    let location: String
    var policy = RedirectPolicy.sameOrigin
    /// The next method, or nothing.
    var next: String?
    var stop: RedirectStop?
    var isAsked = false
    var carries = false

    var testDescription: String { "\(method) \(from) \(status) \(location) \(policy.following)" }

    static let a = Origin("https://a.example")
    static let b = Origin("https://b.example")

    static let all: [RedirectCase] =
        [301, 302, 307, 308].map { RedirectCase(status: $0, location: "/n", next: "GET", carries: true) }
        + [301, 302, 303, 307, 308].map { RedirectCase(status: $0, location: "/n", policy: .report, stop: .reported) }
        + [301, 302, 303, 307, 308].map {
            RedirectCase(status: $0, location: "https://b.example/", stop: .otherOrigin(b))
        }
        + [301, 302, 303, 307, 308].map {
            RedirectCase(
                status: $0, location: "https://b.example/", policy: .withConsent, next: "GET", isAsked: true)
        }
        + [301, 302, 303, 307, 308].flatMap { status in
            [RedirectPolicy.report, .sameOrigin, .withConsent].map {
                RedirectCase(status: status, location: "http://a.example/n", policy: $0, stop: .downgrade)
            }
        }
        + [301, 302].map {
            RedirectCase(status: $0, method: "POST", location: "/n", stop: .notRepeatable(method: "POST"))
        }
        + [307, 308].map { RedirectCase(status: $0, method: "POST", location: "/n", next: "POST", carries: true) }
        + [307, 308].map {
            RedirectCase(
                status: $0, method: "POST", location: "https://b.example/", policy: .withConsent,
                stop: .notRepeatable(method: "POST"))
        }
        + [
            RedirectCase(status: 303, method: "POST", location: "/n", next: "GET", carries: true),
            RedirectCase(status: 303, method: "HEAD", location: "/n", next: "HEAD", carries: true),
            RedirectCase(status: 303, method: "DELETE", location: "/n", next: "GET", carries: true),
            RedirectCase(
                status: 303, method: "POST", location: "https://b.example/", policy: .withConsent, next: "GET",
                isAsked: true),
            RedirectCase(status: 302, location: "/start", stop: .loop(WebURL.of("https://a.example/start"))),
            RedirectCase(status: 302, location: "https://user@b.example/", stop: .unusableTarget),
            RedirectCase(
                status: 302, location: "https://a.example:444/n", stop: .otherOrigin(Origin("https://a.example:444"))),
            RedirectCase(status: 302, location: "https://A.EXAMPLE:443/n", next: "GET", carries: true),
            RedirectCase(
                status: 302, location: "https://a.example.b.example/",
                stop: .otherOrigin(Origin("https://a.example.b.example"))),
            RedirectCase(
                status: 302, location: "https://b.example/", policy: RedirectPolicy(.withConsent, allowedOrigins: [a]),
                stop: .originNotAllowed(b)),
            RedirectCase(
                status: 301, from: "http://a.example/start", location: "https://a.example/start", next: "GET"),
            RedirectCase(
                status: 301, from: "http://a.example/start", location: "https://a.example/other",
                stop: .otherOrigin(a)),
            RedirectCase(
                status: 302, from: "http://b.example/", location: "http://refused.example/", policy: .withConsent,
                stop: .refusedByATS(Origin("http://refused.example"))),
            RedirectCase(status: 200, location: "/n"),
            RedirectCase(status: 304, location: "/n"),
        ]
}

extension WebURL {
    static func of(_ text: String) -> WebURL {
        guard let url = try? WebURL(text) else { preconditionFailure(text) }
        return url
    }
}

extension Origin {
    init(_ text: String) { self = WebURL.of(text).origin }
}

@Suite struct `A walk along redirects` {
    private func walk(_ policy: RedirectPolicy) -> RedirectWalk {
        RedirectWalk(policy) { origin in
            ATSDecision(
                origin, isDirect: origin.host == "a.example" || origin.host == "b.example", configuration: .absent)
        }
    }

    private func redirect(_ status: Int, _ location: String, from url: WebURL) -> HTTPResponse {
        var fields = HTTPFields()
        fields.append("Location", location)
        return HTTPResponse(
            status: status, fields: fields, body: [],
            redirect: RedirectReport(status: status, fields: fields, from: url))
    }

    @Test(arguments: RedirectCase.all) func `decides every redirect`(_ row: RedirectCase) throws {
        var request = HTTPRequest(row.method, WebURL.of(row.from))
        if row.method == "POST" { request.body = [1, 2, 3] }
        var walk = walk(row.policy)
        let step = walk.step(after: redirect(row.status, row.location, from: request.url), to: request)
        switch step {
        case .finish:
            #expect(row.next == nil)
        case .follow(let next, let carries):
            #expect(next.method == row.next)
            #expect(carries == row.carries)
            #expect(!row.isAsked)
            #expect((next.body != nil) == (next.method == "POST"))
        case .ask(let next):
            #expect(next.method == row.next)
            #expect(row.isAsked)
            #expect(next.body == nil)
        }
        #expect(walk.hops.last?.stop == row.stop)
        if RedirectReport.statuses.contains(row.status) {
            let hop = try #require(walk.hops.last)
            let target = try? request.url.resolving(row.location)
            #expect(hop.number == 1 && hop.status == row.status && hop.from == request.url && hop.to == target)
            #expect(hop.isSameOrigin == (target?.origin == request.url.origin))
            let isUpgrade = row.from == "http://a.example/start" && row.location == "https://a.example/start"
            #expect(hop.isUpgrade == isUpgrade)
            #expect((hop.ats != nil) == (target != nil))
            #expect(hop.consent == (row.next != nil && !row.isAsked ? .notNeeded : .notAsked))
            #expect(hop.methodBefore == row.method)
            #expect(hop.methodAfter == row.next)
            #expect(hop.carriesCredentials == row.carries)
            let body: [UInt8]? = if case .follow(let next, _) = step { next.body } else { nil }
            #expect(hop.keepsBody == (body != nil))
        }
    }

    @Test func `ends after five`() throws {
        var walk = walk(.sameOrigin)
        var request = HTTPRequest("GET", WebURL.of("https://a.example/0"))
        for number in 1...5 {
            guard
                case .follow(let next, _) = walk.step(
                    after: redirect(302, "/\(number)", from: request.url), to: request)
            else {
                Issue.record("stopped at \(number)")
                return
            }
            request = next
        }
        _ = walk.step(after: redirect(302, "/6", from: request.url), to: request)
        #expect(walk.hops.last?.stop == .tooMany(limit: 5))
        #expect(walk.hops.map(\.number) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `gives no credential back after it has left the origin`() throws {
        var walk = walk(.withConsent)
        var request = HTTPRequest("GET", WebURL.of("https://a.example/0"))
        guard
            case .ask(let there) = walk.step(after: redirect(302, "https://b.example/", from: request.url), to: request)
        else {
            Issue.record("not asked")
            return
        }
        request = there
        guard
            case .ask(let back) = walk.step(after: redirect(302, "https://a.example/1", from: request.url), to: request)
        else {
            Issue.record("not asked")
            return
        }
        guard case .follow(_, let carries) = walk.step(after: redirect(302, "/2", from: back.url), to: back) else {
            Issue.record("not followed")
            return
        }
        #expect(!carries)
    }

    @Test func `takes only fields to another origin that hold no credential`() throws {
        var fields = HTTPFields()
        for name in ["X-Api-Key", "Accept", "User-Agent", "X-Auth-Token", "Content-Type", "Referer", "Origin"] {
            fields.append(name, "v")
        }
        let request = HTTPRequest("GET", WebURL.of("https://a.example/0"), fields: fields)
        var walk = walk(.withConsent)
        guard
            case .ask(let next) = walk.step(after: redirect(302, "https://b.example/", from: request.url), to: request)
        else {
            Issue.record("not asked")
            return
        }
        #expect(next.fields.fields.map(\.name) == ["Accept", "User-Agent"])
    }

    @Test func `drops what describes a body together with the body`() throws {
        var fields = HTTPFields()
        for name in ["Content-Type", "Content-Encoding", "X-Mine"] { fields.append(name, "v") }
        let request = HTTPRequest("POST", WebURL.of("https://a.example/0"), fields: fields, body: [1])
        var walk = walk(.sameOrigin)
        guard case .follow(let next, _) = walk.step(after: redirect(303, "/n", from: request.url), to: request) else {
            Issue.record("not followed")
            return
        }
        #expect(next.fields.fields.map(\.name) == ["X-Mine"])
        #expect(next.body == nil)
    }
}
