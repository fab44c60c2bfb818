// What an app may look at beyond `PaviseError`: the reasons underneath, states, reports and what a person is shown.
// `PaviseError.code` and `.recovery` are enough for most screens; these are for those that say more.
import Foundation
import Pavise
import PaviseAppLock

/// The typed error underneath, where a screen says more than `error.message(in:)`.
func details(of error: PaviseError) -> String {
    switch error.underlying {
    case let failure as SessionFailure: return session(failure)
    case let failure as SignInFailure: return signIn(failure)
    case let failure as TransportFailure: return network(failure)
    case let refusal as CertificateRefusal: return certificate(refusal)
    case let failure as AppLockFailure: return lock(failure)
    case let failure as ConnectionFailure: return connection(failure)
    case let failure as ProtectedDatabaseError: return database(failure)
    case let failure as SystemFailure: return failure.isDiskFull ? "The disk is full." : "\(failure)"
    default: return error.message(in: .current)
    }
}

func session(_ failure: SessionFailure) -> String {
    switch failure {
    case .reloginNeeded(let reason): ended(because: reason)
    case .unavailable(let reason, let seconds): "\(waits(for: reason)) Again in \(seconds) s."
    case .transport(let failure): network(failure)
    default: "\(failure)"
    }
}

/// Why a session is over, for the screen that asks to sign in again.
func ended(because reason: ReloginReason) -> String {
    switch reason {
    case .keyLost, .lostRotation: "This device lost what it was signed in with. " + reason.sentence
    case .inactivity, .absoluteLimit: "It has been a while. " + reason.sentence
    default: reason.sentence
    }
}

/// Why it does not go on now, although the session lives.
func waits(for reason: DegradedReason) -> String { reason == .trust ? "Do not go on here." : reason.sentence }

func signIn(_ failure: SignInFailure) -> String {
    switch failure {
    case .cancelled: "Nobody signed in."
    case .refused(let code): "The server refused: \(code)."
    case .otherUser: "Somebody else is signed in there."
    default: "The sign-in failed."
    }
}

func network(_ failure: TransportFailure) -> String {
    if case .untrusted(let refusal) = failure { return certificate(refusal) }
    return failure.requestMayHaveLeft ? "It may have arrived. Look before you send it again." : "Nothing was sent."
}

func certificate(_ refusal: CertificateRefusal) -> String {
    let hard = refusal.failures.filter { (failure: TrustFailure) in failure.isHard }
    guard hard.isEmpty, refusal.canBeApproved else { return "Refused for good: \(hard)." }
    return "Compare \(refusal.summary?.spki ?? "the key") with what the server's owner says."
}

func lock(_ failure: AppLockFailure) -> String {
    switch failure {
    case .locked(let reason): asks(because: reason)
    case .tryLater(let seconds): "Wait \(seconds) s."
    case .wrongPIN(let left): left.attempts.map { "Wrong. \($0) tries are left." } ?? "Wrong."
    default: failure.description
    }
}

func asks(because reason: LockReason) -> String { "Unlock the app: \(reason.words)." }

func connection(_ failure: ConnectionFailure) -> String {
    switch failure {
    case .method(let refusal): method(refusal)
    case .servers(let failure): servers(failure)
    case .transport(let failure): network(failure)
    default: "The account cannot be opened."
    }
}

func method(_ refusal: MethodRefusal) -> String {
    switch refusal {
    case .managed(let method): "Your organisation does not allow \(method)."
    case .notAllowedHere(let method, let origin): "\(method) is not for \(origin)."
    case .unknown(let method): "This app does not know \(method)."
    }
}

func servers(_ failure: ServersFailure) -> String {
    if case .busy = failure { return "Another process writes the account. Try again." }
    return "What is known of the account's servers cannot be read. Nothing of it is used."
}

func database(_ error: ProtectedDatabaseError) -> String {
    switch error {
    case .locked: "Unlock the device first."
    case .damaged(let damage): damaged(damage)
    default: error.description
    }
}

func damaged(_ damage: StorageDamage) -> String {
    damage == .keyLost ? "The key is gone: restore a backup." : "Damaged: \(damage)."
}

func tooMuch(_ limit: StorageLimit) -> String { limit == .size ? "The file is too large." : "\(limit)" }

/// Follows one account: states of its session, notices for the person.
func follow(_ session: AppSecurity, _ account: Account) async {
    for await state in session.lock.states { show(state, of: session.lock) }
    for await notice in session.notices { await banner(notice) }
}

func show(_ state: AppLockState, of lock: SecurityLock) {
    switch state {
    case .unset: print("There is no PIN yet.")
    case .unlocked(let seconds): print("Open for \(seconds) s without use.")
    case .locked(let reason), .delayed(let reason, _): print(asks(because: reason))
    case .ended: print("The app was wiped.")
    }
    lock.used()
}

func banner(_ notice: SecurityNotice) async {
    let language = MessageLanguage.all.first { $0.code == "de" } ?? .english
    print(notice.title(in: language), notice.message(in: language), notice.isSecurityEvent ? "!" : "")
}

/// The session under an account, and what the server says about who is signed in.
func standing(of account: Account) async throws -> UserInfo? {
    guard let session = account.connection.session else { return nil }
    switch await session.state {
    case SessionState.active, .refreshing: break
    case .degraded(let reason): print(waits(for: reason))
    case .reloginNeeded(let reason): print(ended(because: reason))
    default: return nil
    }
    return try await account.connection.userInfo()
}

