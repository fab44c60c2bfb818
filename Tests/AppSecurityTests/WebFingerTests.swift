import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import Synchronization
import TestSupport
import Testing

@testable import Pavise

/// A person's address leads to the authority by the word of its host's server (RFC 7033), and to nowhere without hers.
@Suite struct WebFingerTests {
    private static let relation = "http://openid.net/specs/connect/1.0/issuer"

    /// The server of the person's address, with an answer of a test's own.
    private func server(_ world: SecurityWorld, _ answer: Mutexed<LabResponse>) throws -> LabServer {
        try LabServer.start(world.identity) { _ in answer.value.withLock { $0 } }
    }

    /// A value that a test changes while a server reads it.
    final class Mutexed<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    private static func link(_ issuer: String, subject: String = "") -> LabResponse {
        .json(#"{\#(subject)"links":[{"rel":"\#(relation)","href":"\#(issuer)"}]}"#)
    }

    private func host(_ server: LabServer) throws -> String {
        let origin = try WebURL(server.address("/")).origin
        return "\(origin.host):\(origin.port)"
    }

    private func code(_ body: () async throws -> Void) async -> PaviseError.Code? {
        do { try await body() } catch { return (error as? PaviseError)?.code }
        return nil
    }

    @Test func `an authority of another origin gets nothing before the person has agreed to it`() async throws {
        let world = try SecurityWorld()
        let answer = Mutexed(Self.link(world.authority.issuer))
        let finger = try server(world, answer)
        try await world.inHome {
            let app = try world.app()
            var options = world.willing
            options.account = "anna@\(try host(finger))"
            let reviewed = try await app.review(finger.address("/"))
            let requests = world.authority.server.requests.count
            let first = await code {
                _ = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: options)
            }
            #expect(first == .consentNeeded)
            #expect(reviewed.others.map(\.origin) == [try WebURL(world.authority.issuer).origin])
            #expect(reviewed.others.first?.purposes == ["issuer"])
            #expect(reviewed.others.first?.certificate?.fingerprint == world.identity.fingerprint)
            #expect(world.authority.server.requests.count == requests)
            let asked = try #require(finger.requests.last?.target)
            #expect(asked.hasPrefix("/.well-known/webfinger?resource=acct%3Aanna%40127.0.0.1%3A"))
            #expect(asked.hasSuffix("&rel=http%3A%2F%2Fopenid.net%2Fspecs%2Fconnect%2F1.0%2Fissuer"))

            reviewed.acceptOthers()
            let account = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: options)
            #expect(await account.state == .signedIn)
            #expect(account.connection.descriptor.issuer == world.authority.issuer)
        }
    }

    @Test func `CS3: the way of a sign-in is there before anything is sent, in order and with each certificate`()
        async throws
    {
        var configuration = AuthorityConfiguration()
        configuration.elsewhere = [.token]
        let world = try SecurityWorld(configuration)
        let answer = Mutexed(Self.link(world.authority.issuer))
        let unknown = try CertificateAuthority().issue()
        let finger = try LabServer.start(unknown) { _ in answer.value.withLock { $0 } }
        let origins = [try WebURL(finger.address("/")).origin, try WebURL(world.authority.issuer).origin]
        let token = try WebURL(world.authority.address(.token)).origin
        try await world.inHome {
            let app = try world.app()
            var options = world.willing
            options.account = "anna@\(try host(finger))"
            let fixed = options
            let reviewed = try await app.review(finger.address("/"))
            #expect(reviewed.hops.map(\.origin) == [origins[0]])
            #expect(reviewed.hops.first?.isTrusted == false)
            #expect(reviewed.hops.first?.certificate?.fingerprint == unknown.fingerprint)
            try await reviewed.approve()
            #expect(reviewed.hops.map(\.isTrusted) == [true])
            let connect = {
                _ = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: fixed)
            }
            #expect(await code(connect) == .consentNeeded)
            #expect(reviewed.hops.map(\.origin) == origins)
            #expect(reviewed.hops.map(\.purposes) == [["server", "webfinger"], ["issuer"]])
            #expect(world.authority.server.requests.isEmpty)
            reviewed.acceptOthers()
            // The authority's metadata names one more: the list differs, and is asked about again.
            #expect(await code(connect) == .consentNeeded)
            #expect(reviewed.hops.map(\.origin) == origins + [token])
            #expect(reviewed.hops.last?.purposes == ["token_endpoint"])
            #expect(world.authority.counters.tokenRequests == 0)
            let shown = reviewed.hops.map { $0.certificate?.fingerprint }
            #expect(shown == [unknown.fingerprint, world.identity.fingerprint, world.identity.fingerprint])
            #expect(reviewed.hops.allSatisfy { $0.isTrusted })
            reviewed.acceptOthers()
            #expect(await code(connect) == nil)
            #expect(reviewed.hops.count == 3)
        }
    }

    @Test func `another authority than the one that was agreed to is asked about again`() async throws {
        let world = try SecurityWorld()
        let answer = Mutexed(Self.link(world.authority.issuer))
        let (finger, other) = (try server(world, answer), try LabAuthority.start(world.identity))
        try await world.inHome {
            let app = try world.app()
            var options = world.willing
            options.account = "anna@\(try host(finger))"
            let fixed = options
            let reviewed = try await app.review(finger.address("/"))
            let connect = {
                _ = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: fixed)
            }
            #expect(await code(connect) == .consentNeeded)
            reviewed.acceptOthers()
            answer.value.withLock { $0 = Self.link(other.issuer) }
            #expect(await code(connect) == .consentNeeded)
            #expect(reviewed.others.map(\.origin) == [try WebURL(other.issuer).origin])
            #expect(other.server.requests.isEmpty)
            #expect(try app.accountNames() == [])
        }
    }

    @Test(arguments: [
        #"{"links":[]}"#, #"{"links":[{"rel":"other","href":"https://a.example"}]}"#,
        #"{"links":[{"rel":"REL","href":"http://a.example"}]}"#,
        #"{"links":[{"rel":"REL","href":"https://a.example?x"}]}"#, #"{"links":[{"rel":"REL"}]}"#,
        #"{"links":[{"rel":"REL","href":"https://a.example"},{"rel":"REL","href":"https://b.example"}]}"#,
        #"{"subject":"acct:ben@localhost","links":[{"rel":"REL","href":"https://a.example"}]}"#, "[]", "",
    ])
    func `an answer that names no one authority of this person names none`(_ text: String) async throws {
        let world = try SecurityWorld()
        let answer = Mutexed(LabResponse.json(text.replacing("REL", with: Self.relation)))
        let finger = try server(world, answer)
        try await world.inHome {
            let app = try world.app()
            var options = world.willing
            options.account = "anna@\(try host(finger))"
            let fixed = options
            let reviewed = try await app.review(finger.address("/"))
            let found = await code {
                _ = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: fixed)
            }
            #expect(found != nil && found != .consentNeeded)
            #expect(reviewed.others.isEmpty)
            #expect(try app.accountNames() == [])
        }
    }

    @Test func `a redirect and a missing page are no answer, and the server is judged before it is asked`() async throws
    {
        let world = try SecurityWorld()
        let answer = Mutexed(LabResponse.redirect(302, to: world.authority.issuer + "/.well-known/webfinger"))
        let finger = try server(world, answer)
        let stranger = try LabServer.start(try CertificateAuthority().issue()) { _ in Self.link("https://a.example") }
        try await world.inHome {
            let app = try world.app()
            let reviewed = try await app.review(finger.address("/"))
            let connect: (String) async -> PaviseError.Code? = { account in
                var options = world.willing
                options.account = account
                let fixed = options
                return await code {
                    _ = try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: fixed)
                }
            }
            #expect(await connect("anna@\(try host(finger))") != nil)
            answer.value.withLock { $0 = .text("nobody") }
            #expect(await connect("anna@\(try host(finger))") != nil)
            #expect(await connect("anna@\(try host(stranger))") == .approvalNeeded)
            #expect(stranger.requests.isEmpty && world.authority.server.requests.isEmpty)
        }
    }

    @Test(arguments: [
        "", "anna", "@example.org", "anna@", "anna@ben@example.org", "an na@example.org", "anna@example.org/x",
        "anna@example.org?x", "anna@user:pass@example.org", "änna@example.org", "anna@exa mple.org",
        String(repeating: "a", count: 65) + "@example.org", "anna\n@example.org",
    ])
    func `what is no address of a person is asked nowhere`(_ text: String) { #expect(AccountAddress(text) == nil) }
}
