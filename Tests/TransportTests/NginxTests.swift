import Foundation
import PaviseLab
import PavisePrimitives
import PaviseTransport
import Synchronization
import TestSupport
import Testing

/// A server for an identity of the lab, once its port is open.
private func nginx(_ identity: ServerIdentity, body: [UInt8]) async throws -> Nginx {
    let server = try Nginx(chain: identity.chainPEM, key: try identity.privateKeyPEM(), body: body)
    #expect(try await server.isReady())
    return server
}

@Suite(.enabled(if: Nginx.path != nil, "nginx is not installed")) struct `HTTP/2 with nginx` {
    private func start(_ body: [UInt8] = []) async throws -> (server: Nginx, client: HTTPClient) {
        let authority = try CertificateAuthority()
        let server = try await nginx(try authority.issue(), body: body)
        return (server, try HTTPClient(policy: TrustPolicy(anchors: .only([authority.anchor]))))
    }

    private func url(_ server: Nginx, _ path: String) throws -> WebURL {
        try WebURL("https://localhost:\(server.port)\(path)")
    }

    @Test func `is agreed, and a thousand requests at once get their own answers`() async throws {
        let (server, client) = try await start()
        let first = try await client.send(HTTPRequest("GET", url(server, "/hello")))
        #expect(first.connection.httpVersion == "2")
        #expect(first.connection.tlsVersion == "TLSv1.3")
        #expect(first.connection.leafSPKI != nil)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<1000 {
                let address = try url(server, "/hello?\(number)")
                group.addTask {
                    try await client.send(HTTPRequest("GET", address)).body == Array("/hello?\(number)".utf8)
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
    }

    @Test func `carries large bodies, streams and a reader who leaves`() async throws {
        let large = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let (server, client) = try await start(large)
        let address = try url(server, "/large")
        #expect(try await client.send(HTTPRequest("GET", address)).body == large)
        let bearer = Authorization(scheme: "Bearer", credential: SecretBytes(utf8: "token"), origin: address.origin)
        let received = Mutex<[UInt8]>([])
        _ = try await client.stream(HTTPRequest("GET", address), with: bearer, head: { $0.status == 200 }) { piece in
            received.withLock { $0 += piece }
        }
        #expect(received.withLock { $0 } == large)
        let left = try await client.stream(HTTPRequest("GET", address), with: bearer, head: { _ in false }) { _ in }
        #expect(left.connection.httpVersion == "2")
        #expect(try await client.send(HTTPRequest("GET", address)).body == large)
    }

    @Test func `reports redirects and is judged like any other`() async throws {
        let (server, client) = try await start()
        let answer = try await client.send(HTTPRequest("GET", url(server, "/moved")))
        #expect(answer.redirect?.concerns == [.otherOrigin])
        client.use(TrustPolicy(anchors: .only([])))
        let address = try url(server, "/hello")
        let end = await failure { () throws(TransportFailure) in try await client.send(HTTPRequest("GET", address)) }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.unknownAuthority])
    }

    @Test func `never carries a request with stricter demands over a connection of looser ones`() async throws {
        let (server, client) = try await start()
        func connection() async throws -> [UInt8] {
            let answer = try await client.send(HTTPRequest("GET", url(server, "/connection")))
            #expect(answer.connection.httpVersion == "2")
            return answer.body
        }
        client.use(ATSConfiguration(arbitraryLoads: true))
        let loose = try await connection()
        #expect(try await connection() == loose)
        client.use(.strict)
        let strict = try await connection()
        #expect(strict != loose)
        client.use(.localhost(ATSException(minimumTLSVersion: .tls13)))
        let stricter = try await connection()
        #expect(stricter != strict && stricter != loose)
        client.use(.strict)
        #expect(try await connection() == strict)
    }

    @Test func `never carries a request for another name, although the certificate holds both`() async throws {
        let (server, client) = try await start()
        let first = try await client.send(HTTPRequest("GET", url(server, "/connection")))
        var policy = client.policy
        let other = try #require(Pin(try CertificateAuthority().issue().pin))
        policy.pins = [try PinSet(hosts: ["127.0.0.1"], leaf: [other], backup: .notRequired)]
        let pinned = try HTTPClient(policy: policy)
        #expect(try await pinned.send(HTTPRequest("GET", url(server, "/connection"))).body != first.body)
        let address = try WebURL("https://127.0.0.1:\(server.port)/connection")
        let unpinned = try await client.send(HTTPRequest("GET", address))
        #expect(unpinned.body != first.body)
        let end = await failure { () throws(TransportFailure) in try await pinned.send(HTTPRequest("GET", address)) }
        guard case .untrusted(let refusal) = end else {
            Issue.record("\(String(describing: end))")
            return
        }
        #expect(refusal.failures == [.pinMismatch])
    }
}
