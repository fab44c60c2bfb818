internal import PavisePrimitives

/// An open sealed file. Its head is authenticated, its length fits, and each piece is checked before it is given out.
///
/// It stays readable when the file is replaced or removed meanwhile. With the lock, class A is refused, and its key
/// leaves memory until the unlock; what is open of class B stays readable, as Apple has it. An erasable file that was
/// removed or replaced before its key comes back is absent then.
public final class SealedFileReader: Sendable {
    /// Name, type, exact length, time, generation.
    public let attributes: StoredFileAttributes
    /// The class of the file.
    public let protection: ProtectionClass
    /// Whether removing it destroys half of its key, so that no copy of it opens any more.
    public var isErasable: Bool { head.isErasable }
    let head: SealedFileHead
    private let file: FileDescriptor
    /// Dropped with the lock.
    let key: OpenFileKey

    /// The size of a full chunk in bytes; a read of any size costs the chunks that it touches.
    public var chunkSize: Int { head.chunkCount }
    /// How many chunks there are: at least one.
    package var chunks: Int { Self.chunks(attributes.length, head) }

    init(_ path: String, file number: [UInt8], in container: StorageContainer) throws(StorageFailure) {
        let file = try Self.open(path)
        let (head, tag) = try Self.head(of: file)
        // A file's name is its identifier: one that was copied to another name is not that file.
        guard head.container == container.identifier, head.file == number else { throw .foreign }
        let key = try container.fileKey(of: head)
        let attributes = try Self.attributes(head, tag, key)
        guard try Self.size(of: file) == Self.size(attributes.length, head) else { throw .damaged(.length) }
        self.file = file
        self.head = head
        self.attributes = attributes
        protection = head.protection
        self.key = try OpenFileKey(key, head, in: container)
    }

    /// The content from `offset` on, at most `count` bytes; less at the end only, and nothing behind it.
    ///
    /// - Throws: ``StorageFailure/damaged(_:)`` where a chunk is not the one that was written there: nothing is given
    ///   out then.
    public func read(at offset: Int, count: Int) throws(StorageFailure) -> [UInt8] {
        guard offset >= 0, count > 0, offset < attributes.length else { return [] }
        let end = min(attributes.length, offset.addingReportingOverflow(count).overflow ? .max : offset + count)
        let first = offset >> Int(head.chunkExponent)
        let last = (end - 1) >> Int(head.chunkExponent)
        // A whole chunk, as a stream reads, is given on as it is.
        if first == last, offset == first << Int(head.chunkExponent) {
            let chunk = try self.chunk(first)
            if chunk.count == end - offset { return chunk }
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(end - offset)
        for number in first...last {
            let chunk = try self.chunk(number)
            let start = number << Int(head.chunkExponent)
            bytes += chunk[max(0, offset - start)..<min(chunk.count, end - start)]
        }
        return bytes
    }

    /// The whole content, or nothing.
    ///
    /// - Parameter limit: Refuse more bytes than these (``StorageFailure/unusable(_:)``).
    public func readAll(limit: Int) throws(StorageFailure) -> [UInt8] {
        guard attributes.length <= limit else { throw .unusable(.size) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(attributes.length)
        for number in 0..<chunks { bytes += try chunk(number) }
        return bytes
    }

    /// Checks every chunk and gives nothing out.
    ///
    /// - Parameter onProgress: Hears of the bytes that were checked so far.
    public func verify(onProgress: (Int) -> Void = { _ in }) throws(StorageFailure) {
        var done = 0
        for number in 0..<chunks {
            done += try chunk(number).count
            onProgress(done)
        }
    }

    /// One chunk, authenticated.
    package func chunk(_ number: Int) throws(StorageFailure) -> [UInt8] {
        let content = try key.content()
        let isLast = number == chunks - 1
        let size = isLast ? attributes.length - number * head.chunkCount : head.chunkCount
        let offset = head.count + number * (head.chunkCount + SealedFileHead.tagCount)
        var chunk: [UInt8]
        do throws(SystemFailure) {
            chunk = try file.readWhole(at: offset, count: size + SealedFileHead.tagCount)
        } catch {
            throw .system(error)
        }
        guard chunk.count == size + SealedFileHead.tagCount else { throw .damaged(.length) }
        guard content.cipher.open(inPlace: &chunk, nonce: ChunkNonce.of(number, isLast: isLast)) else {
            throw .damaged(.content)
        }
        return chunk
    }
}

extension SealedFileReader {
    /// How many chunks hold `length` bytes; the last one of an empty file is empty.
    static func chunks(_ length: Int, _ head: SealedFileHead) -> Int {
        max(1, (length + head.chunkCount - 1) >> Int(head.chunkExponent))
    }

    /// The size on the disk.
    static func size(_ length: Int, _ head: SealedFileHead) -> Int {
        head.count + length + chunks(length, head) * SealedFileHead.tagCount
    }

    /// The head of a file, nothing of it authenticated.
    static func head(at path: String) throws(StorageFailure) -> SealedFileHead { try head(of: try open(path)).0 }

    private static func open(_ path: String) throws(StorageFailure) -> FileDescriptor {
        do throws(SystemFailure) { return try FileDescriptor.openOwnForReading(path) } catch {
            if error.isNotThere { throw .absent }
            throw error.isRefusedForGood ? .damaged(.kind) : .system(error)
        }
    }

    private static func head(
        of file: borrowing FileDescriptor
    ) throws(StorageFailure) -> (SealedFileHead, tag: [UInt8]) {
        let start: [UInt8]
        do throws(SystemFailure) {
            start = try file.readWhole(at: 0, count: SealedFileHead.limit)
        } catch {
            throw .system(error)
        }
        return try SealedFileHead.decode(start)
    }

    static func attributes(
        _ head: SealedFileHead, _ tag: [UInt8], _ key: borrowing SecretBytes
    ) throws(StorageFailure) -> StoredFileAttributes {
        let tagger = try FileCipher(key, head, .head)
        guard tagger.open(tag, nonce: ChunkNonce.single, bound: head.tagged) != nil else { throw .damaged(.head) }
        let opener = try FileCipher(key, head, .attributes)
        guard let plain = opener.open(head.sealedAttributes, nonce: ChunkNonce.single, bound: head.bound) else {
            throw .damaged(.head)
        }
        return try StoredFileAttributes(decoding: plain)
    }

    private static func size(of file: borrowing FileDescriptor) throws(StorageFailure) -> Int {
        do throws(SystemFailure) { return try file.size() } catch { throw .system(error) }
    }
}
