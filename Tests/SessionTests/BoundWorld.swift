import Pavise
import PaviseLab
import PavisePrimitives
import PaviseTransport
import PaviseVault
import TestSupport

@testable import PaviseSession

/// A connection to the lab's authority whose tokens can be bound to a key.
final class BoundWorld: Sendable {
    let authority: LabAuthority
    let key = SigningKeyInMemory(absent: ())
    let memory = MemoryStore()
    private let sealing = MemoryKey()
    private let folder: TemporaryFolder
    private let anchor: [UInt8]
    private let environment: SessionEnvironment

    init(
        _ environment: SessionEnvironment = .system, change: (inout AuthorityConfiguration) -> Void = { _ in }
    ) throws {
        let certificates = try CertificateAuthority()
        var configuration = AuthorityConfiguration()
        configuration.offersProof = true
        change(&configuration)
        authority = try LabAuthority.start(try certificates.issue(), configuration: configuration)
        anchor = certificates.anchor
        folder = try TemporaryFolder()
        self.environment = environment
    }

    deinit { authority.stop() }

    /// The connections as a process of its own would open them.
    func connections(_ policy: RefreshPolicy = RefreshPolicy()) -> Connections {
        connections(policy, home: PaviseHome(path: folder.path + "/home")) { [memory, sealing, key] _ in
            TokenVault(store: memory, key: sealing, bindingKey: key)
        }
    }

    /// The connections of another home, with other vaults.
    func connections(
        _ policy: RefreshPolicy = RefreshPolicy(), home: PaviseHome, _ makeVault: @escaping Connections.MakeVault
    ) -> Connections {
        let anchor = anchor
        return Connections(
            home: home, environment: environment, policy: policy,
            makeClient: { (trust) throws(TransportFailure) in
                var trust = trust
                trust.anchors = .only([anchor])
                return try HTTPClient(policy: trust)
            }, makeVault: makeVault)
    }

    /// The connection as another process would open it.
    func connection(_ policy: RefreshPolicy = RefreshPolicy()) throws -> Connection {
        try connections(policy).open("work")
    }

    func add(scopes: [String] = ["openid", "api"]) throws -> Connection {
        try connections().add(
            "work", origin: try WebURL(authority.issuer).origin, clientID: "pavise-lab", scopes: scopes)
    }

    /// A browser in which `alice` agrees; `change` sees the address first.
    func browser(_ change: @escaping @Sendable (String) async throws -> String = { $0 }) -> any Browser {
        AddressReader { [authority] (url) throws(BrowserFailure) in
            do {
                _ = try LabBrowser.open(try authority.approve(try await change(url.description)))
            } catch {
                throw BrowserFailure("\(error)")
            }
        }
    }

    /// A connection with a session.
    func signedIn(_ binding: DPoPPolicy = .automatic) async throws -> Connection {
        let connection = try add()
        try await connection.signIn(browser: browser(), binding: binding)
        return connection
    }

    func status(_ connection: Connection) async throws -> Int {
        try await connection.send(HTTPRequest("GET", connection.url("/api/files"))).status
    }

    func record(_ connection: Connection) async throws -> SessionRecord? {
        guard let store = await connection.session?.store, case .present(let record) = try store.load() else {
            return nil
        }
        return record
    }

    /// The newest token of a kind.
    func token(_ kind: IssuedToken.Kind) -> String { authority.issuedTokens.last { $0.kind == kind }?.value ?? "" }
}
