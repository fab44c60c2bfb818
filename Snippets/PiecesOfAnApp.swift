// Pieces of an app over AppSecurity, each as the documentation of its type shows it.
import Foundation
import Pavise
import PaviseAppLock
import PaviseManaged
import PaviseSession
import PaviseStorage
import PaviseTransport
import PaviseVault

struct Me: Decodable, Sendable { let user: String }
struct Glossary: CacheableResponse { let words: [String] }

/// An app from its start to a first request.
func begin(_ pin: String) async throws -> Me {
    let security = try AppSecurity(identifier: "org.example.diary")
    try await security.lock.setPIN(pin)

    let server = try await security.review("https://cloud.example.org")
    let account = try await security.connect(server, as: "work", clientID: "diary")
    let me = try await account.get("/api/me", as: Me.self)
    return me
}

/// What an account does.
func use(_ security: AppSecurity, show: (AccountState) -> Void, take: ([UInt8]) -> Void) async throws {
    let account = try security.account("work")
    for await state in account.states { show(state) }
    let me = try await account.get("/api/me", as: Me.self)
    for try await bytes in account.stream("/files/1") { take(bytes) }
    let file = try await account.download("/files/1", to: account.files, protection: .complete)
    let report = await account.signOut()
    _ = (me, file, report)
}

/// An image of the account's server, kept for a week.
func picture(_ account: Account) async throws -> [UInt8] {
    let picture = try await account.image("/users/7/picture", protection: .complete)
    return picture
}

/// A server that a person judges.
func connect(_ security: AppSecurity, ask: (CertificateReview) async throws -> Void) async throws -> Account {
    let server = try await security.review("https://cloud.example.org")
    switch server.verdict {
    case .trusted: break
    case .needsApproval(let certificate):
        try await ask(certificate)
        try await server.approve()
    case .refused(let reason): throw reason
    }
    let account = try await security.connect(server, as: "work", clientID: "diary")
    return account
}

/// The servers that a sign-in came to, for a person who wants to see them.
func list(_ server: ReviewedServer, show: (Origin, String?, Int64?) -> Void) {
    for hop in server.hops { show(hop.origin, hop.certificate?.issuer, hop.certificate?.notAfter) }
}

/// A sign-in that goes on with what the account approved.
func signInAgain(_ account: Account, _ security: AppSecurity, ask: (ReviewedServer) -> Void) async throws {
    let server = try await account.review()
    guard case .trusted = server.verdict else { return ask(server) }
    _ = try await security.connect(server, as: account.name, clientID: "diary")
}

/// An authority at another address than the server.
func connect(_ security: AppSecurity, _ server: ReviewedServer) async throws -> Account {
    var options = SignInOptions()
    options.issuer = "https://login.example.org"
    options.scopes = ["openid", "files.read"]
    let account = try await security.connect(server, as: "work", clientID: "diary", options: options)
    return account
}

/// Shorter sessions than usual.
func configured() throws -> AppSecurity {
    var configuration = SecurityConfiguration()
    configuration.session.inactivity = .seconds(14 * 86_400)
    let security = try AppSecurity(identifier: "org.example.diary", configuration: configuration)
    return security
}

/// Pins of the app, which a list that is signed with keys of the maker's own renews.
func pinned(_ current: Pin, _ next: Pin, _ keySet: [UInt8]) throws -> SecurityConfiguration {
    var configuration = SecurityConfiguration()
    var pins = SecurityConfiguration.Pins([try PinSet(hosts: ["cloud.example.org"], leaf: [current, next])])
    try pins.allowRenewal(by: "https://example.org", keys: keySet, afterExpiry: .report)
    configuration.pins = pins
    return configuration
}

/// A newer list.
func renew(_ security: AppSecurity, _ list: String) async throws -> Int64 {
    let number = try await security.renewPins(list)
    return number
}

/// The lock over a day.
func lock(_ security: AppSecurity, pin: String, typed: String) async throws {
    try await security.lock.setPIN(pin)
    security.lock.enterBackground()
    if !security.lock.enterForeground().isOpen { try await security.lock.unlock(typed) }
}

/// What a person is told.
func tell(_ security: AppSecurity, banner: (String, String) -> Void) async {
    for await notice in security.notices { banner(notice.title, notice.message) }
}

/// What a view shows of an account.
@MainActor func text(of model: AccountModel) -> String {
    switch model.state {
    case .signedIn: model.name
    case .needsSignIn: "Sign in again"
    default: "…"
    }
}

/// A database of the app.
func nights(_ security: AppSecurity, _ steps: [DatabaseMigration]) throws -> ProtectedDatabase {
    let nights = try security.database("diary", protection: .complete, migrations: steps)
    return nights
}

/// One error for everything.
func answer(
    _ work: () throws -> Void, showSignIn: () -> Void, showLock: () -> Void, retry: (Int64) -> Void,
    alert: (String) -> Void
) throws {
    do { try work() } catch let error as PaviseError {
        switch error.recovery {
        case .signIn: showSignIn()
        case .unlock: showLock()
        case .retry(let after): retry(after)
        default: alert(error.localizedDescription)
        }
    }
}

