import AppleFoundation
import Foundation
import KeychainTestSupport
import Network
import PaviseLab
import PavisePrimitives
import SecurityFramework
import Synchronization
import Testing

@testable import PaviseTransport

/// What Apple's driver tells a URLSession, and how it reads what a URLSession says.
@Suite struct URLSessionDriverTests {
    private final class Heard: DrivenEvents {
        struct State {
            var challenges: [DrivenChallenge] = []
            var answer = DrivenResponse.refuse
            var heads: [DrivenHead] = []
            var ends: [DrivenError?] = []
            var measurements: [DrivenMeasurement] = []
        }
        let state = Mutex(State())
        func challenged(_ task: Int, by challenge: DrivenChallenge) -> DrivenResponse {
            state.withLock { state in
                state.challenges.append(challenge)
                return state.answer
            }
        }
        func redirected(_ task: Int) -> Bool { task == 2 }
        func body(of task: Int) -> (any PumpedBody)? { nil }
        func answered(_ task: Int, _ head: DrivenHead) -> Bool {
            state.withLock { $0.heads.append(head) }
            return task == 1
        }
        func received(_ task: Int, _ bytes: [UInt8]) {}
        func measured(_ task: Int, _ found: DrivenMeasurement) { state.withLock { $0.measurements.append(found) } }
        func completed(_ task: Int, _ error: DrivenError?) { state.withLock { $0.ends.append(error) } }
    }

    /// A session that only writes down what it is told.
    private final class Written: SessionPlayer {
        struct Task: TaskPlayer {
            let number: Int
            func resume() {}
            func suspend() {}
            func cancel() {}
        }
        struct State {
            var requests: [(request: URLRequest, isStreamed: Bool)] = []
            var session: URLSession?
            var ends: [String] = []
        }
        let configuration: URLSessionConfiguration
        let state = Mutex(State())
        init(_ configuration: URLSessionConfiguration) { self.configuration = configuration }
        func task(for request: URLRequest, isStreamed: Bool, of session: URLSession) -> any TaskPlayer {
            state.withLock { state in
                state.requests.append((request, isStreamed))
                state.session = session
                return Task(number: state.requests.count)
            }
        }
        func finish() { state.withLock { $0.ends.append("finish") } }
        func cancel() { state.withLock { $0.ends.append("cancel") } }
    }

    private let heard = Heard()
    private let written: Written
    private let driver: URLSessionDriver

    init() throws {
        let found = Mutex<Written?>(nil)
        let proxy = ProxyEndpoint("http://anna:secret@[2001:db8::1]:3128")
        driver = URLSession.$player.withValue({ configuration in
            let written = Written(configuration)
            found.withLock { $0 = written }
            return written
        }) { [heard] in
            URLSessionDriver(DrivenSettings(connectionsPerHost: 3, proxy: proxy), telling: heard)
        }
        written = try #require(found.withLock { $0 })
    }

    private func message(
        _ method: String = "GET", _ body: [UInt8]? = nil, at url: String = "https://home.example/a?b=%20c"
    ) throws -> DrivenMessage {
        var fields = HTTPFields()
        fields.append("Accept", "text/plain")
        fields.append("accept", "text/html")
        var request = HTTPRequest(method, try WebURL(url), fields: fields, body: body)
        request.limits.idle = .milliseconds(2_500)
        let lines = SecretFields(
            authorization: SecretField(field: "Authorization", value: SecretBytes(utf8: "Bearer t0:ken")))
        return DrivenMessage(request, carrying: lines, asksForPlain: true)
    }

    private func delegate() throws -> (any URLSessionDataDelegate, URLSession, URLSessionDataTask) {
        _ = driver.task(for: try message())
        let session = try #require(written.state.withLock { $0.session })
        let delegate = try #require(session.delegate as? any URLSessionDataDelegate)
        return (delegate, session, URLSessionDataTask(Written.Task(number: 1), URLRequest(url: URL(string: "x:")!)))
    }

