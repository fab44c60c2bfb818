import Foundation
import KeychainTestSupport
import PaviseLab
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import Synchronization
import TestSupport
import Testing

@testable import PaviseDevice

private final class Flag: Sendable {
    private let state = Mutex(false)
    var isRaised: Bool { state.withLock { $0 } }
    func raise() { state.withLock { $0 = true } }
}

/// A server that asks for certificates of another authority, and a person who has one.
private struct MutualLab {
    let keychain: ItemFixture
    let authority: CertificateAuthority
    let people: CertificateAuthority
    let server: LabServer
    let chain: [SecCertificate]
    let identity: SecIdentity

    init(
        _ kind: ClientKey = .ec256, version: LabTLS.Version = .tls13, demands: Bool = true, asks: Bool = true,
        hasIntermediate: Bool = false, asksLate: Bool = false, in surroundings: ItemFixture? = nil,
        control: SecAccessControl? = nil
    ) throws {
        keychain = try surroundings ?? ItemFixture()
        authority = try CertificateAuthority()
        people = try CertificateAuthority(name: "People", hasIntermediate: hasIntermediate)
        var tls = LabTLS(maximum: version)
        tls.clientAuthority = asks ? people.anchor : nil
        tls.demandsClient = demands
        tls.asksClientLate = asksLate
        server = try LabServer.start(try authority.issue(), tls: tls) { request in
            asksLate && request.path != "/open" ? LabResponse.text("hello").afterAskingWho : .text("hello")
        }
        let (key, spki) = try keychain.run { try kind.make(control) }
        let issued = try people.issue(
            LeafProfile(names: ["anna.example"], addresses: [], commonName: "Anna", purposes: [.client]),
            forPublicKey: spki)
        chain = try issued.map { try #require(SecCertificateCreateWithData(nil, Data($0) as CFData)) }
        identity = try #require(SecIdentityCreate(nil, chain[0], key))
    }

    var own: [UInt8] { [UInt8](SecCertificateCopyData(chain[0]) as Data) }

    func url(host: String = "localhost") throws -> WebURL { try WebURL(server.address(host: host)) }

    func client(_ certificates: [ClientCertificate]) throws -> HTTPClient {
        try HTTPClient(
            policy: TrustPolicy(anchors: .only([authority.anchor])), options: ClientOptions(certificates: certificates))
    }

    func certificate(host: String = "localhost") throws -> ClientCertificate {
        try ClientCertificate(identity, intermediates: Array(chain.dropFirst()), for: url(host: host).origin)
    }
}

@Suite struct `A server that demands a certificate` {
    @Test(arguments: ClientKey.allCases, [LabTLS.Version.tls12, .tls13])
    func `gets it, signed where the key is`(_ kind: ClientKey, _ version: LabTLS.Version) async throws {
        let lab = try MutualLab(kind, version: version)
        let client = try lab.client([lab.certificate()])
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        #expect(lab.server.clientCertificates == [lab.own])
    }

    @Test func `gets what stands between it and its root`() async throws {
        let lab = try MutualLab(hasIntermediate: true)
        let client = try lab.client([lab.certificate()])
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        let short = try lab.client([ClientCertificate(lab.identity, for: lab.url().origin)])
        let url = try lab.url()
        _ = await failure { () throws(TransportFailure) in try await short.send(HTTPRequest("GET", url)) }
        #expect(lab.server.counters.requests == 1)
    }

    @Test(arguments: [LabTLS.Version.tls12, .tls13])
    func `turns a client without one away, and the reason is told`(_ version: LabTLS.Version) async throws {
        let lab = try MutualLab(version: version)
        let client = try lab.client([])
        let url = try lab.url()
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        let words = "The server demands a client certificate."
        #expect(end == (version == .tls12 ? .tls(words, code: .peerHandshakeFailure) : .network(words, sent: true)))
        #expect(lab.server.counters.requests == 0)
    }

    @Test func `gets none that is for another host or port`() async throws {
        let lab = try MutualLab()
        let elsewhere = Origin("https://localhost:1")
        let client = try lab.client([
            try lab.certificate(host: "127.0.0.1"), try ClientCertificate(lab.identity, for: elsewhere),
        ])
        let url = try lab.url()
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        #expect(end == .network("The server demands a client certificate.", sent: true))
        #expect(lab.server.clientCertificates.isEmpty)
        #expect(try await client.send(HTTPRequest("GET", lab.url(host: "127.0.0.1"))).status == 200)
    }

    @Test(arguments: [LabTLS.Version.tls12, .tls13])
    func `that is not trusted itself gets none`(_ version: LabTLS.Version) async throws {
        let lab = try MutualLab(version: version)
        let client = try HTTPClient(
            policy: TrustPolicy(anchors: .only([])), options: ClientOptions(certificates: [try lab.certificate()]))
        let url = try lab.url()
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.unknownAuthority])
        #expect(lab.server.clientCertificates.isEmpty)
        #expect(lab.server.counters.applicationBytes == 0)
    }

    @Test func `learns nothing from an inspection`() async throws {
        let lab = try MutualLab()
        let client = try lab.client([lab.certificate()])
        let shown = try await client.inspect(lab.url().origin)
        #expect(shown.decision == .allow(.valid))
        #expect(lab.server.clientCertificates.isEmpty)
    }
}

