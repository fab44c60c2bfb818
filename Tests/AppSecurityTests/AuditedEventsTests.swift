import Pavise
import PaviseAppLock
import PaviseCrypto
import PaviseJWT
import PaviseLab
import PaviseLog
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import Testing

/// What an app's trail keeps beside the PIN, as it happens (PR24; Documentation/Privacy.md, “The audit trail”).
@Suite struct AuditedEventsTests {
    private struct Me: Decodable, Sendable { let user: String }

    /// The entries of these names, of a trail that is whole.
    private func entries(_ world: SecurityWorld, _ names: AuditEvent.Name...) throws -> [AuditEntry] {
        let report = try world.trail()
        #expect(report.problems.isEmpty, "\(report.problems)")
        return report.entries.filter { entry in names.contains { $0.rawValue == entry.name } }
    }

    @Test func `PR24: a certificate that a person approves, and one that is refused later, are in the trail`()
        async throws
    {
        let world = try SecurityWorld(isTrusted: false)
        try await world.inHome {
            let app = try world.app(keepsTrail: true)
            let server = try await app.review(world.authority.issuer)
            #expect(try entries(world, .serverApproved, .serverRefused).isEmpty)
            try await server.approve()
            let approved = try entries(world, .serverApproved, .serverRefused)
            #expect(approved.map(\.name) == ["server.approved"])
            #expect(approved.first?.facts.keys.sorted() == ["fingerprint", "server"])
            _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            #expect(try entries(world, .serverRefused).isEmpty)

            // Another key, and a client without a connection to the one before.
            try world.authority.server.use(try CertificateAuthority().issue())
            let later = try world.app(keepsTrail: true)
            await #expect(throws: PaviseError.self) {
                _ = try await later.account("work").get("/api/me", as: Me.self)
            }
            let refused = try entries(world, .serverRefused)
            #expect(!refused.isEmpty)
            #expect(refused.allSatisfy { $0.facts.keys.sorted() == ["reason", "server"] })
        }
    }

    @Test func `PR24: an administrator's order and the wipe that it asks for are in the trail, which stays`()
        async throws
    {
        let world = try SecurityWorld()
        let administrator = try Administrator()
        try await world.inHome {
            let app = try world.app(keepsTrail: true)
            try await app.lock.setPIN(SecurityWorld.pin)
            #expect(try entries(world, .orderTaken, .wipeBegun, .wipeDone).isEmpty)
            let lock = app.lock.appLock
            let order = try administrator.order("wipe", for: lock.installation().identifier)
            #expect(try lock.obey(order, by: administrator.rules).result == .done)
            let found = try entries(world, .orderTaken, .wipeBegun, .wipeDone)
            #expect(found.map(\.name) == ["order.taken", "wipe.begun", "wipe.done"])
            #expect(found.map { $0.facts["action"] } == ["wipe", "wipe", "wipe"])
            #expect(found.first?.facts["name"] == "order-1")
        }
    }

    @Test(arguments: [AppLockPolicy.FinalAction.wipe, .endSession])
    func `PR24: what the last wrong PIN does is in the trail, its beginning and its end`(
        _ action: AppLockPolicy.FinalAction
    ) async throws {
        let world = try SecurityWorld()
        var configuration = SecurityWorld.quiet
        configuration.lock = try AppLockPolicy(freeAttempts: 3, attempts: 3, finalAction: action)
        try await world.inHome {
            let app = try world.app("org.example.diary", configuration, keepsTrail: true)
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            for number in 1...3 {
                await #expect(throws: PaviseError.self) { try await app.lock.unlock("94027\(number)") }
            }
            let found = try entries(world, .pinWrong, .wipeBegun, .wipeDone)
            #expect(found.map(\.name) == Array(repeating: "lock.pin.wrong", count: 3) + ["wipe.begun", "wipe.done"])
            #expect(found.suffix(2).map { $0.facts["action"] } == [action.rawValue, action.rawValue])
        }
    }

    @Test func `PR24: a wipe that the app asks for is in the trail`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let app = try world.app(keepsTrail: true)
            try await app.lock.setPIN(SecurityWorld.pin)
            try await app.wipe()
            #expect(try entries(world, .wipeBegun, .wipeDone).map(\.name) == ["wipe.begun", "wipe.done"])
        }
    }

    @Test func `PR24: rules of an administrator that change while the app runs are in the trail, once for each change`()
        async throws
    {
        let world = try SecurityWorld()
        let channel = ManagedDeclarations()
        let managed = ManagedFile(ManagedSource("x", declarations: channel, ask: { nil }, write: { _ in }))
        try await world.inHome {
            let app = try world.app(managed: managed, keepsTrail: true, watchesSystem: true)
            #expect(try entries(world, .policyChanged).isEmpty)
            for (number, rules) in [#"{"renewal": "sameKey"}"#, #"{"renewal": "alwaysAsk"}"#].enumerated() {
                let rules = try ManagedConfiguration(json: Array(rules.utf8))
                channel.take(rules)
                // To say the same again is no change.
                channel.take(rules)
                #expect(try entries(world, .policyChanged).count == number + 1)
            }
            withExtendedLifetime(app) {}
        }
    }

    @Test func `PR24: rules that changed between two runs are in the trail at the first look of the next`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            // One run: whether it finds other rules than the one before.
            let finds = { (json: String?) async throws -> Bool in
                let before = try entries(world, .policyChanged).count
                let managed = try json.map { try world.managed($0) } ?? ManagedFile.none
                let app = try world.app(managed: managed, keepsTrail: true)
                for _ in 0..<2 { _ = try app.account("work") }
                return try entries(world, .policyChanged).count - before == 1
            }
            let app = try world.app(keepsTrail: true)
            let server = try await app.review(world.authority.issuer)
            _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: world.willing)
            #expect(try await !finds(nil))
            #expect(try await finds(#"{"renewal": "sameKey", "session": {"maximumSeconds": 86400}}"#))
            // The same rules, written in another order.
            #expect(try await !finds(#"{ "session": {"maximumSeconds": 86400}, "renewal": "sameKey" }"#))
            #expect(try await finds(#"{"renewal": "alwaysAsk"}"#))
            #expect(try await finds(nil))
            #expect(try await !finds(nil))
        }
    }

    @Test func `PR24: the lock that an app gets by itself has a trail in the app's home`() throws {
        let world = try SecurityWorld()
        try world.inHomeNow {
            let home = PaviseHome(path: world.home + "/apps/org.example.diary")
            let lock = AppLock.overConnections(of: home, application: "org.example.diary")
            lock.trail?.record(AuditEvent(.policyChanged))
            let found = try entries(world, .policyChanged)
            #expect(found.count == 1)
        }
    }
}

