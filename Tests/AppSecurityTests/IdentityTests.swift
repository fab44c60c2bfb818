import Foundation
import PaviseLab
import PavisePrimitives
import PaviseStorage
import PaviseTransport
import PaviseVault
import SecurityFramework
import TestSupport
import Testing

@testable import Pavise

/// A person with a certificate, and an authority with a second server that demands one of each client.
private struct IdentityWorld {
    let world: SecurityWorld
    let people: CertificateAuthority
    static let passphrase = "correct horse"

    init(
        _ change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws {
        people = try CertificateAuthority(name: "People", hasIntermediate: true)
        var configuration = AuthorityConfiguration()
        change(&configuration)
        world = try SecurityWorld(people: people, configuration)
    }

    func profile(_ validity: LeafProfile.Validity = .current) -> LeafProfile {
        LeafProfile(
            names: ["anna.example"], addresses: [], commonName: "Anna", validity: validity, purposes: [.client])
    }

    func file(_ validity: LeafProfile.Validity = .current) throws -> [UInt8] {
        try people.issue(profile(validity)).pkcs12(passphrase: Self.passphrase)
    }

    func take(_ app: AppSecurity, as name: String = "anna") throws -> AppSecurity.Identity {
        try app.importIdentity(file(), passphrase: SecretBytes(utf8: Self.passphrase), as: name)
    }

    /// What an authority answers to a request.
    func answer(_ request: String, _ validity: LeafProfile.Validity = .current) throws -> [UInt8] {
        Array(
            ServerIdentity.text(of: try people.issue(profile(validity), forPublicKey: try Self.key(in: request))).utf8)
    }

    // The SubjectPublicKeyInfo of a P-256 key begins so (RFC 5480).
    static func key(in request: String) throws -> [UInt8] {
        let text = request.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let der = try #require(Base64.decode(text))
        let start = try #require(Hex.decode("3059301306072a8648ce3d020106082a8648ce3d030107034200"))
        let place = try #require(der.firstRange(of: start))
        return Array(der[place.lowerBound..<place.lowerBound + 91])
    }

    /// The server that demands certificates.
    var server: LabServer {
        get throws { try #require(world.authority.certificateServer) }
    }

    /// Connects to the server that demands certificates, whose authority is the other one.
    func connect(_ app: AppSecurity, identity: String?) async throws -> Account {
        let reviewed = try await app.review(server.address())
        var options = world.willing
        options.issuer = world.authority.issuer
        options.identity = identity
        return try await app.connect(reviewed, as: "work", clientID: "pavise-lab", options: options)
    }
}

@Suite struct `A client identity` {
    private struct Me: Decodable { let user: String }

    @Test func `opens a server that demands one, and is shown to nobody else`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            let identity = try stage.take(app)
            #expect(identity.subject?.contains("Anna") == true)
            #expect(!identity.isInElement && !identity.isRequested && !identity.isDue())
            let account = try await stage.connect(app, identity: "anna")
            let before = try stage.server.counters.requests
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(try stage.server.counters.requests == before + 1)
            #expect(try !stage.server.clientCertificates.isEmpty)
            let named = [try stage.server.address(), stage.world.authority.issuer]
            #expect(
                try Set(account.connection.descriptor.identityOrigins ?? []) == Set(named.map { try WebURL($0).origin })
            )
            // The next start opens the account with the same identity.
            let again = try stage.world.app()
            #expect(try await again.account("work").get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test(arguments: [LifecycleEvent.woke, .networkChanged(isUsable: true)])
    func `is shown on a new connection after a sleep or a change of networks`(_ event: LifecycleEvent) async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            _ = try stage.take(app)
            let account = try await stage.connect(app, identity: "anna")
            for _ in 0..<2 { #expect(try await account.get("/api/me", as: Me.self).user == "alice") }
            let before = try stage.server.counters.connections
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(try stage.server.counters.connections == before)
            app.report(event)
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(try stage.server.counters.connections == before + 1)
        }
    }

    @Test func `is what the server demands: without one nothing is told to it`() async throws {
        let stage = try IdentityWorld { $0.clientCertificateName = "anna.example" }
        try await stage.world.inHome {
            let app = try stage.world.app()
            await #expect(throws: PaviseError.self) { _ = try await stage.connect(app, identity: nil) }
            #expect(try app.accountNames() == [])
            #expect(try stage.server.counters.requests == 0)
            #expect(stage.world.calls == 0)
        }
    }

