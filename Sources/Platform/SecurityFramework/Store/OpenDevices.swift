package import PaviseDevice
package import PavisePrimitives
internal import Synchronization

extension Device {
    private static let opened = Mutex<[String: Device]>([:])

    /// The device of the environment's home. It is opened once and then kept, as long as its keybag is there.
    static func current() throws(DeviceFailure) -> Device {
        try of(SecurityEnvironment.current.home)
    }

    /// The device of `home`, kept as ``current()`` says. After an erase, the next one is a new device.
    package static func of(_ home: PaviseHome) throws(DeviceFailure) -> Device {
        if let device = opened.withLock({ $0[home.path] }), device.isCurrent { return device }
        let device = try Device.open(home, SecurityEnvironment.current.device)
        opened.withLock { opened in
            if opened.count >= 32 { opened.removeAll() }
            opened[home.path] = device
        }
        return device
    }

    /// Forgets the device of `home`, so that the next call opens it again.
    static func forget(_ home: PaviseHome) {
        _ = opened.withLock { $0.removeValue(forKey: home.path) }
    }
}
