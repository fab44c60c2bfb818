package import PaviseAppLock
package import PaviseIntegrity
internal import PaviseLog
public import PavisePrimitives
package import PaviseSession
package import PaviseStorage
package import PaviseTransport
internal import PaviseVault

/// The security of an app, wired once: the app lock stands before everything that accounts keep, servers are judged
/// before anything is sent to them, an administrator's rules are read, and a wipe reaches all of it.
///
/// ```swift
/// let security = try AppSecurity(identifier: "org.example.diary")
/// try await security.lock.setPIN(pin)
///
/// let server = try await security.review("https://cloud.example.org")
/// let account = try await security.connect(server, as: "work", clientID: "diary")
/// let me = try await account.get("/api/me", as: Me.self)
/// ```
///
/// Make one when the app starts, and keep it. Two values with different identifiers share nothing. On Linux state lies
/// in `apps/<identifier>` of Pavise's home; secrets lie in the keychain under the program's own access group.
public final class AppSecurity: Sendable {
    /// The app's identifier in reverse domain form.
    public let identifier: String
    /// The app lock: nothing is locked until a PIN is set.
    public let lock: SecurityLock
    /// What a person should be told, as it happens.
    let board: NoticeBoard
    package let connections: Connections
    let storage: OpenStorage
    let pinStore: AppPinStore
    let pushTokens: PushTokens
    private let live = LiveSessions()
    /// Hears the events; errors get their number from it.
    let log: EventLog
    let gate: IntegrityGate
    /// Carries the system's events to the lock, to sessions and to what is open of files and databases.
    private let lifecycle: AppLifecycle

    /// Opens the app's security; nothing is sent, and no secret is read.
    ///
    /// - Parameters:
    ///   - identifier: The app's identifier in reverse domain form: 1 to 100 ASCII letters, digits, `-` and `.`.
    ///   - configuration: What the app decides.
    /// - Throws: ``PaviseError``: an identifier that is none, a home that others can read, an administrator's file that
    ///   cannot be used.
    public convenience init(
        identifier: String, configuration: SecurityConfiguration = SecurityConfiguration()
    ) throws(PaviseError) {
        try self.init(identifier: identifier, configuration: configuration, parts: SecurityParts())
    }

    package init(identifier: String, configuration: SecurityConfiguration, parts: SecurityParts) throws(PaviseError) {
        guard Self.isIdentifier(identifier) else {
            throw PaviseError(AppSecurityProblem.unusableIdentifier(identifier))
        }
        self.identifier = identifier
        board = NoticeBoard()
        log = EventLog(configuration.log)
        let base = parts.home
        let home = PaviseHome(path: "\(base.path)/apps/\(identifier)")
        // Asked before anything makes it.
        let isAbsent = if case .absent = DurableFile.presence(of: home.path) { true } else { false }
        let isNew = isAbsent && parts.isHomeTheSystems
        pinStore = AppPinStore(configuration.pins, for: identifier, in: home)
        pushTokens = PushTokens(
            of: identifier, patience: configuration.session.revocation, sleep: parts.environment.sleep)
        let notes = PendingFindings(in: home.audit)
        gate = IntegrityGate(configuration, check: parts.checkDevice(configuration), log: log, board: board) {
            [time = parts.environment.time] in notes.note($0, at: time.wallMilliseconds)
        }
        do {
            // Before anything that could open a secret is made.
            let clearance = try gate.clearanceNow()
            try base.check()
            // What cannot be destroyed now is told when the app asks for its files.
            if isNew { try? ProtectedContainer.removeLost(app: identifier, in: home) }
            let rules = try configuration.managed.read()
            try VersionNotPermitted.check(rules)
            let lockedWork = LockedWork(
                configuration.session, permitsPasswords: configuration.passwordServers != .none)
            lockedWork.follow(.success(rules))
            let appLock = parts.makeLock(
                home, identifier, configuration.lock, rules.map { AppLockTightening($0.appLock) }, clearance)
            var connections = Connections(
                home: home, environment: parts.environment, policy: configuration.session,
                managed: configuration.managed,
                methods: configuration.passwordServers == .named ? .standard.withPasswords(at: .named) : .standard,
                lock: appLock, makeClient: Self.client(parts, configuration, log),
                makeVault: parts.makeVault(appLock, lockedWork, clearance),
                notice: { [board] in board.tell(SecurityNotice($0)) })
            connections.identityOwner = identifier
            connections.lockedWork = lockedWork
            connections.appTransparency = configuration.transparency
            connections.appPinnedDomains = try parts.pinnedDomains()
            connections.appPins = { [pinStore] () throws(VaultFailure) in try pinStore.sets() }
            connections.wokeUp = { [pushTokens] in try? await pushTokens.becameActive() }
            self.connections = connections
            let storage = OpenStorage { appLock.state.isOpen }
            self.storage = storage
            appLock.observe(for: storage) { [weak storage] isOpen in
                if !isOpen { storage?.close() }
                return storage != nil
            }
            lifecycle = Self.lifecycle(appLock, connections, storage, configuration, isWatching: parts.watchesSystem)
            lock = SecurityLock(appLock, connections, lifecycle, gate)
            Self.connect(appLock, storage, gate, log)
            storage.followMemoryPressure(parts.followPressure, configuration.log)
            try connections.finishRemovals()
        } catch {
            throw log.told(error)
        }
    }