@Suite struct `A certificate of our own` {
    @Test(arguments: [true, false])
    func `stays here when the server does not ask, and is shown to one that only would like it`(_ asks: Bool)
        async throws
    {
        let lab = try MutualLab(demands: false, asks: asks)
        let client = try lab.client([lab.certificate()])
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        #expect(lab.server.clientCertificates == (asks ? [lab.own] : []))
    }

    @Test func `is never carried over by a redirect`() async throws {
        let lab = try MutualLab()
        let first = try LabServer.start(try lab.authority.issue()) { _ in
            .redirect(302, to: lab.server.address(host: "127.0.0.1"))
        }
        let client = try lab.client([lab.certificate()])
        let url = try WebURL(first.address(host: "localhost"))
        let end = await failure { () throws(TransportFailure) in
            try await client.send(HTTPRequest("GET", url), following: .withConsent) { _, _ in true }
        }
        #expect(end == .network("The server demands a client certificate.", sent: true))
        #expect(lab.server.clientCertificates.isEmpty)
    }

    @Test func `comes from the keychain by its persistent reference`() async throws {
        let lab = try MutualLab()
        let origin = try lab.url().origin
        let found = try lab.keychain.run {
            var reference: AnyObject?
            let status = unsafe SecItemAdd(
                [kSecValueRef: lab.identity, kSecReturnPersistentRef: true] as [CFString: Any] as CFDictionary,
                &reference)
            #expect(status == errSecSuccess)
            let bytes = [UInt8](try #require(reference as? Data))
            return try ClientCertificate(persistentReference: bytes, for: origin)
        }
        #expect(try await lab.client([found]).send(HTTPRequest("GET", lab.url())).status == 200)
        #expect(lab.server.clientCertificates == [lab.own])
    }

    @Test func `that is not there, or for a server without TLS, is an error`() throws {
        let lab = try MutualLab()
        let origin = try lab.url().origin
        #expect(throws: ClientCertificate.Problem.notFound(status: errSecParam)) {
            try lab.keychain.run { try ClientCertificate(persistentReference: Array("idnt".utf8), for: origin) }
        }
        let plain = Origin("http://a.example")
        #expect(throws: ClientCertificate.Problem.noTLS(plain)) { try ClientCertificate(lab.identity, for: plain) }
    }
}

@Suite struct `A server that asks who we are when the request is there` {
    @Test func `gets no certificate, and the request ends in an error`() async throws {
        let lab = try MutualLab(asksLate: true)
        let client = try lab.client([lab.certificate()])
        let open = try WebURL(lab.server.address("/open", host: "localhost"))
        #expect(try await client.send(HTTPRequest("GET", open)).status == 200)
        let url = try lab.url()
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", url)) }
        #expect(end == .network("The connection was lost before the answer came.", sent: true))
        #expect(lab.server.clientCertificates.isEmpty)
        // A client that offers to answer late would have been asked (RFC 8446 §4.2.6).
        #expect(lab.server.lateQuestions == 0)
    }
}

@Suite struct `A key that asks a person before each use` {
    @Test func `is refused before any handshake`() throws {
        let made = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage, .userPresence], nil)
        let control = try #require(made)
        let lab = try MutualLab(.element, control: control)
        let origin = try lab.url().origin
        #expect(throws: ClientCertificate.Problem.asksPerson) { try ClientCertificate(lab.identity, for: origin) }
        #expect(lab.server.counters.connections == 0)
    }

    @Test func `is not one that says only what it may be used for`() async throws {
        let made = SecAccessControlCreateWithFlags(
            nil, kSecAttrAccessibleWhenUnlockedThisDeviceOnly, [.privateKeyUsage], nil)
        let control = try #require(made)
        let lab = try MutualLab(.element, control: control)
        let client = try lab.client([lab.certificate()])
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
    }
}

@Suite(.enabled(if: SoftwareTPM.isInstalled, "swtpm is not installed"), .timeLimit(.minutes(3)))
struct `A key in a TPM` {
    @Test(arguments: [LabTLS.Version.tls12, .tls13])
    func `signs for its server, and holds up no other client while it is slow`(_ version: LabTLS.Version) async throws {
        let tpm = try SoftwareTPM()
        var fixture = try ItemFixture()
        let address = try #require(TPMAddress(tpm.address))
        let maker = ElementFactory(
            kind: .tpm, availability: { .usable },
            open: { folder, mayCreate throws(DeviceFailure) in
                try TPMElement.open(folder, at: address, mayCreate: mayCreate)
            })
        fixture.environment.device = DeviceEnvironment(elements: ElementChoice([maker]))
        let lab = try MutualLab(.element, version: version, in: fixture)
        let client = try lab.client([lab.certificate()])
        #expect(try await client.send(HTTPRequest("GET", lab.url())).status == 200)
        #expect(lab.server.clientCertificates == [lab.own])

        let url = try lab.url()
        let again = try lab.client([lab.certificate()])
        let other = try TestLab()
        let isDone = Flag()
        tpm.hang()
        let slow = Task {
            defer { isDone.raise() }
            return try await again.send(HTTPRequest("GET", url)).status
        }
        // The slow one has spoken to its server; its next step is the signature, which comes among these requests.
        await lab.server.wait { $0.connections == 2 }
        for _ in 0..<20 {
            other.server.dropConnections()
            #expect(try await other.get().status == 200)
        }
        #expect(!isDone.isRaised)
        tpm.resume()
        #expect(try await slow.value == 200)
    }
}
