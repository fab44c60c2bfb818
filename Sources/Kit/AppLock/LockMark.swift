internal import PavisePrimitives
package import SecurityFramework

/// What is kept of a lock beside its record, outside of the keychain: whether there is one, and the number of its
/// newest record.
///
/// A record that is gone or older is damage then, and never "no PIN" or fresh tries
/// (Documentation/Decisions/0010-marks.md).
package struct LockMark: Hashable, Sendable {
    /// Where the lock is.
    package enum Phase: UInt8, Hashable, Sendable, CaseIterable {
        /// There is none any more.
        case removed = 0
        /// A first PIN is being set: its record may be there, or not.
        case beginning = 1
        /// There is one.
        case present = 2
    }

    /// What a record is beside its mark.
    package enum Verdict: Hashable, Sendable {
        /// There is no lock, and there need not be one.
        case none
        /// The record is the newest.
        case current
        /// It is from before there were marks: the next write makes one.
        case unmarked
        /// It is of a lock that was removed. It does not count.
        case removed
        /// The record is gone.
        case missing
        /// Record or mark is an older copy, or the mark was taken away.
        case olderCopy
    }

    /// Where the lock is.
    package let phase: Phase
    /// The number of the newest record; of a removed lock, one above its last.
    package let generation: UInt64

    /// A mark.
    package init(_ phase: Phase, _ generation: UInt64) {
        self.phase = phase
        self.generation = generation
    }

    // No lock is written so often; what is above it was never written by Pavise, and nothing overflows.
    private static let last = UInt64(1) << 60
    /// The number for a removed lock whose own number nobody knows: above any that a lock ever reaches.
    static let aboveAll = UInt64(1) << 48

    /// The bytes to store.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.raw([phase.rawValue])
        writer.integer(generation)
        return writer.bytes
    }

    /// Reads what ``encoded`` gave; `nil` for anything else.
    package init?(_ bytes: [UInt8]) {
        var reader = ByteReader(bytes)
        do throws(ByteReader.Truncated) {
            let phase = Phase(rawValue: try reader.integer())
            generation = try reader.integer()
            guard let phase, reader.isAtEnd, generation <= Self.last else { return nil }
            self.phase = phase
        } catch {
            return nil
        }
    }

    /// Judges a record by its number. Pure and total.
    ///
    /// - Parameter generation: The record's number; 0 for one from before there were numbers, `nil` where there is no
    ///   record.
    package static func judge(_ mark: LockMark?, record generation: UInt64?) -> Verdict {
        guard let mark else {
            guard let generation else { return .none }
            // A numbered record is written behind its mark: without one, the mark was taken away.
            return generation == 0 ? .unmarked : .olderCopy
        }
        guard let generation else { return mark.phase == .present ? .missing : .none }
        switch mark.phase {
        case .removed: return generation <= mark.generation ? .removed : .olderCopy
        case .beginning:
            guard generation != mark.generation else { return .current }
            return generation < mark.generation ? .removed : .olderCopy
        // One ahead: the process ended between record and mark, and nothing was judged meanwhile.
        case .present:
            let isNewest = generation == mark.generation || generation == mark.generation + 1
            return isNewest ? .current : .olderCopy
        }
    }
}

/// Where a lock keeps its mark. A test gives its own.
package protocol LockMarks: Sendable {
    /// The mark; `nil` where there is none.
    func read() throws(MarkBridge.Failure) -> LockMark?
    /// Writes it; when this returns, it is durable.
    func write(_ mark: LockMark) throws(MarkBridge.Failure)
    /// The programs that have a lock of their own in this home.
    func others() throws(MarkBridge.Failure) -> [String]
}

/// The platform's place: the home's device state.
package struct PlatformLockMarks: LockMarks {
    private let name: String

    /// The marks of the program's own lock, or of one of its applications.
    package init(application: String? = nil) { name = application.map { "applock.\($0)" } ?? "applock" }

    /// The place; `nil` on a platform that has none.
    package static let ofPlatform: PlatformLockMarks? = ofPlatform(application: nil)

    /// The same for one of the program's applications.
    package static func ofPlatform(application: String?) -> PlatformLockMarks? {
        MarkBridge.isKept ? PlatformLockMarks(application: application) : nil
    }

    /// See ``LockMarks/read()``.
    package func read() throws(MarkBridge.Failure) -> LockMark? {
        guard let bytes = try MarkBridge.read(name) else { return nil }
        guard let mark = LockMark(bytes) else { throw .damaged }
        return mark
    }

    /// See ``LockMarks/write(_:)``.
    package func write(_ mark: LockMark) throws(MarkBridge.Failure) { try MarkBridge.write(mark.encoded, name) }

    /// See ``LockMarks/others()``.
    package func others() throws(MarkBridge.Failure) -> [String] {
        try MarkBridge.others(name).filter { LockMark($0.content)?.phase == .present }.map(\.program)
    }
}