    /// Looks at a server: one handshake, nothing is sent.
    ///
    /// - Parameter address: An https address.
    /// - Throws: ``PaviseError``: no https address, the server cannot be reached, App Transport Security or an
    ///   administrator forbids it. A certificate that is refused is a ``ReviewedServer/Verdict``, and no error.
    public func review(_ address: String) async throws(PaviseError) -> ReviewedServer {
        do {
            let url = try WebURL(address)
            guard url.origin.scheme == .https else { throw ConnectRefusal.withoutTLS }
            let id = try ConnectionID.random()
            let draft = ServerDraft()
            let descriptor = ConnectionDescriptor(
                id: id, name: "review", origin: url.origin, method: .oauth, created: connections.now)
            let keeper = try connections.keeper(of: descriptor, storage: draft)
            let server = ReviewedServer(
                url, id: id, keeper: keeper, draft: draft, makeClient: connections.makeClient, log: log)
            _ = try await server.look(at: url.origin, for: ["server"])
            return server
        } catch let problem as WebURL.Problem {
            throw log.told(ConnectRefusal.address(problem.description))
        } catch {
            throw log.told(error)
        }
    }

    /// Signs in with the authority's page, and makes the account, or signs an existing one of this name in again. What
    /// was begun is taken back where it fails.
    ///
    /// - Parameters:
    ///   - server: What ``review(_:)-(String)`` gave, trusted or approved.
    ///   - name: The account's name: 1 to 64 ASCII letters, digits and `-._`, no dot or hyphen in front.
    ///   - clientID: The client identifier that the authority knows.
    ///   - options: Another authority, scopes, browser and so on.
    /// - Throws: ``PaviseError``; with the code ``PaviseError/Code/approvalNeeded`` where another server of the sign-in
    ///   needs a person's word: look at ``ReviewedServer/verdict``, approve, and connect again.
    public func connect(
        _ server: ReviewedServer, as name: String, clientID: String, options: SignInOptions = SignInOptions()
    ) async throws(PaviseError) -> Account {
        try await connect(server, name, .tokens(clientID: clientID), options)
    }

    /// Signs in with a user name and password (HTTP Basic, RFC 7617): the password is tried before it is kept.
    ///
    /// Needs ``SecurityConfiguration/passwordServers``; where the server offered something better before,
    /// ``SignInOptions/acceptsWeakerMethod``.
    public func connect(
        _ server: ReviewedServer, as name: String, user: String, password: borrowing SecretBytes,
        options: SignInOptions = SignInOptions()
    ) async throws(PaviseError) -> Account {
        try await connect(
            server, name, .password(user: user), options, typed: SharedSecretBytes(password.duplicate()))
    }

    private func connect(
        _ server: ReviewedServer, _ name: String, _ way: Connector.Way, _ options: SignInOptions,
        typed: SharedSecretBytes? = nil
    ) async throws(PaviseError) -> Account {
        do {
            try lock.check()
            try VersionNotPermitted.check(try connections.rules())
            let options = try await withAuthority(of: server, name, way, options)
            let connector = try Connector(
                server.url, as: name, way, in: connections, options: options,
                reviewed: (server.id, server.keeper, server.draft))
            let prompts = OptionPrompts(server: server, options: options, typed: typed)
            let connected = try await connector.run(asking: prompts)
            let connection = connected.connection
            await connections.finishRevocations()
            await live.startOver(of: connection.descriptor.name)
            parts.record(.signedIn, at: connection.descriptor.origin)
            return Account(connection, parts, options, warnings: connected.warnings)
        } catch {
            throw log.told(error)
        }
    }

