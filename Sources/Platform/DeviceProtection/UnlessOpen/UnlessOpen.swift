internal import PaviseCrypto
internal import PavisePrimitives

/// Keys of files that are written while locked: `Curve25519KeyWrap` for keys of 32 bytes, with this module's errors.
enum UnlessOpen {
    static let count = 72

    /// Wraps a file key of 32 bytes for the class's public key.
    static func wrap(
        _ key: borrowing SecretBytes, to publicKey: [UInt8], ephemeral: Curve25519PrivateKey? = nil
    ) throws -> [UInt8] {
        guard key.count == 32 else { throw DeviceFailure.invalidInput }
        return try Curve25519KeyWrap.wrap(key, to: publicKey, ephemeral: ephemeral)
    }

    /// Unwraps what ``wrap(_:to:ephemeral:)`` gave.
    ///
    /// - Throws: ``DeviceFailure/unknownKey`` for anything else, also for a point of small order.
    static func unwrap(_ blob: [UInt8], with privateKey: borrowing SecretBytes) throws -> SecretBytes {
        guard blob.count == count else { throw DeviceFailure.unknownKey }
        do {
            let key = try privateKey.withBytes { try Curve25519PrivateKey(raw: $0, use: .agreement) }
            return try Curve25519KeyWrap.unwrap(blob, with: key)
        } catch {
            throw DeviceFailure.unknownKey
        }
    }
}
