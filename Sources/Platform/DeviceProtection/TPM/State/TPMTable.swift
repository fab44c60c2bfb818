internal import PavisePrimitives

/// A random secret for each key and guard that lives, by the identity in its blob: 16 and 32 bytes each.
///
/// The secret is part of what authorises the object in the TPM. A blob whose entry is gone can never be used again.
struct TPMTable: ~Copyable, Sendable {
    private static let entry = 48
    /// The entries, one after the other.
    let bytes: SecretBytes

    /// A table of a length that cannot be is empty: no blob fits it.
    init(_ bytes: consuming SecretBytes) { self.bytes = bytes }

    /// An empty table.
    init() { bytes = SecretBytes(count: 0) { _ in } }

    /// The secret of an entry; `nil` when there is none.
    borrowing func secret(of identity: [UInt8]) -> SecretBytes? {
        bytes.withBytes { bytes -> SecretBytes? in
            guard let start = Self.place(of: identity, in: bytes) else { return nil }
            return SecretBytes(copying: bytes.extracting(start + 16..<start + Self.entry))
        }
    }

    /// The same table once more.
    borrowing func copy() -> TPMTable { TPMTable(bytes.duplicate()) }

    /// The same table with one entry more.
    borrowing func adding(_ identity: [UInt8], _ secret: borrowing SecretBytes) -> TPMTable {
        let old = bytes.count
        return TPMTable(
            SecretBytes(count: old + Self.entry) { target in
                bytes.withBytes { for index in $0.indices { target[index] = $0[index] } }
                for index in 0..<16 { target[old + index] = identity[index] }
                secret.withBytes { for index in 0..<32 { target[old + 16 + index] = $0[index] } }
            })
    }

    /// The same table without an entry; `nil` when it has none of this identity.
    borrowing func removing(_ identity: [UInt8]) -> TPMTable? {
        bytes.withBytes { bytes -> TPMTable? in
            guard let start = Self.place(of: identity, in: bytes) else { return nil }
            return TPMTable(
                SecretBytes(count: bytes.count - Self.entry) { target in
                    for index in target.indices {
                        target[index] = bytes[index < start ? index : index + Self.entry]
                    }
                })
        }
    }

    private static func place(of identity: [UInt8], in bytes: Span<UInt8>) -> Int? {
        guard identity.count == 16 else { return nil }
        var start = 0
        while start + entry <= bytes.count {
            if (0..<16).allSatisfy({ bytes[start + $0] == identity[$0] }) { return start }
            start += entry
        }
        return nil
    }
}
