internal import PavisePrimitives
public import PaviseSession
public import PaviseStorage
public import PaviseTransport
public import PaviseVault

/// All connections of this user on this device.
///
/// ```swift
/// let connections = Connections()
/// let origin = try WebURL("https://cloud.example.org").origin
/// let connection = try connections.add("work", origin: origin, clientID: "my-app")
/// try await connection.signIn()
/// ```
public struct Connections: Sendable {
    /// Makes the client for a trust policy. A test gives its own.
    public typealias MakeClient = @Sendable (TrustPolicy) throws(TransportFailure) -> any HTTPClient
    /// Makes the vault of a connection. A test gives its own.
    public typealias MakeVault = @Sendable (ConnectionID) -> TokenVault

    let folder: ConnectionsFolder
    let environment: SessionEnvironment
    let policy: RefreshPolicy
    let makeClient: MakeClient
    let makeVault: MakeVault

    /// The connections under `PAVISE_HOME`.
    ///
    /// - Parameters:
    ///   - environment: Clocks, waiting and chance.
    ///   - policy: The figures of the sessions.
    ///   - makeClient: The client; by default the platform's own under the connection's trust policy.
    ///   - makeVault: The vault; by default the keychain, sealed with an enclave key for each connection.
    public init(
        environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy(),
        makeClient: @escaping MakeClient = Connections.platformClient,
        makeVault: @escaping MakeVault = Connections.platformVault
    ) {
        self.init(
            home: .current, environment: environment, policy: policy, makeClient: makeClient, makeVault: makeVault)
    }

    /// The same with a home of the caller's choice.
    package init(
        home: PaviseHome, environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy(),
        makeClient: @escaping MakeClient = Connections.platformClient,
        makeVault: @escaping MakeVault = Connections.platformVault
    ) {
        folder = ConnectionsFolder(home: home)
        self.environment = environment
        self.policy = policy
        self.makeClient = makeClient
        self.makeVault = makeVault
    }

    /// One row of the list: a connection, or what is wrong with its description.
    public struct Row: Sendable {
        /// The machine's name for it.
        public let id: ConnectionID
        /// The description, or the damage.
        public let descriptor: Result<ConnectionDescriptor, DescriptorDamage>
    }

    /// All connections by name, damaged ones included.
    public func list() throws(ConnectionsFailure) -> [Row] {
        try folder.list().map { Row(id: $0.id, descriptor: $0.content) }
    }

    /// The connection called `name`, ready to use. Nothing is sent and no secret is read.
    public func open(_ name: String) throws(ConnectionFailure) -> Connection {
        let descriptor: ConnectionDescriptor
        do throws(ConnectionsFailure) { descriptor = try folder.find(name) } catch { throw .connections(error) }
        return try connection(descriptor)
    }

    /// Makes a connection; nobody is signed in yet. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 letters, digits and `-._`, not taken.
    ///   - origin: The only origin that will get the credential.
    ///   - issuer: The authority; by default the origin itself.
    public func add(
        _ name: String, origin: Origin, method: ConnectionDescriptor.Method = .oauth, issuer: String? = nil,
        clientID: String = "pavise", scopes: [String] = ["openid"], redirectPort: UInt16 = 0,
        approvals: [CertificateApproval] = [], pins: [Pin] = []
    ) throws(ConnectionFailure) -> Connection {
        let descriptor: ConnectionDescriptor
        do throws(ConnectionsFailure) {
            descriptor = ConnectionDescriptor(
                id: try Self.freshID(), name: name, origin: origin, method: method, issuer: issuer,
                clientID: method == .oauth ? clientID : nil, scopes: scopes, redirectPort: redirectPort,
                approvals: approvals, pins: pins, created: environment.time.wallSeconds)
            try folder.add(descriptor)
        } catch {
            throw .connections(error)
        }
        return try connection(descriptor)
    }

    /// Writes a changed description: other approvals, pins or scopes.
    public func save(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) { try folder.save(descriptor) }

    private static func freshID() throws(ConnectionsFailure) -> ConnectionID {
        do throws(EntropyFailure) { return try .random() } catch { throw .entropy(error) }
    }

    func connection(_ descriptor: ConnectionDescriptor) throws(ConnectionFailure) -> Connection {
        let client: any HTTPClient
        do throws(TransportFailure) { client = try makeClient(descriptor.trustPolicy) } catch {
            throw .transport(error)
        }
        let vault = makeVault(descriptor.id)
        switch descriptor.method {
        case .oauth:
            let store = sessionStore(descriptor.id, vault)
            let session = Session(store: store, client: client, environment: environment, policy: policy)
            return Connection(
                descriptor: descriptor, client: client, access: session, store: store, basic: nil,
                environment: environment, policy: policy)
        case .basic:
            let basic = BasicAccess(
                vault: vault, name: .password(of: descriptor.id), origin: descriptor.origin,
                client: client)
            return Connection(
                descriptor: descriptor, client: client, access: basic, store: nil, basic: basic,
                environment: environment, policy: policy)
        }
    }

    func sessionStore(_ id: ConnectionID, _ vault: TokenVault) -> SessionStore {
        SessionStore(vault: vault, name: .session(of: id), folder: folder.folder(of: id))
    }
}
