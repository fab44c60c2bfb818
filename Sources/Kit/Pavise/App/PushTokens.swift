internal import PavisePrimitives
internal import PavisePrivacy
internal import PaviseStorage
internal import PaviseVault

/// The push tokens of an app's accounts: a ``PushRegistration`` for each that wants notices.
///
/// Which accounts these are is written down before the first event of one, and until its server has forgotten the last
/// token: an account that is removed, wiped or ended by another process is found again by the next start. All of it
/// lies in the keychain, and not under the app lock, which may be closed for good when a token has to be taken back.
actor PushTokens {
    typealias MakeServices = @Sendable (_ account: String) -> any PushServices

    /// An account that wants notices, or wanted them.
    struct Row: Hashable, Sendable {
        let id: ConnectionID
        let name: String
    }

    private let list: ItemName
    private let store: any SecretStore
    private let patience: Duration
    private let sleep: @Sendable (Duration) async throws -> Void
    private var makeServices: MakeServices?
    private var isOver: @Sendable (Row) async -> Bool = { _ in false }
    private var registrations: [ConnectionID: PushRegistration] = [:]
    // Accounts whose person is being asked: they stay in the list.
    private var asking: Set<ConnectionID> = []

    /// - Parameters:
    ///   - identifier: The app's.
    ///   - store: Where states and list are kept.
    ///   - patience: How long a server is waited for.
    ///   - sleep: Waits.
    init(
        of identifier: String, in store: any SecretStore = KeychainStore(), patience: Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        list = ItemName(checkedService: "org.pavise.push", "accounts.\(identifier)")
        self.store = store
        self.patience = patience
        self.sleep = sleep
    }

    /// Takes what the app does, and goes on where an earlier process stood.
    ///
    /// - Parameter isOver: Whether the account is removed, signed out or revoked, for certain.
    func follow(
        _ makeServices: @escaping MakeServices, isOver: @escaping @Sendable (Row) async -> Bool
    ) async throws(VaultFailure) {
        self.makeServices = makeServices
        self.isOver = isOver
        registrations = [:]
        try await goOn(.started)
    }

    /// The app came to the front, or a network did.
    func becameActive() async throws(VaultFailure) {
        guard makeServices != nil else { return }
        try await goOn(.becameActive)
    }

    private func goOn(_ event: PushTokenMachine.Event) async throws(VaultFailure) {
        var failure: VaultFailure?
        for row in try rows() {
            let next = await take(await isOver(row) ? [.signOut, event] : [event], of: row)
            failure = failure ?? next
        }
        try await tidy()
        if let failure { throw failure }
    }

    // What is wrong with one account keeps no other from its turn: the first failure is told when all had theirs.
    private func take(_ events: [PushTokenMachine.Event], of row: Row) async -> VaultFailure? {
        let registration = registration(of: row)
        do throws(VaultFailure) {
            try await bounded { () async throws(VaultFailure) in
                for event in events { try await registration.handle(event) }
            }
            return nil
        } catch {
            // Of an account that is over a damaged state says nothing that could still be done: whoever asked hears it
            // once. A sign-out and a removal go on without a word of it.
            if case .corrupt = error, events.first == .signOut { forget(row) }
            return error
        }
    }

    private func forget(_ row: Row) {
        registrations[row.id] = nil
        // What cannot be deleted now is found damaged again, and told again.
        try? store.delete(Self.name(of: row))
    }

    private static func name(of row: Row) -> ItemName {
        ItemName(checkedService: "org.pavise.push", "token.\(row.id.text)")
    }

    /// The person wants notices of this account.
    ///
    /// - Returns: Whether the system allows them.
    func want(_ row: Row, _ action: UserAction) async throws(VaultFailure) -> Bool {
        guard makeServices != nil else { return false }
        asking.insert(row.id)
        defer { asking.remove(row.id) }
        let known = try rows()
        if !known.contains(row) { try save(known.filter { $0.id != row.id } + [row]) }
        let registration = registration(of: row)
        try await registration.handle(.personAsked(action))
        return try await Self.isWanted(registration)
    }

    /// The person wants none any more.
    func refuse(_ id: ConnectionID) async throws(VaultFailure) {
        try await end(.permissionRevoked) { $0.id == id }
    }

    /// These accounts are signed out, removed, revoked or wiped: what is shown goes, and their servers forget the
    /// token, now or as soon as they answer.
    func signOut(_ isEnded: @Sendable (Row) -> Bool) async throws(VaultFailure) { try await end(.signOut, isEnded) }

    private func end(
        _ event: PushTokenMachine.Event, _ isEnded: @Sendable (Row) -> Bool
    ) async throws(VaultFailure) {
        let ended = try rows().filter { isEnded($0) }
        guard !ended.isEmpty else { return }
        var failure: VaultFailure?
        for row in ended {
            let next = await take([event], of: row)
            failure = failure ?? next
        }
        try await tidy()
        if let failure { throw failure }
    }

    /// Whether the person wants notices of this account. Where the server has not forgotten yet she wants none.
    func isWanted(_ id: ConnectionID) async throws(VaultFailure) -> Bool {
        guard let row = try rows().first(where: { $0.id == id }) else { return false }
        return try await Self.isWanted(registration(of: row))
    }

    /// The system gave this token, the first or another one: each account that wants notices is registered with it.
    func came(_ token: [UInt8]) async throws(VaultFailure) {
        var failure: VaultFailure?
        for row in try rows() {
            let next = await take([.token(token)], of: row)
            failure = failure ?? next
        }
        if let failure { throw failure }
    }

    private static func isWanted(_ registration: PushRegistration) async throws(VaultFailure) -> Bool {
        switch try await registration.state() {
        case .none, .deleting: return false
        case .asked, .allowed, .registered, .sent: return true
        }
    }

    private func registration(of row: Row) -> PushRegistration {
        if let known = registrations[row.id] { return known }
        let name = Self.name(of: row)
        // Before the app said how, what has to be done is written down.
        guard let makeServices else { return PushRegistration(NoPushServices(), in: store, as: name) }
        let made = PushRegistration(makeServices(row.name), in: store, as: name)
        registrations[row.id] = made
        return made
    }

    // A server that is silent holds nobody up: what has begun goes on by itself, and what did not begin is seen at the
    // next start.
    private func bounded(
        _ body: @escaping @Sendable () async throws(VaultFailure) -> Void
    ) async throws(VaultFailure) {
        let (results, continuation) = AsyncStream.makeStream(of: Result<Void, VaultFailure>.self)
        Task {
            do throws(VaultFailure) {
                try await body()
                continuation.yield(.success(()))
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        let timer = Task { [sleep, patience] in
            try? await sleep(patience)
            continuation.finish()
        }
        defer { timer.cancel() }
        for await result in results { try result.get() }
    }

    // Who wants nothing, and is known to no server, leaves the list. The key of what is sealed goes with the last who
    // wants something: what comes later is neutral.
    private func tidy() async throws(VaultFailure) {
        var (idle, isWanted, known) = (Set<ConnectionID>(), false, try rows())
        guard !known.isEmpty else { return }
        for row in known {
            let registration = registration(of: row)
            do throws(VaultFailure) {
                if try await registration.isIdle() { idle.insert(row.id) }
                if try await Self.isWanted(registration) { isWanted = true }
            } catch {
                // Of a damaged one nobody can say, now or later: its notices are neutral.
                if error.isPassing { isWanted = true }
            }
        }
        if !isWanted, asking.isEmpty { try PushKey.forget(in: store) }
        idle.subtract(asking)
        guard !idle.isEmpty else { return }
        // Others may have come meanwhile.
        known = try rows()
        try save(known.filter { !idle.contains($0.id) })
    }

    // A line for each: identifier, blank, name. Neither has a blank.
    private func rows() throws(VaultFailure) -> [Row] {
        guard case .found(let bytes) = try store.read(list) else { return [] }
        let text = bytes.withBytes { span in String(decoding: Array(span), as: UTF8.self) }
        var rows: [Row] = []
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1).map { String($0) }
            guard parts.count == 2, let id = ConnectionID(parts[0]) else { throw .corrupt(.content) }
            rows.append(Row(id: id, name: parts[1]))
        }
        return rows
    }

    private func save(_ rows: [Row]) throws(VaultFailure) {
        guard !rows.isEmpty else { return try store.delete(list) }
        let bytes = Array(rows.map { "\($0.id.text) \($0.name)\n" }.joined(separator: "").utf8)
        try bytes.withSpan { span throws(VaultFailure) in try store.replace(span, as: list) }
    }
}

/// Reaches no server, so that everything waits.
private struct NoPushServices: PushServices {
    struct NotYet: Error {}

    func askPermission(_ action: UserAction) async -> Bool { false }
    func isAllowed() async -> Bool { true }
    func register() async {}
    func send(_ token: [UInt8]) async throws { throw NotYet() }
    func delete(_ token: [UInt8]) async throws { throw NotYet() }
    func removeNotices() async {}
}
