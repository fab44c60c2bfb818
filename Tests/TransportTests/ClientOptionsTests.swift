import PaviseLab
import PavisePrimitives
import PaviseTransport
import Testing

@Suite struct `Cookies of a client` {
    private let url = WebURL.of("https://a.example/app/page")

    @Test(arguments: [
        ("a=b", true), ("a=b; Path=/; Secure; HttpOnly", true), ("__Host-a=b; Secure; Path=/", true),
        ("__Host-a=b; Path=/", false), ("__Host-a=b; Secure; Path=/x", false),
        ("__Host-a=b; Secure; Path=/; Domain=a.example", false), ("__Secure-a=b", false),
        ("a=b; Domain=example", false), ("a=b; Domain=.example", false), ("a=b; Domain=a.example", true),
        ("a=b; Domain=b.example", false), ("ab", false), ("a=\u{1}", false),
        ("a=" + String(repeating: "x", count: 5000), false), ("__host-a=b; Path=/", false),
        ("__HOST-a=b; Secure; Path=/x", false), ("__HOST-a=b; Secure; Path=/", true), ("__secure-a=b", false),
        ("=__Host-a=b", false), ("=__Host-a=b; Secure; Path=/", false), ("=__secure-a=b; Secure", false), ("=b", true),
    ])
    func `are taken by the rules`(_ text: String, _ isTaken: Bool) {
        #expect((Cookie(text, from: url, at: 0) != nil) == isTaken)
    }

    @Test func `that are secure are not taken from plain http`() {
        #expect(Cookie("a=b; Secure", from: WebURL.of("http://a.example/"), at: 0) == nil)
    }

    private func jar(_ texts: String..., from address: String = "https://a.example/app/page") -> CookieJar {
        let jar = CookieJar()
        for text in texts {
            var fields = HTTPFields()
            fields.append("Set-Cookie", text)
            jar.store(fields, from: WebURL.of(address), at: 0)
        }
        return jar
    }

    @Test(arguments: [
        ("https://a.example/app/other", ["a"]), ("https://a.example/app", ["a"]), ("https://a.example/apple", []),
        ("https://a.example/", []), ("http://a.example/app/", []), ("https://a.example:444/app/", []),
        ("https://b.a.example/app/", []), ("https://example/app/", []),
    ])
    func `go back to their origin and path only`(_ address: String, _ names: [String]) {
        #expect(jar("a=b").cookies(for: WebURL.of(address), at: 0).map(\.name) == names)
    }

