internal import PaviseCrypto
package import PavisePrimitives

extension Device {
    /// Opens the device in `home`, and makes it the first time.
    ///
    /// A new device needs an empty place: a keybag without its element's secret, or the other way round, is damage and
    /// never a reason to start again, because what the lost half protects would be lost with it. An erase or a change
    /// of the passcode that a crash cut off is finished first.
    package static func open(
        _ home: PaviseHome, _ environment: DeviceEnvironment = DeviceEnvironment()
    ) throws(DeviceFailure) -> Device {
        // Each secret of a process is opened behind this: with a wrong answer none is.
        if let broken = environment.selfTest() {
            throw .crypto("the self-test of \(broken) gave a wrong answer, and nothing was opened")
        }
        if try isErasing(home) { try finishErase(home, environment) }
        for folder in ["", "/epochs", "/guards", "/keys"] { Unfinished.sweep(home.device + folder) }
        let path = keybag(home)
        let stamp = FileIdentity(path)
        let stored = try DeviceFailure.reporting {
            try DurableFile.readIfPresent(path, limit: Keybag.limit, isSecret: true)
        }
        guard let stored else { return try create(home, environment) }
        return try load(stored, stamp, home, environment)
    }

    // One process makes the device; the others wait, then find it.
    private static func create(_ home: PaviseHome, _ environment: DeviceEnvironment) throws(DeviceFailure) -> Device {
        // Asked before anything is made, and once more by the one that makes it.
        _ = try environment.elements.kindForNewHome(isHardwareRequired: environment.managed.isRequired())
        try DeviceFailure.reporting { try home.make(.device) }
        return try alone(home) {
            let stamp = FileIdentity(keybag(home))
            if let stored = try DurableFile.readIfPresent(keybag(home), limit: Keybag.limit, isSecret: true) {
                return try load(stored, stamp, home, environment)
            }
            // A new device would never open what the lost one protects, and would hide that there is anything to bring
            // back.
            guard !DurableFile.exists(home.keychain + "/items.db") else { throw DeviceFailure.deviceLost(home) }
            return try createAlone(home, environment)
        }
    }

    private static func createAlone(_ home: PaviseHome, _ environment: DeviceEnvironment) throws -> Device {
        let kind = try environment.elements.kindForNewHome(isHardwareRequired: environment.managed.isRequired())
        let element = try environment.elements.open(kind, in: home.device, mayCreate: true)
        let identity = try Entropy.kernel.bytes(16)
        let keeper = try KeybagWrapper.begin(in: home.device, identity: identity, with: element)
        let bag = try Keybag.create(kind, identity: identity, with: keeper)
        let bytes = try bag.encoded(with: keeper)
        try DurableFile.write(bytes.span, to: keybag(home))
        return Device(home, element, environment, State(bag: bag, keeper: keeper, stamp: FileIdentity(keybag(home))))
    }

    private static func load(
        _ stored: [UInt8], _ stamp: FileIdentity?, _ home: PaviseHome, _ environment: DeviceEnvironment
    ) throws(DeviceFailure) -> Device {
        let path = keybag(home)
        let head = try Keybag.head(stored, file: path)
        if head.element == .software, try environment.managed.isRequired() { throw .hardwareRequired }
        let element = try environment.elements.open(head.element, in: home.device, mayCreate: false)
        let keeper = try KeybagWrapper.of(head, in: home.device, with: element)
        let bag = try Keybag(stored, with: keeper, file: path)
        let device = Device(home, element, environment, State(bag: bag, keeper: keeper, stamp: stamp))
        // On a medium that cannot be written, all three are left for later.
        if DurableFile.exists(PendingGuard.path(home.device)) { try? device.alone { try device.finishGuard() } }
        if bag.isUnfinished { try? device.alone { try device.finishChange() } }
        if bag.epoch.isEmpty { try? device.alone { try device.upgrade() } }
        return device
    }

    // A bag of the first format gets an epoch and the pairs; its keys stay.
    private func upgrade() throws {
        let (bag, keeper) = try current()
        guard bag.epoch.isEmpty else { return }
        let contents = try bag.contents(nil, hasPasscodeNext: false, with: keeper)
        let next = try KeybagWrapper.begin(in: home.device, identity: bag.identity, with: element)
        try write(Keybag.make(contents, bag.element, bag.identity, nil, nil, with: next), next)
    }
}
