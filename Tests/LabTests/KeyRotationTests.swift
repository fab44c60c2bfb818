import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// Signing keys that are replaced by a schedule (OpenID Connect Core §10.1.1): published before they sign, and after.
@Suite struct KeyRotationTests {
    let clock = ManualTime()

    private func start(_ rotation: AuthorityConfiguration.KeyRotation?) throws -> AuthorityClient {
        var configuration = AuthorityConfiguration()
        configuration.keyRotation = rotation
        return AuthorityClient(
            authority: try LabAuthority.start(
                try CertificateAuthority().issue(), configuration: configuration, clock: clock.source))
    }

    /// The names of the keys that are published now.
    private func published(_ client: AuthorityClient) throws -> [String] {
        let body = try client.http.get(client.path(.jwks), from: client.authority.server).body
        let keys = try #require(try JSONValue.parse(Array(body.utf8))["keys"]?.array)
        #expect(keys.allSatisfy { $0["alg"] == "RS256" && $0["use"] == "sig" && $0["kty"] == "RSA" && $0["d"] == nil })
        #expect(Set(keys.compactMap { $0["n"]?.string }).count == keys.count)
        return keys.compactMap { $0["kid"]?.string }
    }

    /// The name of the key that signs an id token now.
    private func signer(_ client: AuthorityClient) throws -> String {
        let token = try #require(try client.signIn().identity)
        let header = try JSONValue.parse(
            try #require(Base64URL.decode(token.split(separator: ".").map(String.init)[0])))
        return try #require(header["kid"]?.string)
    }

    @Test func `a key is published before it signs, signs for its time, and stays until what it signed is over`() throws
    {
        let client = try start(.init(every: 1000, ahead: 100, overlap: 300))
        let first = try signer(client)
        #expect(try published(client) == [first])
        clock.advance(seconds: 899)
        #expect(try published(client) == [first])
        clock.advance(seconds: 1)
        let both = try published(client)
        #expect(both.count == 2 && both.first == first)
        let second = try #require(both.last)
        #expect(try signer(client) == first)
        clock.advance(seconds: 99)
        #expect(try signer(client) == first)
        // 1,000 s: the second one signs, the first one is published for 300 s more.
        clock.advance(seconds: 1)
        #expect(try signer(client) == second)
        #expect(try published(client) == both)
        clock.advance(seconds: 299)
        #expect(try published(client) == both)
        clock.advance(seconds: 1)
        #expect(try published(client) == [second])
    }

    @Test(.long) func `over twenty periods no token is signed with a key that is not published, and no key comes back`()
        throws
    {
        let client = try start(.init(every: 100, ahead: 50, overlap: 150))
        var seen: [String] = []
        // What clients know that asked for the keys at most 50 s ago.
        var cached = try published(client)
        for _ in 0..<40 {
            let signer = try signer(client)
            #expect(cached.contains(signer), "a client that has the keys of 50 s ago does not know this one")
            if seen.last != signer {
                #expect(!seen.contains(signer))
                seen.append(signer)
            }
            cached = try published(client)
            #expect(cached.contains(signer) && cached.count <= 4)
            clock.advance(seconds: 50)
        }
        #expect(seen.count == 20)
    }

    @Test func `after a long pause a new key signs, and none that was never needed is made`() throws {
        let client = try start(.init(every: 100, ahead: 0, overlap: 0))
        let first = try signer(client)
        clock.advance(seconds: 1_000_050)
        let keys = try published(client)
        #expect(keys.count == 1 && !keys.contains(first))
        #expect(try [signer(client)] == keys)
    }

    @Test func `a clock that goes back brings no old key back`() throws {
        let client = try start(.init(every: 100, ahead: 0, overlap: 1000))
        let first = try signer(client)
        clock.advance(seconds: 100)
        let second = try signer(client)
        clock.setWall(seconds: clock.source.wallSeconds - 100)
        #expect(try signer(client) == second && second != first)
    }

    @Test(arguments: [false, true])
    func `another turn signs with a new key from the next request on, and keeps the old ones or takes them back`(
        _ withdraws: Bool
    ) throws {
        let client = try start(nil)
        let first = try signer(client)
        client.authority.configuration.withdrawsKeys = withdraws
        #expect(try published(client) == [first])
        client.authority.configuration.keyTurn = 1
        let keys = try published(client)
        #expect(keys.count == (withdraws ? 1 : 2) && keys.contains(first) != withdraws)
        #expect(try signer(client) == keys.last && keys.last != first)
        #expect(try published(client) == keys, "once for each number")
        client.authority.configuration.keyTurn = 0
        #expect(try published(client).last != first)
    }

    /// The key that signed a token, and when that ends.
    private func seal(_ token: String) throws -> (key: String, end: Int64) {
        let parts = try token.split(separator: ".").map {
            try JSONValue.parse(try #require(Base64URL.decode(String($0))))
        }
        return (try #require(parts[0]["kid"]?.string), try #require(parts[1]["exp"]?.integer))
    }

    @Test(.long, arguments: [AuthorityConfiguration.AccessTokenForm.opaque, .jwt])
    func `nothing that is signed is good for longer than its key is published`(
        _ form: AuthorityConfiguration.AccessTokenForm
    ) throws {
        let client = try start(.init(every: 20, overlap: 60))
        client.authority.configuration.accessTokenForm = form
        client.authority.configuration.accessTokenLifetime = 7200
        var signed: [(key: String, end: Int64)] = []
        for _ in 0..<30 {
            let tokens = try client.signIn()
            let all = [tokens.identity].compactMap(\.self) + (form == .jwt ? [tokens.access] : [])
            signed += try all.map { try seal(String($0.split(separator: ".").prefix(2).joined(separator: "."))) }
            let published = try published(client)
            let now = clock.source.wallSeconds
            #expect(published.count <= 6)
            for token in signed where token.end > now { #expect(published.contains(token.key), "\(token.end - now) s") }
            clock.advance(seconds: 7)
        }
        #expect(Set(signed.map(\.key)).count > 5)
    }

    @Test func `a schedule that begins late takes no key away that something needs`() throws {
        let client = try start(nil)
        let first = try signer(client)
        clock.advance(seconds: 5000)
        #expect(try signer(client) == first)
        client.authority.configuration.keyRotation = .init(every: 100, ahead: 0, overlap: 60)
        #expect(try signer(client) != first)
        // The first one's last token is good for an hour.
        for seconds in [61.0, 3538] {
            clock.advance(seconds: seconds)
            #expect(try published(client).contains(first))
        }
        clock.advance(seconds: 1)
        #expect(try !published(client).contains(first))
    }

    @Test func `a schedule that becomes slower or faster holds from then on`() throws {
        let client = try start(.init(every: 10, ahead: 0, overlap: 60))
        clock.advance(seconds: 5000)
        let first = try signer(client)
        client.authority.configuration.keyRotation = .init(every: 1000, ahead: 0, overlap: 60)
        clock.advance(seconds: 999)
        #expect(try signer(client) == first)
        clock.advance(seconds: 1)
        let second = try signer(client)
        #expect(second != first)
        #expect(try published(client) == [first, second])
        clock.advance(seconds: 500)
        #expect(try signer(client) == second)
        // It signed until now, so it stays for its overlap, although its turn by the new schedule was long ago.
        client.authority.configuration.keyRotation = .init(every: 10, ahead: 0, overlap: 60)
        #expect(try signer(client) != second)
        clock.advance(seconds: 59)
        #expect(try published(client).contains(second))
        clock.advance(seconds: 1)
        #expect(try !published(client).contains(second))
    }

    @Test func `a key that is withdrawn in a hurry is gone at once, and the schedule goes on`() throws {
        let client = try start(.init(every: 100, ahead: 50, overlap: 100))
        let first = try signer(client)
        try client.authority.rotateKeys(keepsOld: false)
        let second = try signer(client)
        #expect(try published(client) == [second] && second != first)
        clock.advance(seconds: 100)
        #expect(try signer(client) != second)
        #expect(try published(client).contains(second))
    }

    @Test func `without a schedule one key signs for ever`() throws {
        let client = try start(nil)
        let first = try signer(client)
        clock.advance(seconds: 100_000_000)
        #expect(try signer(client) == first)
        #expect(try published(client) == [first])
    }
}