    /// The account of this name, ready to use. Nothing is sent.
    ///
    /// - Parameters:
    ///   - name: The account's name.
    ///   - options: How it signs in again where its server wants that (RFC 9470).
    /// - Throws: ``PaviseError`` with the code ``PaviseError/Code/unknownName`` where there is none.
    public func account(_ name: String, options: SignInOptions = SignInOptions()) throws(PaviseError) -> Account {
        do {
            // The rules may have come while the app runs.
            try VersionNotPermitted.check(try connections.rules())
            return Account(try connections.open(name), parts, options)
        } catch {
            throw log.told(error)
        }
    }

    /// The names of all accounts, also of those that cannot be used now.
    ///
    /// One whose description is damaged so that it says no name is listed by its identifier: ``states(of:)`` takes it
    /// and says that it is damaged, and ``remove(_:)`` wipes it.
    ///
    /// - Throws: ``PaviseError``, for example with the code ``PaviseError/Code/storage``, also where one account's name
    ///   cannot be read just now: whoever is left out of the list would be taken for signed out.
    public func accountNames() throws(PaviseError) -> [String] {
        do throws(ConnectionsFailure) {
            var names: [String] = []
            for row in try connections.list() {
                if let name = (try? row.descriptor.get())?.name ?? row.unproven?.name {
                    names.append(name)
                } else if case .failure(.damaged(.system(let failure))) = row.descriptor {
                    throw .system(failure)
                } else if case .failure(.damaged) = row.descriptor, !connections.folder.isBegun(row.id) {
                    // Left out, its secrets would stay for ever.
                    names.append(row.id.text)
                }
            }
            return names
        } catch {
            throw log.told(error)
        }
    }

    // Nothing of an app goes out under a looser profile than the one that its configuration names, and what pins would
    // have refused is told.
    private static func client(
        _ parts: SecurityParts, _ configuration: SecurityConfiguration, _ log: EventLog
    ) -> Connections.MakeClient {
        var options = ClientOptions()
        options.pinReports = { report in log.record(AuditEvent(.pinReported, ["server": "\(report.origin)"])) }
        #if os(Linux)
        if configuration.followsProxyEnvironment { options.proxies = .ofProcess }
        #endif
        let make = parts.makeClient ?? Connections.platformClient(with: options)
        return { [tls = configuration.tls, anchors = parts.anchors] policy throws(TransportFailure) in
            var policy = policy
            if tls != .ats { policy.tls = tls }
            if let anchors { policy.anchors = anchors }
            return try make(policy)
        }
    }

    private static func lifecycle(
        _ lock: AppLock, _ connections: Connections, _ storage: OpenStorage, _ configuration: SecurityConfiguration,
        isWatching: Bool
    ) -> AppLifecycle {
        // Nothing keeps a key or the lock of a file where nobody looks: the system may suspend the app there.
        let cover: AppLifecycle.Cover = { [cover = configuration.cover] isCovered in
            cover(isCovered)
            if isCovered { storage.forgetKeys() }
        }
        guard isWatching else {
            return AppLifecycle(unwatched: lock, connections: connections, rules: configuration.leaving, cover: cover)
        }
        return AppLifecycle(lock: lock, connections: connections, rules: configuration.leaving, cover: cover)
    }

    var parts: AppParts {
        AppParts(
            owner: self, connections: connections, board: board, live: live, storage: storage, pushTokens: pushTokens,
            log: log)
    }

    /// Tells what the system does not tell by itself, for example on Linux that the screen was locked. See
    /// `AppLifecycle`.
    public func report(_ event: LifecycleEvent) { lifecycle.report(event) }

    /// Signs out and removes everything of an account: here first, at the server second, also without a network. One
    /// whose description is damaged is wiped here, and nothing is sent: nobody knows where to.
    public func remove(_ name: String) async throws(PaviseError) -> RemovalReport {
        live.beginEnd()
        storage.caches.empty()
        do throws(ConnectionFailure) {
            let report = try await removed(name)
            await live.startOver(of: name)
            // What cannot be written now is seen at the next start: the account is gone.
            try? await pushTokens.signOut { $0.name == name || $0.id.text == name }
            lock.appLock.trail?.record(AuditEvent(.accountRemoved))
            return report
        } catch {
            throw log.told(error)
        }
    }