    @Test(
        arguments: [
            ("a=b; Max-Age=10", 9, true), ("a=b; Max-Age=10", 10, false), ("a=b; Max-Age=0", 0, false),
            ("a=b; Max-Age=-1", 0, false), ("a=b; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 9, true),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 10, false),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:60 GMT", 59, true),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:60 GMT", 60, false),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:61 GMT", 1 << 40, true),
            ("a=b; Expires=Thu, 01-Jan-70 00:00:10 GMT; Max-Age=20", 15, true),
            // RFC 6265 §5.1.1: no such date, so no time at all, and not the one that would come after it.
            ("a=b; Expires=Sat, 31 Feb 1970 00:00:10 GMT", 1 << 40, true),
            ("a=b; Expires=Sun, 29 Feb 1970 00:00:10 GMT", 1 << 40, true),
            ("a=b; Expires=Fri, 31 Apr 1970 00:00:10 GMT", 1 << 40, true),
            ("a=b; Expires=Tue, 29 Feb 1972 00:00:10 GMT", 400 * 86_400, false),
            ("a=b; Expires=Thu, 01 Jan 170 00:00:10 GMT", 1 << 40, true),
            ("a=b; Expires=nonsense", 1 << 40, true), ("a=b; Max-Age=-x", 1 << 40, true),
            ("a=b; Max-Age=-", 1 << 40, true), ("a=b; Max-Age=10s; Expires=Thu, 01 Jan 1970 00:00:10 GMT", 10, false),
            ("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86_400 - 1, true),
            ("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86_400, false),
        ] as [(String, Int64, Bool)])
    func `end when they say`(_ text: String, _ seconds: Int64, _ isThere: Bool) {
        #expect(!jar(text).cookies(for: url, at: seconds).isEmpty == isThere)
    }

    // What a server says of time goes into a sum: without its bound the largest number ends the process.
    @Test(
        arguments: [
            ("34559999", 1_934_559_999), ("34560000", 1_934_560_000), ("34560001", 1_934_560_000),
            ("9223372036854775807", 1_934_560_000), ("9223372036854775808", nil), ("-9223372036854775809", 0),
        ] as [(String, Int64?)])
    func `live 400 days at most by their Max-Age`(_ age: String, _ end: Int64?) throws {
        let cookie = try #require(Cookie("a=b; Max-Age=\(age)", from: url, at: 1_900_000_000))
        #expect(cookie.expires == end)
    }

    @Test func `of all servers together are a thousand, and the oldest makes room`() {
        let jar = CookieJar()
        var fields = HTTPFields()
        fields.append("Set-Cookie", "a=b")
        let servers = (0..<1010).map { WebURL.of("https://h\($0).example/") }
        for server in servers { jar.store(fields, from: server, at: 0) }
        let kept = servers.indices.filter { !jar.cookies(for: servers[$0], at: 0).isEmpty }
        #expect(kept == Array(10..<1010))
    }

    @Test func `have bounds`() {
        let jar = CookieJar()
        for number in 0..<200 {
            var fields = HTTPFields()
            fields.append("Set-Cookie", "n\(number)=v")
            jar.store(fields, from: url, at: 0)
        }
        let kept = jar.cookies(for: url, at: 0)
        #expect(kept.count == 50)
        #expect(kept.last?.name == "n199")
    }

    @Test func `travel with the requests of a client that has a jar, and of no other`() async throws {
        let lab = try TestLab(handler: { _ in LabResponse.text("x").with("Set-Cookie", "session=canary; Path=/") })
        let policy = TrustPolicy(anchors: .only([lab.authority.anchor]))
        let client = try HTTPClient(policy: policy, options: ClientOptions(cookies: CookieJar()))
        for _ in 0..<2 { _ = try await client.send(HTTPRequest("GET", lab.url())) }
        for _ in 0..<2 { _ = try await lab.get() }
        #expect(lab.server.requests.map { $0.field("Cookie") } == [nil, "session=canary", nil, nil])
    }
}

@Suite struct `Hosts that asked for https only` {
    @Test(
        arguments: [
            ("max-age=10", 10, false), ("max-age=10; includeSubDomains", 10, true), ("MAX-AGE=\"10\"", 10, false),
            ("max-age=0", 0, false), ("includeSubDomains", nil, false), ("max-age=10; max-age=20", nil, false),
            ("max-age=x", nil, false), ("", nil, false), ("max-age=10; preload; x=y", 10, false),
            ("max-age", nil, false),
            ("; max-age=10 ;", 10, false), ("max-age=-1", nil, false),
            // Ten years, and 1,024 bytes of text.
            ("max-age=316224001", 316_224_000, false), ("max-age=9223372036854775807", 316_224_000, false),
            ("max-age=9223372036854775808", 316_224_000, false),
            ("max-age=10" + String(repeating: " ", count: 1014), 10, false),
            ("max-age=10" + String(repeating: " ", count: 1015), nil, false),
        ] as [(String, Int64?, Bool)])
    func `are read by the grammar`(_ text: String, _ age: Int64?, _ below: Bool) {
        let wish = HSTSPolicy(text)
        #expect(wish?.maxAge == age)
        if let wish { #expect(wish.includesSubdomains == below) }
    }

    private func store(_ text: String, from origin: String = "https://a.example") -> HSTSStore {
        let store = HSTSStore()
        var fields = HTTPFields()
        fields.append("Strict-Transport-Security", text)
        store.note(fields, from: Origin(origin), at: 0)
        return store
    }

    @Test(arguments: [
        ("http://a.example/x?y", "https://a.example/x?y"), ("http://a.example:8080/", "https://a.example:8080/"),
        ("http://b.a.example/", "http://b.a.example/"), ("http://example/", "http://example/"),
        ("http://xa.example/", "http://xa.example/"),
    ])
    func `are reached by https`(_ from: String, _ to: String) {
        #expect(store("max-age=10").upgraded(WebURL.of(from), at: 9).description == to)
        #expect(store("max-age=10").upgraded(WebURL.of(from), at: 10).description == from)
    }

    @Test func `with their subdomains, until they take it back`() {
        let store = store("max-age=10; includeSubDomains")
        #expect(store.covers("c.b.a.example", at: 0))
        var fields = HTTPFields()
        fields.append("Strict-Transport-Security", "max-age=0")
        store.note(fields, from: Origin("https://a.example"), at: 1)
        #expect(!store.covers("a.example", at: 1))
        #expect(store.entries.isEmpty)
    }

    @Test func `are learned over TLS only, and never addresses`() {
        #expect(store("max-age=10", from: "http://a.example").entries.isEmpty)
        #expect(store("max-age=10", from: "https://127.0.0.1").entries.isEmpty)
        #expect(store("max-age=10", from: "https://[::1]").entries.isEmpty)
    }

    @Test func `have bounds, and what ends first makes room`() {
        let store = HSTSStore()
        for number in 0..<1500 {
            var fields = HTTPFields()
            fields.append("Strict-Transport-Security", "max-age=\(1000 + number)")
            store.note(fields, from: Origin("https://h\(number).example"), at: 0)
        }
        #expect(store.entries.count == 1000)
        #expect(!store.covers("h0.example", at: 0))
        #expect(store.covers("h1499.example", at: 0))
        // What an app gives back makes room, however it spells its hosts.
        let given = HSTSStore(
            (0..<1000).map { HSTSStore.Entry(host: "H\($0).Example", expires: 10, includesSubdomains: false) })
        var fields = HTTPFields()
        fields.append("Strict-Transport-Security", "max-age=100")
        given.note(fields, from: Origin("https://new.example"), at: 0)
        #expect(given.entries.count == 1000 && given.covers("new.example", at: 0))
    }

    @Test func `teach a client nothing when a person had to approve the certificate`() async throws {
        let handler: LabServer.Handler = { _ in
            LabResponse.text("x").with("Strict-Transport-Security", "max-age=100")
        }
        let valid = try TestLab(handler: handler)
        let store = HSTSStore()
        var policy = valid.client.policy
        let client = try HTTPClient(policy: policy, options: ClientOptions(strictTransport: store))
        let approved = try TestLab(LeafProfile(isSelfSigned: true), handler: handler)
        let shown = try await approved.client.inspect(approved.url().origin)
        let refusal = try #require(shown.decision.refusal)
        policy.approvals = [
            try #require(CertificateApproval(of: refusal, origin: approved.url().origin, at: TimeNow.seconds))
        ]
        client.use(policy)
        #expect(try await client.send(HTTPRequest("GET", approved.url())).status == 200)
        #expect(store.entries.isEmpty)
        #expect(try await client.send(HTTPRequest("GET", valid.url())).status == 200)
        #expect(store.entries.map(\.host) == ["localhost"])
    }
}

@Suite struct `Proxies from the environment` {
    private typealias Way = ProxyRules.Way

