package import PavisePrimitives
internal import Synchronization

// Set, changed, removed: new salt and guard, new bag durable, old guard and old salt destroyed. Until the new bag is
// there the old one holds; afterwards the old one opens nothing. A crash in between is finished when the device is
// opened: the new guard, which nobody needs then, is destroyed, or the old one.
extension Device {
    /// Sets the first passcode. The device stays unlocked.
    ///
    /// Blocks for about a second: the price of a guess is measured, then paid.
    /// - Parameter cost: The price; `nil` finds one that takes 80 to 120 ms here.
    /// - Throws: ``DeviceFailure/passcodeExists`` when there is one.
    package func setPasscode(
        _ passcode: borrowing SecretBytes, policy: ThrottlePolicy = ThrottlePolicy(), cost: Argon2Cost? = nil
    ) throws(DeviceFailure) {
        let next = SharedSecretBytes(passcode.withBytes { SecretBytes(copying: $0) })
        try checkLength(next)
        let cost = cost ?? .calibrated()
        try alone {
            let (bag, keeper) = try current()
            guard bag.passcode == nil else { throw DeviceFailure.passcodeExists }
            try replace(bag, keeper, opening: nil, with: next, policy, cost)
        }
    }

    /// Changes the passcode, and with it the policy where one is given. The price of a guess is never lowered.
    ///
    /// - Throws: As ``unlock(_:for:)`` does for the old passcode.
    package func changePasscode(
        _ passcode: borrowing SecretBytes, to next: borrowing SecretBytes, policy: ThrottlePolicy? = nil,
        cost: Argon2Cost? = nil
    ) throws(DeviceFailure) {
        let old = SharedSecretBytes(passcode.withBytes { SecretBytes(copying: $0) })
        let next = SharedSecretBytes(next.withBytes { SecretBytes(copying: $0) })
        try checkLength(next)
        let cost = cost ?? .calibrated()
        try alone {
            let (bag, keeper) = try current()
            let key = try judge(old, bag, keeper)
            guard let record = bag.passcode else { throw DeviceFailure.noPasscode }
            try replace(
                bag, keeper, opening: key, with: next, policy ?? record.policy, record.cost.raised(to: cost))
        }
    }

    /// Removes the passcode. The key of class 12 is destroyed: its items are gone for good.
    ///
    /// - Throws: As ``unlock(_:for:)`` does.
    package func removePasscode(_ passcode: borrowing SecretBytes) throws(DeviceFailure) {
        let old = SharedSecretBytes(passcode.withBytes { SecretBytes(copying: $0) })
        try alone {
            let (bag, keeper) = try current()
            let key = try judge(old, bag, keeper)
            try replace(bag, keeper, opening: key, with: nil, ThrottlePolicy(), .least)
        }
    }

    private func checkLength(_ passcode: SharedSecretBytes) throws(DeviceFailure) {
        let count = passcode.bytes.count
        guard (1...Self.longestPasscode).contains(count) else { throw .passcodeLength }
    }

    private func replace(
        _ bag: Keybag, _ keeper: KeybagWrapper, opening key: PasscodeKey?, with passcode: SharedSecretBytes?,
        _ policy: ThrottlePolicy, _ cost: Argon2Cost
    ) throws {
        let contents = try bag.contents(key, hasPasscodeNext: passcode != nil, with: keeper)
        try finishGuard()
        let next = try KeybagWrapper.begin(in: home.device, identity: bag.identity, with: element)
        try DeviceStep.epochBegun.reached()
        let pending = PendingGuard(home.device, identity: bag.identity, element: element)
        let made = try passcode?.bytes.withBytes { passcode throws(DeviceFailure) in
            try PasscodeRecord.make(
                passcode, cost: cost, policy: policy, identity: bag.identity, with: element,
                announce: { guardian throws(DeviceFailure) in try pending.write(guardian) })
        }
        try DeviceStep.guardMade.reached()
        try AttemptsFile(home.device, identity: bag.identity, element: element).write(Attempts())
        try DeviceStep.attemptsCleared.reached()
        let changed = try Keybag.make(
            contents, bag.element, bag.identity, made?.record, made?.key, retiring: bag.passcode?.guardBlob ?? [],
            with: next)
        try write(changed, next)
        try DeviceStep.bagWritten.reached()
        forgetUnlocked(bag) { _ in true }
        state.withLock { $0.lastWrong = nil }
        if let made { _ = try publish(changed, next, made.key, UnlockPeriod()) }
        try finishGuard()
        try finishChange()
    }

    /// Destroys the guard of a passcode that never came to be, and forgets the one of a passcode that did. Safe to
    /// repeat; call it ``alone(_:)``.
    func finishGuard() throws {
        guard DurableFile.exists(PendingGuard.path(home.device)) else { return }
        let (bag, _) = try current()
        let pending = PendingGuard(home.device, identity: bag.identity, element: element)
        if let guardian = try pending.read(), guardian != bag.passcode?.guardBlob, guardian != bag.retiredGuard {
            try element.destroyGuard(guardian)
        }
        try pending.remove()
    }

    /// Destroys what the passcode before left behind. Safe to repeat; call it ``alone(_:)``.
    func finishChange() throws {
        let (bag, keeper) = try current()
        guard bag.isUnfinished else { return }
        if !bag.retiredGuard.isEmpty { try element.destroyGuard(bag.retiredGuard) }
        try DeviceStep.guardDestroyed.reached()
        try KeybagWrapper.destroyEpochs(in: home.device, but: bag.epoch)
        try DeviceStep.epochDestroyed.reached()
        try write(bag.finished, keeper)
        try DeviceStep.bagFinished.reached()
    }
}
