internal import PavisePrimitives

/// What `pavise device status` says. Nothing in it is secret.
package struct DeviceReport: Hashable, Sendable {
    /// What keeps the root.
    package let element: ElementKind
    /// What that is worth.
    package let protection: ElementProtection
    /// Whether there is a passcode.
    package let hasPasscode: Bool
    /// The state of the lock.
    package let lock: LockState
    /// Whether an unlock is seen by other processes; `nil` while nothing is unlocked by a passcode.
    package let isShared: Bool?
    /// The price of one guess.
    package let cost: Argon2Cost?
    /// What follows wrong passcodes.
    package let policy: ThrottlePolicy?
    /// Wrong passcodes in a row.
    package let failures: UInt8
    /// Seconds until the next try is allowed.
    package let wait: Int64
}

extension Device {
    /// The state of the device now. Nothing is changed by asking.
    package func report() throws(DeviceFailure) -> DeviceReport {
        let bag = try current().bag
        let lock = try lockState()
        var attempts = Attempts()
        var wait: Int64 = 0
        if let policy = bag.passcode?.policy {
            let now = ClockReading(environment.time)
            attempts = try AttemptsFile(home.device, identity: bag.identity, element: element)
                .read(policy, at: now, storesLost: false)
            switch attempts.gate(policy, at: now) {
            case .wait(let seconds), .restarted(_, let seconds): wait = seconds
            case .open, .limit: break
            }
        }
        let name = name(of: .afterFirstUnlock, bag)
        let place = bag.passcode == nil ? nil : environment.places.first { $0.has(name) }
        return DeviceReport(
            element: bag.element, protection: element.protection, hasPasscode: bag.passcode != nil, lock: lock,
            isShared: place?.isShared, cost: bag.passcode?.cost, policy: bag.passcode?.policy,
            failures: attempts.failures, wait: wait)
    }
}
