internal import Foundation
internal import PaviseDevice
internal import PavisePrimitives

/// The secure element for a key whose use needs the person, or the application's password.
///
/// The handle is the element's own: that either is asked for is a rule of this program, not of the element.
struct GuardedElement: SecureElement {
    let element: any SecureElement
    let control: SecAccessControl
    let interaction: Interaction
    /// Judges the password; `nil` for a key that asks for none, and for one of before there were verifiers.
    let verifier: [UInt8]?
    let environment: SecurityEnvironment

    /// Wraps the element where the control asks for anything.
    static func around(
        _ element: any SecureElement, _ control: SecAccessControl?, _ interaction: Interaction, _ verifier: [UInt8]?
    ) -> any SecureElement {
        guard let control, control.isConstrained else { return element }
        return GuardedElement(
            element: element, control: control, interaction: interaction, verifier: verifier, environment: .current)
    }

    private func demand() throws(DeviceFailure) {
        let credentials = AccessCredentials()
        if control.needsPresence { try show(.presence, credentials) }
        guard control.needsPassword, let verifier else { return }
        let proof = AuthenticationNeeded.Proof.password(item: verifier)
        try show(proof, credentials)
        guard let password = credentials.password(proof) else { throw .notInteractive }
        let isRight: Bool
        do {
            isRight = try PasswordVerifier.accepts(password, verifier)
        } catch {
            throw .crypto("the application's password cannot be judged")
        }
        guard isRight else { throw .wrongPassword }
    }

    private func show(_ proof: AuthenticationNeeded.Proof, _ credentials: AccessCredentials) throws(DeviceFailure) {
        let needed = AuthenticationNeeded(proof: proof, interaction: interaction)
        do {
            try SecurityEnvironment.$override.withValue(environment) {
                try AccessRounds.show(needed, credentials, environment)
            }
        } catch let failure as DeviceFailure {
            throw failure
        } catch {
            throw .notInteractive
        }
    }

    var protection: ElementProtection { element.protection }
    func wrap(_ key: borrowing SecretBytes, purpose: String) throws(DeviceFailure) -> [UInt8] {
        try element.wrap(key, purpose: purpose)
    }
    func unwrap(_ blob: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes {
        try element.unwrap(blob, purpose: purpose)
    }
    func derivedKey(purpose: String) throws(DeviceFailure) -> SecretBytes { try element.derivedKey(purpose: purpose) }
    func generateKey() throws(DeviceFailure) -> ElementKey { try element.generateKey() }
    func sign(digest: [UInt8], with blob: [UInt8]) throws(DeviceFailure) -> [UInt8] {
        try demand()
        return try element.sign(digest: digest, with: blob)
    }
    func sharedSecret(with peer: [UInt8], using blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        try demand()
        return try element.sharedSecret(with: peer, using: blob)
    }
    func publicKey(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8] { try element.publicKey(of: blob) }
    func destroy(_ blob: [UInt8]) throws(DeviceFailure) { try element.destroy(blob) }
    func makeGuard(_ secrets: borrowing PasscodeSecrets) throws(DeviceFailure) -> [UInt8] {
        try element.makeGuard(secrets)
    }
    func entangle(_ secrets: borrowing PasscodeSecrets, guard blob: [UInt8]) throws(DeviceFailure) -> SecretBytes {
        try element.entangle(secrets, guard: blob)
    }
    func destroyGuard(_ blob: [UInt8]) throws(DeviceFailure) { try element.destroyGuard(blob) }
    func erase() throws(DeviceFailure) { try element.erase() }
}
