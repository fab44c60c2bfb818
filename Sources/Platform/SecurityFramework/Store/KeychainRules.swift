internal import PaviseDevice

/// How the four calls take what Apple's systems do not agree on.
///
/// Code for Apple's systems says `#if os(iOS)` where they differ, and so takes the branch of macOS on Linux, while this
/// keychain is that of iOS. A program that is not to be edited can ask for lenient rules.
package enum KeychainRules: String, Sendable {
    /// The rules of iOS, and those that are documented. This is the default.
    case strict
    /// The same, and two more things pass. `kSecMatchLimit` with `kSecMatchLimitAll` may stand in the query of
    /// `SecItemDelete` and `SecItemUpdate`, as on macOS. A class that is bound to the device may be synchronizable:
    /// the documentation forbids it, and the systems do not look.
    case lenient

    /// Refuses what cannot be synchronised: an item that asks for a person, and one that is bound to the device.
    func check(
        synchronizable: Bool, accessibility: String, isGuarded: Bool
    ) throws(StatusFailure) {
        let isBound = try Accessibility.keyClass(accessibility).isBoundToDevice
        guard synchronizable, isGuarded || (isBound && self == .strict) else { return }
        throw StatusFailure(errSecParam)
    }
}
