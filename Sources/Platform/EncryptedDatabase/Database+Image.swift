internal import CPaviseSQLite
internal import PavisePrimitives

/// The whole content as one piece, for a backup that is sealed elsewhere.
extension Database {
    /// The most bytes that go through memory in one piece: 1 GiB.
    package static let mostImageBytes: Int64 = 1 << 30

    /// Lends the content as an ordinary SQLite file to `body`. It is overwritten afterwards.
    ///
    /// - Throws: ``DatabaseFailure/full`` for more than ``mostImageBytes``; what `body` throws.
    package func withImage<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result {
        try use { connection in try connection.withImage(body) }
    }

    /// Whether the pages of `image`, an ordinary SQLite file, are as large as ours and leave the last bytes to the seal
    /// (file format 1.3.2 and 1.3.4). What another program wrote there would be lost without an error.
    package static func fits(image: Span<UInt8>) -> Bool {
        image.count >= FirstPage.headerCount && Int(image[16]) << 8 | Int(image[17]) == PageFile.pageCount
            && Int(image[20]) == PageFile.reservedCount
    }

    /// Puts the content of `image`, an ordinary SQLite file, in place of everything in this database: all or nothing.
    ///
    /// - Throws: SQLITE_MISMATCH for one that does not fit.
    package func restore(image: Span<UInt8>) throws(DatabaseFailure) {
        try use { connection throws(DatabaseFailure) in try connection.restore(image) }
    }
}

extension SQLiteConnection {
    fileprivate func withImage<Result>(_ body: (Span<UInt8>) throws -> Result) throws -> Result {
        let copied = unsafe withPointer { pointer throws(DatabaseFailure) in
            var count: sqlite3_int64 = 0
            let bytes = unsafe sqlite3_serialize(pointer, "main", &count, 0)
            return unsafe (bytes, count)
        }
        let (bytes, count) = try unsafe copied.get()
        guard let bytes = unsafe bytes, count >= FirstPage.headerCount else { throw DatabaseFailure.full }
        // SQLite's own memory: the allocator overwrites it where it could be arranged; this does in any case.
        defer {
            unsafe Wipe.memory(bytes, count: Int(count))
            unsafe sqlite3_free(bytes)
        }
        guard count <= Database.mostImageBytes else { throw DatabaseFailure.full }
        // Not in the mode of a log: a copy has none (file format 1.3.3).
        unsafe bytes[18] = 1
        unsafe bytes[19] = 1
        return try body(unsafe UnsafeBufferPointer(start: bytes, count: Int(count)).span)
    }

    fileprivate func restore(_ image: Span<UInt8>) throws(DatabaseFailure) {
        guard image.count >= FirstPage.headerCount, Int64(image.count) <= Database.mostImageBytes else { throw .full }
        guard Database.fits(image: image) else {
            throw .other(code: SQLITE_MISMATCH, message: "the image has pages of another form")
        }
        let result = unsafe withPointer { pointer throws(DatabaseFailure) in
            unsafe MemoryImage.copy(image, to: pointer)
        }
        let code = try result.get()
        guard code == SQLITE_OK || code == SQLITE_DONE else {
            throw .from(code: code, message: "the image could not be taken over", errno: 0, path: "")
        }
    }
}

/// A database that lies in memory for as long as it is copied.
private enum MemoryImage {
    static func copy(_ image: Span<UInt8>, to target: OpaquePointer) -> Int32 {
        var source: OpaquePointer?
        defer { unsafe sqlite3_close(source) }
        // The system's own layer: ours has no files in memory.
        var code = unsafe sqlite3_open_v2(":memory:", &source, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK else { return code }
        guard let memory = unsafe sqlite3_malloc64(UInt64(image.count)) else { return SQLITE_NOMEM }
        unsafe image.withUnsafeBytes { image in
            unsafe UnsafeMutableRawBufferPointer(start: memory, count: image.count).copyMemory(from: image)
        }
        code = unsafe sqlite3_deserialize(
            source, "main", memory.assumingMemoryBound(to: UInt8.self), Int64(image.count), Int64(image.count),
            UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY))
        guard code == SQLITE_OK else { return code }
        guard let backup = unsafe sqlite3_backup_init(target, "main", source, "main") else {
            return unsafe sqlite3_extended_errcode(target)
        }
        code = unsafe sqlite3_backup_step(backup, -1)
        let finished = unsafe sqlite3_backup_finish(backup)
        return code == SQLITE_DONE ? finished : code
    }
}