    @Test(arguments: [
        (["https_proxy": "http://p.example:3128"], "https://a.example", Way.proxy("http://p.example:3128")),
        (["https_proxy": "http://p.example:3128"], "http://a.example", .direct),
        (["http_proxy": "p.example:3128"], "http://a.example", .proxy("http://p.example:3128")),
        (["HTTP_PROXY": "http://p.example"], "http://a.example", .direct),
        (["HTTPS_PROXY": "http://p.example"], "https://a.example", .proxy("http://p.example")),
        (["ALL_PROXY": "http://p.example"], "http://a.example", .proxy("http://p.example")),
        (["https_proxy": "socks5://p.example"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "https://p.example"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "http://p ex"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "http://an#na@p.example"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "anna/x:y@p.example:80"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "an?na:y@p.example"], "https://a.example", .unusable(variable: "https_proxy")),
        (["https_proxy": "http://u:p@p.example:1"], "https://a.example", .proxy("http://u:p@p.example:1")),
        (["https_proxy": ""], "https://a.example", .direct), ([:], "https://a.example", .direct),
    ])
    func `are chosen by scheme`(_ variables: [String: String], _ server: String, _ way: ProxyRules.Way) {
        #expect(ProxyRules.environment(variables).way(to: Origin(server)) == way)
    }

