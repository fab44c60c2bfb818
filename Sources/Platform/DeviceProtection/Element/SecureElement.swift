package import PavisePrimitives

/// What keeps the device's root secret: hardware where there is some, a file where there is not.
///
/// Callers hold opaque blobs only. Each function needs the element that made the blob.
package protocol SecureElement: Sendable {
    /// What protects the root secret, for `pavise device status`.
    var protection: ElementProtection { get }

    /// Wraps a key so that only this element unwraps it, and only for the same purpose.
    func wrap(_ key: borrowing SecretBytes, purpose: String) throws(DeviceFailure) -> [UInt8]

    /// Gives back what ``wrap(_:purpose:)`` took.
    func unwrap(_ blob: [UInt8], purpose: String) throws(DeviceFailure) -> SecretBytes

    /// A key of the element's own for authenticating files; the same each time for the same purpose.
    func derivedKey(purpose: String) throws(DeviceFailure) -> SecretBytes

    /// Makes a P-256 key that never leaves the element in clear.
    func generateKey() throws(DeviceFailure) -> ElementKey

    /// Signs a digest of 32 bytes with ECDSA.
    ///
    /// - Returns: The signature, DER (X9.62).
    func sign(digest: [UInt8], with blob: [UInt8]) throws(DeviceFailure) -> [UInt8]

    /// The x coordinate of the Diffie-Hellman point with `peer` (X9.63 point, 65 bytes).
    func sharedSecret(with peer: [UInt8], using blob: [UInt8]) throws(DeviceFailure) -> SecretBytes

    /// The public half of a key, X9.63.
    func publicKey(of blob: [UInt8]) throws(DeviceFailure) -> [UInt8]

    /// Makes every copy of the blob useless, for good. Doing it twice is fine.
    func destroy(_ blob: [UInt8]) throws(DeviceFailure)

    /// Makes the guard of a passcode: a durable counter of failures where the element has one, and what entangles.
    ///
    /// - Returns: An opaque blob for the keybag, at most ``longestGuard`` bytes.
    func makeGuard(_ secrets: borrowing PasscodeSecrets) throws(DeviceFailure) -> [UInt8]

    /// Judges one try, which is counted first where the element counts.
    ///
    /// - Returns: 32 bytes that nobody has without the element and the secrets. An element that keeps no verifier
    ///   gives other bytes for wrong secrets; then the class keys do not unwrap.
    /// - Throws: ``DeviceFailure/wrongPasscode``; ``DeviceFailure/passcodeBlocked`` when the element's own limit is
    ///   reached, also for the right one; ``DeviceFailure/unknownKey`` for a guard that was destroyed.
    func entangle(_ secrets: borrowing PasscodeSecrets, guard blob: [UInt8]) throws(DeviceFailure) -> SecretBytes

    /// Destroys a guard for good: copies of the blob are useless afterwards. Twice is fine.
    func destroyGuard(_ blob: [UInt8]) throws(DeviceFailure)

    /// Makes everything that this element ever wrapped unreadable, for good. Safe to repeat.
    func erase() throws(DeviceFailure)
}

/// The longest guard of a passcode that a keybag takes, in bytes.
package let longestGuard = 2048

/// What the element is shown of a passcode: three secrets of 32 bytes, drawn by HKDF from the stretched passcode.
package struct PasscodeSecrets: ~Copyable, Sendable {
    /// Authorises the element's counter of failures.
    package let pin: SecretBytes
    /// Authorises the key that entangles.
    package let authorization: SecretBytes
    /// What the element turns into its answer.
    package let tangle: SecretBytes

    /// Takes over the three secrets.
    package init(pin: consuming SecretBytes, authorization: consuming SecretBytes, tangle: consuming SecretBytes) {
        self.pin = pin
        self.authorization = authorization
        self.tangle = tangle
    }
}

/// A key of the element: an opaque handle and the public half.
package struct ElementKey: Hashable, Sendable {
    /// The handle to store. Nothing in it can be used without the element.
    package let blob: [UInt8]
    /// The public half, X9.63 (65 bytes).
    package let publicKey: [UInt8]

    /// Pairs a handle with its public half.
    package init(blob: [UInt8], publicKey: [UInt8]) {
        self.blob = blob
        self.publicKey = publicKey
    }
}

/// What stands behind the root secret; honest about a machine without hardware.
package struct ElementProtection: Hashable, Sendable {
    /// `none` or the name of the hardware.
    package let hardware: String
    /// What that means, in one sentence.
    package let meaning: String

    /// Names the hardware and says what it means.
    package init(hardware: String, meaning: String) {
        self.hardware = hardware
        self.meaning = meaning
    }
}
