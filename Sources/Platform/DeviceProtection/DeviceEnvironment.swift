internal import PaviseCrypto
package import PavisePrimitives

/// What a device takes from its surroundings. A test gives its own.
package struct DeviceEnvironment: Sendable {
    /// Which time it is; only the boot clock counts here.
    package var time: TimeSource
    /// Which element a new home gets, and how a known one is opened.
    package var elements: ElementChoice
    /// Where unlocked class keys wait, the best place first.
    package var places: [any UnlockedKeys]
    /// Whether an administrator demands hardware. Asked when a device is made or opened.
    package var managed = ManagedHardware.current
    /// Names the cryptographic primitive whose known answer is wrong; `nil` when all are right. Asked before a device
    /// is made or opened.
    package var selfTest: @Sendable () -> String? = { CryptoSelfTest.failure?.rawValue }
    /// The price of a guess at the passphrase of a backup: about a quarter of a second.
    package var backupCost = Argon2Cost.ofBackups
    /// Where random bytes come from that no file depends on.
    package var entropy = Entropy.kernel

    /// The surroundings of the process, unless a part is given.
    package init(
        time: TimeSource = .system, elements: ElementChoice = .standard,
        places: [any UnlockedKeys] = DeviceEnvironment.places
    ) {
        self.time = time
        self.elements = elements
        self.places = places
    }

    /// The kernel's keyring, then the memory of the process.
    package static let places: [any UnlockedKeys] = [KeyringKeys(), ProcessKeys.ofProcess]
}

/// A step of work that must survive a crash after it. A test stops the work there.
package enum DeviceStep: String, Hashable, Sendable, CaseIterable {
    /// The new epoch's salt is durable.
    case epochBegun
    /// The element has made the guard of the new passcode.
    case guardMade
    /// The record of failures is empty.
    case attemptsCleared
    /// The new bag is durable.
    case bagWritten
    /// The guard of the old passcode is destroyed.
    case guardDestroyed
    /// The old epoch's salt is destroyed.
    case epochDestroyed
    /// The bag says that nothing is left to destroy.
    case bagFinished
    /// A try is counted, and not judged yet.
    case attemptCounted
    /// The mark of an erase that has begun is durable.
    case eraseMarked
    /// The element has erased its root.
    case elementErased
    /// The bag is gone.
    case bagRemoved
    /// What the device protected is gone.
    case dataRemoved

    /// What a test wants to do after a step; throwing stops the work as a crash does.
    @TaskLocal package static var observer: (@Sendable (DeviceStep) throws -> Void)?

    func reached() throws { try Self.observer?(self) }
}
