package import PaviseIntegrity
package import PaviseLog
internal import Synchronization

extension AppLock {
    /// Lets nothing open from now on before `source` has given a clearance: it is asked before each unlock, by PIN and
    /// by biometrics, and before a first PIN. A try without one is not looked at and not counted.
    package func demandClearance(_ source: @escaping @Sendable () -> IntegrityClearance?) {
        memory.withLock { $0.clearance = source }
    }

    /// Lets `recorder` hear what the trail hears, from now on.
    package func tellEvents(to recorder: any AuditRecorder) { relay.add(recorder) }

    /// Tells those who hear the trail of something that is not kept there.
    package func tell(_ event: AuditEvent) { relay.tell(event) }

    /// What opening needs: nothing where nobody demands a clearance.
    func checkClearance() throws(AppLockFailure) {
        guard let source = memory.withLock({ $0.clearance }), source() == nil else { return }
        throw .unavailable("The checks of this device found something: what is secret stays closed.")
    }
}
