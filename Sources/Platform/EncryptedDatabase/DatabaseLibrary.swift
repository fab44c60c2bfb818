internal import CPaviseSQLite

/// The database library of this process.
package enum DatabaseLibrary {
    /// SQLite's version as it runs, for example `3.40.1`.
    package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
