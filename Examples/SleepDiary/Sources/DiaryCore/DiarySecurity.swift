public import Foundation
public import Pavise
public import PaviseDocuments
internal import PaviseIntegrity
public import PaviseStorage
internal import Synchronization

/// All that the diary does for its security: it wires Pavise once, and the windows ask it. Whatever reads a disk,
/// stretches a PIN or waits for a server runs elsewhere than on the actor that draws.
///
/// ```swift
/// let security = try await DiarySecurity.open { isCovered in … }
/// switch try await security.stage() { … }
/// ```
public final class DiarySecurity: Sendable {
    /// The app's identifier, also that of its desktop file.
    public static let identifier = "org.example.SleepDiary"
    /// What the authority knows the app as.
    public static let clientID = "sleep-diary"
    /// The one account.
    static let accountName = "diary"
    /// The largest document that is taken: 16 MiB.
    public static let documentLimit = 16 << 20

    /// What the person has to do next.
    public enum Stage: Hashable, Sendable {
        /// Choose a PIN: nothing is kept before.
        case choosePIN
        /// Open the lock.
        case locked(AppLockState)
        /// Read what is kept, and agree or not.
        case consent
        /// Use the diary.
        case open
        /// Nothing: too many wrong PINs, and everything was erased.
        case erased
    }

    /// A document, as the list shows it.
    public struct Document: Hashable, Sendable {
        /// Names it for the machine.
        public let id: StoredFileID
        /// What it is called; empty where nobody can say.
        public let name: String
        /// Bytes.
        public let length: Int
        /// Why it cannot be read, now and later; `nil` where nothing is known against it.
        public let trouble: PaviseError?
    }

    /// Pavise's half.
    public let app: AppSecurity
    /// What is harmless in clear.
    public let settings: Settings
    /// Sums of nights, which the lock takes out of memory.
    public let statistics: SleepStatistics
    /// Notices from the server, for a person who wants them.
    public let push: DiaryPush
    private let opened = Mutex<Diary?>(nil)
    private let signedIn = Mutex<Account?>(nil)
    private let biometrics = SystemBiometrics()
    #if canImport(PaviseSync)
    let syncing = Mutex<DiarySync?>(nil)
    #endif
    private static let log = Log(subsystem: "org.example.SleepDiary", category: "security")

    /// Over an app's security: a test gives that of its world.
    public init(over app: AppSecurity, settings: Settings = Settings()) {
        self.app = app
        self.settings = settings
        statistics = SleepStatistics(in: app.caches)
        let name = Self.accountName
        push = DiaryPush { try app.accountNames().contains(name) ? try app.account(name) : nil }
        app.lock.appLock.follow(biometrics)
    }

    /// The security of the app. No secret is read, and nothing is sent.
    ///
    /// - Parameter cover: Covers the windows, or uncovers them. It is called on any thread and must not wait.
    @concurrent
    public static func open(
        cover: @escaping @Sendable (Bool) -> Void = { _ in }
    ) async throws(PaviseError) -> DiarySecurity {
        DiarySecurity(over: try AppSecurity(identifier: identifier, configuration: try configuration(cover)))
    }

    /// Pavise's defaults, and what a diary wants otherwise.
    public static func configuration(
        _ cover: @escaping @Sendable (Bool) -> Void = { _ in }
    ) throws(PaviseError) -> SecurityConfiguration {
        var configuration = SecurityConfiguration()
        // Windows stay visible on a desktop: to turn to another program counts as leaving, and a minute is forgiven.
        configuration.leaving = LifecycleRules(leaving: .inactive)
        do { configuration.lock = try AppLockPolicy(grace: .seconds(60)) } catch { throw PaviseError(error) }
        configuration.cover = cover
        return configuration
    }

    // MARK: Lock and consent

    /// What the person has to do next.
    @concurrent
    public func stage() async throws(PaviseError) -> Stage {
        switch app.lock.state {
        case .unset: return .choosePIN
        case .ended: return .erased
        case .locked, .delayed: return .locked(app.lock.state)
        case .unlocked:
            return try await with { Consent.isGiven(try $0.consents()) } ? .open : .consent
        }
    }

    /// Sets the first PIN.
    public func choose(_ pin: borrowing SecretBytes) async throws(PaviseError) { try await app.lock.setPIN(pin) }

    /// Opens the lock.
    public func unlock(_ pin: borrowing SecretBytes) async throws(PaviseError) { try await app.lock.unlock(pin) }

    /// Another PIN; what is kept stays as it is.
    public func change(_ old: borrowing SecretBytes, to new: borrowing SecretBytes) async throws(PaviseError) {
        try await app.lock.changePIN(old, to: new)
    }

    /// Whether a face or a finger can open the lock on this device.
    public var hasBiometrics: Bool { biometrics.obstacle == nil }

    /// Lets a face or a finger open the lock from now on, within a minute after the right PIN; or not any more.
    @concurrent
    public func useBiometrics(_ isWanted: Bool) async throws(PaviseError) {
        guard isWanted else { return biometrics.forget() }
        do { try app.lock.appLock.armBiometrics(biometrics) } catch { throw PaviseError(error) }
    }

    /// Opens the lock with a face or a finger; the system asks, and says why: `reason`.
    @concurrent
    public func unlockWithBiometrics(reason: String) async throws(PaviseError) {
        do { try app.lock.appLock.unlock(with: biometrics, reason: reason) } catch { throw PaviseError(error) }
    }

    /// Whether the checks of this device found something, at the start or at the last unlock.
    public var hasDeviceFindings: Bool { !app.integrity.reasons.isEmpty }