    @Test func `a session keeps nothing of its own, and takes its proxy from the options alone`() {
        let made = written.configuration
        #expect(made.urlCache == nil && made.httpCookieStorage == nil && made.urlCredentialStorage == nil)
        #expect(!made.httpShouldSetCookies && !made.waitsForConnectivity && made.httpMaximumConnectionsPerHost == 3)
        #expect(made.tlsMinimumSupportedProtocolVersion == .TLSv12)
        let proxy = made.proxyConfigurations.first
        #expect(
            proxy?.endpoint
                == .hostPort(host: NWEndpoint.Host("2001:db8::1"), port: NWEndpoint.Port(integerLiteral: 3_128)))
        #expect(proxy?.allowFailover == false && proxy?.usesTLS == false && made.proxyConfigurations.count == 1)
        #expect(proxy?.user == "anna" && proxy?.password == "secret")
    }

    @Test func `a request is told as it is, and nothing of the system's is added`() throws {
        #expect(driver.task(for: try message("PUT", [1, 2, 3]))?.number == 1)
        let (request, isStreamed) = try #require(written.state.withLock { $0.requests.first })
        #expect(request.url?.absoluteString == "https://home.example/a?b=%20c" && request.httpMethod == "PUT")
        #expect(request.httpBody == Data([1, 2, 3]) && !isStreamed && request.timeoutInterval == 2.5)
        #expect(request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData && !request.httpShouldHandleCookies)
        #expect(
            request.allHTTPHeaderFields
                == [
                    "Accept": "text/plain,text/html", "Authorization": "Bearer t0:ken", "Accept-Encoding": "identity",
                ])
    }

    @Test func `a session ends as it is told to`() {
        driver.finish()
        driver.cancel()
        #expect(written.state.withLock { $0.ends } == ["finish", "cancel"])
    }

    @Test func `the chain of a challenge is read leaf first, and trusted with its own object`() throws {
        let chain = try CertificateAuthority(hasIntermediate: true).issue().chain
        let space = URLProtectionSpace(.server(certificates: chain, host: "home.example", port: 8_443))
        let (delegate, session, task) = try delegate()
        for (answer, wanted) in [
            (DrivenResponse.trust, URLSession.AuthChallengeDisposition.useCredential),
            (.refuse, .cancelAuthenticationChallenge), (.nothing, .performDefaultHandling),
            (.reject, .rejectProtectionSpace),
        ] {
            heard.state.withLock { $0.answer = answer }
            let given = Mutex<[(URLSession.AuthChallengeDisposition, URLCredential?)]>([])
            delegate.urlSession(session, task: task, didReceive: URLAuthenticationChallenge(space)) {
                disposition, own in
                given.withLock { $0.append((disposition, own)) }
            }
            let (disposition, credential) = try #require(given.withLock { $0.count == 1 ? $0[0] : nil })
            #expect(disposition == wanted)
            #expect((credential?.trust === space.serverTrust) == (wanted == .useCredential))
            guard case .server(let shown, "home.example", 8_443)? = heard.state.withLock({ $0.challenges.last }) else {
                Issue.record("not told as a server")
                return
            }
            #expect(shown == chain && shown.count == 2)
        }
    }

    @Test func `trust without an object of the system's is no trust`() throws {
        let (delegate, session, task) = try delegate()
        heard.state.withLock { $0.answer = .trust }
        let space = URLProtectionSpace(
            host: "home.example", port: 443, authenticationMethod: NSURLAuthenticationMethodServerTrust)
        let given = Mutex<URLSession.AuthChallengeDisposition?>(nil)
        delegate.urlSession(session, task: task, didReceive: URLAuthenticationChallenge(space)) { disposition, _ in
            given.withLock { $0 = disposition }
        }
        #expect(given.withLock { $0 } == .cancelAuthenticationChallenge)
        guard case .server(let shown, _, _)? = heard.state.withLock({ $0.challenges.last }) else { return }
        #expect(shown.isEmpty)
    }

    @Test func `an identity goes out with its certificates, and is kept nowhere`() throws {
        let keychain = try ItemFixture()
        let (key, spki) = try keychain.run { try ClientKey.ec256.make() }
        let people = try CertificateAuthority(hasIntermediate: true)
        let issued = try people.issue(LeafProfile(purposes: [.client]), forPublicKey: spki)
        let chain = issued.compactMap { SecCertificateCreateWithData(nil, Data($0) as CFData) }
        let identity = try #require(SecIdentityCreate(nil, chain[0], key))
        let own = try ClientCertificate(
            identity, intermediates: Array(chain.dropFirst()), for: WebURL("https://home.example").origin)
        heard.state.withLock { $0.answer = .identity(own) }
        let (delegate, session, task) = try delegate()
        let given = Mutex<URLCredential?>(nil)
        let space = URLProtectionSpace(.client(host: "home.example", port: 443))
        delegate.urlSession(session, task: task, didReceive: URLAuthenticationChallenge(space)) {
            disposition, credential in
            #expect(disposition == .useCredential)
            given.withLock { $0 = credential }
        }
        let credential = try #require(given.withLock { $0 })
        #expect(credential.persistence == .none && credential.identity === identity)
        #expect(credential.certificates.count == chain.count - 1)
        guard case .client("home.example", 443)? = heard.state.withLock({ $0.challenges.last }) else {
            Issue.record("not told as a question for a certificate")
            return
        }
    }

    @Test func `another question is told as another one`() throws {
        let (delegate, session, task) = try delegate()
        heard.state.withLock { $0.answer = .reject }
        for method in [NSURLAuthenticationMethodHTTPBasic, "NSURLAuthenticationMethodNTLM"] {
            let space = URLProtectionSpace(host: "home.example", port: 443, authenticationMethod: method)
            delegate.urlSession(session, task: task, didReceive: URLAuthenticationChallenge(space)) { disposition, _ in
                #expect(disposition == .rejectProtectionSpace)
            }
            guard case .other? = heard.state.withLock({ $0.challenges.last }) else {
                Issue.record("\(method) is told as something else")
                return
            }
        }
    }

    @Test func `an answer that is no HTTP ends its task, and no head comes of it`() throws {
        let (delegate, session, task) = try delegate()
        let given = Mutex<[URLSession.ResponseDisposition]>([])
        let url = try #require(URL(string: "https://home.example"))
        let answers: [URLResponse] = [
            URLResponse(url),
            try #require(
                HTTPURLResponse(url: url, statusCode: 204, httpVersion: nil, headerFields: ["ETag": "\"x\""])),
        ]
        for answer in answers {
            delegate.urlSession(session, dataTask: task, didReceive: answer) { disposition in
                given.withLock { $0.append(disposition) }
            }
        }
        #expect(given.withLock { $0 } == [.cancel, .allow])
        let heads = heard.state.withLock { $0.heads }
        #expect(heads.count == 1 && heads[0].status == 204)
        #expect(heads[0].fields.map(\.name) == ["ETag"] && heads[0].fields.map(\.value) == ["\"x\""])
    }

    @Test func `a redirect is followed only where the carrier says so`() throws {
        let (delegate, session, _) = try delegate()
        let url = try #require(URL(string: "https://home.example"))
        let answer = try #require(HTTPURLResponse(url: url, statusCode: 302, httpVersion: nil, headerFields: nil))
        for (number, follows) in [(1, false), (2, true)] {
            let task = URLSessionDataTask(Written.Task(number: number), URLRequest(url: url))
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: answer, newRequest: URLRequest(url: url)
            ) { #expect(($0 != nil) == follows) }
        }
    }

    @Test func `an end has its number, that of the TLS library, and none of another domain`() throws {
        let (delegate, session, task) = try delegate()
        let errors: [NSError?] = [
            nil, NSError(domain: NSURLErrorDomain, code: -1_200, userInfo: ["_kCFStreamErrorCodeKey": -9_802]),
            NSError(domain: NSURLErrorDomain, code: -1_004), NSError(domain: "kCFErrorDomainCFNetwork", code: 310),
            NSError(domain: NSPOSIXErrorDomain, code: 310), NSError(domain: NSPOSIXErrorDomain, code: -1_005),
        ]
        for error in errors { delegate.urlSession(session, task: task, didCompleteWithError: error) }
        #expect(
            heard.state.withLock { $0.ends } == [
                nil, DrivenError(code: -1_200, streamCode: -9_802), DrivenError(code: -1_004),
                DrivenError(domain: "kCFErrorDomainCFNetwork", code: 310), DrivenError(code: -1), DrivenError(code: -1),
            ])
    }

    @Test func `the metrics of the last transaction count, each time from its beginning`() throws {
        let (delegate, session, task) = try delegate()
        let start = Date(timeIntervalSinceReferenceDate: 5_000)
        let last = URLSessionTaskTransactionMetrics()
        last.fetchStartDate = start
        last.domainLookupEndDate = start.addingTimeInterval(0.25)
        // A clock that was set back in between.
        last.connectEndDate = start.addingTimeInterval(-3)
        last.responseEndDate = start.addingTimeInterval(2)
        last.negotiatedTLSProtocolVersion = .TLSv12
        last.negotiatedTLSCipherSuite = tls_ciphersuite_t(rawValue: 0xC02F)
        last.networkProtocolName = "http/1.1"
        last.isReusedConnection = true
        (last.countOfRequestBodyBytesSent, last.countOfResponseBodyBytesReceived) = (7, 9)
        delegate.urlSession(session, task: task, didFinishCollecting: URLSessionTaskMetrics([]))
        let metrics = URLSessionTaskMetrics([URLSessionTaskTransactionMetrics(), last])
        delegate.urlSession(session, task: task, didFinishCollecting: metrics)
        let found = heard.state.withLock { $0.measurements }
        #expect(found.count == 1)
        #expect(found[0].nameLookup == .milliseconds(250) && found[0].connect == .zero && found[0].tls == .zero)
        #expect(found[0].total == .seconds(2) && found[0].sent == 7 && found[0].received == 9)
        #expect(found[0].tlsVersion == 0x0303 && found[0].cipherSuite == 0xC02F && found[0].isReused)
        #expect(found[0].protocolName == "http/1.1")
    }

    @Test func `an address that the system would read differently makes no task`() throws {
        // Foundation gives the text of its URL back; where that is another one, nothing is sent.
        let text = try message(at: "https://home.example/%7Ba%7D")
        #expect(driver.task(for: text) != nil)
        #expect(written.state.withLock { $0.requests.last?.request.url?.absoluteString } == text.url)
    }

    @Test func `a client without any other carrier gets this one`() async throws {
        let network = StandInNetwork()
        let authority = try CertificateAuthority()
        var server = StandInServer()
        server.certificates = try authority.issue(LeafProfile(names: ["home.example"], addresses: [])).chain
        network.serve("https://home.example", server)
        let client = try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor])))
        let request = HTTPRequest("GET", try WebURL("https://home.example/"))
        let answer = try await URLSession.$player.withValue({ PlayedSession(network, $0) }) {
            try await client.send(request)
        }
        #expect(answer.status == 200 && network.requests.count == 1)
    }
}
