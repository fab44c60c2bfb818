internal import CPaviseSQLite

/// A file as SQLite sees it, above the sealed one on the disk. Offsets and sizes are logical; answers are SQLite's
/// result codes. SQLite calls one file from one thread at a time.
protocol SealedFile: AnyObject {
    /// The system's file below.
    var raw: RawFile { get }
    /// Reads all of `target`, or says why not. Never zeros in place of bytes that are damaged.
    func read(_ target: UnsafeMutableRawBufferPointer, at offset: Int64) -> Int32
    /// Seals and writes.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> Int32
    /// Cuts the file.
    func truncate(_ size: Int64) -> Int32
    /// Makes durable what was written.
    func sync(_ flags: Int32) -> Int32
    /// The logical size.
    func size() -> (code: Int32, bytes: Int64)
    /// Told before SQLite takes a lock on the shared index.
    func willLockIndex(first: Int32, flags: Int32) -> Int32
    /// The last call.
    func close()
}
