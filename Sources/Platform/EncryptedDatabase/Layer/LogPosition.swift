internal import PavisePrimitives

/// Where the log stands. Three records of this form tell damage from a crash; see Decisions/0002.
///
/// The *position* lies in the head of the log: SQLite's own header, and how many frames are known to be on the disk.
/// The *anchor* lies in the head of the database: the generation of the log that acknowledged commits belong to.
/// The *mark* lies there too: how much of that log a checkpoint has begun to move into the database.
struct LogPosition: Equatable {
    /// Counts the writes of this record; the higher of two is the newer.
    var sequence: UInt64 = 0
    /// Counts the restarts of the log.
    var generation: UInt64 = 0
    /// The random name of this generation, 16 bytes; zeros before the first.
    var log = [UInt8](repeating: 0, count: Self.nameCount)
    /// In a position: the anchor's generation when this one began. In an anchor: the list of tags that was valid then.
    /// In the record of such a list: the generation of the log that the last checkpoint before it moved.
    var previous = [UInt8](repeating: 0, count: Self.nameCount)
    /// SQLite's header of the log, 32 bytes; empty while the log is empty.
    var header: [UInt8] = []
    /// How many frames are on the disk for certain.
    var frames: UInt32 = 0
    /// The checksum field of the last of those frames, which depends on all frames before it.
    var tail = [UInt8](repeating: 0, count: Self.tailCount)

    static let nameCount = 16
    static let headerCount = 32
    static let tailCount = 8
    /// The size of ``encoded``.
    static let encodedCount = 8 + 8 + nameCount + nameCount + 1 + headerCount + 4 + tailCount

    /// Which key seals records and pages of this generation.
    var epoch: UInt32 { UInt32(truncatingIfNeeded: generation >> 16) }

    /// The record's bytes, always equally many.
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.integer(sequence)
        writer.integer(generation)
        writer.raw(log)
        writer.raw(previous)
        writer.integer(UInt8(header.isEmpty ? 0 : 1))
        writer.raw(header.isEmpty ? [UInt8](repeating: 0, count: Self.headerCount) : header)
        writer.integer(frames)
        writer.raw(tail)
        return writer.bytes
    }

    /// Reads ``encoded``; `nil` for bytes of another length.
    init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            sequence = try reader.integer()
            generation = try reader.integer()
            log = try reader.read(Self.nameCount)
            previous = try reader.read(Self.nameCount)
            let hasHeader = try reader.integer(UInt8.self) == 1
            let header = try reader.read(Self.headerCount)
            self.header = hasHeader ? header : []
            frames = try reader.integer()
            tail = try reader.read(Self.tailCount)
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }

    /// The state before any log.
    init() {}

    /// The tail of a generation that began with nothing, while the one before it never had a commit either.
    static let unused = [UInt8](repeating: 0xff, count: tailCount)

    /// Of a position: whether nothing was committed since `anchor` was written, which is before the first commit of its
    /// generation counts.
    func isUnused(since anchor: LogPosition) -> Bool { frames == 0 && (log == anchor.log || tail == Self.unused) }

    /// Of an anchor: whether the file had a list of its pages' tags.
    var hasTags: Bool { previous.contains { $0 != 0 } }
}

extension LogPosition {
    /// Whether a log that says this of itself belongs to a database with that anchor and mark.
    ///
    /// A log from another moment is refused: laid over the database it would mix old pages with new ones.
    func fits(anchor: LogPosition, mark: LogPosition) -> Bool {
        if mark.log == log, frames < mark.frames { return false }
        if log == anchor.log { return true }
        // Begun and not yet anchored: nothing in it was acknowledged.
        return previous == anchor.log && frames == 0
    }
}
