package import PavisePrimitives
internal import Synchronization

/// The device of one home: its element, its keybag, and the class keys that are in use.
///
/// Another process may change the bag (a passcode, an erase): each use looks at the file first.
package final class Device: Sendable {
    /// What keeps the root secret.
    package let element: any SecureElement
    /// Where the device lies.
    package let home: PaviseHome
    let environment: DeviceEnvironment
    let path: String
    let state: Mutex<State>

    /// What changes while the device is open.
    struct State {
        var bag: Keybag
        var keeper: KeybagWrapper
        var stamp: FileIdentity?
        /// Looks at the bag's file; `nil` until the first look, and after the file became another one.
        var watch: FileWatch?
        var keys: [KeyClass: ClassKey] = [:]
        /// Tells whether a wrong passcode is the one of before; in memory only.
        var lastWrong: [UInt8]?
        /// What those marks are made with; of this process, made at the first try.
        var markKey: SharedSecretBytes?
    }

    init(_ home: PaviseHome, _ element: any SecureElement, _ environment: DeviceEnvironment, _ state: sending State) {
        self.home = home
        self.element = element
        self.environment = environment
        path = Self.keybag(home)
        self.state = Mutex(state)
    }

    static func keybag(_ home: PaviseHome) -> String { home.device + "/keybag" }

    /// What protects this device, in words.
    package var status: ElementProtection { element.protection }

    /// The bag as it was at one moment, and who keeps it: for steps of one call that shall not ask the disk each.
    package struct Snapshot: Sendable {
        let bag: Keybag
        let keeper: KeybagWrapper
    }

    /// The device as it is on the disk now.
    package func snapshot() throws(DeviceFailure) -> Snapshot {
        let (bag, keeper) = try current()
        return Snapshot(bag: bag, keeper: keeper)
    }

    /// The bag as it is on the disk now, and who keeps it.
    func current() throws(DeviceFailure) -> (bag: Keybag, keeper: KeybagWrapper) {
        let stamp = lookAtFile()
        let known = state.withLock { state in state.stamp == stamp && stamp != nil ? (state.bag, state.keeper) : nil }
        if let known { return known }
        let (bag, keeper) = try Self.read(home, element)
        // A bag that was written once more meanwhile is read again at the next use: the stamp is the older one.
        state.withLock { state in
            if state.bag.epoch != bag.epoch || state.bag.identity != bag.identity { state.keys = [:] }
            state.bag = bag
            state.keeper = keeper
            state.stamp = stamp
        }
        return (bag, keeper)
    }

    private func lookAtFile() -> FileIdentity? {
        if let watch = state.withLock({ $0.watch }), let stamp = watch.stamp { return stamp }
        let watch = FileWatch(path)
        state.withLock { $0.watch = watch }
        return watch?.stamp
    }

    static func read(
        _ home: PaviseHome, _ element: any SecureElement
    ) throws(DeviceFailure) -> (bag: Keybag, keeper: KeybagWrapper) {
        let path = keybag(home)
        let bytes = try DeviceFailure.reporting {
            try DurableFile.readIfPresent(path, limit: Keybag.limit, isSecret: true)
        }
        guard let bytes else { throw .damaged(file: path) }
        let head = try Keybag.head(bytes, file: path)
        let keeper = try KeybagWrapper.of(head, in: home.device, with: element)
        return (try Keybag(bytes, with: keeper, file: path), keeper)
    }

    /// Writes a bag; when this returns, it is the device's.
    func write(_ bag: Keybag, _ keeper: KeybagWrapper) throws(DeviceFailure) {
        let bytes = try bag.encoded(with: keeper)
        try DeviceFailure.reporting { try DurableFile.write(bytes.span, to: path) }
        let stamp = FileIdentity(path)
        state.withLock { state in
            if state.bag.epoch != bag.epoch { state.keys = [:] }
            state.bag = bag
            state.keeper = keeper
            state.stamp = stamp
        }
    }

    /// Runs `body` while no other process or thread changes the device.
    func alone<Result>(_ body: () throws -> Result) throws(DeviceFailure) -> Result {
        try Self.alone(home, body)
    }

    static func alone<Result>(_ home: PaviseHome, _ body: () throws -> Result) throws(DeviceFailure) -> Result {
        try DeviceFailure.reporting {
            try FileLock.holding(home.device + "/lock", wait: .seconds(30), or: { $0 as any Error }, body)
        }
    }
}
