public import PaviseProtectedStorage

/// The content of a file from its beginning on, for a consumer that cannot wait for the end.
///
/// What was given out is authentic and may still be a prefix: only ``Piece/finished`` says that the end was seen. A
/// consumer that acts before it acts on a part (data at rest, DR5).
///
/// ```swift
/// var stream = StreamedContent(of: try files.open(report))
/// reading: while true {
///     switch try stream.next() {
///     case .unfinished(let bytes): print(bytes.count, "bytes, and perhaps more")
///     case .finished: break reading
///     }
/// }
/// ```
public struct StreamedContent: Sendable {
    /// What comes next.
    public enum Piece: Hashable, Sendable {
        /// Authentic bytes, and more may follow or fail.
        case unfinished([UInt8])
        /// Everything was given out, and nothing is missing.
        case finished
    }

    private let reader: SealedFileReader
    private var offset = 0

    /// A stream of a file that is open.
    public init(of reader: SealedFileReader) { self.reader = reader }

    /// The next piece: one chunk at most.
    ///
    /// - Throws: `StorageFailure`; what was given out before is a part then, and to be dropped.
    public mutating func next() throws(StorageFailure) -> Piece {
        if reader.attributes.length == 0, offset == 0 { try reader.verify() }
        let bytes = try reader.read(at: offset, count: reader.chunkSize)
        guard !bytes.isEmpty else { return .finished }
        offset += bytes.count
        return .unfinished(bytes)
    }
}
