internal import PaviseAppLock
package import PaviseIntegrity
package import PaviseManaged

extension Environment {
    /// What an administrator makes of a check of this process and machine: the program itself only reports, with
    /// `pavise device integrity`. Where `device.integrity` is `enforced`, the table of a release holds before any
    /// secret is opened. A file that cannot be used is told by the commands that read it.
    ///
    /// - Returns: Why no command is run; `nil` where one may.
    package func integrityRefusal() -> CommandFailure? {
        let refusal = Self.integrityRefusal(under: managed) { DeviceIntegrity.check() }
        if refusal != nil { appLock?.lock() }
        return refusal
    }

    /// The same by rules and checks of the caller's.
    package static func integrityRefusal(
        under managed: ManagedFile, _ check: () -> IntegrityReport
    ) -> CommandFailure? {
        let rules = Result { () throws(ManagedFile.Failure) in try managed.read() }
        guard case .success(let found?) = rules, found.device.enforcesIntegrity else { return nil }
        let verdict = IntegrityPolicy.release.verdict(on: check())
        guard verdict.clearance == nil else { return nil }
        return CommandFailure(.refused, "\(verdict.sentence) The administrator wants it so (device.integrity).")
    }
}
