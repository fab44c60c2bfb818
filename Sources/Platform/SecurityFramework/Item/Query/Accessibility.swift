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

    /// Names the class of an access control among the attributes, and checks the class there.
    ///
    /// - Throws: -50 for an unknown class, and for a class beside an access control that says anything else. The two that the
    ///   attributes of a found item hold agree unless the item is constrained.
    static func join(_ control: SecAccessControl?, into attributes: inout ItemAttributes) throws(StatusFailure) {
        if case .text(let code)? = attributes[.accessible] {
            _ = try keyClass(code)
            guard control == nil || control == .ofClass(code) else { throw StatusFailure(errSecParam) }
        } else if let control {
            attributes[.accessible] = .text(control.protection)
        }
    }
}