    @Test func `that is not there stops the sign-in before anything is sent`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            let server = try await app.review(stage.world.authority.issuer)
            var options = stage.world.willing
            options.identity = "anna"
            await #expect {
                _ = try await app.connect(server, as: "work", clientID: "pavise-lab", options: options)
            } throws: {
                ($0 as? PaviseError)?.code == .identityUnusable
            }
            #expect(stage.world.authority.server.requests.isEmpty)
            #expect(try app.accountNames() == [])
        }
    }

    @Test func `authenticates the client, at the addresses that are named for it (RFC 8705)`() async throws {
        let stage = try IdentityWorld {
            $0.clientCertificateName = "anna.example"
            $0.bindsTokensToCertificates = true
        }
        try await stage.world.inHome {
            let app = try stage.world.app()
            _ = try stage.take(app)
            let account = try await stage.connect(app, identity: "anna")
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            stage.world.authority.expireAccessTokens()
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(stage.world.authority.counters.refreshes == 1)
            #expect(await account.signOut().revocation == .done)
            let usual = stage.world.authority.server.requests.map(\.path)
            #expect(!usual.contains("/token") && !usual.contains("/revoke"))
            #expect(try stage.server.requests.count { $0.path == "/token" } == 2)
            #expect(try stage.server.requests.allSatisfy { !$0.clientCertificate.isEmpty })
        }
    }

    @Test func `binds tokens: who shows another certificate, or none, gets nothing for them (RFC 8705)`() async throws {
        let stage = try IdentityWorld { $0.bindsTokensToCertificates = true }
        try await stage.world.inHome {
            let app = try stage.world.app()
            _ = try stage.take(app)
            let account = try await stage.connect(app, identity: "anna")
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            let stolen = try #require(stage.world.authority.issuedTokens.last { $0.kind == .access }).value
            let url = try WebURL(stage.world.authority.address(.api) + "me")
            let thief = try HTTPClient(policy: TrustPolicy(anchors: .only([stage.world.trusted])))
            let answer = try await thief.send(
                HTTPRequest("GET", url),
                with: Authorization(scheme: "Bearer", credential: SecretBytes(utf8: stolen), origin: url.origin))
            #expect(answer.status == 401)
            let other = try stage.people.issue(stage.profile())
            _ = try app.importIdentity(
                other.pkcs12(passphrase: "other"), passphrase: SecretBytes(utf8: "other"), as: "anna")
            let renewed = try app.account("work")
            // Another certificate: the access token is refused, and so is the refresh token of this public client.
            await #expect(throws: PaviseError.self) { _ = try await renewed.get("/api/me", as: Me.self) }
        }
    }

    @Test func `is wiped with the app, and is not another app's`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            _ = try stage.take(app)
            #expect(try stage.world.app("org.example.other").identities().isEmpty)
            #expect(try stage.world.app().identities().map(\.name) == ["anna"])
            #expect(try Self.keys() == 1)
            try await app.wipe()
            #expect(try app.identities().isEmpty)
            #expect(try Self.keys() == 0)
        }
    }

    @Test func `removed is gone with its key, and so is what it replaced`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            _ = try stage.take(app)
            _ = try stage.take(app)
            // Connections that are open go on for a day with the key that was replaced.
            #expect(try Self.keys() == 2)
            let account = try await stage.connect(app, identity: "anna")
            try app.removeIdentity("anna")
            #expect(try Self.keys() == 1)
            #expect { try app.removeIdentity("anna") } throws: { ($0 as? PaviseError)?.code == .identityUnusable }
            #expect { try app.account("work") } throws: { ($0 as? PaviseError)?.code == .identityUnusable }
            _ = account
            #expect(try await app.remove("work").localFailures == [])
        }
    }

    // The keys of identities in this home, whoever they belong to.
    private static func keys() throws -> Int {
        let found = KeychainBridge.attributes(
            [
                kSecClass as String: kSecClassKey, kSecAttrKeyClass as String: kSecAttrKeyClassPrivate,
                kSecUseDataProtectionKeychain as String: true,
            ], of: "org.pavise.identity.")
        try #require(found.status == errSecSuccess)
        return found.items.count { item in
            let tag = (item[kSecAttrApplicationTag as String] as? Data).map { String(decoding: $0, as: UTF8.self) }
            return tag?.hasPrefix("org.pavise.identity.") == true
        }
    }
}

@Suite struct `A file with an identity` {
    @Test func `with another passphrase, or damaged, stores nothing`() async throws {
        let stage = try IdentityWorld()
        let file = try stage.file()
        try await stage.world.inHome {
            let app = try stage.world.app()
            let cases: [(file: [UInt8], passphrase: String)] = [
                (file, "wrong"), (file, ""), (Array(file.dropLast(9)), IdentityWorld.passphrase),
                ([], IdentityWorld.passphrase), ([0x30, 0x80], IdentityWorld.passphrase),
                (Array("no file".utf8), IdentityWorld.passphrase),
                (try stage.file(.expired), IdentityWorld.passphrase),
                (try stage.file(.notYetValid), IdentityWorld.passphrase),
            ]
            for (bytes, passphrase) in cases {
                #expect {
                    _ = try app.importIdentity(bytes, passphrase: SecretBytes(utf8: passphrase), as: "anna")
                } throws: {
                    ($0 as? PaviseError)?.code == .invalidInput
                }
            }
            #expect(try app.identities().isEmpty)
        }
    }

    @Test(arguments: ["", ".", "../x", "a/b", "-x", String(repeating: "x", count: 65)])
    func `has no other name than a connection may have`(_ name: String) throws {
        let stage = try IdentityWorld()
        try stage.world.inHomeNow {
            let app = try stage.world.app()
            #expect { _ = try stage.take(app, as: name) } throws: { ($0 as? PaviseError)?.code == .invalidInput }
            #expect { _ = try app.requestIdentity(name, subject: "Anna") } throws: {
                ($0 as? PaviseError)?.code == .invalidInput
            }
            #expect(try app.identities().isEmpty)
        }
    }
}

