internal import PaviseCrypto
internal import PavisePrimitives

/// RFC 3394 with this layer's failures.
enum AESKeyWrapping {
    /// Wraps `key` under `wrapping`.
    static func wrap(
        _ key: borrowing SecretBytes, with wrapping: borrowing SecretBytes
    ) throws(DeviceFailure) -> [UInt8] {
        do throws(CryptoFailure) {
            return try key.withBytes { key throws(CryptoFailure) in
                try wrapping.withBytes { wrapping throws(CryptoFailure) in try AESKeyWrap.wrap(key, with: wrapping) }
            }
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }

    /// Unwraps what ``wrap(_:with:)`` gave; ``DeviceFailure/unknownKey`` for anything else.
    static func unwrap(
        _ blob: [UInt8], with wrapping: borrowing SecretBytes
    ) throws(DeviceFailure) -> SecretBytes {
        do throws(CryptoFailure) {
            return try wrapping.withBytes { wrapping throws(CryptoFailure) in
                try AESKeyWrap.unwrap(blob, with: wrapping)
            }
        } catch {
            return try DeviceFailure.reporting { throw error }
        }
    }
}
