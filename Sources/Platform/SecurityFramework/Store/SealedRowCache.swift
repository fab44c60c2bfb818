internal import PaviseDatabase
internal import Synchronization

/// Rows that were read, still sealed, by the place that a search starts from: a program asks for the same items again
/// and again.
///
/// It holds what one committed state of the database says. One commit, of whatever process, and nothing in it is used
/// any more (see ``ChangeCounter``). There is nothing in it in clear that SQLite's own pages do not have.
final class SealedRowCache: Sendable {
    fileprivate struct State {
        var stamp: ChangeCounter?
        // What was asked for of late, and what was before that: the older half goes when the younger is full.
        var young: [[UInt8]: [StoredRow]] = [:]
        var old: [[UInt8]: [StoredRow]] = [:]
        var size = 0
    }
    private let state = Mutex(State())
    // Bytes of one half; 10,000 passwords fit.
    fileprivate static let limit = 16 << 20
    // A large secret would push out everything else.
    private static let longestRow = 64 << 10

    /// The rows at `place`, as the state with this stamp has them; `nil` when they are not known.
    func rows(at place: [UInt8], _ stamp: ChangeCounter) -> [StoredRow]? {
        state.withLock { state in
            guard state.stamp == stamp else { return nil }
            if let rows = state.young[place] { return rows }
            guard let rows = state.old[place] else { return nil }
            state.keep(rows, at: place)
            return rows
        }
    }

    /// Keeps what a read found that began and ended in the state with this stamp.
    func keep(_ rows: [StoredRow], at place: [UInt8], _ stamp: ChangeCounter) {
        guard rows.allSatisfy({ $0.size <= Self.longestRow }) else { return }
        state.withLock { state in
            if state.stamp != stamp { state = State(stamp: stamp) }
            state.keep(rows, at: place)
        }
    }
}

extension SealedRowCache.State {
    fileprivate mutating func keep(_ rows: [StoredRow], at place: [UInt8]) {
        let size = rows.reduce(128) { $0 + $1.size }
        if self.size + size > SealedRowCache.limit {
            old = young
            young = [:]
            self.size = 0
        }
        young[place] = rows
        self.size += size
    }
}

extension StoredRow {
    /// Bytes in memory, about.
    fileprivate var size: Int {
        256 + 2 * (primaryKey.count + header.digests.count) + binding.count + attributes.count + secret.count
    }
}

extension KeychainItemStore {
    /// The rows that a search means: what is known of the state that the database is in, or what it says.
    func find(_ search: ItemSearch) throws -> FoundRows {
        guard let place = search.place, let stamp = database.stamp else { return try database.find(search) }
        if let known = sealedRows.rows(at: place, stamp) { return FoundRows(known, search) }
        let (rows, unreadable) = try database.storedRows(at: place, search.lookup)
        // A commit in between: what was read is right and belongs to no state that is known by its stamp.
        if unreadable.isEmpty, database.stamp == stamp { sealedRows.keep(rows, at: place, stamp) }
        return FoundRows(rows, unreadable: unreadable, search)
    }
}
