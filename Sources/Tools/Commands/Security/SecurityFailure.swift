internal import Foundation
internal import PavisePrimitives
internal import SecurityFramework

/// Why a `security` command stopped.
struct SecurityFailure: Error {
    /// The program's exit status: 2 for usage, 1 for a refusal, else the low byte of the keychain's status.
    let exitStatus: Int32
    /// What to print behind `security: `.
    let message: String
    /// The line that shows how the command is written, after a mistake in it.
    var usage: String?

    /// A command line that cannot be understood.
    static func usage(_ message: String) -> SecurityFailure { SecurityFailure(exitStatus: 2, message: message) }

    /// Something that has no meaning here.
    static func refused(_ message: String) -> SecurityFailure { SecurityFailure(exitStatus: 1, message: message) }

    /// A status of the keychain.
    static func keychain(_ status: OSStatus, during call: String) -> SecurityFailure {
        // The status is negative: -25300 is 44, -25299 is 45, -25308 is 36, -25293 is 51.
        SecurityFailure(exitStatus: status & 0xFF, message: "\(call): \(words(for: status))")
    }

    // Scripts look for the first of these lines: it is an interface, letter by letter.
    private static func words(for status: OSStatus) -> String {
        switch status {
        case errSecItemNotFound: "The specified item could not be found in the keychain."
        case errSecDuplicateItem: "The specified item already exists in the keychain."
        case errSecInteractionNotAllowed: "The keychain is locked. “pavise device unlock” opens it."
        default: KeychainDescription.message(for: status)
        }
    }
}

/// What the keychain says about a status.
enum KeychainDescription {
    /// The message of `status`, and the cause where this process knows more.
    static func message(for status: OSStatus) -> String {
        let text = SecCopyErrorMessageString(status, nil).map { $0 as String } ?? "The keychain gave no message."
        let cause = status == errSecNotAvailable ? KeychainDiagnostics.lastFailure(.current) : nil
        return [text, cause.map { " " + $0 } ?? "", " (\(status))"].joined()
    }
}
