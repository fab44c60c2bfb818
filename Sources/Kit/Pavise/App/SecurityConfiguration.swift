public import PaviseAppLock
public import PaviseIntegrity
public import PaviseLog
internal import PaviseManaged
public import PaviseSession
public import PaviseTransport

/// What an app decides about its security; everything has a safe default, and an administrator's rules only tighten it.
///
/// ```swift
/// var configuration = SecurityConfiguration()
/// configuration.session.inactivity = .seconds(14 * 86_400)
/// let security = try AppSecurity(identifier: "org.example.diary", configuration: configuration)
/// ```
public struct SecurityConfiguration: Sendable {
    /// The figures of the app lock: length of the PIN, tries, idle time.
    public var lock = AppLockPolicy.standard
    /// The figures of sessions: refreshes, longest time, time without use.
    public var session = RefreshPolicy()
    /// Servers that may be sent a password (HTTP Basic); none unless they are named.
    public var passwordServers: PasswordServers = .none
    /// What clients of all accounts offer in handshakes: App Transport Security, or `.tr02102` (BSI TR-02102-2), which
    /// sends nothing on Apple's systems.
    public var tls = TrustPolicy.TLSProfile.ats
    /// The keys that servers must have, and who may renew them. Pins only add a demand: they trust nobody.
    public var pins = Pins()
    /// The certificate logs that are known, and the servers that have to show their word (RFC 6962), on Linux; the list
    /// is read by PaviseTransport. An administrator's demand is met by this list too, and without one by no server. On
    /// Apple's systems the system has its own.
    public var transparency: TransparencyPolicy?
    /// Whether requests take the proxy that `https_proxy`, `http_proxy`, `all_proxy` and `no_proxy` name, on Linux; a
    /// value that is none ends each request. On Apple's systems the system's settings hold, whatever this says.
    public var followsProxyEnvironment = false
    /// Where an administrator's rules lie; by default those of this machine.
    public var managed = ManagedFile.current

    /// What counts as leaving the app.
    public var leaving = LifecycleRules()
    /// Covers what is on the screen, or uncovers it: called on the thread that reports, and must not wait.
    public var cover: AppLifecycle.Cover = { _ in }

    /// Where the app's security writes its events: `AuditEvent/Name` lists them. By default the system's log,
    /// without a key: servers and accounts show as `«hashed»`. With `LogOutput(sinks: [SystemLog()], key: try?
    /// .ofInstallation())` lines about the same one can be put together.
    public var log = LogOutput.standard
    /// What follows from findings about the device, looked at before anything is opened and at each unlock. An
    /// administrator can only tighten it.
    public var integrity = IntegrityPolicy.standard
    /// Beginnings of names under which the app itself maps code: see `DeviceIntegrity.check(expecting:)`.
    public var expectedCode: [String] = []
    /// Called when the policy ends the app, after what is secret was closed. By default the process ends at once with
    /// the status 3; on iOS show `sentence` for a moment first. Whatever it does, nothing is opened.
    public var ending: @Sendable (IntegrityVerdict) -> Void = { verdict in verdict.end(wipe: {}, note: { _ in }) }

    /// Which servers may get a password.
    public enum PasswordServers: Hashable, Sendable {
        /// None.
        case none
        /// Those that the app connects to with ``AppSecurity/connect(_:as:user:password:options:)``.
        case named
    }

    /// The defaults.
    public init() {}
}
