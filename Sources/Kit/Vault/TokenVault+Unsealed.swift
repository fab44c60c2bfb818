internal import PavisePrimitives

// What the store alone protects: items that authenticate files and must be readable while an app lock is closed. They
// are bound to their name as sealed items are; the sealing key takes no part.
extension TokenVault {
    private static let unsealed: UInt8 = 3

    /// Looks up an item of ``storeUnsealed(_:as:)``.
    ///
    /// - Throws: ``VaultFailure/corrupt(_:)`` for an item of another name or form, and why the store cannot say.
    package func readUnsealed(_ name: ItemName) throws(VaultFailure) -> StoreResult {
        switch try secrets.read(name) {
        case .absent: return .absent
        case .found(let content):
            return try content.withBytes { bytes throws(VaultFailure) in
                guard bytes.count > 0, bytes[0] == Self.unsealed else { throw .corrupt(.content) }
                let label = Self.header(name, version: Self.unsealed)
                guard Self.holds(bytes, label, at: 0) else { throw .corrupt(.foreignName) }
                return .found(
                    SecretBytes(count: bytes.count - label.count) { target in
                        for index in 0..<target.count { target[index] = bytes[label.count + index] }
                    })
            }
        }
    }

    /// Replaces an item that the store alone protects, in one durable step.
    package func storeUnsealed(_ bytes: Span<UInt8>, as name: ItemName) throws(VaultFailure) {
        let label = Self.header(name, version: Self.unsealed)
        let content = SecretBytes(count: label.count + bytes.count) { target in
            for index in label.indices { target[index] = label[index] }
            for index in bytes.indices { target[label.count + index] = bytes[index] }
        }
        try content.withBytes { plain throws(VaultFailure) in try secrets.replace(plain, as: name) }
    }

    /// Whether the store has an item of this name, whatever is in it.
    package func has(_ name: ItemName) throws(VaultFailure) -> Bool {
        switch try secrets.read(name) {
        case .absent: false
        case .found: true
        }
    }

    /// Whether the sealing key is there. Nothing is made.
    package func hasKey() throws(VaultFailure) -> Bool {
        do throws(VaultFailure) {
            // No key opens nothing as something: a key that is there says so.
            _ = try [UInt8]().withSpan { none throws(VaultFailure) in try key.open(none) }
            return true
        } catch {
            switch error {
            case .keyLost: return false
            case .corrupt: return true
            default: throw error
            }
        }
    }
}