    private func removed(_ name: String) async throws(ConnectionFailure) -> RemovalReport {
        do throws(ConnectionFailure) {
            return try await connections.remove(name)
        } catch .connections(.damaged(let id, let damage)) {
            switch damage {
            // What cannot be read now may be whole, and a later version reads what this one does not.
            case .system(let failure) where !failure.isRefusedForGood: throw .connections(.damaged(id, damage))
            case .newer: throw .connections(.damaged(id, damage))
            // A mark of removal that nothing authenticates is refused for good: what the person orders now ends it.
            case .system, .missing, .file, .withoutKey, .unreadable, .otherFolder, .impossible:
                return try connections.remove(damaged: id)
            }
        }
    }

    /// Removes everything: every account with its keys, tokens and folder, and the lock with its PIN. No server is
    /// asked; tokens end there by their own time, but for those of ``followPush(_:)``. Safe to repeat.
    ///
    /// - Throws: ``PaviseError`` with the first failure, after everything else was wiped.
    public func wipe() async throws(PaviseError) {
        live.beginEnd()
        storage.close()
        await live.end()
        var failures: [any Error] = []
        func attempt(_ body: () throws -> Void) {
            do { try body() } catch { failures.append(error) }
        }
        attempt { try connections.wipe() }
        attempt { try ProtectedContainer.remove(app: identifier, in: connections.home) }
        attempt { try connections.identities.wipe() }
        attempt { try lock.wipe() }
        // What is left for a server to forget stays in the keychain until it has.
        do throws(VaultFailure) { try await pushTokens.signOut { _ in true } } catch { failures.append(error) }
        if let failure = failures.first { throw log.told(failure) }
    }

    /// What a person should be told: sessions that ended, servers with a new key. Each reader hears what comes from now
    /// on.
    public var notices: AsyncStream<SecurityNotice> { board.listen() }

    private static func isIdentifier(_ text: String) -> Bool {
        (1...100).contains(text.utf8.count) && !text.hasPrefix(".") && !text.hasSuffix(".") && !text.contains("..")
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x2D || byte == 0x2E
            }
    }
}

/// What an app's security stands on. A test gives its own.
package struct SecurityParts: Sendable {
    package var home = PaviseHome.current
    package var environment = SessionEnvironment.system
    /// A test's own client; `nil` is the platform's.
    package var makeClient: Connections.MakeClient?
    /// A test's own authorities.
    package var anchors: TrustPolicy.Anchors?
    /// Reads the pins of the app's Info.plist.
    package var pinnedDomains: @Sendable () throws(ATSReadingFailure) -> PinnedDomains? = {
        () throws(ATSReadingFailure) in try AppSecurity.pinnedDomains()
    }
    /// Whether the system makes the app's home, and takes it away with the app, as on an iPhone: without one the app
    /// was installed anew. On Linux and macOS somebody took a folder away by hand, and may put it back. An extension
    /// has a home of its own, and may have the app's keychain: that its home is new says nothing of what the app keeps.
    package var isHomeTheSystems: Bool = {
        #if os(iOS)
        !InfoPropertyList.isOfExtension
        #else
        false
        #endif
    }()
    package var makeLock: MakeLock = { home, identifier, policy, rules, _ in
        AppLock.overConnections(of: home, application: identifier, policy: policy, tightened: rules)
    }
    /// Makes the checks of the device.
    package var checkDevice: @Sendable (SecurityConfiguration) -> @Sendable () -> IntegrityReport = { configuration in
        { [expected = configuration.expectedCode] in DeviceIntegrity.check(expecting: expected) }
    }
    /// Whether the system's events are heard.
    package var watchesSystem = true
    /// Lets the app's caches hear that the system runs short of memory.
    package var followPressure: @Sendable (CacheGroup) throws(SystemFailure) -> Void = {
        caches throws(SystemFailure) in try caches.followMemoryPressure()
    }
    package var makeVault: MakeVault = { lock, work, _ in Connections.platformVault(under: lock, work) }

    /// Makes the lock. Nothing of an app that opens a secret is made without the word of the device's policy.
    package typealias MakeLock =
        @Sendable (PaviseHome, String, AppLockPolicy, AppLockTightening?, IntegrityClearance) -> AppLock
    /// Makes the vaults of the tokens, on the same condition.
    package typealias MakeVault = @Sendable (AppLock, LockedWork, IntegrityClearance) -> Connections.MakeVault

    package init() {}
}

enum AppSecurityProblem: Error, Hashable, Sendable {
    case unusableIdentifier(String)
}

extension Connections {
    /// Seconds since 1970.
    var now: Int64 { environment.time.wallSeconds }
}
