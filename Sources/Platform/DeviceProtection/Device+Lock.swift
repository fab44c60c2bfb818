package import PavisePrimitives
internal import Synchronization

extension Device {
    /// Whether there is a passcode.
    package func hasPasscode() throws(DeviceFailure) -> Bool { try current().bag.passcode != nil }

    /// Whether somebody unlocked the device. Without a passcode it is always unlocked.
    package func lockState() throws(DeviceFailure) -> LockState { lockState(at: try snapshot()) }

    /// ``lockState()`` at a moment that the caller looked at.
    package func lockState(at snapshot: Snapshot) -> LockState {
        let bag = snapshot.bag
        guard bag.passcode != nil else { return .unlocked }
        if isHeld(.whenUnlocked, bag) { return .unlocked }
        drop(not: .locked)
        return isHeld(.afterFirstUnlock, bag) ? .locked : .beforeFirstUnlock
    }

    /// ``lockState(at:)`` for somebody who only watches: it does not begin the time again after which an unused device
    /// locks itself.
    package func watchedLockState(at snapshot: Snapshot) -> LockState {
        let bag = snapshot.bag
        guard bag.passcode != nil else { return .unlocked }
        if isKept(.whenUnlocked, bag) { return .unlocked }
        drop(not: .locked)
        return isKept(.afterFirstUnlock, bag) ? .locked : .beforeFirstUnlock
    }

    private func isKept(_ keyClass: KeyClass, _ bag: Keybag) -> Bool {
        let name = name(of: keyClass, bag)
        return environment.places.contains { $0.isKept(name) }
    }

    private func isHeld(_ keyClass: KeyClass, _ bag: Keybag) -> Bool {
        let name = name(of: keyClass, bag)
        return environment.places.contains { $0.has(name) }
    }

    /// Unlocks the device: judges the passcode and puts the class keys where the user's processes find them.
    ///
    /// Blocks for as long as one guess costs, about 0.1 s.
    /// - Returns: Whether other processes see it; `false` where the kernel has no keyring.
    /// - Throws: ``DeviceFailure/wrongPasscode``, ``DeviceFailure/tryLater(seconds:)``,
    ///   ``DeviceFailure/passcodeBlocked``, ``DeviceFailure/erased``, ``DeviceFailure/noPasscode``.
    @discardableResult
    package func unlock(
        _ passcode: borrowing SecretBytes, for period: UnlockPeriod = UnlockPeriod()
    ) throws(DeviceFailure) -> Bool {
        let guess = SharedSecretBytes(passcode.withBytes { SecretBytes(copying: $0) })
        return try alone {
            let (bag, keeper) = try current()
            let key = try judge(guess, bag, keeper)
            return try publish(bag, keeper, key, period)
        }
    }

    /// Puts the guarded class keys in the first place that takes them all.
    func publish(
        _ bag: Keybag, _ keeper: KeybagWrapper, _ key: PasscodeKey, _ period: UnlockPeriod
    ) throws(DeviceFailure) -> Bool {
        var secrets: [String: (secret: SharedSecretBytes, seconds: UInt32)] = [:]
        for (keyClass, wrapped) in bag.entries where wrapped.method == .passcode {
            let secret = SharedSecretBytes(try keeper.unwrap(wrapped, keyClass.label, key))
            secrets[name(of: keyClass, bag)] = (secret, period.seconds(keyClass))
        }
        if let pair = bag.pairs[.unlessOpen], pair.privateKey.method == .passcode {
            let secret = SharedSecretBytes(try keeper.unwrap(pair.privateKey, PairKind.unlessOpen.label, key))
            secrets[name(.unlessOpen, bag)] = (secret, period.whileUnlocked)
        }
        for place in environment.places {
            let isKept = secrets.allSatisfy { place.keep($0.value.secret.bytes, $0.key, seconds: $0.value.seconds) }
            if isKept { return place.isShared }
            for name in secrets.keys { place.forget(name) }
        }
        throw .crypto("no place for the unlocked keys")
    }

    /// Locks the device: the keys of the classes that need it unlocked are forgotten, in every process. Twice is fine.
    package func lock() throws(DeviceFailure) {
        let bag = try current().bag
        forgetUnlocked(bag) { $0.availability == .whileUnlocked }
        if bag.passcode != nil { drop(not: .locked) }
    }

    /// Forgets the first unlock too, as a restart does.
    package func forgetFirstUnlock() throws(DeviceFailure) {
        let bag = try current().bag
        forgetUnlocked(bag) { $0.isGuarded }
        if bag.passcode != nil { drop(not: .beforeFirstUnlock) }
    }

    func forgetUnlocked(_ bag: Keybag, where isMeant: (KeyClass) -> Bool) {
        for keyClass in KeyClass.allCases where isMeant(keyClass) && keyClass.isGuarded {
            for place in environment.places { place.forget(name(of: keyClass, bag)) }
        }
        guard isMeant(.whenUnlocked) else { return }
        for place in environment.places { place.forget(name(.unlessOpen, bag)) }
    }
}
