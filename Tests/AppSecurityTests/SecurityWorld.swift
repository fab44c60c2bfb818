import Foundation
import Pavise
import PaviseAppLock
import PaviseDevice
import PaviseIntegrity
import PaviseLab
import PaviseLog
import PaviseManaged
import PavisePrimitives
import PaviseTransport
import SecurityFramework
import TestSupport

/// An app, its home and keychain, and the lab's authority as its server. A guess of a PIN costs nothing here.
final class SecurityWorld: Sendable {
    static let pin = "482913"
    let authority: LabAuthority
    let identity: ServerIdentity
    let folder: TemporaryFolder
    private let anchor: [UInt8]?
    private let security: SecurityEnvironment
    let time = ManualTime(wallSeconds: TimeSource.system.wallSeconds)

    /// - Parameters:
    ///   - isTrusted: Whether the server's authority is one of the app's.
    ///   - people: Whose clients a second server demands certificates of.
    ///   - clock: The authority's.
    init(
        isTrusted: Bool = true, people: CertificateAuthority? = nil,
        _ configuration: AuthorityConfiguration = AuthorityConfiguration(), clock: TimeSource = .system
    ) throws {
        let certificates = try CertificateAuthority()
        identity = try certificates.issue()
        authority = try LabAuthority.start(
            identity, people: people?.anchor, configuration: configuration, clock: clock)
        folder = try TemporaryFolder()
        anchor = isTrusted ? certificates.anchor : nil
        var security = SecurityEnvironment(
            home: PaviseHome(path: folder.path + "/home"), accessGroups: ["org.example.test"])
        security.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
        self.security = security
    }

    /// Where an app lies, for a process of its own too.
    struct Place: Sendable {
        let home: String
        let anchor: [UInt8]?
        /// The access groups of the program: the first says whose accounts it shares.
        var groups = ["org.example.test"]
        /// The clocks of sessions and lock; `nil` is the machine's.
        var time: TimeSource?
        var isHomeTheSystems = false

        private var environment: SecurityEnvironment {
            var security = SecurityEnvironment(home: PaviseHome(path: home), accessGroups: groups)
            security.device = DeviceEnvironment(elements: ElementChoice([.software]), places: [])
            return security
        }

        func inHome<Result>(_ body: () async throws -> Result) async rethrows -> Result {
            try await SecurityEnvironment.$override.withValue(environment) { try await body() }
        }

        func app(
            _ identifier: String = "org.example.diary", _ configuration: SecurityConfiguration = SecurityWorld.quiet,
            managed: ManagedFile = .none, report: (@Sendable () -> IntegrityReport)? = nil, keepsTrail: Bool = false,
            watchesSystem: Bool = false, pinnedDomains: PinnedDomains? = nil,
            pressure: @escaping @Sendable (CacheGroup) throws(SystemFailure) -> Void = { _ in }
        ) throws(PaviseError) -> AppSecurity {
            var configuration = configuration
            configuration.managed = managed
            var parts = SecurityParts()
            parts.followPressure = pressure
            parts.pinnedDomains = { () throws(ATSReadingFailure) in pinnedDomains }
            if let report { parts.checkDevice = { _ in { report() } } }
            parts.home = PaviseHome(path: home)
            parts.watchesSystem = watchesSystem
            parts.isHomeTheSystems = isHomeTheSystems
            if let time { parts.environment.time = time }
            let anchors = TrustPolicy.Anchors.only(anchor.map { [$0] } ?? [])
            parts.makeClient = { policy throws(TransportFailure) in
                var policy = policy
                policy.anchors = anchors
                return try HTTPClient(policy: policy)
            }
            parts.makeLock = { [time = time ?? .system, keepsTrail] home, identifier, policy, rules, _ in
                var parts = AppLockParts.platform(
                    sharesUnlock: false, home: home, time: time, application: identifier)
                parts.code = PlatformPINKeyDerivation(price: PINKeyDerivationBridge.KDFCost(kibibytes: 8, passes: 1))
                if keepsTrail { parts.trail = LazyTrail(folder: home.audit, name: identifier, time: time) }
                return AppLock.overConnections(
                    of: home, parts, application: identifier, policy: policy, tightened: rules)
            }
            return try AppSecurity(identifier: identifier, configuration: configuration, parts: parts)
        }
    }

    var home: String { security.home.path }
    /// The server's authority, in DER.
    var trusted: [UInt8] { anchor ?? [] }

    func inHome<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await SecurityEnvironment.$override.withValue(security) { try await body() }
    }

    func inHomeNow<Result>(_ body: () throws -> Result) rethrows -> Result {
        try SecurityEnvironment.$override.withValue(security) { try body() }
    }

    func app(
        _ identifier: String = "org.example.diary", _ configuration: SecurityConfiguration = SecurityWorld.quiet,
        managed: ManagedFile = .none, report: (@Sendable () -> IntegrityReport)? = nil, keepsTrail: Bool = false,
        watchesSystem: Bool = false, pinnedDomains: PinnedDomains? = nil, isHomeTheSystems: Bool = false
    ) throws(PaviseError) -> AppSecurity {
        try Place(home: home, anchor: anchor, isHomeTheSystems: isHomeTheSystems).app(
            identifier, configuration, managed: managed, report: report, keepsTrail: keepsTrail,
            watchesSystem: watchesSystem, pinnedDomains: pinnedDomains)
    }

    /// What an app that keeps its trail has in it.
    func trail(of identifier: String = "org.example.diary") throws -> AuditTrail.Report {
        let folder = PaviseHome(path: "\(home)/apps/\(identifier)").audit
        return try AuditTrail(folder: folder, name: identifier).read()
    }

    /// The defaults, with a log that nobody sees.
    static var quiet: SecurityConfiguration {
        var configuration = SecurityConfiguration()
        configuration.log = LogOutput(sinks: [])
        return configuration
    }

    /// An administrator's file with this content.
    func managed(_ json: String) throws -> ManagedFile {
        let path = folder.path + "/managed-\(UInt32.random(in: 0...UInt32.max)).json"
        try Data(json.utf8).write(to: URL(fileURLWithPath: path))
        return ManagedFile(path: path)
    }

    /// Requests to the token endpoint that refresh.
    var refreshes: Int {
        authority.server.requests.count {
            String(decoding: $0.body, as: UTF8.self).contains("grant_type=refresh_token")
        }
    }

    /// Requests to the protected resource.
    var calls: Int { authority.server.requests.count { $0.path.hasPrefix("/api/") } }

    /// A sign-in in which alice agrees.
    var willing: SignInOptions {
        var options = SignInOptions()
        let authority = authority
        options.browser = AddressReader { (url) throws(BrowserFailure) in
            do { _ = try LabBrowser.open(try authority.approve(url.description)) } catch {
                throw BrowserFailure("\(error)")
            }
        }
        return options
    }

    func signedIn(_ app: AppSecurity, as name: String = "work") async throws -> Account {
        let server = try await app.review(authority.issuer)
        return try await app.connect(server, as: name, clientID: "pavise-lab", options: willing)
    }
}
