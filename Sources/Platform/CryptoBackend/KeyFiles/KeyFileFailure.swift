/// Why a file with a key or certificates was not read or written.
package enum KeyFileFailure: Error, Hashable, Sendable {
    /// The bytes are no such file.
    case malformed
    /// The passphrase is another one, or the file was changed: both look the same.
    case passphrase
    /// The head of an encrypted block does not say how it is encrypted.
    case encryptionHead
    /// A cipher, curve or kind of key that this version does not have.
    case unsupported
    /// Larger, or more work, than any honest file.
    case excessive
}
