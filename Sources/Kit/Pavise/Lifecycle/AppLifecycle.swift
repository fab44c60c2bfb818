public import PaviseAppLock
internal import PaviseLog
internal import PavisePrimitives
internal import PaviseSession
internal import Synchronization

/// Carries what happens to an app and its device to the app lock and to the sessions, for as long as it lives: keep it
/// beside them.
///
/// - The lock learns when the person leaves and comes back, and closes when the device is locked or sleeps.
/// - Sessions that wait for a server go on at once when a network comes, the app comes to the foreground, or the
///   machine wakes up. After a sleep or a change of networks requests take new connections.
/// - The administrator's rules are read again when they change, and hold for open connections and for the lock.
///
/// ```swift
/// let lifecycle = AppLifecycle(lock: lock, connections: connections) { isCovered in
///     show(isCovered)
/// }
/// ```
///
/// On iOS and macOS it hears the system's own notifications. On Linux it hears the kernel about networks, and
/// systemd-logind on the system's bus about sleep and the lock of the own session; no toolkit is asked whether a window
/// is in front: an app says it with ``report(_:)``.
///
/// ```swift
/// lifecycle.report(.willResignActive(of: "window"))
/// ```
public final class AppLifecycle: Sendable {
    /// Covers what is on the screen, or uncovers it. It is called on the thread that reports, before ``report(_:)``
    /// returns, and must not wait. To cover twice is fine.
    public typealias Cover = @Sendable (_ isCovered: Bool) -> Void

    private struct State {
        var machine: LifecycleMachine
        var queue: [LifecycleMachine.Action] = []
        var isBusy = false
    }
    private let lock: AppLock?
    private let connections: Connections?
    private let cover: Cover
    private let environment: SessionEnvironment
    private let state: Mutex<State>
    private let watch: Mutex<LifecycleWatch?> = Mutex(nil)

    /// Begins to listen to the system.
    ///
    /// - Parameters:
    ///   - lock: The app's lock; `nil` where there is none.
    ///   - connections: Whose sessions go on; `nil` where there are none.
    ///   - rules: What counts as leaving.
    ///   - cover: Covers the screen.
    public convenience init(
        lock: AppLock?, connections: Connections?, rules: LifecycleRules = LifecycleRules(),
        cover: @escaping Cover = { _ in }
    ) {
        self.init(unwatched: lock, connections: connections, rules: rules, cover: cover)
        let watch = LifecycleWatch(
            managed: connections?.managed,
            report: { [weak self] event in self?.report(event) },
            rulesChanged: { [weak self] in self?.rulesChanged() })
        self.watch.withLock { $0 = watch }
    }

    /// One that hears nothing but what it is told: for tests.
    package init(
        unwatched lock: AppLock?, connections: Connections?, rules: LifecycleRules = LifecycleRules(),
        environment: SessionEnvironment? = nil, cover: @escaping Cover = { _ in }
    ) {
        self.lock = lock
        self.connections = connections
        self.cover = cover
        self.environment = environment ?? connections?.environment ?? .system
        state = Mutex(State(machine: LifecycleMachine(rules)))
        lock?.closeInTime()
    }

    /// What the system could not be asked for, in words; empty where it hears all that this platform says. Whether
    /// systemd-logind answers is known a moment after the start.
    public var deafness: [String] { watch.withLock { $0?.problems ?? [] } }

    /// Takes an event that the system does not tell by itself, for example from a toolkit or from D-Bus. To report what
    /// it has heard already is fine.
    public func report(_ event: LifecycleEvent) {
        switch event {
        case .woke, .networkChanged: connections?.renewAll()
        default: break
        }
        let now = environment.time.bootMilliseconds
        perform { $0.handle(event, at: now) }
    }

    /// Reads the administrator's rules again and applies them; where they cannot be used, nothing is sent any more.
    private func rulesChanged() {
        guard let connections else { return }
        let lock = lock
        lock?.trail?.record(AuditEvent(.policyChanged))
        Task {
            guard case .success(let rules) = await connections.applyRules(to: lock) else { return }
            connections.inForce.take(rules, lock)
        }
    }

    // One thread at a time acts, in the order of the events. To cover does not wait for its turn: it is safe at any
    // time, and what uncovers by mistake meanwhile is followed by the cover in the queue.
    private func perform(_ body: (inout LifecycleMachine) -> [LifecycleMachine.Action]) {
        let (actions, isTurn) = state.withLock { state in
            let actions = body(&state.machine)
            state.queue += actions
            defer { state.isBusy = true }
            return (actions, !state.isBusy)
        }
        guard isTurn else {
            if actions.contains(.cover) { cover(true) }
            return
        }
        while let action = next() { perform(action) }
    }

    private func next() -> LifecycleMachine.Action? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }

    private func perform(_ action: LifecycleMachine.Action) {
        switch action {
        case .cover: cover(true)
        case .uncover: cover(false)
        case .leave: lock?.left()
        case .comeBack: _ = lock?.returned()
        case .lock: lock?.lock()
        case .wakeUp: wakeUp()
        case .wait(let milliseconds): wait(milliseconds)
        }
    }

    private func wakeUp() {
        guard let connections else { return }
        Task { await connections.wakeUp() }
    }

    private func wait(_ milliseconds: Int64) {
        Task { [weak self, environment] in
            guard (try? await environment.sleep(.milliseconds(milliseconds))) != nil else { return }
            let now = environment.time.bootMilliseconds
            self?.perform { $0.waited(at: now) }
        }
    }
}
