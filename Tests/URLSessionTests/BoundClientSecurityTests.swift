import Foundation
import FoundationNetworking
import PaviseLab
import PaviseTransport
import PaviseURLSession
import Testing

@Suite struct `The platform's cache of answers` {
    @Test func `DR19: is off, and what a server lets be cached is asked for again`() async throws {
        // There is one otherwise.
        #expect(URLSessionConfiguration.ephemeral.urlCache != nil)
        let lab = try URLSessionLab(handler: { _ in
            var response = LabResponse.text("glossary")
            response.fields.append(.init("Cache-Control", "public, max-age=3600"))
            return response
        })
        #expect(lab.session.configuration.urlCache == nil)
        for _ in 0..<2 { #expect(try await lab.get().0 == Data("glossary".utf8)) }
        #expect(lab.server.counters.requests == 2)
    }
}

@Suite struct `App Transport Security behind the door` {
    private func session(_ authority: CertificateAuthority, _ exception: ATSException?) throws -> URLSession {
        let configuration = ATSConfiguration(
            localNetworking: false, exceptions: exception.map { ["localhost": $0] } ?? [:])
        return URLSession(
            configuration: try .pavise(
                policy: TrustPolicy(anchors: .only([authority.anchor])), transportSecurity: configuration))
    }

    private func end(_ session: URLSession, _ address: String) async throws -> URLError? {
        let url = try #require(URL(string: address))
        return await urlError { try await session.data(from: url) }
    }

    @Test func `puts exceptions and raised floors on connections`() async throws {
        let authority = try CertificateAuthority()
        let identity = try authority.issue(LeafProfile(key: .rsa(bits: 2048)))
        let old = try LabServer.start(
            identity, tls: LabTLS(minimum: .tls10, maximum: .tls11, securityLevel: 0)
        ) { _ in .text("old") }
        let usual = try LabServer.start(identity, tls: LabTLS(maximum: .tls12)) { _ in .text("usual") }
        let lowered = try session(authority, ATSException(minimumTLSVersion: .tls10))
        #expect(try await end(lowered, old.address(host: "localhost")) == nil)
        #expect(try await end(lowered, old.address())?.code == .secureConnectionFailed)
        let strict = try session(authority, nil)
        #expect(try await end(strict, old.address(host: "localhost"))?.code == .secureConnectionFailed)
        #expect(try await end(strict, usual.address(host: "localhost")) == nil)
        let raised = try session(authority, ATSException(minimumTLSVersion: .tls13))
        #expect(try await end(raised, usual.address(host: "localhost"))?.code == .secureConnectionFailed)
        #expect(old.counters.requests == 1)
        #expect(usual.counters.requests == 1)
    }

    @Test func `loads plain http where an entry allows it, and gives Apple's number where none does`() async throws {
        let authority = try CertificateAuthority()
        let plain = try LabServer.start(nil) { _ in .text("plain") }
        let session = try session(authority, ATSException(allowsInsecureHTTPLoads: true))
        #expect(try await end(session, plain.address(host: "localhost")) == nil)
        let error = try #require(try await end(session, plain.address()))
        #expect(error.code.rawValue == -1022)
        guard case .refusedByATS(let refusal) = error.transportFailure else {
            Issue.record("\(error)")
            return
        }
        #expect(refusal.reasons == [.plainHTTP])
        #expect(plain.counters.requests == 1)
    }

    @Test func `gives the number of another rule below the code of a failed handshake`() async throws {
        let authority = try CertificateAuthority()
        let server = try LabServer.start(try authority.issue()) { _ in .text("hello") }
        let session = try session(authority, ATSException(minimumTLSVersion: .dtls12))
        let error = try #require(try await end(session, server.address(host: "localhost")))
        #expect(error.code.rawValue == -1200)
        #expect(error.userInfo["_kCFStreamErrorCodeKey"] as? Int == -9881)
        #expect(server.counters.connections == 0)
    }
}
