import PaviseCrypto
import PaviseLab
import PavisePrimitives
import Testing

@Suite struct AttackTests {
    let authority: CertificateAuthority

    init() throws { authority = try CertificateAuthority() }

    @Test(arguments: WeakServer.allCases)
    func `each weak server answers a client that judges nothing`(_ weakness: WeakServer) throws {
        let server = try weakness.start(authority)
        var tls = TLSParameters()
        tls.minimum = .tls11
        tls.securityLevel = 0
        let answer = try RawClient(tls: tls).get("/", from: server)
        #expect(answer.body == "secret page")
        #expect(
            answer.version == (weakness == .tls11 ? "TLSv1.1" : weakness == .rsaKeyExchange ? "TLSv1.2" : "TLSv1.3"))
    }

    @Test(arguments: [
        (WeakServer.expired, "certificate has expired"), (.notYetValid, "certificate is not yet valid"),
        (.selfSigned, "self-signed certificate"), (.unknownAuthority, "unable to get local issuer certificate"),
        (.wrongPurpose, "unsuitable certificate purpose"), (.rsa1024, "EE certificate key too weak"),
        (.sha1, "CA signature digest algorithm too weak"),
    ])
    func `OpenSSL names the same weakness`(_ weakness: WeakServer, _ words: String) throws {
        let server = try weakness.start(authority)
        var tls = TLSParameters()
        tls.securityLevel = 0
        let chain = try RawClient(tls: tls).get("/", from: server).chain
        let text = try OpenSSLProgram.verify(chain: chain, anchor: authority.anchorPEM)
        #expect(text.contains(words))
    }

    @Test(arguments: ManInTheMiddle.allCases)
    func `a man in the middle shows another key at the same address`(_ attack: ManInTheMiddle) throws {
        let identity = try authority.issue()
        let server = try LabServer.start(identity) { _ in .text("x") }
        let wrong = try attack.takeOver(server, of: authority)
        let seen = try RawClient().get("/", from: server).chain
        #expect(seen == wrong.chain)
        #expect(wrong.pin != identity.pin)
        let verified = try OpenSSLProgram.verify(chain: seen, anchor: authority.anchorPEM).contains(": OK")
        #expect(verified == (attack == .trustedAuthority))
    }

    @Test func `a takeover cuts open connections`() throws {
        let server = try LabServer.start(nil) { _ in .text("x") }
        let socket = try TCPStream.connect(port: server.port)
        try socket.write(Array("GET / HTTP/1.1\r\n\r\n".utf8).span)
        #expect(try !socket.read(upTo: 1000, within: 10_000).isEmpty)
        server.dropConnections()
        #expect(try socket.read(upTo: 1000, within: 10_000).isEmpty)
        #expect(try RawClient(tls: nil).get("/", from: server).status == 200)
    }

    @Test(arguments: Redirector.statuses)
    func `a redirector names the trap, and the trap sees who comes`(_ status: Int) throws {
        let trap = try Redirector.trap(nil)
        let server = try LabServer.start(try authority.issue()) { Redirector.answer(to: trap, $0) }
        let answer = try RawClient().get("/redirect/\(status)?a=b", from: server)
        #expect(answer.status == status)
        #expect(answer.field("Location") == trap.address("/redirect/\(status)?a=b"))
        #expect(Redirector.credentials(seenBy: trap).isEmpty)
        _ = try RawClient(tls: nil).get("/", from: trap, fields: ["Authorization: Bearer planted"])
        #expect(Redirector.credentials(seenBy: trap) == ["Bearer planted"])
    }

    @Test func `other paths of a redirector are plain`() throws {
        let server = try LabServer.start(nil) { Redirector.answer(to: "http://x.example", $0) }
        #expect(try RawClient(tls: nil).get("/redirect/200", from: server).body == "arrived")
    }
}
