package import PavisePrimitives

/// Where the class keys wait while the device is unlocked: never in a file.
package protocol UnlockedKeys: Sendable {
    /// Whether other processes of the user see them.
    var isShared: Bool { get }

    /// Keeps a key of 32 bytes under a name until it was not used for `seconds`.
    ///
    /// - Returns: `false` when it cannot be kept here.
    func keep(_ key: borrowing SecretBytes, _ name: String, seconds: UInt32) -> Bool

    /// Whether the key can be had now. Counts as use.
    func has(_ name: String) -> Bool

    /// Whether the key can be had now; does not count as use, so that somebody who only watches never keeps it alive.
    func isKept(_ name: String) -> Bool

    /// The key; `nil` when it is gone, for whatever reason.
    func read(_ name: String) -> SecretBytes?

    /// Forgets a key at once, for everybody. Twice is fine.
    func forget(_ name: String)
}

/// How long class keys stay when nobody uses them, in seconds.
package struct UnlockPeriod: Hashable, Sendable {
    /// Classes that need the device to be unlocked.
    package let whileUnlocked: UInt32
    /// Classes that need one unlock since the boot.
    package let sinceFirstUnlock: UInt32

    /// Periods of the caller's choice; at least a second.
    package init(whileUnlocked: UInt32 = 28_800, sinceFirstUnlock: UInt32 = 2_592_000) {
        self.whileUnlocked = max(1, whileUnlocked)
        self.sinceFirstUnlock = max(1, sinceFirstUnlock)
    }

    func seconds(_ keyClass: KeyClass) -> UInt32 {
        keyClass.availability == .whileUnlocked ? whileUnlocked : sinceFirstUnlock
    }
}

extension UnlockedKeys {
    /// The same as ``has(_:)`` for a place where nothing ever ends.
    package func isKept(_ name: String) -> Bool { has(name) }
}
