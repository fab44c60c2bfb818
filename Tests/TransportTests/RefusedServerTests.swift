import PaviseLab
import PaviseTransport
import Testing

/// A server that must be refused, and the reason that a person is told.
struct RefusedServer: CustomTestStringConvertible, Sendable {
    let testDescription: String
    var profile = LeafProfile()
    var tls = LabTLS()
    let failures: [TrustFailure]
    var canBeApproved = true

    static let all: [RefusedServer] = [
        RefusedServer(testDescription: "expired", profile: LeafProfile(validity: .expired), failures: [.expired]),
        RefusedServer(
            testDescription: "not yet valid", profile: LeafProfile(validity: .notYetValid), failures: [.notYetValid]),
        RefusedServer(
            testDescription: "wrong host", profile: LeafProfile(names: ["other.example"], addresses: []),
            failures: [.wrongHost]),
        RefusedServer(
            testDescription: "self-signed", profile: LeafProfile(isSelfSigned: true), failures: [.selfSigned]),
        RefusedServer(
            testDescription: "RSA 1024", profile: LeafProfile(key: .rsa(bits: 1024)), tls: LabTLS(securityLevel: 0),
            failures: [.weakKey], canBeApproved: false),
        RefusedServer(
            testDescription: "SHA-1", profile: LeafProfile(signature: .sha1), tls: LabTLS(securityLevel: 0),
            failures: [.weakSignature], canBeApproved: false),
        RefusedServer(
            testDescription: "for clients only", profile: LeafProfile(purposes: [.client]), failures: [.wrongPurpose]),
        RefusedServer(
            testDescription: "ten years", profile: LeafProfile(validity: .seconds(from: -60, to: 3650 * 86_400)),
            failures: [.notCompliant]),
        RefusedServer(
            testDescription: "expired and for another host",
            profile: LeafProfile(names: ["other.example"], addresses: [], validity: .expired),
            failures: [.wrongHost, .expired]),
    ]
}

@Suite struct `A server that must be refused` {
    @Test(arguments: RefusedServer.all)
    func `is refused for its own reason before a request byte leaves`(_ server: RefusedServer) async throws {
        let lab = try TestLab(server.profile, tls: server.tls)
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == server.failures)
        #expect(refusal.canBeApproved == server.canBeApproved)
        #expect(refusal.summary?.spki == lab.identity.pin)
        #expect(refusal.summary?.fingerprint == lab.identity.fingerprint)
        #expect(end?.requestMayHaveLeft == false)
        await lab.server.wait { $0.failedHandshakes == 1 }
        #expect(lab.server.counters.applicationBytes == 0)
        #expect(lab.server.counters.requests == 0)
    }

    @Test func `of an unknown authority is refused`() async throws {
        let lab = try TestLab()
        let stranger = try HTTPClient(policy: TrustPolicy(anchors: .only([try CertificateAuthority().anchor])))
        let url = try lab.url()
        let end = await failure { () throws(TransportFailure) in try await stranger.send(HTTPRequest("GET", url)) }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.unknownAuthority])
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test(arguments: [
        (
            LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0), "TLS 1.2", ATSFailureCode.peerProtocolVersion
        ),
        (
            LabTLS(maximum: .tls12, suites: "AES128-GCM-SHA256:AES256-SHA", securityLevel: 0), "RSA key exchange",
            .peerHandshakeFailure
        ),
        (
            LabTLS(maximum: .tls12, suites: "DHE-RSA-AES128-GCM-SHA256", securityLevel: 0), "no cipher suite in common",
            .peerHandshakeFailure
        ),
    ])
    func `cannot agree on TLS, and the reason is told with Apple's number`(
        _ tls: LabTLS, _ words: String, _ code: ATSFailureCode
    ) async throws {
        let lab = try TestLab(LeafProfile(key: .rsa(bits: 2048)), tls: tls)
        let end = await failure { () throws(TransportFailure) in try await lab.get() }
        guard case .tls(let text, let number) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(text.contains(words))
        #expect(number == code)
        #expect(lab.server.counters.applicationBytes == 0)
    }
}

@Suite struct `A server that is not there` {
    @Test func `has no TLS`() async throws {
        let client = try HTTPClient()
        let plain = try RawServer(answer: Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8))
        let url = try WebURL("https://localhost:\(plain.port)/")
        #expect(
            await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
                == .tls("The server does not speak TLS on this port."))
    }

    @Test func `is not there at all`() async throws {
        let client = try HTTPClient()
        let lab = try TestLab()
        let url = try lab.url()
        lab.server.stop()
        let gone = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .network(let text, sent: false) = gone else {
            Issue.record("\(String(describing: gone))")
            return
        }
        #expect(text.contains("Nobody answers"))
    }

    @Test func `has no name`() async throws {
        let client = try HTTPClient()
        let url = try WebURL("https://nowhere.invalid/")
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .network(let text, sent: false) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(text.contains("nowhere.invalid"))
    }

    @Test func `is http, which App Transport Security refuses, loopback included`() async throws {
        let plain = try LabServer.start(nil) { _ in .text("hello") }
        let client = try HTTPClient()
        let url = try WebURL(plain.address())
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .refusedByATS = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(plain.counters.connections == 0)
    }
}
