internal import CPaviseSQLite

extension SQLiteConnection {
    /// Sets what SQLite leaves open: nothing spills in clear, deleted bytes are overwritten, a schema that someone else
    /// wrote cannot run anything, and a commit is on the disk when it returns.
    func harden() throws(DatabaseFailure) {
        // First of all: the log stays when the last connection closes, also when one of the steps below fails. Its
        // absence is then always a loss, never a rule.
        try control(SQLITE_FCNTL_PERSIST_WAL, 1)
        if forgets { try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true) }
        try configure(SQLITE_DBCONFIG_DEFENSIVE, true)
        try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)
        try configure(SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false)
        _ = try rows("PRAGMA temp_store=MEMORY", [])
        _ = try rows("PRAGMA mmap_size=0", [])
        // 32 MiB, taken as needed: 10,000 items stay in memory; a page that does not is decrypted again at each read.
        // With the 2 MB that SQLite has by itself, an update is much slower (Documentation/Benchmarks.md).
        _ = try rows("PRAGMA cache_size=-32768", [])
        _ = try rows("PRAGMA secure_delete=ON", [])
        _ = try rows("PRAGMA cell_size_check=ON", [])
        _ = try rows("PRAGMA foreign_keys=ON", [])
        _ = try rows("PRAGMA synchronous=FULL", [])
        // The first look into the file: a wrong key or damage is told now.
        _ = try rows("SELECT count(*) FROM sqlite_schema", [])
    }
}
