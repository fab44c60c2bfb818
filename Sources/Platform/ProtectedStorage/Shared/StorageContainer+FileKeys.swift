internal import PavisePrimitives

extension StorageContainer {
    /// Wraps the fresh key of a file. Class B needs no unlock, once its pair is made.
    func wrap(_ fileKey: borrowing SecretBytes, for protection: ProtectionClass) throws(StorageFailure) -> [UInt8] {
        guard protection == .completeUnlessOpen else {
            return try StorageCrypto.wrap(fileKey, with: key(of: protection, mayCreate: true).bytes)
        }
        return try StorageCrypto.wrap(fileKey, to: publicKey())
    }

    /// Unwraps the key of a file of this container.
    func unwrap(_ wrapped: [UInt8], for protection: ProtectionClass) throws(StorageFailure) -> SecretBytes {
        let key: SharedSecretBytes
        do throws(StorageFailure) {
            key = try self.key(of: protection, mayCreate: false)
        } catch {
            // A file is there, so that its class's key was made.
            throw error == .absent && watch.isInPlace(exactly: true) ? .damaged(.keyLost) : error
        }
        guard protection == .completeUnlessOpen else { return try StorageCrypto.unwrap(wrapped, with: key.bytes) }
        return try StorageCrypto.unwrapUnlessOpen(wrapped, with: key.bytes)
    }
}
