/// The keychain's protection classes, by the numbers that Apple's keybag gives them.
package enum KeyClass: UInt8, CaseIterable, Hashable, Sendable {
    /// `ak`: while unlocked.
    case whenUnlocked = 6
    /// `ck`: from the first unlock until shutdown.
    case afterFirstUnlock = 7
    /// `dk`: always.
    case always = 8
    /// `aku`: while unlocked, bound to the device.
    case whenUnlockedThisDeviceOnly = 9
    /// `cku`: from the first unlock until shutdown, bound to the device.
    case afterFirstUnlockThisDeviceOnly = 10
    /// `dku`: always, bound to the device.
    case alwaysThisDeviceOnly = 11
    /// `akpu`: while unlocked, and only as long as a passcode exists.
    case whenPasscodeSetThisDeviceOnly = 12

    /// When the class's key may be used.
    package enum Availability: Hashable, Sendable {
        /// Class A.
        case whileUnlocked
        /// Class C.
        case sinceFirstUnlock
        /// Class D.
        case always
    }

    /// When this class's key may be used.
    package var availability: Availability {
        switch self {
        case .whenUnlocked, .whenUnlockedThisDeviceOnly, .whenPasscodeSetThisDeviceOnly: .whileUnlocked
        case .afterFirstUnlock, .afterFirstUnlockThisDeviceOnly: .sinceFirstUnlock
        case .always, .alwaysThisDeviceOnly: .always
        }
    }

    /// Whether items of the class stay on this device.
    package var isBoundToDevice: Bool { rawValue >= Self.whenUnlockedThisDeviceOnly.rawValue }
}

/// Whether somebody unlocked the device.
package enum LockState: Hashable, Sendable {
    /// Restarted, and not unlocked since: class D only.
    case beforeFirstUnlock
    /// Locked after an unlock: classes C and D.
    case locked
    /// Unlocked: all classes.
    case unlocked

    /// Whether a class of this availability has its key in this state.
    package func allows(_ availability: KeyClass.Availability) -> Bool {
        switch availability {
        case .always: true
        case .sinceFirstUnlock: self != .beforeFirstUnlock
        case .whileUnlocked: self == .unlocked
        }
    }
}
