internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

/// One of the sealed files that hold a content together.
struct StoredPart: Hashable {
    let file: String
    let size: Int
}

/// The sealed files of a content, read as one. The last piece is kept: who sends it asks for much less at a time.
final class StoredParts: Sendable {
    private struct Open {
        var number = -1
        var reader: SealedFileReader?
        var start = 0
        var piece: [UInt8] = []
    }

    /// The size of all of them, in bytes.
    let count: Int
    private let parts: [StoredPart]
    private let starts: [Int]
    private let files: ProtectedFiles
    private let open = Mutex(Open())

    /// How many there are.
    var number: Int { parts.count }

    init(_ parts: [StoredPart], in files: ProtectedFiles) {
        var (starts, count) = ([Int](), 0)
        for part in parts {
            starts.append(count)
            count += part.size
        }
        (self.parts, self.starts, self.count, self.files) = (parts, starts, count, files)
    }

    /// At most `limit` bytes from `offset` on; none at the end only.
    func read(at offset: Int, upTo limit: Int) throws(SyncFailure) -> [UInt8] {
        guard offset >= 0, offset < count, limit > 0 else { return [] }
        return try open.withLock { open throws(SyncFailure) in
            if !(open.start..<open.start + open.piece.count).contains(offset) { try fill(&open, from: offset) }
            let from = offset - open.start
            return Array(open.piece[from..<min(open.piece.count, from + limit)])
        }
    }

    private func fill(_ open: inout Open, from offset: Int) throws(SyncFailure) {
        guard let number = starts.lastIndex(where: { $0 <= offset }) else { return }
        do throws(StorageFailure) {
            if open.number != number {
                guard let id = StoredFileID(parts[number].file) else { throw .absent }
                (open.reader, open.number) = (try files.open(id), number)
            }
            guard let reader = open.reader, reader.attributes.length == parts[number].size else { throw .absent }
            open.piece = try reader.read(at: offset - starts[number], count: SyncContent.pieceLimit)
            open.start = offset
        } catch {
            throw SyncFailure(error)
        }
        guard !open.piece.isEmpty else { throw .journal("A part of a kept content is shorter than it was.") }
    }
}