@Suite struct `A key in the element with a request for its certificate` {
    private struct Me: Decodable { let user: String }

    @Test func `becomes an identity with the authority's answer`() async throws {
        let stage = try IdentityWorld { $0.clientCertificateName = "anna.example" }
        try await stage.world.inHome {
            let app = try stage.world.app()
            let request = try app.requestIdentity("anna", subject: "Anna")
            #expect(try app.identities().map(\.isRequested) == [true])
            #expect(try app.identities().first?.subject == nil)
            let identity = try app.completeIdentity("anna", with: try stage.answer(request))
            #expect(identity.isInElement && !identity.isRequested)
            let account = try await stage.connect(app, identity: "anna")
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test func `is a request that OpenSSL verifies`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            let request = try app.requestIdentity("anna", subject: "Änne, Lovelace")
            let path = stage.world.folder.path + "/request.pem"
            try Data(request.utf8).write(to: URL(fileURLWithPath: path))
            let tool = Process()
            tool.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            tool.arguments = ["req", "-in", path, "-verify", "-noout", "-subject", "-nameopt", "utf8"]
            let output = Pipe()
            tool.standardOutput = output
            tool.standardError = output
            try tool.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            tool.waitUntilExit()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(tool.terminationStatus == 0)
            #expect(text.contains("verify OK") && text.contains("Änne, Lovelace"), "\(text)")
        }
    }

    @Test func `takes no certificate of another key, none that is not valid, and nothing that is none`() async throws {
        let stage = try IdentityWorld()
        try await stage.world.inHome {
            let app = try stage.world.app()
            #expect { _ = try app.completeIdentity("anna", with: [0x30]) } throws: {
                ($0 as? PaviseError)?.code == .invalidInput
            }
            let first = try app.requestIdentity("anna", subject: "Anna")
            let second = try app.requestIdentity("anna", subject: "Anna")
            let late = String(decoding: try stage.answer(second), as: UTF8.self)
            let wrong: [[UInt8]] = [
                try stage.answer(first), try stage.answer(second, .expired), try stage.answer(second, .notYetValid),
                [], Array("-----BEGIN CERTIFICATE-----\n".utf8), Array(late.replacing("END", with: "BEGIN").utf8),
                Array((late + late + late + late + late).utf8),
            ]
            for file in wrong {
                #expect { _ = try app.completeIdentity("anna", with: file) } throws: {
                    ($0 as? PaviseError)?.code == .invalidInput
                }
            }
            #expect(try app.identities().map(\.isRequested) == [true])
            #expect(try app.completeIdentity("anna", with: Array(late.utf8)).subject != nil)
        }
    }

    @Test(arguments: ["", "a\u{7}", String(repeating: "x", count: 65)])
    func `has a subject that a certificate can have`(_ subject: String) throws {
        let stage = try IdentityWorld()
        try stage.world.inHomeNow {
            let app = try stage.world.app()
            #expect { _ = try app.requestIdentity("anna", subject: subject) } throws: {
                ($0 as? PaviseError)?.code == .invalidInput
            }
        }
    }

    @Test func `is renewed when two thirds of its life are over, and not before`() async throws {
        let stage = try IdentityWorld { $0.clientCertificateName = "anna.example" }
        try await stage.world.inHome {
            let app = try stage.world.app()
            let request = try app.requestIdentity("anna", subject: "Anna")
            let young = LeafProfile.Validity.seconds(from: -600, to: 600)
            let first = try app.completeIdentity("anna", with: try stage.answer(request, young))
            #expect(!first.isDue())
            let same = try await app.renewIdentity("anna") { _ in
                Issue.record("asked too early")
                return []
            }
            #expect(same == first)

            let old = try app.requestIdentity("anna", subject: "Anna")
            _ = try app.completeIdentity("anna", with: try stage.answer(old, .seconds(from: -900, to: 300)))
            let account = try await stage.connect(app, identity: "anna")
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            // An authority that fails changes nothing.
            await #expect(throws: PaviseError.self) {
                _ = try await app.renewIdentity("anna") { _ in throw CancellationError() }
            }
            let renewed = try await app.renewIdentity("anna") { request in try stage.answer(request) }
            #expect(!renewed.isDue() && !renewed.isRequested)
            // What is open goes on with the old key, what opens now has the new one.
            #expect(try await account.get("/api/me", as: Me.self).user == "alice")
            #expect(try await app.account("work").get("/api/me", as: Me.self).user == "alice")
            #expect(try Set(stage.server.clientCertificates).count == 2)
        }
    }
}
