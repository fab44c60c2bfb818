package import PavisePrimitives
internal import Synchronization

extension Device {
    /// The key of a class in the given lock state. Keys that the state does not allow are dropped from memory.
    ///
    /// With a passcode, a class that it guards is also locked while its key is not among the unlocked ones.
    ///
    /// - Parameter look: The device as it is now; ``snapshot()`` when it is not given.
    package func key(
        _ keyClass: KeyClass, in lock: LockState, at snapshot: Snapshot? = nil
    ) throws(DeviceFailure) -> ClassKeyResult {
        let snapshot = if let snapshot { snapshot } else { try self.snapshot() }
        let (bag, keeper) = (snapshot.bag, snapshot.keeper)
        guard let wrapped = bag.entries[keyClass] else {
            forget(keyClass)
            return .absent
        }
        guard lock.allows(keyClass.availability) else {
            drop(not: lock)
            return .locked
        }
        guard wrapped.method == .passcode else {
            if let key = kept(keyClass) { return .key(key) }
            return .key(keep(try ClassKey(keeper.unwrap(wrapped, keyClass.label, nil)), keyClass))
        }
        return try unlockedKey(keyClass, bag)
    }

    private func unlockedKey(_ keyClass: KeyClass, _ bag: Keybag) throws(DeviceFailure) -> ClassKeyResult {
        let name = name(of: keyClass, bag)
        guard let place = environment.places.first(where: { $0.has(name) }) else {
            forget(keyClass)
            return .locked
        }
        if let key = kept(keyClass) { return .key(key) }
        guard let secret = place.read(name) else { return .locked }
        return .key(keep(try ClassKey(secret), keyClass))
    }

    private func kept(_ keyClass: KeyClass) -> ClassKey? { state.withLock { $0.keys[keyClass] } }
    private func forget(_ keyClass: KeyClass) { state.withLock { $0.keys[keyClass] = nil } }

    // The first of two threads that unwrapped the same key wins.
    private func keep(_ key: ClassKey, _ keyClass: KeyClass) -> ClassKey {
        state.withLock { state in
            if let earlier = state.keys[keyClass] { return earlier }
            state.keys[keyClass] = key
            return key
        }
    }

    /// Drops every key that `lock` does not allow.
    package func drop(not lock: LockState) {
        state.withLock { state in state.keys = state.keys.filter { lock.allows($0.key.availability) } }
    }

    /// A key for files that must open before anybody unlocks, for example the pages of the item database.
    package func deviceKey(purpose: String) throws(DeviceFailure) -> SecretBytes {
        // pavise:ignore KEYCHAIN-WEAK What encrypts rows that are sealed themselves, each under its own class.
        switch try key(.alwaysThisDeviceOnly, in: .beforeFirstUnlock) {
        case .key(let key): return try key.derived(purpose)
        case .locked, .absent: throw .damaged(file: "keybag")
        }
    }

    /// The name of an unlocked key: this device, this passcode, this boot.
    func name(of keyClass: KeyClass, _ bag: Keybag) -> String {
        let boot = environment.time.bootEpoch.prefix(64)
        let epoch = Hex.encode(Array(bag.epoch.prefix(4)))
        return "pavise:\(Hex.encode(bag.identity)):\(epoch):\(boot):\(keyClass.rawValue)"
    }

    /// The name under which a class's unlocked key would lie; for tests that search for it.
    package func unlockedName(of keyClass: KeyClass) throws(DeviceFailure) -> String {
        name(of: keyClass, try current().bag)
    }
}
