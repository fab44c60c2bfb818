internal import PavisePrimitives
internal import SQLite3

/// All pages of a database as one piece, or into another database.
extension SystemConnection {
    /// The content as an ordinary SQLite file. The caller overwrites it.
    func image(limit: Int) throws(ProtectedDatabaseError) -> [UInt8] {
        try unsafe withPointer { pointer throws(ProtectedDatabaseError) in
            var count: sqlite3_int64 = 0
            guard let bytes = unsafe sqlite3_serialize(pointer, "main", &count, 0), count >= 100 else { throw .full }
            defer {
                unsafe Wipe.memory(bytes, count: Int(count))
                unsafe sqlite3_free(bytes)
            }
            guard count <= limit else { throw .full }
            // Not in the mode of a log: a copy has none (sqlite.org/fileformat2.html, 1.3.3).
            unsafe bytes[18] = 1
            unsafe bytes[19] = 1
            return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
    }

    /// Leaves the last 32 bytes of each page free, from a database's first byte on: Linux has its seal there, and a
    /// backup is to be restored there as well (DataAtRest.md, Databases).
    func leaveRoomForSeal() throws(ProtectedDatabaseError) {
        try unsafe withPointer { pointer throws(ProtectedDatabaseError) in
            var count: Int32 = 32
            let code = unsafe sqlite3_file_control(pointer, "main", SQLITE_FCNTL_RESERVE_BYTES, &count)
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// A database in memory with the content of `image`, an ordinary SQLite file.
    static func inMemory(_ image: [UInt8]) throws(ProtectedDatabaseError) -> SystemConnection {
        let memory = SystemConnection(":memory:", .none, readOnly: false)
        // Before statements are judged: SQLite attaches the image by a statement of its own, which would be refused.
        try memory.open { () throws(ProtectedDatabaseError) in try memory.take(image) }
        return memory
    }

    private func take(_ image: [UInt8]) throws(ProtectedDatabaseError) {
        try unsafe withPointer { pointer throws(ProtectedDatabaseError) in
            guard let copy = unsafe sqlite3_malloc64(UInt64(image.count)) else { throw .full }
            unsafe image.withUnsafeBytes { image in
                unsafe UnsafeMutableRawBufferPointer(start: copy, count: image.count).copyMemory(from: image)
            }
            let code = unsafe sqlite3_deserialize(
                pointer, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
                UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE))
            guard code == SQLITE_OK else { throw failure(code) }
        }
    }

    /// Puts everything of this database in place of everything in `target`: all of it or nothing.
    func copyAll(to target: SystemConnection) throws(ProtectedDatabaseError) {
        try unsafe withPointer { source throws(ProtectedDatabaseError) in
            try unsafe target.withPointer { pointer throws(ProtectedDatabaseError) in
                guard let backup = unsafe sqlite3_backup_init(pointer, "main", source, "main") else {
                    throw unsafe target.failure(sqlite3_extended_errcode(pointer))
                }
                let code = unsafe sqlite3_backup_step(backup, -1)
                let finished = unsafe sqlite3_backup_finish(backup)
                guard code == SQLITE_DONE, finished == SQLITE_OK else {
                    throw target.failure(code == SQLITE_DONE ? finished : code)
                }
            }
        }
    }
}
