internal import Synchronization

/// Hands each event to a trail, and to whoever else listens, for example a log.
package final class AuditRelay: AuditRecorder {
    private let trail: (any AuditRecorder)?
    private let listeners = Mutex<[any AuditRecorder]>([])

    /// A relay in front of a trail; `nil` where nothing is kept.
    package init(to trail: (any AuditRecorder)?) { self.trail = trail }

    /// Lets one more listen, from the next event on.
    package func add(_ listener: any AuditRecorder) { listeners.withLock { $0.append(listener) } }

    /// The trail, where it is one that is opened with its first event.
    package var kept: LazyTrail? { trail as? LazyTrail }

    /// Whether anybody listens.
    package var isHeard: Bool { listeners.withLock { !$0.isEmpty } }

    /// To those who listen, and not into the trail.
    package func tell(_ event: AuditEvent) { for listener in listeners.withLock({ $0 }) { listener.record(event) } }

    /// To the trail first, which keeps it.
    package func record(_ event: AuditEvent) {
        trail?.record(event)
        tell(event)
    }
}