    @Test(arguments: [
        ("a.example", "https://a.example", true), (".a.example", "https://b.a.example", true),
        ("a.example", "https://b.a.example", true), ("a.example", "https://xa.example", false),
        ("*", "https://a.example", true),
        ("b.example, a.example", "https://a.example", true), ("a.example:443", "https://a.example", true),
        ("a.example:444", "https://a.example", false), ("127.0.0.1", "https://127.0.0.1", true),
        ("::1", "https://[::1]", true), ("[::1]:443", "https://[::1]", true), (",,", "https://a.example", false),
    ])
    func `are left out for the exceptions`(_ list: String, _ server: String, _ isDirect: Bool) {
        let rules = ProxyRules.environment(["https_proxy": "http://p.example:1", "no_proxy": list])
        #expect((rules.way(to: Origin(server)) == .direct) == isDirect)
    }

    @Test func `that cannot be used stop the request, and nothing goes around them`() async throws {
        let lab = try TestLab()
        let rules = ProxyRules.environment(["https_proxy": "socks5://p.example"])
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(proxies: rules))
        let request = HTTPRequest("GET", try lab.url())
        let end = await failure { () throws(TransportFailure) in try await client.send(request) }
        guard case .unusableRequest = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(lab.server.counters.connections == 0)
    }

    @Test(arguments: [true, false])
    func `that are not there or let nobody through are named, and not the server behind them`(
        _ answers: Bool
    ) async throws {
        let lab = try TestLab()
        let refusing = try RawServer(answer: Array("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n".utf8))
        let port = answers ? refusing.port : 1
        let rules = ProxyRules.environment(["https_proxy": "http://anna:canary@127.0.0.1:\(port)"])
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(proxies: rules))
        let request = HTTPRequest("GET", try lab.url())
        let origin = request.url.origin
        let ends = [
            await failure { () throws(TransportFailure) in try await client.send(request) },
            await failure { () throws(TransportFailure) in try await client.open(request) },
            await failure { () throws(TransportFailure) in try await client.inspect(origin) },
        ]
        for end in ends {
            guard case .network(let words, sent: false)? = end else {
                Issue.record("\(String(describing: end))")
                continue
            }
            #expect(words.hasPrefix("The proxy 127.0.0.1 port \(port) ") && !words.contains("canary"))
        }
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `see a CONNECT and no request; the server behind is judged as ever`() async throws {
        let lab = try TestLab()
        let proxy = try ConnectProxy(to: lab.server.port)
        let rules = ProxyRules.environment(["https_proxy": "http://127.0.0.1:\(proxy.port)"])
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(proxies: rules))
        let url = try lab.url()
        let bearer = Authorization(scheme: "Bearer", credential: SecretBytes(utf8: "canary"), origin: url.origin)
        #expect(try await client.send(HTTPRequest("GET", url), with: bearer).status == 200)
        #expect(proxy.firstBytes.hasPrefix("CONNECT localhost:\(lab.server.port) HTTP/1.1\r\n"))
        #expect(!proxy.firstBytes.contains("canary"))
        try lab.server.use(try CertificateAuthority().issue())
        lab.server.dropConnections()
        let before = lab.server.counters.applicationBytes
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .untrusted = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(lab.server.counters.applicationBytes == before)
    }
}

@Suite struct `A client that measures` {
    @Test func `knows the parts of each exchange`() async throws {
        let lab = try TestLab(handler: { _ in .generated(100_000) })
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(isMeasured: true))
        var request = HTTPRequest("POST", try lab.url())
        request.body = [1, 2, 3]
        let first = try #require(try await client.send(request).metrics)
        let second = try #require(try await client.send(request).metrics)
        #expect(!first.reusedConnection && second.reusedConnection)
        #expect(first.connect <= first.tls && first.tls <= first.firstByte && first.firstByte <= first.total)
        #expect(first.tls > .zero && first.bytesSent == 3 && first.bytesReceived == 100_000)
        #expect(try await lab.client.send(request).metrics == nil)
    }

    @Test func `keeps to its limit of connections`() async throws {
        let gate = LabGate()
        let lab = try TestLab(handler: { _ in .text("x").held(by: gate) })
        let client = try HTTPClient(policy: lab.client.policy, options: ClientOptions(connectionsPerHost: 2))
        let request = HTTPRequest("GET", try lab.url())
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await client.send(request).status } }
            #expect(await gate.waitForArrivals(2))
            gate.open()
            for try await status in group { #expect(status == 200) }
        }
        #expect(lab.server.counters.connections == 2)
    }
}
