/// How a database is opened.
package struct DatabaseOptions: Hashable, Sendable {
    /// How many milliseconds a statement waits for another connection's lock.
    package var busyTimeout: Int32 = 5000
    /// Refuse every write, and a file that does not exist.
    package var readOnly = false
    /// ``Database/forgetKey()`` works. Such a connection closes without moving the log into the file, which needs the
    /// key: the log waits, sealed.
    package var forgetsKey = false
    /// Checkpoints keep a list of the tags of all pages, so that ``Database/verify()`` names a page of an older moment.
    /// A file that has such a list keeps it, also with connections that do not ask for one. 16 bytes for each page,
    /// written again by each checkpoint.
    package var tracksPages = false
    /// Statements are watched: which tables they write is known (``Database/takeWrittenTables()``), and those that
    /// would change what this layer relies on are refused: `ATTACH`, and `PRAGMA` but for those that only tell.
    package var watchesStatements = false

    /// The keychain's way: a key that stays, no list, every statement.
    package init() {}

    /// Whether memory that SQLite gives back is overwritten in this process. `false` when something else used SQLite
    /// before the first database was opened here: the allocator cannot be chosen any more.
    package static var wipesMemory: Bool { SealedFileSystem.wipesMemory }
}
