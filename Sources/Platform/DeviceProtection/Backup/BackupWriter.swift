internal import PaviseCrypto
internal import PavisePrimitives

/// Seals what is written to it into a file that appears when it is whole.
struct BackupWriter: ~Copyable {
    private var file: UnfinishedFile
    private let cipher: AESGCM
    private let head: [UInt8]
    private let chunk = Chunk()
    private var filled = 0
    private var number: UInt64 = 0

    private init(_ file: consuming UnfinishedFile, _ cipher: consuming AESGCM, _ head: [UInt8]) {
        self.file = file
        self.cipher = cipher
        self.head = head
    }

    /// Begins what will be the file at `path`.
    static func begin(
        _ path: String, _ head: BackupHead, _ passphrase: borrowing SecretBytes
    ) throws -> BackupWriter {
        let bytes = head.encoded
        let file = try UnfinishedFile(path)
        try file.write(bytes.span)
        return BackupWriter(file, try head.cipher(passphrase), bytes)
    }

    /// Appends `bytes`.
    mutating func write(_ bytes: Span<UInt8>) throws {
        for place in bytes.indices {
            // The last chunk is sealed at the end, whole or not: only then is it known to be the last.
            if filled == BackupChunk.count { try seal(isLast: false) }
            chunk.bytes[filled] = bytes[place]
            filled += 1
        }
    }

    /// Seals what is left and gives the file its name, unless something has it.
    ///
    /// - Returns: Whether the name was free. When this returns, the file is on the disk.
    mutating func finish() throws -> Bool {
        try seal(isLast: true)
        return try file.finishUnlessPresent()
    }

    private mutating func seal(isLast: Bool) throws {
        let nonce = BackupChunk.nonce(number, isLast: isLast)
        let sealed = try chunk.seal(filled, cipher, nonce, head)
        try file.write(sealed.span)
        number += 1
        filled = 0
    }

    // The content has the root secret of a software element in it.
    private final class Chunk {
        var bytes = [UInt8](repeating: 0, count: BackupChunk.count)

        func seal(_ count: Int, _ cipher: borrowing AESGCM, _ nonce: [UInt8], _ head: [UInt8]) throws -> [UInt8] {
            // Shared, not copied, and let go before the next byte is written.
            let bytes = bytes
            return try cipher.seal(bytes.span.extracting(first: count), nonce: nonce, associatedData: head)
        }

        deinit { Wipe.bytes(&bytes) }
    }
}
