internal import SecurityFramework

/// The content of a file: its digest, its size, and its bytes, read piece by piece where they do not fit into memory.
///
/// ```swift
/// try content.pieces { piece throws(SyncFailure) in count += piece.count }
/// ```
public struct SyncContent: Sendable {
    /// The most bytes of a piece.
    public static let pieceLimit = 1 << 20

    /// SHA-256 of all bytes.
    public let digest: ContentDigest
    /// The size in bytes.
    public let count: Int
    /// When a person changed it, in nanoseconds since 1970, as a file system says; it orders nothing, and servers that
    /// keep such times are told (sync/SY1, SY8).
    public internal(set) var modified: Int64?
    private let source: Source

    private enum Source {
        case memory([UInt8])
        case lent(@Sendable (_ offset: Int, _ limit: Int) throws(SyncFailure) -> [UInt8])
    }

    /// A content that is in memory.
    public init(_ bytes: [UInt8]) {
        (digest, count, source) = (ContentDigest(of: bytes), bytes.count, Source.memory(bytes))
    }

    /// A content that lies elsewhere.
    ///
    /// - Parameters:
    ///   - digest: Of all bytes, as they were when somebody looked.
    ///   - count: The size in bytes.
    ///   - read: Gives at most `limit` bytes from `offset` on, and none at the end only. What it gives may have changed
    ///     since somebody looked; ``pieces(_:)`` notices.
    public init(
        digest: ContentDigest, count: Int,
        read: @escaping @Sendable (_ offset: Int, _ limit: Int) throws(SyncFailure) -> [UInt8]
    ) {
        (self.digest, self.count, source) = (digest, count, Source.lent(read))
    }

    /// Whether it is in memory.
    var isInMemory: Bool { if case .memory = source { true } else { false } }

    /// At most `limit` bytes from `offset` on; none at the end only. Not checked against the digest.
    public func read(at offset: Int, upTo limit: Int) throws(SyncFailure) -> [UInt8] {
        let wanted = min(limit, count - offset)
        guard wanted > 0 else { return [] }
        switch source {
        case .memory(let bytes): return wanted == bytes.count ? bytes : Array(bytes[offset..<offset + wanted])
        case .lent(let read):
            let piece = try read(offset, wanted)
            guard !piece.isEmpty, piece.count <= wanted else { throw .changed }
            return piece
        }
    }

    /// Lends all bytes in order.
    ///
    /// - Throws: What `body` throws; ``SyncFailure/changed`` after the last piece when they are not those of the digest
    ///   any more, or earlier when they ended.
    public func pieces(_ body: ([UInt8]) throws(SyncFailure) -> Void) throws(SyncFailure) {
        var pieces = ContentPieces(of: self)
        while let piece = try pieces.next() { try body(piece) }
    }

    /// All bytes, for a content that is known to be small.
    ///
    /// - Throws: ``SyncFailure/tooLarge(limit:)`` beyond `limit` bytes.
    public func bytes(limit: Int = 64 << 20) throws(SyncFailure) -> [UInt8] {
        guard count <= limit else { throw .tooLarge(limit: limit) }
        var all: [UInt8] = []
        try pieces { piece throws(SyncFailure) in all = all.isEmpty ? piece : all + piece }
        return all
    }
}

/// The bytes of a content in order, checked against its digest at the end.
package struct ContentPieces: ~Copyable {
    private let content: SyncContent
    private var stream = MessageDigest.Stream()
    private var offset = 0
    private var isOver = false

    /// From the beginning on.
    package init(of content: SyncContent) { self.content = content }

    /// The next piece, at most ``SyncContent/pieceLimit`` bytes unless all is in memory; `nil` at the end.
    ///
    /// - Throws: ``SyncFailure/changed`` at the end when the bytes are not those of the digest.
    package mutating func next() throws(SyncFailure) -> [UInt8]? {
        guard !isOver else { return nil }
        if content.isInMemory {
            isOver = true
            return try content.read(at: 0, upTo: content.count)
        }
        guard offset < content.count else {
            isOver = true
            var stream = MessageDigest.Stream()
            swap(&stream, &self.stream)
            guard ContentDigest(bytes: stream.finish()) == content.digest else { throw .changed }
            return nil
        }
        let piece = try content.read(at: offset, upTo: SyncContent.pieceLimit)
        stream.add(piece)
        offset += piece.count
        return piece
    }
}

extension SyncContent: Hashable {
    /// Two contents are the same when their digests are.
    public static func == (one: SyncContent, other: SyncContent) -> Bool { one.digest == other.digest }

    /// By digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
