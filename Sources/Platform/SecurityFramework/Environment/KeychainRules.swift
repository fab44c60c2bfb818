internal import PaviseDevice

/// How the four calls take what Apple's systems do not agree on.
///
/// Code for Apple's systems says `#if os(iOS)` where they differ, and so takes the branch of macOS on Linux, while this
/// keychain is that of iOS. Packages that nobody may edit need lenient rules; other programs can ask for them.
package enum KeychainRules: String, Sendable {
    /// The rules of iOS, and those that are documented.
    case strict
    /// The same, and two more things pass. `kSecMatchLimit` with `kSecMatchLimitAll` may stand in the query of
    /// `SecItemDelete` and `SecItemUpdate`, as on macOS. A class that is bound to the device may be synchronizable:
    /// the documentation forbids it, and the systems do not look.
    case lenient

    /// What a program has that does not choose: lenient in the library behind `pavise toolset`, strict elsewhere.
    package static var standard: KeychainRules {
        #if PAVISE_TOOLSET
        .lenient
        #else
        .strict
        #endif
    }

    /// Refuses what cannot be synchronised: an item that asks for a person, and one that is bound to the device.
    func check(
        synchronizable: Bool, accessibility: String, isGuarded: Bool
    ) throws(StatusFailure) {
        let isBound = try Accessibility.keyClass(accessibility).isBoundToDevice
        guard synchronizable, isGuarded || (isBound && self == .strict) else { return }
        throw StatusFailure(errSecParam)
    }
}
