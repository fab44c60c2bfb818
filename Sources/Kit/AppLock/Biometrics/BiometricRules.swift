/// What a system says about its biometrics at one moment.
package enum BiometricCheck: Hashable, Sendable {
    /// They can be asked. The enrolment is a digest that is another one after a finger or a face was added or removed;
    /// empty where the system tells none. A face needs a purpose string in the app's Info.plist, which may be missing.
    case usable(enrolment: [UInt8], lacksPurpose: Bool)
    /// They cannot, with the number of LAError.
    case refused(Int)
    /// This platform has none, in words.
    case absent(String)
}

/// What the statuses of a keychain item behind biometrics mean (app-lock AL9 to AL14). Pure.
///
/// Apple's documentation of `biometryCurrentSet` says that the item is invalidated when a finger or a face is added or
/// removed; the search then finds nothing. "Not found" and "not recognised" mean other things, too, so a mark beside
/// the item, which needs no finger, says whether there was one.
package enum BiometricRules {
    // SecBase.h and LAError.h.
    private enum Status {
        static let success: Int32 = 0
        static let canceled: Int32 = -128
        static let authFailed: Int32 = -25_293
        static let notFound: Int32 = -25_300
        static let locked: Int32 = -25_308
        static let missingEntitlement: Int32 = -34_018
    }
    private enum Reason {
        static let systemCancel = -4
        static let passcodeNotSet = -5
        static let biometryNotAvailable = -6
        static let biometryNotEnrolled = -7
        static let biometryLockout = -8
        static let notInteractive = -1004
    }

    private static let neverKept = "Biometrics do not unlock this app yet: the PIN has to allow it first."

    /// Why nothing is asked; `nil` where a person may be.
    ///
    /// - Parameter mark: The enrolment when the key was kept; `nil` where none is.
    package static func objection(to check: BiometricCheck, mark: [UInt8]?) -> BiometricRefusal? {
        switch check {
        case .usable(_, lacksPurpose: true):
            // Without it the system ends the app at the first question.
            .unavailable("This app's Info.plist has no NSFaceIDUsageDescription: write there why it asks for a face.")
        case .usable(let enrolment, _): isOther(enrolment, than: mark) ? .enrolmentChanged : nil
        case .absent(let words): .unavailable(words)
        case .refused(Reason.biometryNotEnrolled):
            // Whoever was enrolled is not any more, and the key went with them.
            mark == nil ? .unavailable("Nobody is enrolled on this device.") : .enrolmentChanged
        case .refused(Reason.passcodeNotSet):
            .unavailable("This device has no passcode of its own. Set one first, then let biometrics unlock again.")
        case .refused(Reason.biometryNotAvailable):
            .unavailable("This device has no biometrics, or they are switched off for this app.")
        // After five tries that failed the system wants its own code first; the key is still there.
        case .refused(Reason.biometryLockout), .refused(Reason.notInteractive), .refused(Reason.systemCancel): .failed
        case .refused(let number): .unavailable("The system refuses biometrics (\(number)).")
        }
    }

    /// Why a search of the item gave no key; `nil` for a status that gives one.
    ///
    /// - Parameters:
    ///   - status: Of the search; "not found" only where it was proved (`AbsenceProof`).
    ///   - check: What the system says after the search.
    ///   - mark: As above.
    package static func refusal(_ status: Int32, after check: BiometricCheck, mark: [UInt8]?) -> BiometricRefusal? {
        switch status {
        case Status.success: nil
        // The person, the system, or another way that was chosen: they are not told apart here, and none of them
        // counts.
        case Status.canceled: .failed
        // Not recognised, locked out, the device was locked meanwhile: none of them says that the key is gone.
        case Status.authFailed:
            if case .usable(let enrolment, _) = check, isOther(enrolment, than: mark) {
                .enrolmentChanged
            } else {
                .failed
            }
        case Status.notFound:
            mark == nil ? .unavailable(neverKept) : .enrolmentChanged
        case Status.locked: .unavailable("The device is locked.")
        case Status.missingEntitlement:
            .unavailable("This program has no keychain: it is not signed with an application identifier.")
        default: .unavailable("The keychain refused (\(status)).")
        }
    }

    /// Why a key was not kept; `nil` for a status that kept it.
    package static func refusalToKeep(_ status: Int32) -> BiometricRefusal? {
        switch status {
        case Status.success: nil
        // The class needs a passcode on the device.
        case Status.authFailed: .unavailable("This device has no passcode of its own.")
        default: refusal(status, after: .absent(""), mark: nil)
        }
    }

    // Only where both are known.
    private static func isOther(_ enrolment: [UInt8], than mark: [UInt8]?) -> Bool {
        guard let mark, !mark.isEmpty, !enrolment.isEmpty else { return false }
        return mark != enrolment
    }
}
