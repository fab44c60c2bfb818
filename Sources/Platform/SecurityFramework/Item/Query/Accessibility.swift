internal import PaviseDevice

/// The codes of accessibility and the class keys behind them (facts: keychain §4).
enum Accessibility {
    static func keyClass(_ code: String) throws(StatusFailure) -> KeyClass {
        switch code {
        case "ak": return .whenUnlocked
        case "ck": return .afterFirstUnlock
        case "dk": return .always
        case "aku": return .whenUnlockedThisDeviceOnly
        case "cku": return .afterFirstUnlockThisDeviceOnly
        case "dku": return .alwaysThisDeviceOnly
        case "akpu": return .whenPasscodeSetThisDeviceOnly
        default: throw StatusFailure(errSecParam)
        }
    }

    /// The code that an added item gets when the caller says nothing.
    static func standard(_ itemClass: ItemClass) -> String { itemClass == .certificate ? "dk" : "ak" }
}