/// Somebody with a key whose orders a lock obeys.
private struct Administrator {
    private static let issuer = "https://management.example.org"
    private let key: ECPrivateKey

    init() throws { key = try ECPrivateKey(generating: .p256) }

    var rules: OrderRules {
        get throws {
            let point = key.publicKey.x963
            let (x, y) = (Base64URL.encode(point[1..<33]), Base64URL.encode(point[33...]))
            let jwk = #"{"kty":"EC","crv":"P-256","kid":"k","x":"\#(x)","y":"\#(y)"}"#
            return try OrderRules(issuer: Self.issuer, keys: [try JSONWebKey(json: Array(jwk.utf8))])
        }
    }

    /// An order called `order-1` that is valid for a minute from now on.
    func order(_ action: String, for installation: String) throws -> String {
        let now = TimeSource.system.wallSeconds
        let header = #"{"alg":"ES256","kid":"k","typ":"\#(OrderRules.type)"}"#
        let claims = [
            #""iss":"\#(Self.issuer)""#, #""aud":"\#(installation)""#, #""jti":"order-1""#, #""iat":\#(now)"#,
            #""exp":\#(now + 60)"#, #""action":"\#(action)""#,
        ]
        let body = "{" + claims.joined(separator: ",") + "}"
        let input = [header, body].map { Base64URL.encode(Array($0.utf8)) }.joined(separator: ".")
        let der = try key.sign(digest: Hash.digest(.sha256, Array(input.utf8)))
        return input + "." + Base64URL.encode(ECDSASignature.raw(der: der, curve: .p256) ?? [])
    }
}
