internal import PaviseAppLock
public import PaviseIntegrity
internal import PaviseLog
internal import PaviseSession
internal import PaviseTransport

extension AppSecurity {
    /// What the last check of the device said: at the start, and at each unlock. Documentation/Integrity.md says what
    /// it is worth.
    public var integrity: IntegrityVerdict { gate.last }

    /// Lets log and trail hear the lock, and the gate close it.
    static func connect(_ lock: AppLock, _ storage: OpenStorage, _ gate: IntegrityGate, _ log: EventLog) {
        lock.tellEvents(to: log)
        lock.observe(for: storage) { [weak storage] isOpen in
            if !isOpen { log.record(AuditEvent(.locked)) }
            return storage != nil
        }
        lock.demandClearance { [weak gate] in try? gate?.checkAgain() }
        var parts = IntegrityGate.Parts()
        parts.trail = lock.trail
        parts.wipe = { [weak lock, weak storage] in
            lock?.lock()
            storage?.close()
        }
        gate.attach(parts)
    }
}

extension AppParts {
    /// Keeps an event in the trail, and writes it to the log.
    func record(_ name: AuditEvent.Name, at origin: Origin, failure: (any Error)? = nil) {
        var facts = ["server": "\(origin)"]
        // The case alone: what is in an error may be a person's.
        if failure != nil { facts["failure"] = "local" }
        connections.lock?.trail?.record(AuditEvent(name, facts))
    }

    /// Writes what became of a session. What ends it is kept, too.
    func record(_ state: SessionState, after before: SessionState?, at origin: Origin) {
        guard let event = AuditEvent(state, after: before, at: origin) else { return }
        if event.name == .sessionEnded { connections.lock?.trail?.record(event) } else { log.record(event) }
    }
}

extension AuditEvent {
    /// What became of a session; `nil` where it is no event.
    package init?(_ state: SessionState, after before: SessionState?, at origin: Origin) {
        let server = "\(origin)"
        switch state {
        case .active where before == .refreshing: self.init(.sessionRefreshed, ["server": server])
        case .degraded(let reason): self.init(.sessionDegraded, ["server": server, "reason": reason.rawValue])
        case .reloginNeeded(let reason): self.init(.sessionEnded, ["server": server, "reason": reason.rawValue])
        case .active, .refreshing, .signedOut, .locked, .unknown: return nil
        }
    }
}
