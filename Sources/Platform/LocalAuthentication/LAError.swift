// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

/// The domain of ``LAError`` as an `NSError`.
public let LAErrorDomain = "com.apple.LocalAuthentication"

/// Why an authentication did not succeed.
///
/// It crosses as an `NSError` of ``LAErrorDomain`` with Apple's code, and can be caught as `LAError`.
public struct LAError: CustomNSError, Hashable, Sendable {
    /// Apple's codes.
    public enum Code: Int, Error, Hashable, Sendable {
        /// The passcode was wrong too often, or a delay is running.
        case authenticationFailed = -1
        /// The person stopped.
        case userCancel = -2
        /// The person wants another way.
        case userFallback = -3
        /// The system stopped, or the device cannot be used.
        case systemCancel = -4
        /// There is no passcode.
        case passcodeNotSet = -5
        /// There is no biometry; on Linux always.
        case biometryNotAvailable = -6
        /// Nobody is enrolled.
        case biometryNotEnrolled = -7
        /// Biometry is locked out.
        case biometryLockout = -8
        /// The program ended the context while a person was asked.
        case appCancel = -9
        /// The context was invalidated.
        case invalidContext = -10
        /// There is no companion device.
        case watchNotAvailable = -11
        /// Biometry hardware is not paired.
        case biometryNotPaired = -12
        /// Biometry hardware is not connected.
        case biometryDisconnected = -13
        /// A person would have to be asked, and may not be.
        case notInteractive = -1004
    }

    /// The code.
    public let code: Code
    private let text: String

    /// An error of a code.
    public init(_ code: Code, userInfo: [String: Any] = [:]) {
        self.code = code
        text = userInfo[NSLocalizedDescriptionKey] as? String ?? Self.words(code)
    }

    init(_ code: Code, _ text: String) {
        self.code = code
        self.text = text
    }

    /// Reads an error of the domain; any other code is ``Code/authenticationFailed``.
    public init(_nsError error: NSError) {
        let isOurs = error.domain == LAErrorDomain
        self.init(
            (isOurs ? Code(rawValue: error.code) : nil) ?? .authenticationFailed, error.localizedDescription)
    }

    /// ``LAErrorDomain``.
    public static var errorDomain: String { LAErrorDomain }
    /// The number of the code.
    public var errorCode: Int { code.rawValue }
    /// The words, under `NSLocalizedDescriptionKey`.
    public var errorUserInfo: [String: Any] { [NSLocalizedDescriptionKey: text] }
    /// The words.
    public var localizedDescription: String { text }
    /// The same as an `NSError`.
    public var _nsError: NSError { NSError(domain: LAErrorDomain, code: errorCode, userInfo: errorUserInfo) }

    /// Errors are equal when their codes are.
    public static func == (one: LAError, other: LAError) -> Bool { one.code == other.code }
    /// Mixes the code.
    public func hash(into hasher: inout Hasher) { hasher.combine(code) }

    private static func words(_ code: Code) -> String {
        switch code {
        case .passcodeNotSet: "There is no passcode. Set one with “pavise device passcode”."
        case .biometryNotAvailable: "There is no biometry on this system."
        case .watchNotAvailable: "There is no companion device on this system."
        case .invalidContext: "The context was invalidated. Make a new one."
        case .notInteractive: "A person would have to be asked, and may not be."
        case .userCancel: "The person stopped the question."
        case .appCancel: "The program ended the context while the person was asked."
        default: "The authentication did not succeed (\(code.rawValue))."
        }
    }
}

extension LAError {
    /// ``Code/authenticationFailed``.
    public static var authenticationFailed: Code { .authenticationFailed }
    /// ``Code/userCancel``.
    public static var userCancel: Code { .userCancel }
    /// ``Code/userFallback``.
    public static var userFallback: Code { .userFallback }
    /// ``Code/systemCancel``.
    public static var systemCancel: Code { .systemCancel }
    /// ``Code/passcodeNotSet``.
    public static var passcodeNotSet: Code { .passcodeNotSet }
    /// ``Code/biometryNotAvailable``.
    public static var biometryNotAvailable: Code { .biometryNotAvailable }
    /// ``Code/biometryNotEnrolled``.
    public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
    /// ``Code/biometryLockout``.
    public static var biometryLockout: Code { .biometryLockout }
    /// The older name of ``biometryNotAvailable``.
    public static var touchIDNotAvailable: Code { .biometryNotAvailable }
    /// The older name of ``biometryNotEnrolled``.
    public static var touchIDNotEnrolled: Code { .biometryNotEnrolled }
    /// The older name of ``biometryLockout``.
    public static var touchIDLockout: Code { .biometryLockout }
    /// ``Code/appCancel``.
    public static var appCancel: Code { .appCancel }
    /// ``Code/invalidContext``.
    public static var invalidContext: Code { .invalidContext }
    /// ``Code/notInteractive``.
    public static var notInteractive: Code { .notInteractive }
}

extension LAError.Code {
    /// Whether an error has the code, for `catch LAError.userCancel`.
    public static func ~= (code: LAError.Code, error: any Error) -> Bool { (error as? LAError)?.code == code }
}
