internal import PaviseAppLock
package import PaviseIntegrity
package import PaviseLog
internal import PaviseManaged
internal import PaviseTransport
internal import Synchronization

/// Asks what the checks of the device say before anything is opened, and keeps the last verdict.
final class IntegrityGate: Sendable {
    /// What stands on it: filled in when it is there.
    struct Parts: Sendable {
        /// Closes what is open; called before an app ends.
        var wipe: @Sendable () -> Void = {}
        /// Where findings are kept beside the log.
        var trail: (any AuditRecorder)?
    }

    private let policy: IntegrityPolicy
    private let managed: ManagedFile
    private let check: @Sendable () -> IntegrityReport
    private let ending: @Sendable (IntegrityVerdict) -> Void
    let log: EventLog
    private let board: NoticeBoard
    // Keeps what was found where no trail can be opened any more.
    private let note: @Sendable (AuditEvent) -> Void
    private let parts = Mutex(Parts())
    private let told = Mutex<Set<IntegrityRule>>([])
    private let verdict: Mutex<IntegrityVerdict>

    init(
        _ configuration: SecurityConfiguration, check: @escaping @Sendable () -> IntegrityReport, log: EventLog,
        board: NoticeBoard, note: @escaping @Sendable (AuditEvent) -> Void = { _ in }
    ) {
        policy = configuration.integrity
        managed = configuration.managed
        self.check = check
        ending = configuration.ending
        self.log = log
        self.board = board
        self.note = note
        verdict = Mutex(Self.verdict(policy, managed, check))
        act(last)
    }

    /// The verdict of the last check.
    var last: IntegrityVerdict { verdict.withLock { $0 } }

    /// The clearance of the check that was made last.
    ///
    /// - Throws: ``DeviceNotCleared`` where the policy lets nothing open.
    func clearanceNow() throws(DeviceNotCleared) -> IntegrityClearance {
        guard let clearance = last.clearance else { throw DeviceNotCleared(verdict: last) }
        return clearance
    }

    /// Checks again, as before each unlock.
    func checkAgain() throws(DeviceNotCleared) -> IntegrityClearance {
        let now = Self.verdict(policy, managed, check)
        verdict.withLock { $0 = now }
        act(now)
        return try clearanceNow()
    }

    /// Takes what can be told and closed by now. What was found before is kept in the trail, where it could be opened.
    func attach(_ parts: Parts) {
        self.parts.withLock { $0 = parts }
        if let event = AuditEvent(last) { parts.trail?.record(event) }
    }

    // An administrator's file that cannot be used tightens as much as one can.
    private static func verdict(
        _ policy: IntegrityPolicy, _ managed: ManagedFile, _ check: () -> IntegrityReport
    ) -> IntegrityVerdict {
        let rules = Result { () throws(ManagedFile.Failure) in try managed.read() }
        let table: IntegrityPolicy? =
            switch rules {
            case .success(let found): found?.device.integrityPolicy
            case .failure: .release
            }
        return policy.tightened(by: table).verdict(on: check())
    }

    private func act(_ verdict: IntegrityVerdict) {
        tell(verdict)
        guard verdict.action == .end else { return }
        parts.withLock { $0 }.wipe()
        ending(verdict)
    }

    private func tell(_ verdict: IntegrityVerdict) {
        let rules = Set(verdict.reasons.map(\.rule))
        let isNew = told.withLock { told in
            defer { told = rules }
            return told != rules
        }
        guard isNew, let event = AuditEvent(verdict) else { return }
        log.record(event)
        if let trail = parts.withLock({ $0.trail }) {
            trail.record(event)
        } else if verdict.clearance == nil {
            note(event)
        }
        board.tell(SecurityNotice("device.findings", .askForHelp, isSecurityEvent: true))
    }
}

extension AuditEvent {
    /// What a policy makes of findings: rules and action, no evidence; `nil` where nothing follows.
    package init?(_ verdict: IntegrityVerdict) {
        guard verdict.action > .goOn else { return nil }
        let rules = Set(verdict.reasons.map(\.rule.rawValue)).sorted().joined(separator: " ")
        self.init(.deviceFindings, ["rules": rules, "action": verdict.action.name])
    }
}

/// The checks of the device found what the policy does not let pass: nothing is opened.
struct DeviceNotCleared: Error, Hashable, Sendable {
    let verdict: IntegrityVerdict
}

extension ManagedDevice {
    /// What an administrator makes of findings; `nil` where the app decides.
    var integrityPolicy: IntegrityPolicy? { enforcesIntegrity ? .release : nil }
}
