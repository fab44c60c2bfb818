package import PavisePrimitives
internal import Synchronization

// The root is made unusable first, then the bag, then the data: whatever a crash leaves behind cannot be read, and the
// mark lets the next opening finish the work.
extension Device {
    static func eraseMark(_ home: PaviseHome) -> String { home.device + "/erasing" }

    /// Erases the device: its keys for good, then everything in the home that they protected.
    ///
    /// No passcode is needed: whoever can do this can remove the files as well.
    package func erase() throws(DeviceFailure) { try alone { try eraseAlone() } }

    func eraseAlone() throws {
        if let bag = try? current().bag { forgetUnlocked(bag) { _ in true } }
        state.withLock { state in
            state.keys = [:]
            state.stamp = nil
        }
        try DurableFile.write([1].span, to: Self.eraseMark(home))
        try DeviceStep.eraseMarked.reached()
        try element.erase()
        try DeviceStep.elementErased.reached()
        try Self.removeData(home)
    }

    /// Whether there is a device in `home`. One whose erase has begun is none.
    package static func exists(in home: PaviseHome) -> Bool {
        DurableFile.exists(keybag(home)) && !isErasing(home)
    }

    /// Whether an erase in `home` has begun and did not end. The next opening ends it.
    package static func isErasing(_ home: PaviseHome) -> Bool { DurableFile.exists(eraseMark(home)) }

    /// Finishes an erase that a crash cut off; without one, nothing happens.
    package static func finishErase(_ home: PaviseHome, _ environment: DeviceEnvironment) throws(DeviceFailure) {
        try alone(home) {
            guard DurableFile.exists(eraseMark(home)) else { return }
            // A bag that is there says which element has to go; the root may be gone already, and is then made to be erased.
            let stored = try DurableFile.readIfPresent(keybag(home), limit: Keybag.limit)
            if let head = stored.flatMap({ Keybag.Head($0) }) {
                try environment.elements.open(head.element, in: home.device, mayCreate: true).erase()
            }
            try removeData(home)
        }
    }

    private static func removeData(_ home: PaviseHome) throws {
        try DurableFile.remove(keybag(home))
        try DeviceStep.bagRemoved.reached()
        try DurableFile.remove(home.device + "/attempts")
        Unfinished.sweep(home.device)
        for folder in [home.device + "/epochs", home.keychain, home.connections] { try Folder.remove(folder) }
        try DeviceStep.dataRemoved.reached()
        try DurableFile.remove(eraseMark(home))
    }
}
