internal import PaviseCrypto
package import PavisePrimitives

/// A class key in use: it seals and opens, and never shows itself.
package final class ClassKey: Sendable {
    private let key: SecretBytes
    private let cipher: AESGCM

    init(_ key: consuming SecretBytes) throws(DeviceFailure) {
        do throws(CryptoFailure) {
            cipher = try key.withBytes { bytes throws(CryptoFailure) in try AESGCM(key: bytes) }
            self.key = key
        } catch {
            throw .crypto("class key")
        }
    }

    /// A key derived from this one for one use, named by `purpose`.
    package func derived(_ purpose: String) throws(DeviceFailure) -> SecretBytes {
        try DeviceFailure.reporting {
            try key.withBytes {
                try KDF.hkdf($0, salt: [], info: Array("pavise class key: \(purpose)".utf8), count: 32)
            }
        }
    }
}

/// What became of the wish for a class key: three different answers.
package enum ClassKeyResult: Sendable {
    /// The key.
    case key(ClassKey)
    /// It exists and cannot be used in this lock state.
    case locked
    /// It does not exist; class 12 without a passcode.
    case absent
}
