package import PavisePrimitives
internal import Synchronization

/// The device of one home: its element, its keybag, and the class keys that are in use.
package final class Device: Sendable {
    /// What keeps the root secret.
    package let element: any SecureElement
    private let keybag: Keybag
    private let keys = Mutex<[KeyClass: ClassKey]>([:])

    private init(element: any SecureElement, keybag: Keybag) {
        self.element = element
        self.keybag = keybag
    }

    /// Opens the device in `home`, and makes it the first time.
    ///
    /// A new device needs an empty place: a keybag without its element's secret, or the other way round, is damage and
    /// never a reason to start again, because what the lost half protects would be lost with it.
    package static func open(_ home: PaviseHome) throws(DeviceFailure) -> Device {
        let path = home.device + "/keybag"
        return try DeviceFailure.reporting {
            if let stored = try DurableFile.readIfPresent(path, limit: 4096) {
                return try load(stored, home, path)
            }
            return try create(home, path)
        }
    }

    // One process makes the device; the others wait, then find it.
    private static func create(_ home: PaviseHome, _ path: String) throws -> Device {
        try DurableFile.makeDirectory(home.device)
        let lock = try FileLock.acquireBlocking(home.device + "/lock", wait: .seconds(10))
        let outcome = Result { try createAlone(home, path) }
        _ = consume lock
        return try outcome.get()
    }

    private static func createAlone(_ home: PaviseHome, _ path: String) throws -> Device {
        if let stored = try DurableFile.readIfPresent(path, limit: 4096) { return try load(stored, home, path) }
        let element = try SoftwareElement.open(home.device, mayCreate: true)
        let keybag = try Keybag.create(with: element)
        let bytes = try keybag.encoded(with: element)
        try DurableFile.write(bytes.span, to: path)
        return Device(element: element, keybag: keybag)
    }

    private static func load(_ stored: [UInt8], _ home: PaviseHome, _ path: String) throws -> Device {
        let element = try SoftwareElement.open(home.device, mayCreate: false)
        return Device(element: element, keybag: try Keybag(stored, with: element, file: path))
    }

    /// The key of a class in the given lock state. Keys that the state does not allow are dropped from memory.
    package func key(_ keyClass: KeyClass, in state: LockState) throws(DeviceFailure) -> ClassKeyAnswer {
        guard keybag.has(keyClass) else { return .absent }
        guard state.allows(keyClass.availability) else {
            drop(not: state)
            return .locked
        }
        if let key = keys.withLock({ $0[keyClass] }) { return .key(key) }
        guard let key = try keybag.key(keyClass, with: element) else { return .absent }
        return .key(keep(key, keyClass))
    }

    // The first of two threads that unwrapped the same key wins.
    private func keep(_ key: ClassKey, _ keyClass: KeyClass) -> ClassKey {
        keys.withLock { kept in
            if let earlier = kept[keyClass] { return earlier }
            kept[keyClass] = key
            return key
        }
    }

    /// Drops every key that `state` does not allow.
    package func drop(not state: LockState) {
        keys.withLock { $0 = $0.filter { state.allows($0.key.availability) } }
    }

    /// A key for files that must open before anybody unlocks, for example the pages of the item database.
    package func deviceKey(purpose: String) throws(DeviceFailure) -> SecretBytes {
        switch try key(.alwaysThisDeviceOnly, in: .beforeFirstUnlock) {
        case .key(let key): return try key.derived(purpose)
        case .locked, .absent: throw .damaged(file: "keybag")
        }
    }

    /// What protects this device, in words.
    package var status: ElementProtection { element.protection }
}
