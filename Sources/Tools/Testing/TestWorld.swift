public import Pavise
internal import PaviseAppLock
internal import PaviseDevice
public import PaviseLab
public import PavisePrimitives
internal import PaviseSession
internal import PaviseTransport
internal import SecurityFramework

/// The world around an app in its tests: a home and a keychain of its own, an authority with a protected resource on
/// loopback, a clock,
/// a lock whose PIN costs nothing, and a person who agrees to every sign-in.
///
/// ```swift
/// try await TestWorld.run { world in
///     let account = try await world.signIn(world.app())
///     try await world.during(.sessionEnded) {
///         do throws(PaviseError) { print(try await account.get("/api/me", as: Me.self).user) } catch {
///             print(error.recovery)
///         }  // signIn
///     }
/// ```
///
/// Nothing outside of it is read or written, so that tests may run side by side. It is for Linux; what stands under
/// test is the same
/// source on every platform.
public final class TestWorld: Sendable {
    /// The authority, and the server of the accounts: `/api/…` is its protected resource. See `LabAuthority`.
    public let authority: LabAuthority
    /// The clock of sessions, of the lock and of the authority; time passes when you say so.
    public let clock: ManualTime
    /// Where everything lies; it goes with the world.
    let folder: TestFolder
    let lock = LockSwitch()
    let certificates: CertificateAuthority
    let identity: ServerIdentity
    let apps = TestApps()

    private init(_ configuration: AuthorityConfiguration) throws {
        clock = ManualTime(wallSeconds: TimeSource.system.wallSeconds)
        certificates = try CertificateAuthority()
        identity = try certificates.issue()
        authority = try LabAuthority.start(identity, configuration: configuration, clock: clock.source)
        folder = try TestFolder()
    }

    /// Makes a world, and runs `body` in it.
    ///
    /// - Parameters:
    ///   - configuration: How the authority behaves.
    ///   - body: The test. Tasks that it starts are in the world, too; detached ones and threads of your own are not.
    public static func run<Result>(
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(),
        _ body: (TestWorld) async throws -> Result
    ) async throws -> Result {
        let world = try TestWorld(configuration)
        defer { world.authority.stop() }
        return try await SecurityEnvironment.$override.withValue(world.environment()) { try await body(world) }
    }

    func environment(_ home: String = "home") -> SecurityEnvironment {
        var environment = SecurityEnvironment(
            home: PaviseHome(path: "\(folder.path)/\(home)"), accessGroups: ["org.example.test"], lock: lock)
        environment.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
        return environment
    }

    /// The app, as a process that starts finds it: call it again for a restart, or for a second process.
    ///
    /// - Parameters:
    ///   - identifier: The app's identifier.
    ///   - configuration: What the app decides; the administrator's file that it names is not read.
    ///   - managed: An administrator's file of the test's own; none unless given.
    public func app(
        _ identifier: String = "org.example.app", configuration: SecurityConfiguration = SecurityConfiguration(),
        managed: ManagedFile = .none
    ) throws(PaviseError) -> AppSecurity {
        var configuration = configuration
        configuration.managed = managed
        var parts = SecurityParts()
        parts.home = (SecurityEnvironment.override ?? environment()).home
        parts.watchesSystem = false
        // As on a phone: a test deletes the app and installs it again (``Fault/reinstalled``).
        parts.isHomeTheSystems = true
        parts.environment = SessionEnvironment(time: clock.source, sleep: Self.sleep(clock.source))
        let anchors = TrustPolicy.Anchors.only([certificates.anchor])
        parts.makeClient = { policy throws(TransportFailure) in
            var policy = policy
            policy.anchors = anchors
            return try HTTPClient(policy: policy)
        }
        let time = clock.source
        parts.makeLock = { home, identifier, policy, rules, _ in
            var parts = AppLockParts.platform(
                sharesUnlock: false, home: home, time: time, application: identifier)
            parts.code = PlatformPINKeyDerivation(price: PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1))
            return AppLock.overConnections(
                of: home, parts, application: identifier, policy: policy, tightened: rules)
        }
        let app = try AppSecurity(identifier: identifier, configuration: configuration, parts: parts)
        apps.add(app)
        return app
    }

    /// Signs in at the world's server, as a person who agrees would.
    ///
    /// - Parameters:
    ///   - app: The app.
    ///   - name: The account's name.
    ///   - user: Who signs in; `alice` unless the configuration has others.
    public func signIn(
        _ app: AppSecurity, as name: String = "work", user: String = "alice"
    ) async throws(PaviseError) -> Account {
        let server = try await app.review(authority.issuer)
        return try await app.connect(server, as: name, clientID: "pavise-lab", options: willing(user))
    }

    /// Options for a sign-in to which the person agrees at once.
    public func willing(_ user: String = "alice") -> SignInOptions {
        var options = SignInOptions()
        let authority = authority
        options.browser = AddressReader { (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve(url.description, as: user)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
        return options
    }

    // Waits until the time has passed by one clock or the other: a test that moves the clock does not wait.
    private static func sleep(_ time: TimeSource) -> @Sendable (Duration) async throws -> Void {
        { duration in
            let end = time.bootMilliseconds + duration.milliseconds
            let realEnd = TimeSource.system.bootMilliseconds + duration.milliseconds
            while time.bootMilliseconds < end, TimeSource.system.bootMilliseconds < realEnd {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
