public import PaviseAppLock
public import PaviseManaged
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
    public typealias MakeClient = @Sendable (TrustPolicy) throws(TransportFailure) -> HTTPClient
    /// Makes the vault of a connection, each with a key of its own: the key is destroyed with the connection. A test
    /// gives its own.
    ///
    /// `ConnectionID.revocations` asks for the vault of the revocations that wait; its key goes when nothing waits any
    /// more.
    public typealias MakeVault = @Sendable (ConnectionID) -> TokenVault

    let folder: ConnectionsFolder
    /// Where everything lies.
    let home: PaviseHome
    private(set) var environment: SessionEnvironment
    /// What is open now, for all copies of this value.
    let opened = OpenConnections()
    /// Notices rules that changed since the program ran last.
    let inForce = RulesInForce()
    let policy: RefreshPolicy
    package let makeClient: MakeClient
    let makeVault: MakeVault
    let notice: @Sendable (ServerNotice) -> Void
    /// Whose client identities are shown: an app's identifier, or the program.
    package var identityOwner = "pavise"
    /// What an app demands of its servers' keys, beside the pins of each connection.
    package var appPins: @Sendable () throws(VaultFailure) -> [PinSet] = { () throws(VaultFailure) in [] }
    /// The certificate logs that an app knows, and the servers that have to show their word.
    package var appTransparency: TransparencyPolicy?
    /// What the app's Info.plist demands of its servers' keys, where no system holds them to it.
    package var appPinnedDomains: PinnedDomains?
    /// What else goes on when the app comes to the front, or a network comes.
    var wokeUp: @Sendable () async -> Void = {}
    /// Whether sessions may be used while the lock is closed.
    var lockedWork = LockedWork()
    /// The app lock that the connections are under.
    let lock: AppLock?
    /// The ways to sign in.
    public let methods: Methods
    /// The administrator's rules. They are read whenever a connection is opened.
    public let managed: ManagedFile

    /// The connections under `PAVISE_HOME`.
    ///
    /// - Parameters:
    ///   - environment: Clocks, waiting and chance.
    ///   - policy: The figures of the sessions.
    ///   - managed: Where an administrator's rules lie; by default those of this machine.
    ///   - methods: The ways to sign in; passwords are none of them unless they are named.
    ///   - makeClient: The client; by default the platform's own under the connection's trust policy.
    ///   - makeVault: The vault; by default the keychain, sealed with an enclave key for each connection.
    ///   - notice: Called for what happened to a server and is worth a line, on any thread.
    public init(
        environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy(),
        managed: ManagedFile = .current, methods: Methods = .standard,
        makeClient: @escaping MakeClient = Connections.platformClient,
        makeVault: @escaping MakeVault = Connections.platformVault,
        notice: @escaping @Sendable (ServerNotice) -> Void = { _ in }
    ) {
        self.init(
            home: .current, environment: environment, policy: policy, managed: managed, methods: methods,
            makeClient: makeClient, makeVault: makeVault, notice: notice)
    }

    /// The connections under `PAVISE_HOME`, and under an app lock: while it is closed no token and no password is read,
    /// lent or kept in memory, and every request throws `SessionFailure.locked`; after an unlock the next one goes
    /// through.
    ///
    /// Set and remove the PIN with ``setCode(_:as:)`` and ``removeCode(_:)``, which seal what the connections keep
    /// anew.
    ///
    /// ```swift
    /// let lock = AppLock { _ in try wipeEverything() }
    /// let connections = Connections(lock: lock)
    /// ```
    ///
    /// - Parameters:
    ///   - lock: The app's lock. Its final handler wipes what the connections keep.
    ///   - environment: Clocks, waiting and chance.
    ///   - policy: The figures of the sessions.
    ///   - managed: Where an administrator's rules lie; by default those of this machine.
    ///   - methods: The ways to sign in; passwords are none of them unless they are named.
    ///   - makeClient: The client; by default the platform's own under the connection's trust policy.
    ///   - notice: Called for what happened to a server and is worth a line, on any thread.
    public init(
        lock: AppLock, environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy(),
        managed: ManagedFile = .current, methods: Methods = .standard,
        makeClient: @escaping MakeClient = Connections.platformClient,
        notice: @escaping @Sendable (ServerNotice) -> Void = { _ in }
    ) {
        self.init(
            home: .current, environment: environment, policy: policy, managed: managed, methods: methods, lock: lock,
            makeClient: makeClient, makeVault: Connections.platformVault(under: lock), notice: notice)
    }

    /// The same with a home of the caller's choice, and without an administrator unless one is named.
    ///
    /// - Parameter lock: Closes the sessions; `makeVault` has to give vaults under it.
    package init(
        home: PaviseHome, environment: SessionEnvironment = .system, policy: RefreshPolicy = RefreshPolicy(),
        managed: ManagedFile = .none, methods: Methods = .standard, lock: AppLock? = nil,
        makeClient: @escaping MakeClient = Connections.platformClient,
        makeVault: @escaping MakeVault = Connections.platformVault,
        notice: @escaping @Sendable (ServerNotice) -> Void = { _ in }
    ) {
        folder = ConnectionsFolder(home: home, vault: makeVault)
        self.home = home
        self.lock = lock
        self.environment = environment
        self.environment.gate = lock
        self.policy = policy
        self.makeClient = makeClient
        self.makeVault = makeVault
        self.managed = managed
        self.methods = methods
        self.notice = notice
    }

    /// One row of the list: a connection, or why it is not used.
    public struct Row: Sendable {
        /// The machine's name for it.
        public let id: ConnectionID
        /// The authentic description, or why there is none.
        public let descriptor: Result<ConnectionDescriptor, ConnectionProblem>
        /// What lies in the folder where it is not used: for a person to recognise it. Anybody may have written it.
        public let unproven: ConnectionDescriptor?

        /// Whether another program made it: it can be neither used nor removed here.
        public var isAnotherProgram: Bool {
            guard case .failure(.otherProgram) = descriptor else { return false }
            return true
        }
    }

    /// All connections by name: damaged ones, and those of other programs, too. Nothing is changed.
    public func list() throws(ConnectionsFailure) -> [Row] {
        try folder.list().map { Row(id: $0.id, descriptor: $0.content, unproven: $0.unproven) }
    }

    /// The identifiers of all connections, without reading what they are.
    package func identifiers() throws(ConnectionsFailure) -> [ConnectionID] { try folder.known() }

    /// Whether this program made the connection, for certain: only such a one is removed.
    package func isOwn(_ id: ConnectionID) -> Bool { folder.ownership(of: id) == .own }

    /// The connection called `name`, ready to use. Nothing is sent; the keychain is asked for what authenticates its
    /// description.
    ///
    /// - Throws: ``ConnectionFailure/connections(_:)`` with `damaged` for a description that Pavise did not write,
    ///   `otherProgram` for another program's, `keychain` where the keychain does not say.
    public func open(_ name: String) throws(ConnectionFailure) -> Connection {
        let found: (descriptor: ConnectionDescriptor, key: ConnectionKey)
        do throws(ConnectionsFailure) { found = try folder.find(name) } catch { throw .connections(error) }
        return try connection(found.descriptor, key: found.key)
    }

    /// The connection called `name` for work while the app lock is closed, with a session of its own; `nil` where
    /// nobody permits that.
    func openWhileLocked(_ name: String) throws(ConnectionFailure) -> Connection? {
        guard lockedWork.isOpen else { return nil }
        let found: (descriptor: ConnectionDescriptor, key: ConnectionKey)
        do throws(ConnectionsFailure) { found = try folder.find(name) } catch { throw .connections(error) }
        return try connection(found.descriptor, key: found.key, behind: lockedWork)
    }

    /// Refuses another connection that was made under the name of `own` after that was removed.
    func check(_ found: ConnectionDescriptor, is own: ConnectionDescriptor) throws(ConnectionFailure) {
        guard found.id != own.id else { return }
        throw .connections(.unknownName(own.name, known: []))
    }

    /// Makes a connection; nobody is signed in yet. It is durable when this returns.
    ///
    /// - Parameters:
    ///   - name: 1 to 64 ASCII letters, digits and `-._`, no dot or hyphen in front; not taken.
    ///   - origin: The only origin that will get the credential.
    ///   - method: How somebody signs in.
    ///   - issuer: The authority; by default the origin itself.
    ///   - clientID: The client identifier that the authority knows; not used with `basic`.
    ///   - scopes: What is asked for at the authority.
    ///   - redirectPort: The port on 127.0.0.1 where the browser comes back; 0 takes a free one.
    ///   - approvals: Certificates that a person approved for these servers.
    ///   - pins: Keys, one of which the origin's chain must have.
    public func add(
        _ name: String, origin: Origin, method: ConnectionDescriptor.Method = .oauth, issuer: String? = nil,
        clientID: String = "pavise", scopes: [String] = ["openid"], redirectPort: UInt16 = 0,
        approvals: [CertificateApproval] = [], pins: [Pin] = []
    ) throws(ConnectionFailure) -> Connection {
        let id: ConnectionID
        do throws(EntropyFailure) { id = try .random() } catch { throw .connections(.entropy(error)) }
        return try add(
            ConnectionDescriptor(
                id: id, name: name, origin: origin, method: method, issuer: issuer,
                clientID: method == .basic ? nil : clientID, scopes: scopes, redirectPort: redirectPort,
                approvals: approvals, pins: pins, created: environment.time.wallSeconds))
    }

    /// The same from a description, with what is known of its servers already, in the form of ``ServerTrustRecord``.
    package func add(
        _ descriptor: ConnectionDescriptor, servers: [UInt8]? = nil
    ) throws(ConnectionFailure) -> Connection {
        try check(descriptor)
        let added: ConnectionDescriptor
        do throws(ConnectionsFailure) { added = try folder.add(descriptor) } catch { throw .connections(error) }
        return try connection(added, servers: servers)
    }

    /// The same for a sign-in that has to succeed: see ``complete(_:)`` and ``takeBack(_:)``. One whose process is
    /// killed meanwhile is removed by the next ``finishRemovals()``.
    package func begin(
        _ descriptor: ConnectionDescriptor, servers: [UInt8]? = nil
    ) throws(ConnectionFailure) -> (Connection, ConnectionBeginning) {
        try check(descriptor)
        let begun: (descriptor: ConnectionDescriptor, beginning: ConnectionBeginning)
        do throws(ConnectionsFailure) { begun = try folder.begin(descriptor) } catch { throw .connections(error) }
        do throws(ConnectionFailure) {
            return (try connection(begun.descriptor, servers: servers), begun.beginning)
        } catch {
            // What cannot be removed now has its mark, and goes with the next start.
            begun.beginning.end()
            try finishRemovals()
            throw error
        }
    }

    private func connection(
        _ added: ConnectionDescriptor, servers: [UInt8]?
    ) throws(ConnectionFailure) -> Connection {
        if let servers {
            do { try serversFile(of: added.id).write(servers) } catch { throw .servers(ServersFailure(error)) }
        }
        return try connection(added)
    }

    /// Writes a changed description: other approvals, pins or scopes. One that was altered on the disk is not written
    /// over.
    public func save(_ descriptor: ConnectionDescriptor) throws(ConnectionsFailure) { try folder.save(descriptor) }

    /// A keeper of the connection's servers, under its own policy and the administrator's rules.
    ///
    /// - Parameter storage: Where the record lies; by default in the connection's folder.
    package func keeper(
        of descriptor: ConnectionDescriptor, storage: (any ServerTrustStorage)? = nil, key: ConnectionKey? = nil
    ) throws(ConnectionFailure) -> KnownServersStore {
        var policy = descriptor.trustPolicy
        do throws(ManagedFile.Failure) { policy.managed = try managed.read()?.trust ?? policy.managed } catch {
            throw .managed(error)
        }
        policy.transparency = appTransparency ?? policy.transparency
        policy.pinnedDomains = appPinnedDomains ?? policy.pinnedDomains
        do throws(VaultFailure) { policy.pins += try appPins() } catch { throw .keychain(error) }
        do {
            return try KnownServersStore(
                connection: descriptor.id.text, policy: policy,
                storage: storage ?? serversFile(of: descriptor.id, key: key), time: environment.time,
                trail: lock?.trail)
        } catch {
            throw .servers(ServersFailure(error))
        }
    }

    /// What a connection knows of its servers, also where rules cannot be read: nothing is sent by its policy.
    func knownServers(of descriptor: ConnectionDescriptor) throws -> KnownServersStore {
        try KnownServersStore(
            connection: descriptor.id.text, policy: descriptor.trustPolicy, storage: serversFile(of: descriptor.id),
            time: environment.time)
    }

    private func serversFile(of id: ConnectionID, key: ConnectionKey? = nil) -> ConnectionServers {
        ConnectionServers(folder.files, of: id, key: key)
    }

    /// The vault of a connection: what lies in it is there only beside the connection's folder (`InstallationBinding`).
    /// Use it, and not the closure that this value was made with, to seal a connection's items again.
    public func vault(of id: ConnectionID) -> TokenVault {
        makeVault(id).bound(to: InstallationBinding(folder: folder.folder(of: id)))
    }

    /// A connection over its description.
    ///
    /// - Parameter gate: Stands before the session in the place of the lock.
    func connection(
        _ descriptor: ConnectionDescriptor, key: ConnectionKey? = nil, behind gate: (any AccessGate)? = nil
    ) throws(ConnectionFailure) -> Connection {
        var environment = environment
        if let gate { environment.gate = gate }
        let managed = try rules()
        inForce.look(at: managed, lock)
        let method = try method(of: descriptor, managed)
        let keeper = try keeper(of: descriptor, key: key)
        let made: HTTPClient
        do throws(TransportFailure) { made = try makeClient(keeper.firstPolicy) } catch { throw .transport(error) }
        let client = try identifying(made, as: descriptor).tracked(by: keeper, notice: notice)
        let place = MethodContext(
            descriptor: descriptor, client: client, vault: vault(of: descriptor.id), environment: environment,
            policy: policy.tightened(by: managed?.session), folder: folder.folder(of: descriptor.id),
            revocations: RevocationStore(
                queue: revocations, descriptor: descriptor, known: { await keeper.policy.knownServers[$0] }),
            others: others(than: descriptor.id), isTakenOver: key?.isAdopted ?? false)
        let connection = Connection(servers: keeper, client: client, access: method.access(at: place), place: place)
        opened.add(connection)
        // Rules that changed meanwhile were applied to what was open then.
        guard try rules() == managed else { return try self.connection(descriptor, key: key, behind: gate) }
        return connection
    }
}
