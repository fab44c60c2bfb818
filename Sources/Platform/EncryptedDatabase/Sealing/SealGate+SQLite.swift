internal import CPaviseSQLite
internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What SQLite asks while it works. The gate lives as long as the connection that owns it.
extension SealGate {
    /// A running statement ends soon after the gate is shut, also one that needs nothing from the disk.
    func stopStatements(of connection: OpaquePointer?) {
        unsafe sqlite3_progress_handler(
            connection, 2000,
            { context in
                guard let context = unsafe context else { return 1 }
                return unsafe Unmanaged<SealGate>.fromOpaque(context).takeUnretainedValue().isShut ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// A statement waits up to `milliseconds` for a lock of another connection, and no longer than the gate is open.
    func waitForLocks(of connection: OpaquePointer?, _ milliseconds: Int32) {
        patience.store(milliseconds, ordering: .relaxed)
        unsafe sqlite3_busy_handler(
            connection,
            { context, count in
                guard let context = unsafe context else { return 0 }
                let gate = unsafe Unmanaged<SealGate>.fromOpaque(context).takeUnretainedValue()
                // Pieces of 2 ms: the fifth of what a lock may take to be seen.
                guard !gate.isShut, count < gate.patience.load(ordering: .relaxed) / 2 else { return 0 }
                usleep(2000)
                return 1
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
