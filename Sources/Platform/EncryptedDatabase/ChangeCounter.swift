internal import CPaviseSQLite

/// Tells one committed state of a database from every other one, without asking SQLite: what is kept beside the
/// database, by its stamp, is as new as a read would be.
///
/// It is the header of the log's index (sqlite.org/walformat.html): a writer of any process changes it with each
/// commit, before the commit returns, and a read begins by looking at it. It holds a counter of changes, how many
/// frames the log has, their checksum, and the salts of the log, so that no two states share one.
package struct ChangeCounter: Equatable, Sendable {
    private var words = (UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0), UInt64(0))

    /// Whether both are of one state.
    package static func == (one: Self, other: Self) -> Bool { one.words == other.words }

    // The number that a connection asks our file layer with; SQLite leaves those from 100 on to such layers.
    static let question: Int32 = 0x5041_0001

    /// Writes the stamp to `target`: SQLITE_OK, or SQLITE_NOTFOUND when there is none now.
    static func answer(_ page: PageFile, _ target: UnsafeMutableRawPointer?) -> Int32 {
        guard let header = page.indexHeader, let target = unsafe target else { return SQLITE_NOTFOUND }
        let words = unsafe target.assumingMemoryBound(to: UInt64.self)
        return unsafe pavise_sqlite_index_header(header, words) == 1 ? SQLITE_OK : SQLITE_NOTFOUND
    }

    /// The state that `connection` would read now; `nil` where that cannot be said.
    init?(_ connection: SQLiteConnection) {
        guard unsafe withUnsafeMutablePointer(to: &words, { unsafe connection.control(Self.question, $0) }) else {
            return nil
        }
    }
}

extension Database {
    /// The committed state that a read would see now; `nil` where that cannot be said, and while this connection has a
    /// transaction open, which sees more.
    package var stamp: ChangeCounter? {
        use { connection in connection.isInTransaction ? nil : ChangeCounter(connection) }
    }
}
