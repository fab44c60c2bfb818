package import PaviseDevice
package import PavisePrimitives
internal import Synchronization

extension Device {
    private static let opened = Mutex<[String: Device]>([:])
    // Threads that come together open one device between them: each has the keys of its own in memory.
    private static let opening = Mutex(())

    /// The device of the environment's home. It is opened once and then kept, as long as its keybag is there.
    static func current() throws(DeviceFailure) -> Device {
        try of(SecurityEnvironment.current.home)
    }

    /// The device of `home`, kept as ``current()`` says. After an erase, the next one is a new device.
    package static func of(_ home: PaviseHome) throws(DeviceFailure) -> Device {
        if let kept = kept(home) { return kept.device }
        return try opening.withLock { _ throws(DeviceFailure) in
            if let kept = kept(home) { return kept.device }
            let device = try Device.open(home, SecurityEnvironment.current.device)
            opened.withLock { opened in
                if opened.count >= 32 { opened.removeAll() }
                opened[home.path] = device
            }
            return device
        }
    }

    /// The device of `home` that this process has open, and how it is on the disk now. `nil` when none is open, or it
    /// is the home's no more: its bag is gone or does not open, or an erase has begun.
    static func kept(_ home: PaviseHome) -> (device: Device, snapshot: Snapshot)? {
        guard let device = opened.withLock({ $0[home.path] }), let snapshot = try? device.snapshot() else { return nil }
        return (device, snapshot)
    }

    /// Forgets the device of `home`, so that the next call opens it again.
    static func forget(_ home: PaviseHome) {
        _ = opened.withLock { $0.removeValue(forKey: home.path) }
    }
}
