#if os(Linux)
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport
internal import Synchronization

/// What Linux says by itself: networks and sleep, the session's lock, and the administrator's file.
final class LifecycleWatch: Sendable {
    private let system: SystemWatch?
    private let login: LoginWatch?
    private let rules: ManagedWatch?
    private let deafness: Deafness

    /// What it could not listen to, in words. What systemd-logind answers is known a moment after the start.
    var problems: [String] { deafness.words.withLock { $0 } }

    private final class Deafness: Sendable {
        let words = Mutex<[String]>([])
        func add(_ text: String) { words.withLock { $0.append(text) } }
    }

    /// - Parameter bus: Where systemd-logind is; `nil` for the machine's bus.
    init(
        managed: ManagedFile?, bus: String? = nil, report: @escaping @Sendable (LifecycleEvent) -> Void,
        rulesChanged: @escaping @Sendable () -> Void
    ) {
        let deafness = Deafness()
        self.deafness = deafness
        rules = managed.map { ManagedWatch($0, changed: rulesChanged) }
        do throws(SystemFailure) {
            system = try SystemWatch { change in
                if let event = LifecycleEvent(change) { report(event) }
            }
        } catch {
            system = nil
            deafness.add("The kernel does not tell about networks and sleep: \(error.words)")
        }
        @Sendable func isDeaf(_ error: SystemFailure) {
            deafness.add("systemd-logind does not tell whether the session is locked: \(error.words)")
        }
        do throws(SystemFailure) {
            login = try LoginWatch(address: bus, failed: isDeaf) { report(LifecycleEvent($0)) }
        } catch {
            login = nil
            isDeaf(error)
        }
    }
}

extension LifecycleEvent {
    /// What a change of the machine means for an app; `nil` for what means nothing.
    package init?(_ change: SystemChange) {
        switch change {
        case .network(let changes) where changes.isDisjoint(with: [.gained, .unknown]): return nil
        case .network: self = .networkChanged(isUsable: true)
        case .woke: self = .woke
        // Sessions go by a clock that nobody sets.
        case .clockSet: return nil
        }
    }

    /// What systemd-logind says. To be asked to lock is no state that somebody ends: the app lock closes as before a
    /// sleep, and the screen counts as locked when the desktop says so.
    package init(_ event: LoginEvent) {
        switch event {
        case .lockAsked, .willSleep: self = .willSleep
        case .locked: self = .screenLocked
        case .unlocked: self = .screenUnlocked
        }
    }
}
#endif
