internal import PavisePrimitives

/// Names a protected file for the machine: 128 random bits. It is the file's name on the disk, and tells nothing of the
/// file.
public struct StoredFileID: Hashable, Sendable, CustomStringConvertible {
    let bytes: [UInt8]

    /// Reads 32 lower-case hexadecimal digits; `nil` for any other text, so that `../x` never becomes a file.
    public init?(_ text: String) {
        guard text.utf8.count == 32, text == text.lowercased(), let bytes = Hex.decode(text) else { return nil }
        self.bytes = bytes
    }

    /// A fresh one.
    static func random() throws(StorageFailure) -> StoredFileID {
        guard let bytes = try? Entropy.kernel.bytes(16), let id = StoredFileID(bytes: bytes) else { throw .crypto }
        return id
    }

    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
