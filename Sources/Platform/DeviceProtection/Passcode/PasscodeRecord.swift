internal import PaviseCrypto
internal import PavisePrimitives

/// What a keybag keeps of a passcode: how it is stretched, what entangles it, and what follows wrong ones. No verifier:
/// a wrong passcode is one that does not unwrap the class keys.
package struct PasscodeRecord: Hashable, Sendable {
    /// The salt of the stretching, 16 bytes.
    let salt: [UInt8]
    /// The price of one guess.
    package let cost: Argon2Cost
    /// The element's guard.
    let guardBlob: [UInt8]
    /// What follows wrong passcodes.
    package let policy: ThrottlePolicy

    /// Makes the record of a new passcode and the key that it gives. Where that fails, its guard is destroyed again.
    ///
    /// - Parameter announce: Is told of the guard before anything else can fail or be cut off.
    static func make(
        _ passcode: Span<UInt8>, cost: Argon2Cost, policy: ThrottlePolicy, identity: [UInt8],
        with element: any SecureElement, announce: ([UInt8]) throws(DeviceFailure) -> Void = { _ in }
    ) throws(DeviceFailure) -> (record: PasscodeRecord, key: PasscodeKey) {
        let salt = try DeviceFailure.reporting { try Entropy.kernel.bytes(16) }
        let stretched = try cost.stretch(passcode, salt: salt)
        let secrets = try Self.secrets(from: stretched)
        let blob = try element.makeGuard(secrets)
        do throws(DeviceFailure) {
            guard blob.count <= longestGuard else { throw DeviceFailure.invalidInput }
            try announce(blob)
            let record = PasscodeRecord(salt: salt, cost: cost, guardBlob: blob, policy: policy)
            let answer = try element.entangle(secrets, guard: blob)
            return (record, try PasscodeKey(stretched, answer, identity))
        } catch {
            // The reason to tell is the first one.
            try? element.destroyGuard(blob)
            throw error
        }
    }

    /// The key that a passcode gives; a wrong one gives another key, or is refused by the element.
    func key(
        _ passcode: Span<UInt8>, identity: [UInt8], with element: any SecureElement
    ) throws(DeviceFailure) -> PasscodeKey {
        let stretched = try cost.stretch(passcode, salt: salt)
        let secrets = try Self.secrets(from: stretched)
        let answer = try element.entangle(secrets, guard: guardBlob)
        return try PasscodeKey(stretched, answer, identity)
    }

    private static func secrets(from stretched: borrowing SecretBytes) throws(DeviceFailure) -> PasscodeSecrets {
        PasscodeSecrets(
            pin: try drawn("pin", stretched), authorization: try drawn("authorization", stretched),
            tangle: try drawn("tangle", stretched))
    }

    private static func drawn(_ use: String, _ secret: borrowing SecretBytes) throws(DeviceFailure) -> SecretBytes {
        let info = Array("pavise passcode: \(use)".utf8)
        do throws(CryptoFailure) {
            return try secret.withBytes { secret throws(CryptoFailure) in
                try KDF.hkdf(secret, salt: [], info: info, count: 32)
            }
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }
}

/// HKDF(P ‖ U, identity of the bag): what wraps the class keys. Nobody has it without the passcode and the element.
final class PasscodeKey: Sendable {
    let bytes: SecretBytes

    init(
        _ stretched: borrowing SecretBytes, _ answer: borrowing SecretBytes, _ identity: [UInt8]
    ) throws(DeviceFailure) {
        let both = SecretBytes(count: stretched.count + answer.count) { target in
            let first = stretched.count
            stretched.withBytes { bytes in for index in bytes.indices { target[index] = bytes[index] } }
            answer.withBytes { bytes in for index in bytes.indices { target[first + index] = bytes[index] } }
        }
        do throws(CryptoFailure) {
            bytes = try both.withBytes { both throws(CryptoFailure) in
                try KDF.hkdf(both, salt: identity, info: Array("pavise passcode key".utf8), count: 32)
            }
        } catch {
            throw .crypto("passcode key")
        }
    }
}
