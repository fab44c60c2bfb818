import PaviseManaged
import PaviseTransport
import Testing

/// The sections about signing in, sessions and the app lock.
@Suite struct ManagedSectionTests {
    // A public key of Ed25519.
    private static let key = #"{"kty":"OKP","crv":"Ed25519","kid":"one","x":"\#(point)"}"#
    private static let point = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"

    private func read(_ text: String) throws(ManagedConfiguration.Failure) -> ManagedConfiguration {
        try ManagedConfiguration(json: Array(text.utf8))
    }

    @Test func `all that they can say is read`() throws {
        let read = try read(
            """
            { "authentication": { "allowed": ["oidc", "my-own"], "preferred": ["my-own"], "weaker": "refused",
                                  "passwordServers": ["files.example.org", "*.example.org:8443"] },
              "session": { "maximumSeconds": 86400, "inactivitySeconds": 28800, "rejections": 3 },
              "appLock": { "required": true, "minimumDigits": 6, "attempts": 5, "atLimit": "wipe", "idleSeconds": 3600,
                           "backgroundSeconds": 0, "activeSeconds": 43200, "biometrics": "forbidden",
                           "passphrase": "required", "minimumCharacters": 15,
                           "freeAttempts": 1, "delaySeconds": 60 } }
            """)
        #expect(read.unknownKeys.isEmpty)
        #expect(read.methods.allowed == ["oidc", "my-own"] && read.methods.preferred == ["my-own"])
        #expect(!read.methods.mayWeaken)
        #expect(read.methods.allowsPassword(at: Origin(scheme: .https, host: "a.example.org", port: 8443)))
        #expect(!read.methods.allowsPassword(at: Origin(scheme: .https, host: "a.example.org", port: 443)))
        #expect(read.session == ManagedSession(maximumSeconds: 86_400, inactivitySeconds: 28_800, rejections: 3))
        #expect(
            read.appLock
                == ManagedAppLock(
                    isRequired: true, minimumDigits: 6, requiresPassphrase: true, minimumCharacters: 15, attempts: 5,
                    freeAttempts: 1, delaySeconds: 60, atLimit: .wipe, idleSeconds: 3600,
                    backgroundSeconds: 0, activeSeconds: 43_200, allowsBiometrics: false))
    }

    @Test func `who may order something, and with which keys`() throws {
        let read = try read(
            #"{ "appLock": { "orders": { "issuer": "https://m.example.org", "keys": [\#(Self.key)], "key": 1 } } }"#)
        #expect(read.appLock.orders?.issuer == "https://m.example.org")
        #expect(read.appLock.orders?.keys == [Self.key])
        #expect(read.unknownKeys.map(\.path) == ["appLock.orders.key"])
        #expect(read.unknownKeys.first?.nearest == "keys")
    }

    @Test func `nothing said is nothing asked for`() throws {
        let read = try read("{}")
        #expect(read.methods == ManagedMethods() && read.session == ManagedSession())
        #expect(read.appLock == ManagedAppLock())
    }

    @Test(arguments: [
        (#"{"authentication": []}"#, "authentication"),
        (#"{"authentication": {"allowed": "oidc"}}"#, "authentication.allowed"),
        (#"{"authentication": {"allowed": ["OIDC"]}}"#, "authentication.allowed[0]"),
        (#"{"authentication": {"allowed": [1]}}"#, "authentication.allowed[0]"),
        (#"{"authentication": {"weaker": false}}"#, "authentication.weaker"),
        (#"{"authentication": {"passwordServers": ["https://a"]}}"#, "authentication.passwordServers[0]"),
        (#"{"session": {"maximumSeconds": "86400"}}"#, "session.maximumSeconds"),
        (#"{"session": {"maximumSeconds": 0}}"#, "session.maximumSeconds"),
        (#"{"session": {"maximumSeconds": true}}"#, "session.maximumSeconds"),
        (#"{"session": {"inactivitySeconds": 1.5}}"#, "session.inactivitySeconds"),
        (#"{"session": {"rejections": 0}}"#, "session.rejections"), (#"{"session": null}"#, "session"),
        (#"{"appLock": {"required": 1}}"#, "appLock.required"),
        (#"{"appLock": {"minimumDigits": 3}}"#, "appLock.minimumDigits"),
        (#"{"appLock": {"minimumDigits": 17}}"#, "appLock.minimumDigits"),
        (#"{"appLock": {"attempts": 100}}"#, "appLock.attempts"),
        (#"{"appLock": {"freeAttempts": 4}}"#, "appLock.freeAttempts"),
        (#"{"appLock": {"delaySeconds": 0}}"#, "appLock.delaySeconds"),
        (#"{"appLock": {"delaySeconds": [60]}}"#, "appLock.delaySeconds"),
        (#"{"appLock": {"atLimit": "Wipe"}}"#, "appLock.atLimit"),
        (#"{"appLock": {"idleSeconds": 59}}"#, "appLock.idleSeconds"),
        (#"{"appLock": {"backgroundSeconds": 301}}"#, "appLock.backgroundSeconds"),
        (#"{"appLock": {"activeSeconds": 86401}}"#, "appLock.activeSeconds"),
        (#"{"appLock": {"biometrics": true}}"#, "appLock.biometrics"),
        (#"{"appLock": {"passphrase": true}}"#, "appLock.passphrase"),
        (#"{"appLock": {"minimumCharacters": 7}}"#, "appLock.minimumCharacters"),
        (#"{"appLock": {"minimumCharacters": 65}}"#, "appLock.minimumCharacters"),
        (#"{"appLock": {"orders": []}}"#, "appLock.orders"),
        (#"{"appLock": {"orders": {"keys": [\#(Self.key)]}}}"#, "appLock.orders.issuer"),
        (#"{"appLock": {"orders": {"issuer": ""}}}"#, "appLock.orders.issuer"),
        (#"{"appLock": {"orders": {"issuer": "a"}}}"#, "appLock.orders.keys"),
        (#"{"appLock": {"orders": {"issuer": "a", "keys": []}}}"#, "appLock.orders.keys"),
        (#"{"appLock": {"orders": {"issuer": "a", "keys": [\#(Self.key), \#(Self.key)]}}}"#, "appLock.orders.keys"),
        (#"{"appLock": {"orders": {"issuer": "a", "keys": ["x"]}}}"#, "appLock.orders.keys[0]"),
        (
            #"{"appLock": {"orders": {"issuer": "a", "keys": [\#(Self.key.replacing("one", with: ""))]}}}"#,
            "appLock.orders.keys[0]"
        ),
        (
            #"{"appLock": {"orders": {"issuer": "a", "keys": ["#
                + Self.key.replacing("\"x\"", with: "\"d\":\"AA\",\"x\"") + "]}}}",
            "appLock.orders.keys[0]"
        ),
        (
            #"{"appLock": {"orders": {"issuer": "a", "keys": [{"kty":"oct","kid":"s","alg":"HS256","k":""#
                + String(repeating: "A", count: 43) + "\"}]}}}",
            "appLock.orders.keys[0]"
        ),
    ])
    func `a value that cannot be used refuses the file and names the place`(_ text: String, _ place: String) {
        do throws(ManagedConfiguration.Failure) {
            _ = try read(text)
            Issue.record("used")
        } catch {
            guard case .unusable(let problems) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(problems.contains { $0.description.hasPrefix(place + ":") }, "\(problems)")
        }
    }

    @Test(arguments: [
        (#"{"authentication": {"prefered": []}}"#, "authentication.prefered", "preferred"),
        (#"{"session": {"maximumSecond": 60}}"#, "session.maximumSecond", "maximumSeconds"),
        (#"{"appLock": {"require": true}}"#, "appLock.require", "required"),
        (#"{"applock": {}}"#, "applock", "appLock"),
    ])
    func `a key with a slip is reported with the nearest`(_ text: String, _ path: String, _ nearest: String) throws {
        let found = try read(text).unknownKeys
        #expect(found.map(\.path) == [path] && found.first?.nearest == nearest)
    }
}
