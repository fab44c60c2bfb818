internal import SecurityFramework

extension VaultFailure {
    /// What an `OSStatus` means for a caller; `nil` for success. An unknown number is carried, not guessed at.
    package init?(status: Int32) {
        switch status {
        case errSecSuccess: return nil
        // -25291, a keychain that cannot be opened at all, is no locked one: no unlock helps (RV-O4).
        case errSecInteractionNotAllowed: self = .locked(status: status)
        case errSecUserCanceled, errSecAuthFailed, errSecMissingEntitlement, errSecNoAccessForItem:
            self = .denied(status: status)
        case errSecDecode: self = .corrupt(.item)
        // errSecWrongSecVersion: the keychain's file is of a later version.
        case -25_310: self = .newer
        case errSecDuplicateItem: self = .duplicate
        default: self = .system(status: status)
        }
    }
}
