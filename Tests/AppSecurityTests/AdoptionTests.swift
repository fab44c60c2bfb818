import Foundation
import Pavise
import PaviseAppLock
import PaviseDevice
import PaviseLab
import PavisePrimitives
import PaviseSession
import PaviseTransport
import SecurityFramework
import TestSupport
import Testing

/// What another library left, as its own code would write it.
struct OldItem: Sendable, CustomTestStringConvertible {
    let library: String
    let session: ForeignSession
    let service: String
    let account: String
    let content: @Sendable (String) throws -> Data
    var testDescription: String { library }

    static let service = "org.example.diary"

    static let all: [OldItem] = [
        OldItem(
            library: "KeychainAccess", session: .token(service: service, key: "refresh"), service: service,
            account: "refresh"
        ) { Data($0.utf8) },
        OldItem(library: "Auth0", session: .auth0(service: service), service: service, account: "credentials") {
            try NSKeyedArchiver.archivedData(
                withRootObject: OldState(["refreshToken": $0]), requiringSecureCoding: false)
        },
        OldItem(
            library: "AppAuth", session: .appAuth(service: service, account: "state"), service: service,
            account: "state"
        ) {
            try NSKeyedArchiver.archivedData(
                withRootObject: OldState(["scope": "openid", "refreshToken": $0]), requiringSecureCoding: false)
        },
        OldItem(library: "GTMAppAuth", session: .gtmAppAuth(itemName: "auth"), service: "auth", account: "OAuth") {
            let state = OldState(["scope": "openid", "refreshToken": $0])
            return try NSKeyedArchiver.archivedData(
                withRootObject: OldState(["userID": "1"], state), requiringSecureCoding: false)
        },
        OldItem(
            library: "Okta 1", session: .okta(), service: "com.okta.authfoundation.keychain.storage", account: "a1"
        ) { Data(#"{"id":"a1","accessToken":"a","expiresIn":300,"refreshToken":"\#($0)","context":{}}"#.utf8) },
        OldItem(
            library: "Okta 2", session: .okta(id: "a2"), service: "com.okta.authfoundation.keychain.storage",
            account: "a2"
        ) {
            Data(#"{"id":"a2","context":{},"rawValue":"{\"access_token\":\"a\",\"refresh_token\":\"\#($0)\"}"}"#.utf8)
        },
        OldItem(
            library: "MSAL", session: .msal(clientID: "Pavise-Lab"), service: "refreshtoken-pavise-lab--",
            account: "1.2-login.example.org"
        ) { Data(#"{"credential_type":"RefreshToken","secret":"\#($0)","client_id":"pavise-lab"}"#.utf8) },
        OldItem(
            library: "Amplify", session: .amplify(userPool: "eu_1", identityPool: "eu:2"),
            service: "com.amplify.awsCognitoAuthPlugin", account: "amplify.eu_1.eu:2.session"
        ) {
            let tokens = #"{"idToken":"i","accessToken":"a","refreshToken":"\#($0)","expiration":1}"#
            return Data(
                #"{"userPoolAndIdentityPool":{"signedInData":{"cognitoUserPoolTokens":\#(tokens)},"identityID":"x"}}"#
                    .utf8)
        },
    ]

    func put(_ token: String) throws {
        let status = KeychainBridge.add([
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecValueData as String: try content(token),
        ])
        #expect(status == errSecSuccess)
    }

    var isThere: Bool {
        KeychainBridge.data([
            kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: service,
            kSecAttrAccount as String: account, kSecReturnData as String: true,
        ]).status == errSecSuccess
    }
}

/// An object of another library in an archive.
final class OldState: NSObject, NSSecureCoding {
    static let supportsSecureCoding = true
    private let texts: [String: String]
    private let state: OldState?

    init(_ texts: [String: String], _ state: OldState? = nil) {
        self.texts = texts
        self.state = state
    }

    init?(coder: NSCoder) { nil }

    func encode(with coder: NSCoder) {
        for (name, text) in texts { coder.encode(text as NSString, forKey: name) }
        if let state { coder.encode(state, forKey: "authState") }
    }
}

/// A process that adopts and is killed at a step.
struct AdoptingChild: Codable, Sendable {
    let home: String
    let issuer: String
    let anchor: [UInt8]
    let step: AdoptionStep

    func run() async throws {
        let world = SecurityWorld.Place(home: home, anchor: anchor)
        try await world.inHome {
            let app = try world.app()
            let server = try await app.review(issuer)
            try await AdoptionStep.$observer.withValue({ reached in
                guard reached == step else { return }
                ChildProcess.killAtOnce(getpid())
                pause()
            }) {
                _ = try await app.adopt(OldItem.all[0].session, at: server, as: "work", clientID: "pavise-lab")
            }
        }
    }
}

@Suite struct `Sessions of other libraries` {
    private struct Me: Decodable, Sendable { let user: String }

    // A session that somebody else's code got: only its refresh token is known outside.
    private func refreshToken(_ world: SecurityWorld) async throws -> String {
        let old = try world.app("org.example.old")
        let account = try await world.signedIn(old, as: "old")
        let session = try #require(account.connection.session)
        guard case .present(let record) = try await session.store.load() else { throw LabFailure.request("no record") }
        return try #require(record.refresh).withBytes { span in
            String(decoding: Array(span), as: UTF8.self)
        }
    }

    @Test(.long, arguments: OldItem.all)
    func `FD9: each is sealed and proved by one refresh, and then its item goes`(_ item: OldItem) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            try item.put(try await refreshToken(world))
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let before = world.refreshes
            let report = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(report.outcome == .adopted)
            #expect(report.isOldItemRemoved && !item.isThere)
            #expect(world.refreshes == before + 1)
            #expect(try await report.account?.get("/api/me", as: Me.self).user == "alice")
            let again = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(again.outcome == .nothingFound)
        }
    }

    @Test(.long, arguments: AdoptionStep.allCases)
    func `FD9: a kill at any step loses no session`(_ step: AdoptionStep) async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put(try await refreshToken(world))
            let child = AdoptingChild(
                home: world.home, issuer: world.authority.issuer, anchor: world.trusted, step: step)
            await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as AdoptingChild] in
                try await child.run()
            }
            #expect(item.isThere == (step != .removed))
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let report = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(report.outcome == (step == .removed ? .nothingFound : .adopted))
            #expect(!item.isThere)
            #expect(try await app.account("work").get("/api/me", as: Me.self).user == "alice")
        }
    }

    @Test func `FD9: without a proof the old item stays, and the session waits sealed`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put(try await refreshToken(world))
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            world.authority.fail(.token, with: .status(503), times: 1)
            let report = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(report.outcome == .waiting(.server))
            #expect(item.isThere && !report.isOldItemRemoved)
            await report.account?.connection.session?.wakeUp()
            let second = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(second.outcome == .adopted)
            #expect(!item.isThere)
        }
    }

    @Test func `FD9: an item that was written meanwhile stays`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put(try await refreshToken(world))
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let report = try await AdoptionStep.$observer.withValue({ step in
                guard step == .proved else { return }
                _ = KeychainBridge.update(
                    [
                        kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: item.service,
                        kSecAttrAccount as String: item.account,
                    ], [kSecValueData as String: Data("newer".utf8)])
            }) {
                try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            }
            #expect(report.outcome == .adopted)
            #expect(item.isThere && !report.isOldItemRemoved)
        }
    }

    @Test func `FD9: an account of another server or authority proves nothing, and the old item stays`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put("of-another-server")
            let app = try world.app()
            let account = try await world.signedIn(app)
            let port = try WebURL(world.authority.issuer).origin.port
            let own = try await app.review(world.authority.issuer)
            let other = try await app.review("https://localhost:\(port)")
            var elsewhere = SignInOptions()
            elsewhere.issuer = "https://id.example.org"
            for (server, options) in [(other, SignInOptions()), (own, elsewhere)] {
                await #expect {
                    _ = try await app.adopt(
                        item.session, at: server, as: "work", clientID: "pavise-lab", options: options)
                } throws: {
                    ($0 as? PaviseError)?.code == .nameTaken
                }
                #expect(item.isThere)
            }
            #expect(world.refreshes == 0)
            #expect(await account.state == .signedIn)
        }
    }

    @Test func `D4: where tokens have to be bound to a key, none of another library is taken`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put("token")
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            var options = SignInOptions()
            options.binding = .always
            await #expect {
                _ = try await app.adopt(
                    item.session, at: server, as: "work", clientID: "pavise-lab", options: options)
            } throws: {
                ($0 as? PaviseError)?.underlying as? SignInFailure == .withoutBinding
            }
            #expect(item.isThere && world.refreshes == 0)
            #expect(try app.accountNames().isEmpty)
        }
    }

    @Test func `FD9: one that is over at the server says so, and one of several is named`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put("spent-long-ago")
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            let report = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(report.outcome == .ended(.invalidGrant))
            #expect(item.isThere)
            for item in OldItem.all where item.library.hasPrefix("Okta") { try item.put("x") }
            let several = try await app.adopt(.okta(), at: server, as: "other", clientID: "pavise-lab")
            #expect(several.outcome == .several(["a1", "a2"]))
            #expect(try app.accountNames() == ["work"])
        }
    }

    @Test func `FD9: a token that the server has called over is not tried at each start, and a newer one is`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            let token = try await refreshToken(world)
            try item.put("spent-long-ago")
            let server = try await world.app().review(world.authority.issuer)
            let first = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(first.outcome == .ended(.invalidGrant))
            let asked = world.authority.counters.refreshRequests
            let next = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(next.outcome == .ended(.invalidGrant) && item.isThere)
            #expect(world.authority.counters.refreshRequests == asked)
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: item.service,
                kSecAttrAccount as String: item.account,
            ]
            let status = KeychainBridge.update(query, [kSecValueData as String: try item.content(token)])
            #expect(status == errSecSuccess)
            let last = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(last.outcome == .adopted && !item.isThere)
        }
    }

    @Test func `FD9: the end of a session that was sealed before is no word on a newer token in the old item`()
        async throws
    {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            let token = try await refreshToken(world)
            try item.put("spent-long-ago")
            let server = try await world.app().review(world.authority.issuer)
            world.authority.fail(.token, with: .status(503), times: 1)
            let first = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(first.outcome == .waiting(.server))
            await first.account?.connection.session?.wakeUp()
            // An older version of the app ran meanwhile.
            let query: [String: Any] = [
                kSecClass as String: kSecClassGenericPassword, kSecAttrService as String: item.service,
                kSecAttrAccount as String: item.account,
            ]
            let status = KeychainBridge.update(query, [kSecValueData as String: try item.content(token)])
            #expect(status == errSecSuccess)
            let next = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            guard case .ended = next.outcome else {
                Issue.record("\(next.outcome)")
                return
            }
            let last = try await world.app().adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            #expect(last.outcome == .adopted && !item.isThere)
        }
    }

    @Test func `FD16: nothing is adopted while the app is locked`() async throws {
        let world = try SecurityWorld()
        try await world.inHome {
            let item = OldItem.all[0]
            try item.put("token")
            let app = try world.app()
            let server = try await app.review(world.authority.issuer)
            try await app.lock.setPIN(SecurityWorld.pin)
            app.lock.lockNow()
            await #expect {
                _ = try await app.adopt(item.session, at: server, as: "work", clientID: "pavise-lab")
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
            #expect(item.isThere)
            // Not even whether there is one is told.
            let none = ForeignSession.auth0(service: "org.example.none")
            await #expect {
                _ = try await app.adopt(none, at: server, as: "work", clientID: "pavise-lab")
            } throws: {
                ($0 as? PaviseError)?.code == .appLocked
            }
        }
    }

    @Test(arguments: [
        "", "\u{7}", "{\"secret\":1}", "{\"refreshToken\":\"a\nb\"}", "{\"rawValue\":\"{\"}",
        String(repeating: "[", count: 100_000), "bplist00", String(repeating: "é", count: 10),
        String(repeating: "x", count: 65_537),
    ])
    func `bytes that are none of the shapes hold no token`(_ text: String) {
        // A text of printable characters is a token of the first shape, whatever else it looks like.
        let isPlain = (1...65_536).contains(text.utf8.count) && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
        #expect(ForeignSession.refreshTokens(in: Array(text.utf8)) == (isPlain ? [text] : []))
    }

    @Test func `an archive that names itself ends`() throws {
        let archive = try NSKeyedArchiver.archivedData(
            withRootObject: OldState(["refreshToken": "r"]), requiringSecureCoding: false)
        #expect(try KeyedArchive([UInt8](archive)).text("refreshToken") == "r")
        for index in archive.indices {
            var changed = [UInt8](archive)
            changed[index] ^= 0x01
            _ = ForeignSession.refreshTokens(in: changed)
            _ = ForeignSession.refreshTokens(in: Array(changed.prefix(index)))
        }
        let xml = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>$archiver</key><string>NSKeyedArchiver</string>
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><integer>0</integer></dict></dict>
            <key>$objects</key><array><dict><key>authState</key><dict><key>CF$UID</key><integer>0</integer></dict>
            <key>refreshToken</key><dict><key>CF$UID</key><integer>7</integer></dict></dict></array></dict></plist>
            """
        #expect(ForeignSession.refreshTokens(in: Array(xml.utf8)).isEmpty)
    }
}
