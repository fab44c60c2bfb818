// Declarations of ours of what Pavise names of LocalAuthentication, from Apple's documentation. For checking types on
// Linux.
// Pages: https://developer.apple.com/documentation/localauthentication/ and the name in lower case.
@_exported public import Foundation

public enum LACredentialType: Int, Sendable { case applicationPassword = 0, smartCardPIN = -3 }
public enum LAPolicy: Int, Sendable { case deviceOwnerAuthenticationWithBiometrics = 1, deviceOwnerAuthentication = 2 }
public enum LABiometryType: Int, Sendable { case none, touchID, faceID, opticID }
public let LAErrorDomain: String = "com.apple.LocalAuthentication"
public struct LAError: Error {
    public enum Code: Int, Sendable {
        case authenticationFailed = -1, userCancel = -2, userFallback = -3, systemCancel = -4, passcodeNotSet = -5
        case appCancel = -9, invalidContext = -10, notInteractive = -1004, biometryNotAvailable = -6
        case biometryNotEnrolled = -7, biometryLockout = -8
    }
    public var code: Code { fatalError() }
}
open class LAContext: NSObject {
    public override init() { super.init() }
    open var interactionNotAllowed: Bool { get { false } set {} }
    open var localizedReason: String { get { "" } set {} }
    open var localizedFallbackTitle: String? { get { nil } set {} }
    open var touchIDAuthenticationAllowableReuseDuration: TimeInterval { get { 0 } set {} }
    open var biometryType: LABiometryType { .none }
    open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool { false }
    open func canEvaluatePolicy(_ policy: LAPolicy, error: UnsafeMutablePointer<NSError?>?) -> Bool { false }
    open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool { false }
    open func invalidate() {}
}

/// https://developer.apple.com/documentation/localauthentication/ladomainstate
@available(macOS 15, iOS 18, *)
open class LADomainState: NSObject {
    open var biometry: LADomainStateBiometry { fatalError() }
    open var stateHash: Data? { nil }
}
@available(macOS 15, iOS 18, *)
open class LADomainStateBiometry: NSObject {
    open var biometryType: LABiometryType { .none }
    open var stateHash: Data? { nil }
}
extension LAContext {
    @available(macOS 15, iOS 18, *)
    public var domainState: LADomainState { fatalError() }
}
