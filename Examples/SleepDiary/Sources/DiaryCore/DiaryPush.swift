public import Foundation
public import Pavise
public import PavisePrivacy
internal import Synchronization

/// Notices from the clinic's server, for a person who wants them: another device of theirs changed the diary.
///
/// The Kit decides when a token is had, sent and taken back (`PushRegistration`), and what is shown (`PushNotice`).
/// Here is what an app adds: four requests, and its own words. On Apple's systems the app's ``PushSystem`` asks the
/// person and the system. A desktop has no push service; the lab plays one, and this asks it whenever the diary
/// synchronises, so that waiting for notices keeps no session alive.
///
/// ```swift
/// try await security.push.want(UserAction())     // in the handler of a switch
/// for notice in await security.push.notices(in: .english) { … }
/// ```
public final class DiaryPush: Sendable {
    private let registration: PushRegistration
    private let services: Services

    init(_ account: @escaping @Sendable () async throws -> Account?) {
        services = Services(account: account)
        registration = PushRegistration(services)
        services.came.withLock { [weak registration] in
            $0 = { [weak registration] token in try? await registration?.handle(.token(token)) }
        }
    }

    /// Leaves the person's permission and the token to the system, before the first event.
    public func use(_ system: some PushSystem) { services.system.withLock { $0 = system } }

    /// The token that the system gave: ``PushSystem/register()`` asked for it, or the system has another one now.
    public func came(_ token: Data) async throws(PaviseError) {
        // As text: that is how it goes to the server.
        let digits = token.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        try await handle(.token(Array(digits.utf8)))
    }

    /// Opens what the server sealed, and has the app's own words: for the system's service extension. Without the key,
    /// before the first unlock for example, the words are neutral.
    public static func reader(in language: MessageLanguage) -> PushNotice.Reader {
        reader(in: language, try? PushKey.find())
    }

    private static func reader(in language: MessageLanguage, _ key: PushKey?) -> PushNotice.Reader {
        let phrases = DiaryPhrases.of(language)
        return PushNotice.Reader(key: key, keys: ["notice.nights"]) { phrases.notice($0) }
    }

    /// Whether the person wants them. Whoever refused them wants none, also while the server has not forgotten yet.
    public func isWanted() async throws(PaviseError) -> Bool {
        do {
            switch try await registration.state() {
            case .none, .deleting: return false
            case .asked, .allowed, .registered, .sent: return true
            }
        } catch {
            throw PaviseError(error)
        }
    }

    /// The person wants them: asked for, and known to the server, from now on.
    public func want(_ action: UserAction) async throws(PaviseError) { try await handle(.personAsked(action)) }

    /// The person wants them no more.
    public func refuse() async throws(PaviseError) { try await handle(.permissionRevoked) }

    /// Goes on where it stood: at each start, as soon as the lock is open. Where nobody is signed in, a sign-out that
    /// was cut off ends here: the next server gets a token after an action of the person, as the first one did.
    public func goOn() async throws(PaviseError) {
        guard try await !isSignedIn() else { return try await handle(.started) }
        if try await isWanted() { try await handle(.signOut) }
        try await handle(.started)
        try Self.forgetKey()
    }

    private func isSignedIn() async throws(PaviseError) -> Bool {
        do {
            guard let account = try await services.account() else { return false }
            return await account.state != .signedOut
        } catch {
            throw PaviseError(error)
        }
    }

    /// The app came to the front: what the server did not take is tried again.
    public func becameActive() async throws(PaviseError) { try await handle(.becameActive) }

    /// The account is signed out: what comes later is neutral.
    func signedOut() async throws(PaviseError) {
        try await handle(.signOut)
        try Self.forgetKey()
    }

    private static func forgetKey() throws(PaviseError) {
        do { try PushKey.forget() } catch { throw PaviseError(error) }
    }

    private func handle(_ event: PushTokenMachine.Event) async throws(PaviseError) {
        do { try await registration.handle(event) } catch { throw PaviseError(error) }
    }

    /// What came since the last time, in the app's own words.
    @concurrent
    public func notices(in language: MessageLanguage) async throws(PaviseError) -> [PushNotice.Shown] {
        do {
            guard case .sent(let token) = try await registration.state(), let account = try await services.account()
            else { return [] }
            let answer = try await account.send(Told(token), to: "/api/push/notices", as: Answer.self)
            let reader = Self.reader(in: language, try PushKey.find())
            return answer.notices.map { reader.shown(for: $0.pavise, at: Int(Date().timeIntervalSince1970)) }
        } catch {
            throw PaviseError(error)
        }
    }

    private struct Answer: Decodable, Sendable {
        struct Payload: Decodable, Sendable {
            let pavise: String?
        }
        let notices: [Payload]
    }
}

/// What a system with a push service does for ``DiaryPush``.
public protocol PushSystem: Sendable {
    /// Asks the person, through the system.
    func askPermission(_ action: UserAction) async -> Bool
    /// Whether the person allows notices now, by the system's settings.
    func isAllowed() async -> Bool
    /// Asks the system for a token, which comes to ``DiaryPush/came(_:)``.
    func register() async
    /// Takes back what is shown and what waits.
    func removeNotices() async
}

extension DiaryPush {
    private final class Services: PushServices {
        let account: @Sendable () async throws -> Account?
        let came = Mutex<(@Sendable ([UInt8]) async -> Void)?>(nil)
        let system = Mutex<(any PushSystem)?>(nil)

        init(account: @escaping @Sendable () async throws -> Account?) { self.account = account }

        func askPermission(_ action: UserAction) async -> Bool {
            if let system = system.withLock({ $0 }) { return await system.askPermission(action) }
            #if os(Linux)
            // A desktop asks nobody: the switch that the person pressed is the permission.
            return true
            #else
            return false
            #endif
        }

        // A desktop's switch is the permission: `refuse()` takes it back.
        func isAllowed() async -> Bool {
            guard let system = system.withLock({ $0 }) else { return true }
            return await system.isAllowed()
        }

        func register() async {
            if let system = system.withLock({ $0 }) { return await system.register() }
            let came = came.withLock { $0 }
            Task { [account] in
                guard let answer = try? await account()?.send(Nothing(), to: "/api/push/tokens", as: Token.self)
                else { return }
                await came?(Array(answer.token.utf8))
            }
        }

        func send(_ token: [UInt8]) async throws {
            guard let account = try await account() else { throw CancellationError() }
            let key = try PushKey.make().withBytes { bytes in
                var copy = Data()
                for index in bytes.indices { copy.append(bytes[index]) }
                return copy
            }
            _ = try await account.send(Told(token, key: key), to: "/api/push/registrations", as: Nothing.self)
        }

        // The server forgets a token with the session that told it; the Kit brings the end of that there, also later.
        func delete(_ token: [UInt8]) async throws {
            guard let account = try await account() else { return }
            _ = try await account.send(Told(token), to: "/api/push/removals", as: Nothing.self)
        }

        // A desktop's windows take back what they showed when the lock closes, and when somebody signs out.
        func removeNotices() async { await system.withLock { $0 }?.removeNotices() }

        private struct Nothing: Codable {}
        private struct Token: Decodable {
            let token: String
        }
    }

    // In the body: an address is written into logs.
    private struct Told: Encodable {
        let token: String
        // As JSONEncoder writes bytes: base64.
        let key: Data?

        init(_ token: [UInt8], key: Data? = nil) {
            self.token = String(decoding: token, as: UTF8.self)
            self.key = key
        }
    }
}
