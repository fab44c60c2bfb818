internal import PaviseDevice

/// The codes of accessibility and the class keys behind them.
enum Accessibility {
    static func keyClass(_ code: String) throws(StatusFailure) -> KeyClass {
        switch code {
        case "ak": return .whenUnlocked
        case "ck": return .afterFirstUnlock
        case "dk": return .always
        case "aku": return .whenUnlockedThisDeviceOnly
        case "cku": return .afterFirstUnlockThisDeviceOnly
        // pavise:ignore KEYCHAIN-WEAK The name of a class that items of apps may have.
        case "dku": return .alwaysThisDeviceOnly
        case "akpu": return .whenPasscodeSetThisDeviceOnly
        default: throw StatusFailure(errSecParam)
        }
    }

    /// The code that an added item gets when the caller says nothing.
    static func standard(_ itemClass: ItemClass) -> String { itemClass == .certificate ? "dk" : "ak" }

    /// Names the class of an access control among the attributes, and checks the class there.
    ///
    /// Callers say one of the two. What a found item shows has both: as a query it finds the item again, and it can be
    /// written again where nobody chose the access control, which is then the very object that the result gave.
    ///
    /// - Parameter isQuery: Whether items are looked for.
    /// - Throws: -50 for an unknown class, and for a class beside an access control in any other case.
    static func join(
        _ control: inout SecAccessControl?, into attributes: inout ItemAttributes, isQuery: Bool
    ) throws(StatusFailure) {
        if case .text(let code)? = attributes[.accessible] {
            _ = try keyClass(code)
            guard let given = control else { return }
            let isShown = given === SecAccessControl.ofClass(code)
            guard isShown || isQuery && given.protection == code else { throw StatusFailure(errSecParam) }
            if isShown { control = nil }
        } else if let control {
            attributes[.accessible] = .text(control.protection)
        }
    }
}
