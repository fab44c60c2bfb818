internal import CPaviseSQLite
package import PavisePrimitives

/// Why the database did not do what was asked. Neither values nor keys appear in it.
package enum DatabaseFailure: Error, Hashable, Sendable {
    /// The file does not open with this key. It was not changed. Use the right key, or restore the file.
    case wrongKeyOrDamaged
    /// Bytes of the file were altered, moved, cut or replaced. Do not retry; restore from a backup.
    case corrupt(detail: String)
    /// The disk, the quota or the file-size limit is full; nothing was changed. Free space and try again.
    case full
    /// The file or the disk can only be read.
    case readOnly
    /// Another connection held the lock for the whole wait. Try again.
    case busy
    /// A rule of the schema refuses the values.
    case constraint
    /// The key was forgotten, since the device locked. Nothing was changed. Open it again after an unlock.
    case locked
    /// The operating system failed. `code` is SQLite's extended code.
    case io(code: Int32, SystemFailure?)
    /// Anything else: `code` is SQLite's extended code. Usually a mistake in a statement.
    case other(code: Int32, message: String)
}

extension DatabaseFailure {
    /// What the sealing layer says of any block that is not authentic, in its place and of its time.
    package static let brokenSeal = corrupt(detail: "a block was altered, moved, cut or replaced")
    /// The database file is missing although its log is there.
    package static let lostDatabase = corrupt(detail: "the database is gone and its log is still there")

    /// What `code`, an extended result code, means to the caller.
    ///
    /// - Parameter errno: The error number of the system call behind it, 0 for none.
    static func from(code: Int32, message: String, errno: Int32, path: String) -> DatabaseFailure {
        let system = errno == 0 ? nil : SystemFailure(operation: "database", path: path, code: errno)
        guard code != ResultCode.damaged else { return .brokenSeal }
        guard code != ResultCode.locked else { return .locked }
        switch code & 0xff {
        case SQLITE_NOTADB: return .wrongKeyOrDamaged
        case SQLITE_CORRUPT: return .corrupt(detail: message)
        case SQLITE_FULL: return .full
        case SQLITE_READONLY: return .readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: return .busy
        case SQLITE_CONSTRAINT: return .constraint
        case SQLITE_IOERR where system?.isDiskFull == true, SQLITE_CANTOPEN where system?.isDiskFull == true:
            return .full
        case SQLITE_CANTOPEN where system?.isNotPermitted == true && system?.isUnreadable == false: return .readOnly
        case SQLITE_IOERR, SQLITE_CANTOPEN: return .io(code: code, system)
        default: return .other(code: code, message: message)
        }
    }
}

/// Result codes whose C macros are expressions, which Swift does not import.
enum ResultCode {
    /// SQLITE_IOERR_DATA: the code for a file layer whose own check of a page fails.
    static let damaged = SQLITE_IOERR | (32 << 8)
    /// SQLITE_IOERR_AUTH: SQLite leaves it to file layers that ask for a permission. Ours has forgotten its key.
    static let locked = SQLITE_IOERR | (28 << 8)
    /// SQLITE_IOERR_SHORT_READ: the file ends before the bytes asked for.
    static let shortRead = SQLITE_IOERR | (2 << 8)
    /// SQLITE_IOERR_READ.
    static let read = SQLITE_IOERR | (1 << 8)
    /// SQLITE_IOERR_WRITE.
    static let write = SQLITE_IOERR | (3 << 8)
    /// SQLITE_IOERR_CORRUPTFS: the system's own answer for a read that the disk refuses.
    static let brokenDisk = SQLITE_IOERR | (33 << 8)
    /// SQLITE_IOERR_DIR_FSYNC.
    static let directorySync = SQLITE_IOERR | (5 << 8)
    /// SQLITE_IOERR_TRUNCATE.
    static let truncate = SQLITE_IOERR | (6 << 8)
}
