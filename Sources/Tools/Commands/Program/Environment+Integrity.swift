internal import Pavise
internal import PaviseAppLock
package import PaviseIntegrity
internal import PaviseLog
package import PaviseManaged
internal import PavisePrimitives

extension Environment {
    /// What an administrator makes of a check of this process and machine: the program itself only reports, with
    /// `pavise device integrity`. Where `device.integrity` is `enforced`, or the administrator's file cannot be used,
    /// the table of a release holds before any secret is opened. The lock is closed first, then the log is told, with
    /// the rules alone; the trail is sealed, and nothing is opened for it: a note beside it waits for its next entry.
    ///
    /// - Returns: Why no command is run; `nil` where one may.
    package func integrityRefusal(_ check: () -> IntegrityReport = { DeviceIntegrity.check() }) -> CommandFailure? {
        guard let verdict = Self.closingVerdict(under: managed, check) else { return nil }
        appLock?.lock()
        if let event = AuditEvent(verdict) {
            appLock?.tell(event)
            PendingFindings(in: home.audit).note(event, at: time.wallMilliseconds)
        }
        return Self.failure(verdict)
    }

    // What tells why, and what only closes.
    private static let runInEachVersion = [
        ["doctor"], ["policy"], ["device", "lock"], ["device", "erase"], ["lock", "now"],
    ]

    /// Why a program of this version runs no command: an administrator permits later ones alone. Texts of the program,
    /// what tells why, and what locks or erases are run all the same. A file that cannot be used is told by the
    /// commands that read it.
    package func versionRefusal(of words: [String]) -> CommandFailure? {
        let command = words.dropFirst()
        guard !Program.opensNothing(words), !Self.runInEachVersion.contains(where: { command.starts(with: $0) }) else {
            return nil
        }
        let rules = Result { () throws(ManagedFile.Failure) in try managed.read() }
        guard case .success(let found?) = rules, let least = found.device.refusal(of: Program.version) else {
            return nil
        }
        let wish = "The administrator permits version \(least) or later (device.minimumVersion)"
        return CommandFailure(.refused, "\(wish), and this is \(Program.version). Install a later one.")
    }

    /// What ``integrityRefusal(_:)`` says by rules and checks of the caller's, and without a lock.
    package static func integrityRefusal(
        under managed: ManagedFile, _ check: () -> IntegrityReport
    ) -> CommandFailure? { closingVerdict(under: managed, check).map(failure) }

    // As for an app: a file that cannot be used tightens as much as one can.
    private static func closingVerdict(
        under managed: ManagedFile, _ check: () -> IntegrityReport
    ) -> IntegrityVerdict? {
        let rules = Result { () throws(ManagedFile.Failure) in try managed.read() }
        if case .success(let found) = rules, found?.device.enforcesIntegrity != true { return nil }
        let verdict = IntegrityPolicy.release.verdict(on: check())
        return verdict.clearance == nil ? verdict : nil
    }

    private static func failure(_ verdict: IntegrityVerdict) -> CommandFailure {
        CommandFailure(.refused, "\(verdict.sentence) The administrator wants it so (device.integrity).")
    }
}
