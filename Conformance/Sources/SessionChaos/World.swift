internal import Foundation
internal import Pavise
internal import PaviseLab
internal import PaviseSession
internal import PaviseTransport
internal import PaviseVault

#if canImport(Glibc)
internal import Glibc
#endif

/// A home of its own with a keychain, and an authority whose certificate this machine would not trust.
final class World {
    /// The folder of ``home`` and of the anchor.
    let folder: String
    let certificates: CertificateAuthority
    let authority: LabAuthority
    var home: String { folder + "/home" }

    init(_ configuration: AuthorityConfiguration = AuthorityConfiguration()) throws {
        let made = FileManager.default.temporaryDirectory.appendingPathComponent("pavise-session-\(UUID().uuidString)")
        folder = made.path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        certificates = try CertificateAuthority()
        authority = try LabAuthority.start(try certificates.issue(), configuration: configuration)
        try Data(certificates.anchor).write(to: URL(fileURLWithPath: folder + "/anchor.der"))
        // The keychain and all children find the home by its variable.
        setenv("PAVISE_HOME", home, 1)
    }

    /// The connections of the home, as a process of its own would open them.
    func connections(_ wiring: Wiring = Wiring()) throws -> Connections {
        try wiring.connections(anchor: certificates.anchor)
    }

    /// Makes the connection `name` where there is none, and signs its person in.
    ///
    /// - Parameter before: Sees the callback before the browser brings it.
    func signIn(
        _ name: String, before: @escaping @Sendable (String) throws -> Void = { _ in }
    ) async throws {
        let connections = try connections()
        let authority = authority
        let browser = AddressReader { (address) throws(BrowserFailure) in
            do {
                let callback = try authority.approve("\(address)")
                try before(callback)
                _ = try LabBrowser.open(callback)
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
        let isThere = try connections.list().contains { (try? $0.descriptor.get().name) == name }
        let connection =
            isThere
            ? try connections.open(name)
            : try connections.add(
                name, origin: try WebURL(authority.issuer).origin, clientID: "pavise-lab",
                scopes: ["openid", "offline_access", "api"])
        try await connection.signIn(browser: browser)
    }

    func close() {
        authority.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// How a process's sessions are put together: the platform's own parts, with hooks around the store and the client.
struct Wiring {
    var policy = RefreshPolicy()
    var environment = SessionEnvironment.system
    /// Called in front of and behind each call of the store and of the token endpoint.
    var hook: Hook?

    init() {
        // Here thousands of refreshes follow each other; a healthy app never needs more than five in half a minute.
        policy.refreshesPerWindow = .max
    }

    /// The connections of `PAVISE_HOME` with clients that trust `anchor`.
    func connections(anchor: [UInt8]) throws -> Connections {
        let hook = hook
        return Connections(
            home: .current, environment: environment, policy: policy,
            makeClient: { (trust) throws(TransportFailure) in
                var trust = trust
                trust.anchors = .only([anchor])
                let client = try HTTPClient(policy: trust)
                return hook.map { client.hooked($0) } ?? client
            },
            makeVault: { id in
                let key = EnclaveKey(tag: "org.pavise.key.\(id)")
                return TokenVault(store: hook.map { HookedStore(hook: $0) } ?? KeychainStore(), key: key)
            })
    }
}
