internal import PaviseDevice
package import PavisePrimitives

/// Where an unlocked key waits for the next process of the same user, for the Kit: the kernel's keyring, never a file.
package enum UnlockedBridge {
    /// Keeps 32 bytes under a name until nobody used them for `seconds`.
    ///
    /// - Returns: Whether other processes see it; `nil` when it was kept nowhere.
    package static func keep(_ key: borrowing SecretBytes, name: String, seconds: UInt32) -> Bool? {
        for place in places {
            if place.keep(key, name, seconds: seconds) { return place.isShared }
        }
        return nil
    }

    /// The key; `nil` when it is gone, for whatever reason. Counts as use.
    package static func read(_ name: String) -> SecretBytes? {
        for place in places {
            if let key = place.read(name) { return key }
        }
        return nil
    }

    /// Forgets a key at once, for every process.
    package static func forget(_ name: String) {
        for place in places { place.forget(name) }
    }

    private static var places: [any UnlockedKeys] { SecurityEnvironment.current.device.places }
}