    /// Begins anew after everything was erased, or after a consent was refused.
    @concurrent
    public func startOver() async throws(PaviseError) {
        // Also where it fails half-way: account, records and database are those of before.
        defer {
            signedIn.withLock { $0 = nil }
            forgetSync()
            opened.withLock { $0 = nil }
        }
        try await app.wipe()
        try await push.signedOut()
    }

    /// Notes what the person said to the text about their data.
    public func consent(_ isGiven: Bool) async throws(PaviseError) {
        try await with { try $0.keep(Consent(moment: Date(), isGiven: isGiven)) }
    }

    // MARK: Diary and documents

    /// Does something with the diary, on a thread that may wait.
    @concurrent
    public func with<Value: Sendable>(_ body: @Sendable (Diary) throws -> Value) async throws(PaviseError) -> Value {
        do { return try body(try diary()) } catch { throw PaviseError(error) }
    }

    private func diary() throws(PaviseError) -> Diary {
        if let diary = opened.withLock({ $0 }) { return diary }
        let diary = try Diary.open(in: app)
        opened.withLock { $0 = diary }
        return diary
    }

    /// The documents, by name; those that are damaged come last, and say so.
    @concurrent
    public func documents() async throws(PaviseError) -> [Document] {
        do { return try app.files.list().map { entry in try Document(entry) } } catch { throw PaviseError(error) }
    }

    /// Keeps a document, sealed; removing it makes every copy unreadable. Before the consent none is kept.
    @concurrent
    public func keep(document bytes: [UInt8], named name: String) async throws(PaviseError) {
        try await with { diary in
            try diary.permitted {
                _ = try self.app.files.put(bytes, named: name, type: "", protection: .complete, erasable: true)
            }
        }
    }

    /// A document as a page that runs and fetches nothing; `nil` for a kind that cannot be shown.
    @concurrent
    public func page(of document: Document) async throws(PaviseError) -> DocumentPage? {
        do {
            let bytes = try app.files.get(document.id, limit: Self.documentLimit)
            return try? DocumentPage(bytes, named: document.name)
        } catch {
            throw PaviseError(error)
        }
    }

    /// Erases a document, here at once, and with the next synchronising wherever else it is.
    @concurrent
    public func remove(_ document: Document) async throws(PaviseError) {
        var failure: PaviseError?
        #if canImport(PaviseSync)
        do throws(PaviseError) { try await sync()?.erases(document.id) } catch { failure = error }
        #endif
        do { try app.files.remove(document.id) } catch { throw PaviseError(error) }
        // It is gone here; the next synchronising would bring it back.
        if let failure { throw failure }
    }

    // MARK: Account

    /// Looks at a server; nothing is sent to it.
    public func review(_ address: String) async throws(PaviseError) -> ReviewedServer { try await app.review(address) }

    /// Looks at the account's server before the person signs in again: who approved its certificate is not asked twice.
    public func reviewAgain() async throws(PaviseError) -> ReviewedServer? { try await account()?.review() }

    /// Signs in at a server that was looked at, in the system's browser.
    public func signIn(
        to server: ReviewedServer, options: SignInOptions = SignInOptions()
    ) async throws(PaviseError) -> Account {
        let account = try await app.connect(server, as: Self.accountName, clientID: Self.clientID, options: options)
        signedIn.withLock { $0 = account }
        forgetSync()
        return account
    }

    /// The account; `nil` where there is none.
    @concurrent
    public func account() async throws(PaviseError) -> Account? {
        if let account = signedIn.withLock({ $0 }) { return account }
        guard try app.accountNames().contains(Self.accountName) else { return nil }
        let account = try app.account(Self.accountName)
        signedIn.withLock { $0 = account }
        return account
    }

    /// Signs out: wiped here first, also without a network. The diary stays on this device.
    ///
    /// - Returns: Also what could not be erased here: the next start goes on with it. `nil` where nobody is signed in.
    @discardableResult
    public func signOut() async throws(PaviseError) -> SignOutReport? {
        var known: Account?
        do throws(PaviseError) {
            known = try await account()
            guard known != nil else { return nil }
        } catch {
            // Of a damaged account no server can be told; it is wiped here all the same.
            guard error.code == .damaged else { throw error }
        }
        forgetSync()
        let report = await known?.signOut()
        signedIn.withLock { $0 = nil }
        let removal = try await app.remove(Self.accountName)
        try await push.signedOut()
        return SignOutReport(
            localFailure: removal.localFailures.first, revocation: report?.revocation ?? removal.revocation)
    }

    private func forgetSync() {
        #if canImport(PaviseSync)
        syncing.withLock { $0 = nil }
        #endif
    }

    // MARK: Everything away

    /// Erases everything here, and takes the sign-in back at the server. Safe to repeat.
    ///
    /// - Parameter moment: What the receipt says; now where none is given.
    /// - Returns: What was erased.
    public func eraseEverything(at moment: Date? = nil) async throws(PaviseError) -> DeletionReceipt {
        // What cannot be read any more is erased all the same, and not counted: the receipt says so.
        let figures = await figures()
        let server: DeletionReceipt.Server
        do { server = DeletionReceipt.Server(try await signOut()) } catch { server = .endsByItself }
        do {
            try await startOver()
            try settings.reset()
        } catch {
            let failure = PaviseError(error)
            Self.log.error("the diary was not erased whole: \(public: failure.isSecurityEvent)")
            throw failure
        }
        return DeletionReceipt(figures, server: server, at: moment ?? Date())
    }
}
