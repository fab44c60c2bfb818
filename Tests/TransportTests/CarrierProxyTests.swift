import PaviseLab
import PaviseTransport
import Synchronization
import Testing

/// Proxies of the options over a URLSession (AP-C7).
@Suite struct CarrierProxyTests {
    private func lab(_ variables: [String: String]) throws -> CarrierLab {
        let lab = try CarrierLab(options: ClientOptions(proxies: .environment(variables)))
        lab.serve(
            "https://inside.example", try lab.authority.issue(LeafProfile(names: ["inside.example"], addresses: [])))
        return lab
    }

    @Test func `a request takes the proxy that the rules name, and an excepted host none`() async throws {
        let lab = try lab([
            "https_proxy": "http://anna:s%3Acret@proxy.example:3128", "no_proxy": "inside.example",
        ])
        for place in [CarrierLab.home, "https://inside.example", CarrierLab.home] {
            #expect(try await lab.client.send(lab.request(at: place)).status == 200)
        }
        let proxy = try #require(lab.network.requests.first?.proxy)
        #expect(proxy.host == "proxy.example" && proxy.port == 3_128)
        #expect(lab.network.requests.map(\.proxy) == [proxy, nil, proxy])
        // One session for each way.
        #expect(lab.network.state.withLock { $0.sessions } == 2)
    }

    @Test func `the server behind a proxy is judged like any other`() async throws {
        let lab = try lab(["https_proxy": "http://proxy.example:3128"])
        let stranger = try lab.serveStranger(CarrierLab.home)
        let request = try lab.request()
        guard
            case .untrusted(let refusal)? = await failure(of: { () throws(TransportFailure) in
                try await lab.client.send(request)
            })
        else {
            Issue.record("not refused")
            return
        }
        #expect(refusal.summary?.fingerprint == stranger.fingerprint && lab.network.requests.isEmpty)
        let shown = try await lab.client.inspect(request.url.origin)
        #expect(shown.summary?.fingerprint == stranger.fingerprint)
    }

    @Test func `another policy holds behind each proxy, too`() async throws {
        let lab = try lab(["https_proxy": "http://proxy.example:3128", "no_proxy": "inside.example"])
        for place in [CarrierLab.home, "https://inside.example"] {
            _ = try await lab.client.send(lab.request(at: place))
        }
        lab.client.use(TrustPolicy(anchors: .only([])))
        for place in [CarrierLab.home, "https://inside.example"] {
            let request = try lab.request(at: place)
            #expect(await failure { () throws(TransportFailure) in try await lab.client.send(request) } != nil)
        }
        #expect(lab.network.state.withLock { $0.sessions } == 4)
        #expect(lab.network.requests.count == 2)
    }

    @Test(arguments: [-1003, -1004, -1006, 306, 310, 311])
    func `a proxy that is not reached is told as what it is`(_ code: Int) async throws {
        let lab = try lab(["https_proxy": "http://u:secret@proxy.example"])
        var server = StandInServer()
        server.answer = { _ in StandInResponse(error: code) }
        lab.serve(CarrierLab.home, lab.identity, server)
        let request = try lab.request()
        guard
            case .network(let text, sent: false)? = await failure(of: { () throws(TransportFailure) in
                try await lab.client.send(request)
            })
        else {
            Issue.record("told as something else")
            return
        }
        #expect(text.contains("The proxy proxy.example port 1080") && !text.contains("secret"))
    }

    @Test(arguments: [
        ("http://p.example", "p.example", 1_080, nil as String?, ""),
        ("http://p.example:80/", "p.example", 80, nil, ""),
        ("http://[2001:db8::1]", "2001:db8::1", 1_080, nil, ""),
        ("http://[2001:db8::1]:8080", "2001:db8::1", 8_080, nil, ""),
        ("http://u@P.example:1", "p.example", 1, "u", ""),
        ("http://u:p%40x:y@p.example:1", "p.example", 1, "u", "p@x:y"),
        ("http://u:@p.example:1", "p.example", 1, "u", ""),
    ])
    func `an address of a proxy is read as libcurl reads it`(
        _ address: String, _ host: String, _ port: UInt16, _ user: String?, _ password: String
    ) throws {
        let proxy = try #require(ProxyEndpoint(address))
        #expect(proxy.host == host && proxy.port == port && proxy.user == user && proxy.password == password)
    }

    @Test(arguments: [
        "", "p.example", "https://p.example", "http://", "http://u:%zz@p.example", "http://u:%ff@p.example",
    ])
    func `what is no address of a proxy ends the request`(_ address: String) {
        #expect(ProxyEndpoint(address) == nil)
    }
}
