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

    /// Whether anybody hears what the trail hears.
    package var isHeard: Bool { relay.isHeard }

    /// Tells those who hear the trail of something that is not kept there.
    package func tell(_ event: AuditEvent) { relay.tell(event) }

    /// What opening needs: that nobody demands a clearance, or one that was given now.
    func checkClearance() throws(AppLockFailure) -> LockClearance {
        guard let source = memory.withLock({ $0.clearance }) else { return LockClearance(given: nil) }
        guard let clearance = source() else {
            throw .unavailable("The checks of this device found something: what is secret stays closed.")
        }
        return LockClearance(given: clearance)
    }
}

/// Proof that the lock asked for a clearance before it opens. Only ``AppLock/checkClearance()`` makes one, and without
/// one no key is published: a way to open that does not ask does not compile.
struct LockClearance {
    /// The policy's word; `nil` where nobody looks at the device.
    let given: IntegrityClearance?

    fileprivate init(given: IntegrityClearance?) { self.given = given }
}
