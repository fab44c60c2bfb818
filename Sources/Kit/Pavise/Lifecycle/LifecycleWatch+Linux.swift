#if os(Linux)
internal import PaviseManaged
internal import PavisePrimitives
internal import PaviseTransport

/// What Linux says by itself: networks and sleep, and the administrator's file.
final class LifecycleWatch: Sendable {
    private let system: SystemWatch?
    private let rules: ManagedWatch?
    let problems: [String]

    init(
        managed: ManagedFile?, report: @escaping @Sendable (LifecycleEvent) -> Void,
        rulesChanged: @escaping @Sendable () -> Void
    ) {
        rules = managed.map { ManagedWatch($0, changed: rulesChanged) }
        do throws(SystemFailure) {
            system = try SystemWatch { change in
                if let event = LifecycleEvent(change) { report(event) }
            }
            problems = []
        } catch {
            system = nil
            problems = ["The kernel does not tell about networks and sleep: \(error.words)"]
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
}
#endif
