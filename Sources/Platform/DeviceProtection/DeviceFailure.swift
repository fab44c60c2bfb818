package import PavisePrimitives

/// The device's keys cannot be had, and why.
package enum DeviceFailure: Error, Hashable, Sendable {
    /// The file system refused.
    case system(SystemFailure)
    /// A file of the device is not what was written: altered, cut, or of another device.
    case damaged(file: String)
    /// A later version of Pavise wrote this file of the device. Nothing was changed.
    case newer(file: String)
    /// A mark of an erase that Pavise did not write, or that names another device. Nothing was erased.
    case foreignMark(file: String)
    /// An administrator allows only homes that a TPM protects, and this one is not, or the machine has none that can be
    /// used.
    case hardwareRequired
    /// A TPM is there, and this user may not use it. No device was made.
    case hardwareNotPermitted(device: String, group: String?)
    /// The administrator's file cannot be used, so that nobody knows whether it demands hardware.
    case managed(String)
    /// There is no device in this home, and a keychain that only its device opens. No new device is made beside it. Put
    /// the device's folder back, or move the keychain away.
    case deviceLost(PaviseHome)
    /// A key that the element does not know (any more): destroyed, altered, or of another device.
    case unknownKey
    /// A point that is not on the curve, or a digest of a wrong length.
    case invalidInput
    /// The cryptographic library or the random generator refused.
    case crypto(String)
    /// Another process kept the device's lock for too long.
    case busy(owner: String)
    /// The passcode is not the one. The try was counted.
    case wrongPasscode
    /// The application's password is not the one of the key. Nothing is counted.
    case wrongPassword
    /// The element's own limit of tries is reached; it refuses the right passcode too.
    case passcodeBlocked
    /// Too many wrong passcodes: the next try is allowed after this many seconds. This one was not looked at.
    case tryLater(seconds: Int64)
    /// The device is locked, and this needs it unlocked.
    case locked
    /// There is no passcode, and this needs one.
    case noPasscode
    /// There is a passcode already; it can be changed, not set.
    case passcodeExists
    /// The passcode is empty or longer than 1,024 bytes.
    case passcodeLength
    /// The tenth wrong passcode erased the device, as it was told to.
    case erased
    /// The person stopped the question for the passcode.
    case cancelled
    /// A person would have to be asked, and nobody can be or may be.
    case notInteractive
    /// The program's authentication context was invalidated.
    case contextInvalid
    /// The element that this home was made with is not there.
    case elementMissing(String)
    /// The TPM, or the way to it, refused.
    case hardware(TPMFailure)

    /// One sentence for a person, with the next step.
    package var explanation: String {
        switch self {
        case .system(let failure): failure.description
        case .damaged(let file):
            """
            \(file) is damaged or belongs to another device. Put a backup back (“pavise restore”); without it, what it \
            protects stays closed.
            """
        case .newer(let file):
            "A later version of Pavise wrote \(file). Use that version, or a newer one; nothing was changed."
        case .foreignMark(let file):
            """
            \(file) is no mark of an erase of this device. Nothing was erased. Look at it, and remove it to go on with \
            the device.
            """
        case .hardwareRequired:
            """
            A TPM 2.0 is demanded (--require-tpm, or “device.hardware” of the administrator), and none can be used or \
            the home was made without. Nothing was changed.
            """
        case .hardwareNotPermitted(let device, let group):
            "This machine has a TPM (\(device)), and this user may not use it. "
                + (group.map { "Add the user to its group, then log in again: sudo usermod -aG \($0) USER. " }
                    ?? "Ask the administrator for the right to read and write it. ")
                + "“pavise device init --software” makes a device without hardware; the choice is made once. No device "
                + "was made."
        case .managed(let reason): reason
        case .deviceLost(let home):
            "The folder \(home.device) with the device's keys is gone, and a keychain that only they open is "
                + "still there. Put the "
                + "folder back from a copy, or move the home away and put a backup back (“pavise restore”). To begin "
                + "anew, move \(home.keychain) away: nothing in it can be read without that folder."
        case .unknownKey: "The element does not know this key: it was destroyed, altered, or made on another device."
        case .invalidInput: "The element was given a point or digest that is not one."
        case .crypto(let reason): "The cryptographic library refused: \(reason)."
        case .wrongPasscode: "The passcode is wrong. The try was counted."
        case .wrongPassword: "The application's password is not the one that this key asks for."
        case .passcodeBlocked:
            "The secure element refuses further tries, also the right one. Only “pavise device erase” is left."
        case .tryLater(let seconds): "There were too many wrong passcodes. Try again in \(Self.words(seconds))."
        case .locked: "The device is locked. Unlock it with “pavise device unlock”."
        case .noPasscode: "There is no passcode. Set one with “pavise device passcode”."
        case .passcodeExists: "There is a passcode already. Give the old one to change it."
        case .passcodeLength: "A passcode has 1 to 1,024 bytes."
        case .erased: "There were ten wrong passcodes: the device was erased, and nothing in it can be read any more."
        case .cancelled: "The question for the passcode was stopped."
        case .notInteractive: "The passcode is needed, and nobody can be asked for it here."
        case .contextInvalid: "The authentication context was invalidated. Make a new one."
        case .elementMissing(let name):
            """
            This home was made with the secure element “\(name)”, which is not there. Bring it back; no other can open \
            the home.
            """
        case .hardware(let failure): failure.explanation
        case .busy(let owner): "Another process keeps the device's lock (\(owner)). Try again."
        }
    }

    private static func words(_ seconds: Int64) -> String {
        switch seconds {
        case ..<120: "\(max(1, seconds)) s"
        case ..<7200: "\((seconds + 59) / 60) minutes"
        default: "\((seconds + 3599) / 3600) hours"
        }
    }
}
