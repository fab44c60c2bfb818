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
    /// 32 MiB of pages stay in memory, taken as needed: 10,000 items of the keychain, of which none is decrypted twice.
    /// Else 2 MB, as SQLite has it by itself: a page that was never there costs the system more than decrypting one, and
    /// fewer lie in clear (Documentation/Benchmarks.md).
    package var keepsManyPages = true

    /// The keychain's way: a key that stays, many pages, no list, every statement.
    package init() {}

    /// Whether memory that SQLite gives back is overwritten in this process. `false` when something else used SQLite
    /// before the first database was opened here: the allocator cannot be chosen any more.
    package static var wipesMemory: Bool { SealedFileSystem.wipesMemory }
}