/// What a sign-out and a removal left behind.
func tell(_ report: SignOutReport, _ removal: RemovalReport) {
    if report.localFailure != nil { print("The tokens are still here. Try again.") }
    if report.revocation == .queued { print("The server is told as soon as it is reached.") }
    if !removal.localFailures.isEmpty { print("Something of the account is still here.") }
}

/// Sign-in where there is no browser, or an own one.
func options(_ secret: consuming SecretBytes) -> SignInOptions {
    var options = SignInOptions()
    options.browser = Kiosk()
    options.browser = AddressReader { address in print("Open \(address) elsewhere.") }
    options.showCode = { (prompt: DevicePrompt) in print("Type \(prompt.code) at \(prompt.address).") }
    options.binding = DPoPPolicy.always
    options.clientSecret = SharedSecretBytes(secret)
    return options
}

/// A browser of the app's own: it says why it cannot open a page.
struct Kiosk: Browser {
    func open(_ url: WebURL) async throws(BrowserFailure) {
        guard url.origin.scheme == .https else { throw BrowserFailure("This kiosk opens https only.") }
        print("shows \(url)")
    }
}

/// How long sessions live, and when the app locks.
func settings() -> SecurityConfiguration {
    var configuration = SecurityConfiguration()
    var policy = RefreshPolicy()
    policy.inactivity = .seconds(7 * 86_400)
    configuration.session = policy
    configuration.session.whileLocked = true
    configuration.leaving = LifecycleRules(leaving: .inactive)
    return configuration
}

/// What an app shows at its start, also before anybody has unlocked the device.
func follow(_ security: AppSecurity, show: (AccountState) -> Void) async {
    for await state in security.states(of: "work") { show(state) }
}

/// What a push notification asks for while the app may be locked.
func fetchInBackground(_ account: Account) async throws -> Int {
    let background = try account.whileLocked()
    return try await background.get("/api/count", as: Int.self)
}

/// What the app's toolkit tells on Linux.
func report(_ security: AppSecurity, isLocked: Bool) {
    security.report(isLocked ? LifecycleEvent.screenLocked : .screenUnlocked)
}

/// A finger or a face for the lock, in a test: one that always agrees.
final class Agreeing: BiometricKeeper {
    func keep(_ key: borrowing SecretBytes) throws {}
    func release(reason: String) -> SecretBytes { SecretBytes(count: 32) { _ in } }
    func forget() {}
}

/// A download with its progress, and a body in pieces.
func fetch(_ account: Account) async throws {
    let file = try await account.download("/files/1", to: account.files, protection: ProtectionClass.complete) {
        (progress: DownloadProgress) in print(progress.received, "of", progress.total ?? 0)
    }
    let pieces: AccountBytes = account.stream("/files/2", limit: 1 << 20)
    for try await piece in pieces { print(piece.count) }
    try read(file, in: account.files)
}

/// A sealed file, read where it lies.
func read(_ id: StoredFileID, in files: ProtectedFiles) throws {
    let reader: SealedFileReader = try files.open(id)
    let attributes: StoredFileAttributes = reader.attributes
    print(attributes.name, attributes.length, try reader.read(at: 0, count: 16))
}

/// A request with fields of the app's own.
func tagged(_ url: WebURL) -> HTTPRequest {
    var fields = HTTPFields()
    fields.append("Accept", "application/json")
    return HTTPRequest("GET", url, fields: fields)
}

/// A type of the app's own in a column.
enum Mood: String, SQLConvertible {
    case rested, tired

    var sqlValue: SQLValue { .text(rawValue) }
    init?(sqlValue: SQLValue) {
        guard case .text(let text) = sqlValue else { return nil }
        self.init(rawValue: text)
    }
}

func moods(_ database: ProtectedDatabase) throws -> Mood? {
    try database.read { (access: borrowing DatabaseAccess) in try access.value("SELECT mood FROM night LIMIT 1") }
}

/// What is different in the certificate that a person is asked about.
func differences(_ review: CertificateReview) -> [String] {
    review.changes.map { (change: CertificateChange) in "\(change.field): \(change.old) → \(change.new)" }
}

/// What happened to a server while the app did something else, below `AppSecurity`.
func connections() -> Connections {
    Connections(notice: { (notice: ServerNotice) in
        switch notice {
        case .renewed(let origin, _): print("\(origin) has a new certificate")
        case .notKept(let origin, let why): print("\(origin): \(why)")
        }
    })
}

func name(of account: ConnectionDescriptor) -> String { "\(account.name) at \(account.origin)" }

/// The accounts of this device, by what is known of them.
func names(_ connections: Connections) throws -> [String] {
    try connections.list().map { row in
        switch row.descriptor {
        case .success(let account): return name(of: account)
        case .failure(let problem): return "\(row.id) cannot be used: \(problem)"
        }
    }
}

/// Foundation's types, where an app has them.
func send(_ report: URL, by account: Account) async throws {
    let answer = try await account.upload(report, to: "/files/report.pdf") { sent, total in print(sent, total) }
    print(answer.status, answer.data.count)
    let file = try account.files.put(answer.data, named: "answer", protection: .complete)
    print(try account.files.open(file).attributes.modificationDate)
}
