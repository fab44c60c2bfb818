internal import PaviseCrypto
internal import PavisePrimitives

/// Reads what ``BackupWriter`` sealed. Nothing is handed out that was not authenticated.
struct BackupReader: ~Copyable {
    private let file: FileDescriptor
    private let path: String
    private let size: Int
    private let head: [UInt8]
    private let cipher: AESGCM
    private var chunk: SharedSecretBytes?
    private var place = 0
    private var number: UInt64 = 0

    private init(
        _ file: consuming FileDescriptor, _ cipher: consuming AESGCM, path: String, size: Int, head: [UInt8]
    ) {
        self.file = file
        self.cipher = cipher
        self.path = path
        self.size = size
        self.head = head
    }

    /// Opens the file at `path`; its first chunk is authenticated when this returns.
    static func open(_ path: String, _ passphrase: borrowing SecretBytes) throws -> BackupReader {
        let file = try InputFile.open(path)
        guard try file.facts().isRegular else { throw HomeBackupFailure.notABackup(path: path) }
        let size = try file.size()
        let head = try whole(file, 0, BackupHead.count)
        let cipher = try BackupHead(head, path: path).cipher(passphrase)
        var reader = BackupReader(file, cipher, path: path, size: size, head: head)
        try reader.next()
        return reader
    }

    /// The next `count` bytes as one array, for small parts.
    mutating func read(_ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try take(count) { part in for index in part.indices { bytes.append(part[index]) } }
        return bytes
    }

    /// The next number, big-endian.
    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws -> Value {
        var reader = ByteReader(try read(Value.bitWidth / 8))
        return try reader.integer(Value.self)
    }

    /// Lends the next `count` bytes in parts.
    mutating func take(_ count: Int, _ body: (Span<UInt8>) throws -> Void) throws {
        var left = count
        while left > 0 {
            guard let chunk else { throw HomeBackupFailure.damaged(path: path) }
            let part = min(left, chunk.count - place)
            guard part > 0 else {
                try next()
                continue
            }
            try chunk.withBytes { bytes in try body(bytes.extracting(place..<place + part)) }
            (place, left) = (place + part, left - part)
        }
    }

    /// Whether everything was read.
    var isAtEnd: Bool {
        mutating get throws {
            guard let chunk else { return true }
            return place == chunk.count && start >= size
        }
    }

    // Where the next chunk begins.
    private var start: Int { BackupHead.count + Int(number) * BackupChunk.sealedCount }

    private mutating func next() throws {
        let start = start
        let end = min(start + BackupChunk.sealedCount, size)
        guard end - start >= AESGCM.tagCount else { throw HomeBackupFailure.damaged(path: path) }
        let sealed = try Self.whole(file, start, end - start)
        let nonce = BackupChunk.nonce(number, isLast: end == size)
        do throws(CryptoFailure) {
            chunk = SharedSecretBytes(try cipher.open(sealed.span, nonce: nonce, associatedData: head))
        } catch {
            throw number == 0 ? HomeBackupFailure.passphrase(path: path) : .damaged(path: path)
        }
        (place, number) = (0, number + 1)
    }

    private static func whole(_ file: borrowing FileDescriptor, _ start: Int, _ count: Int) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let part = try file.readChunk(at: start + bytes.count, upTo: count - bytes.count)
            guard !part.isEmpty else { return bytes }
            bytes += part
        }
        return bytes
    }
}
