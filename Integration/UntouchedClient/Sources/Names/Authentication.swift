#if canImport(LocalAuthentication)
import Foundation
import LocalAuthentication

/// The names of LocalAuthentication. Compiled, never run.
func authenticationNames() async throws -> Bool {
    let context = LAContext()
    context.localizedFallbackTitle = ""
    context.localizedCancelTitle = "Later"
    context.localizedReason = "to show a secret"
    context.interactionNotAllowed = true
    context.touchIDAuthenticationAllowableReuseDuration = LATouchIDAuthenticationMaximumAllowableReuseDuration
    var error: NSError?
    guard context.canEvaluatePolicy(.deviceOwnerAuthenticationWithBiometrics, error: &error) else {
        switch error.map({ LAError(_nsError: $0).code }) {
        case .biometryNotAvailable, .biometryNotEnrolled, .biometryLockout, .passcodeNotSet: return false
        default: throw error ?? NSError(domain: LAErrorDomain, code: LAError.Code.invalidContext.rawValue)
        }
    }
    context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "to sign in") { isDone, error in
        switch error {
        case let error as LAError where error.code == .userCancel: print("cancelled")
        case LAError.authenticationFailed?, LAError.userFallback?, LAError.systemCancel?, LAError.appCancel?:
            print("no")
        default: print(isDone)
        }
    }
    let kinds: [LABiometryType] = [.none, .touchID, .faceID]
    context.setCredential(Data("1234".utf8), type: .applicationPassword)
    let isSet = context.isCredentialSet(.applicationPassword)
    defer { context.invalidate() }
    let isOwner = try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "again")
    return isOwner && isSet && kinds.contains(context.biometryType) && context.evaluatedPolicyDomainState == nil
}
#endif
