internal import PavisePrimitives
public import PaviseVault

/// What the app does for ``PushRegistration``.
public protocol PushServices: Sendable {
    /// Asks the person through the system: `NoticeCenter.ask(_:)`. Called only after an action of hers.
    func askPermission(_ action: UserAction) async -> Bool
    /// Whether the person allows notices now: `NoticeCenter.isAllowed()`. Asked before a token is sent, at each start
    /// and whenever the app comes to the front, since no app is told when she takes the permission back in the system's
    /// settings.
    func isAllowed() async -> Bool
    /// Asks the system for a token. It comes later, as ``PushTokenMachine/Event/token(_:)``: never wait for it here.
    func register() async
    /// Tells the server the token, with the connection of the signed-in account, and the ``PushKey``.
    func send(_ token: [UInt8]) async throws
    /// Lets the server forget a token. It has to work without the account, which is signed out then.
    func delete(_ token: [UInt8]) async throws
    /// Takes back notices that are shown and that wait: `NoticeCenter.removeAll()`.
    func removeNotices() async
}

/// Runs ``PushTokenMachine`` of an app by itself; for the accounts of an `AppSecurity`, its `followPush(_:)` does that.
///
/// What the machine decides is in the secret store before anything is done, so that a kill at any step leaves no token
/// at the server that nobody forgets.
///
/// ```swift
/// let push = PushRegistration(services)
/// try await push.handle(.started)  // at each start: goes on where it stood
/// try await push.handle(.becameActive)  // whenever the app comes to the front
/// try await push.handle(.personAsked(UserAction()))  // in the handler of a button
/// try await push.handle(.signOut)
/// ```
public actor PushRegistration {
    private let services: any PushServices
    private let store: any SecretStore
    private let name: ItemName
    private var machine: PushTokenMachine?
    // Events one after the other: a sign-out waits for the token that is on its way to the server.
    private var last: Task<Result<[[UInt8]], VaultFailure>, Never>?
    // Tokens that the server is being told to forget.
    private var underWay: Set<[UInt8]> = []

    /// - Parameters:
    ///   - services: What the app does.
    ///   - store: Where the state is kept.
    public init(_ services: any PushServices, in store: any SecretStore = KeychainStore()) {
        self.init(services, in: store, as: ItemName(checkedService: "org.pavise.push", "token"))
    }

    /// One of several: the state is kept as `name`.
    package init(_ services: any PushServices, in store: any SecretStore, as name: ItemName) {
        self.services = services
        self.store = store
        self.name = name
    }

    /// Takes an event, and does what follows from it. Events that come meanwhile wait, but not for a server that is to
    /// forget a token.
    ///
    /// What the server did not take stays to be done, and is tried again at ``PushTokenMachine/Event/started`` and
    /// ``PushTokenMachine/Event/becameActive``.
    /// - Throws: `VaultFailure` where the store is locked or cannot be written: nothing was done then.
    public func handle(_ event: PushTokenMachine.Event) async throws(VaultFailure) {
        let before = last
        let task = Task<Result<[[UInt8]], VaultFailure>, Never> {
            _ = await before?.value
            do throws(VaultFailure) { return .success(try await self.run(event)) } catch { return .failure(error) }
        }
        last = task
        let forgotten = try await task.value.get()
        guard !forgotten.isEmpty else { return }
        // A task of its own, as above: whoever asked may be gone, and with them what they wait for.
        let forgetting = Task<Result<Void, VaultFailure>, Never> {
            do throws(VaultFailure) { return .success(try await self.forget(forgotten)) } catch {
                return .failure(error)
            }
        }
        try await forgetting.value.get()
    }

    // Each at most once at a time. What the server does not take stays owed.
    private func forget(_ tokens: [[UInt8]]) async throws(VaultFailure) {
        for token in tokens where underWay.insert(token).inserted {
            let isForgotten = (try? await services.delete(token)) != nil
            underWay.remove(token)
            if isForgotten { try await handle(.deleted(token)) }
        }
    }

    // Gives the tokens that the server is to forget.
    private func run(_ event: PushTokenMachine.Event) async throws(VaultFailure) -> [[UInt8]] {
        var action: UserAction?
        if case .personAsked(let asked) = event { action = asked }
        var events = [try await isTakenBack(event) ? .permissionRevoked : event]
        var forgotten: [[UInt8]] = []
        while !events.isEmpty {
            let actions = try decide(events.removeFirst())
            for next in actions {
                if case .deleteAtServer(let token) = next { forgotten.append(token) }
                if let event = await perform(next, action) { events.append(event) }
            }
        }
        return forgotten
    }

    private func isTakenBack(_ event: PushTokenMachine.Event) async throws(VaultFailure) -> Bool {
        guard event == .started || event == .becameActive else { return false }
        switch try current().state {
        case .allowed, .registered, .sent: return await !services.isAllowed()
        case .none, .asked, .deleting: return false
        }
    }

    /// Where it stands.
    public func state() throws(VaultFailure) -> PushTokenMachine.State { try current().state }

    /// Whether nothing is kept: nobody wants notices, and no server has a token to forget.
    package func isIdle() throws(VaultFailure) -> Bool {
        let machine = try current()
        return machine.state == .none && machine.owed.isEmpty
    }

    private func current() throws(VaultFailure) -> PushTokenMachine {
        if let machine { return machine }
        var made = PushTokenMachine()
        if case .found(let bytes) = try store.read(name) {
            guard let known = bytes.withBytes({ Self.machine(Array($0)) }) else { throw .corrupt(.content) }
            made = known
        }
        machine = made
        return made
    }

    private func decide(_ event: PushTokenMachine.Event) throws(VaultFailure) -> [PushTokenMachine.Action] {
        let before = try current()
        var next = before
        let actions = next.handle(event)
        if next != before {
            let bytes = Self.bytes(next)
            if bytes.isEmpty {
                try store.delete(name)
            } else {
                try bytes.withSpan { span throws(VaultFailure) in try store.replace(span, as: name) }
            }
        }
        machine = next
        return actions
    }

    private func perform(_ action: PushTokenMachine.Action, _ asked: UserAction?) async -> PushTokenMachine.Event? {
        switch action {
        case .askPermission:
            guard let asked else { return .refused }
            return await services.askPermission(asked) ? .allowed : .refused
        case .register: await services.register()
        case .send(let token):
            guard await services.isAllowed() else { return .permissionRevoked }
            return (try? await services.send(token)).map { .sent }
        case .deleteAtServer: break
        case .removeNotices: await services.removeNotices()
        }
        return nil
    }

    // One byte for the state, and the token; before it what is owed: 6, how many, and each behind its length in two
    // bytes.
    private static func bytes(_ machine: PushTokenMachine) -> [UInt8] {
        guard !machine.owed.isEmpty else { return bytes(machine.state) }
        let owed = machine.owed.flatMap { [UInt8($0.count >> 8 & 0xFF), UInt8($0.count & 0xFF)] + $0 }
        return [6, UInt8(machine.owed.count)] + owed + bytes(machine.state)
    }

    private static func bytes(_ state: PushTokenMachine.State) -> [UInt8] {
        switch state {
        case .none: []
        case .asked: [1]
        case .allowed: [2]
        case .registered(let token): [3] + token
        case .sent(let token): [4] + token
        case .deleting(let token): [5] + token
        }
    }

    private static func machine(_ bytes: [UInt8]) -> PushTokenMachine? {
        guard bytes.first == 6 else { return state(bytes).map { PushTokenMachine($0) } }
        guard bytes.count >= 2 else { return nil }
        var (rest, owed) = (bytes.dropFirst(2), [[UInt8]]())
        for _ in 0..<bytes[1] {
            guard let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
            let count = Int(high) << 8 | Int(low)
            guard rest.count >= count else { return nil }
            owed.append(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        guard owed.count <= PushTokenMachine.mostOwed else { return nil }
        guard !rest.isEmpty else { return PushTokenMachine(owed: owed) }
        return state(Array(rest)).map { PushTokenMachine($0, owed: owed) }
    }

    private static func state(_ bytes: [UInt8]) -> PushTokenMachine.State? {
        let token = Array(bytes.dropFirst())
        return switch bytes.first {
        case 1: .asked
        case 2: .allowed
        case 3: .registered(token)
        case 4: .sent(token)
        case 5: .deleting(token)
        default: nil
        }
    }
}
