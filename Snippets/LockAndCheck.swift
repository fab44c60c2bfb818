// The app lock, the state of the device, signing in from another app, and the log.
import Pavise
import PaviseAppLock
import PaviseIntegrity
import PaviseJWT
import PaviseLog
import PaviseSession
import PaviseStorage
import PaviseValidation
import PaviseVault

/// Five tries, five minutes.
func lockPolicy() throws -> AppLockPolicy {
    let policy = try AppLockPolicy(pin: .standard, idle: .seconds(300), attempts: 5)
    return policy
}

/// A lock in front of the connections.
func connections(wipeEverything: @escaping @Sendable () throws -> Void) -> Connections {
    let lock = AppLock { _ in try wipeEverything() }
    let connections = Connections(lock: lock)
    return connections
}

/// What a lock that cannot be read any more offers.
func startOver(_ lock: AppLock) throws {
    guard case .locked(.unreadable) = lock.state else { return }
    try lock.startOver()  // after the person agreed to lose what is stored here
}

/// An administrator's order.
func obey(_ text: String, _ bytes: [UInt8], _ lock: AppLock) throws -> OrderReceipt {
    let rules = try OrderRules(issuer: "https://management.example.org", keys: [JSONWebKey(json: bytes)])
    let receipt = try lock.obey(text, by: rules)
    return receipt
}

/// What was found on the device.
func examine() -> IntegrityVerdict {
    let report = DeviceIntegrity.check()
    print(report.summary)  // Nothing found by 8 checks; 2 could not be asked.
    let verdict = IntegrityPolicy.release.verdict(on: report)
    return verdict
}

/// Each finding with what it rests on.
func printFindings() {
    for finding in DeviceIntegrity.check().findings { print(finding.rule.rawValue, finding.evidence) }
}

/// Addresses at which a sign-in comes back to the app.
func addresses() throws -> [RedirectAddress] {
    let claimed = try RedirectAddress("https://app.example.org/signed-in")
    let custom = try RedirectAddress("org.example.app:/signed-in")
    return [claimed, custom]
}

/// Connections that a test throws away.
func volatileConnections() -> Connections {
    let connections = Connections(makeVault: { _ in .volatile() })
    return connections
}

/// Asks an OpenID Connect server for its addresses.
func discover(_ transport: HTTPClient) async throws -> AuthorizationServer {
    let signIn = SignIn(client: transport, browser: SystemBrowser())
    let server = try await signIn.discover(issuer: "https://id.example.org")
    return server
}

/// A trail that shows whether an entry was removed.
func record(in folder: String) throws {
    let trail = try AuditTrail(folder: folder)
    trail.record(AuditEvent(.serverApproved, ["server": "https://cloud.example.org"]))
    for entry in try trail.read().entries { print(entry.json) }
}

/// Events that go to the system's log.
func log() throws {
    let events = EventLog(LogOutput(sinks: [SystemLog()], key: try .ofInstallation()))
    events.record(AuditEvent(.serverRefused, ["server": "https://cloud.example.org"]))
    // server.refused server=«hashed 5f1d2c9a»
}

/// A log that goes to the system and, sealed, into the app's folder.
func output(_ folder: String) throws -> Log {
    let output = LogOutput(sinks: [SystemLog(), try SupportLog(folder: folder)], key: try .ofInstallation())
    let log = Log(subsystem: "org.example.diary", category: "sync", output: output)
    return log
}

/// Values are private, public by name, or eight digits that are the same for the same value.
func logSignIn(_ log: Log, _ email: String, tries: Int, status: Int) {
    log.error("sign-in of \(email) failed after \(public: tries) tries")
    // sign-in of «private» failed after 3 tries
    log.error("the server of \(hashed: email) answered \(public: status)")
    // the server of «hashed 5f1d2c9a» answered 503
}

/// What another library says, which is masked.
func forward(_ output: LogOutput) {
    let log = LibraryLog(output)
    log.write(.error, from: "http.client", "connection to 10.0.0.7 of jane@example.org failed")
    // debug:   library http.client: connection to 10.0.0.7 of «email» failed
    // release: library «hashed 5f1d2c9a»: «hashed 77c0aa31»
}

/// A code that an app made itself is no secret.
func conflict(_ log: Log) {
    log.error("sync ended: \(public: LogCode("conflict"))")
}

printFindings()