/// A session of another library.
func adopt(_ security: AppSecurity, _ server: ReviewedServer, show: (Account?) -> Void) async throws {
    let old = ForeignSession.auth0(service: "org.example.diary")
    let report = try await security.adopt(old, at: server, as: "work", clientID: "diary")
    if case .adopted = report.outcome { show(report.account) }
}

/// A session of AppAuth.
func adoptAppAuth(_ security: AppSecurity, _ server: ReviewedServer) async throws -> AdoptionReport {
    let old = ForeignSession.appAuth(service: "org.example.diary", account: "authState")
    let report = try await security.adopt(old, at: server, as: "work", clientID: "diary")
    return report
}

/// A request of a connection, below AppSecurity.
func fetch() async throws -> HTTPResponse {
    let connection = try Connections().open("work")
    let response = try await connection.send(HTTPRequest("GET", connection.url("/files")))
    return response
}

/// A server that shows another certificate than the one that was approved.
func review(_ connection: Connection) async throws {
    if let origin = connection.refusedServer,
        case .awaitingReview(let review) = await connection.servers.state(of: origin)
    {
        // A person compares review.summary.spki with what the server's owner says.
        _ = try await connection.servers.approve(review.summary.fingerprint, at: origin)
    }
}

/// A sign-in that comes back through the system.
func signIn(_ connection: Connection, url: String) async throws {
    let receiver = RedirectReceiver(try RedirectAddress("https://app.example.org/signed-in"))
    // Where the system hands the app an address, for example in `onOpenURL`:
    if receiver.deliver(url) { return }
    // Elsewhere:
    try await connection.signIn(receiver: receiver)
}

/// A client of an app that knows of no connections.
func register(_ client: HTTPClient, _ server: AuthorizationServer) async throws -> ClientRegistration {
    let signIn = SignIn(client: client, browser: SystemBrowser())
    let made = try await signIn.register(at: server, scopes: ["openid"])
    return made
}

/// A client that is registered at its first sign-in.
func register(
    _ connections: Connections, _ client: HTTPClient, _ server: AuthorizationServer, _ origin: Origin
) async throws {
    let signIn = SignIn(client: client, browser: SystemBrowser())
    let made = try await connections.register(at: server, by: signIn, scopes: ["openid"])
    let connection = try connections.add("work", origin: origin, clientID: made.clientID)
    try await connection.signIn(at: server, clientSecret: made.secret)
    try await connection.keep(made)
}

/// Tokens that are worth nothing without a key of this device.
func prove(_ transport: HTTPClient) throws -> SignIn {
    let key = EnclaveKey(tag: "org.example.app.proof")
    try key.prepare()
    let binding = try DPoPBinding(key: key)
    let signIn = SignIn(client: transport, binding: binding, browser: SystemBrowser())
    return signIn
}

/// Methods in the order of preference.
func methods(_ mine: any AuthenticationMethod) -> Methods {
    let methods = Methods([TokenMethod.openIDConnect, TokenMethod.oauth, mine])
    return methods
}

/// An answer that is asked for once in an hour.
func glossary(_ connection: Connection) async throws -> Glossary {
    let answers = ResponseCache()
    let request = HTTPRequest("GET", try connection.url("/glossary"))
    let glossary = try await answers.value(of: Glossary.self, for: request, user: "alice", connection: "work") {
        try await connection.send(request)
    }
    return glossary
}

/// A request with a session, below Connection.
func fetch(_ session: Session, _ url: WebURL) async throws -> HTTPResponse {
    let response = try await session.send(HTTPRequest("GET", url))
    return response
}

/// The app's life, where it has windows of its own.
func follow(_ lock: AppLock, _ connections: Connections, show: @escaping @Sendable (Bool) -> Void) -> AppLifecycle {
    let lifecycle = AppLifecycle(lock: lock, connections: connections) { isCovered in
        show(isCovered)
    }
    // systemd-logind: org.freedesktop.login1.Session, signals Lock and Unlock, from the app's own D-Bus library
    lifecycle.report(.screenLocked)
    return lifecycle
}

/// Rules of an administrator that changed.
func obey(_ connections: Connections, _ lock: AppLock, _ write: (String) -> Void) async throws {
    let configuration = try ManagedFile.current.read()  // nil: nobody manages this machine
    let report = ManagedReport(await connections.applyRules(to: lock))
    for problem in report.problems { write("\(problem.code.rawValue) at \(problem.path)") }
    _ = configuration
}

/// A lock by itself.
func guarded(
    _ typed: borrowing SecretBytes, wipeEverything: @escaping @Sendable () throws -> Void, show: () -> Void
) throws {
    let lock = AppLock { _ in try wipeEverything() }
    try lock.setPIN(typed)
    guard lock.state.isOpen else { return show() }
}

/// A finger or a face.
func arm(_ lock: AppLock) throws {
    let biometrics = SystemBiometrics()
    lock.follow(biometrics)  // at each start
    try lock.armBiometrics(biometrics)  // after a right PIN
    try lock.unlock(with: biometrics, reason: "Open your diary")
}
