#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension FileDescriptor {
    /// Opens a file of the home for reading (``openOwn(_:_:isSecret:)``), and refuses one that others may read or
    /// change.
    package static func openOwnForReading(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try openOwn(path, O_RDONLY, isSecret: true)
    }

    /// Reads `count` bytes from `offset` on, however many calls it takes; fewer at the end of the file only.
    package borrowing func readWhole(at offset: Int, count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = try readChunk(at: offset, upTo: count)
        while bytes.count < count {
            let more = try readChunk(at: offset + bytes.count, upTo: count - bytes.count)
            guard !more.isEmpty else { break }
            bytes += more
        }
        return bytes
    }

    /// Writes `bytes` at `offset`, without moving the place where ``write(_:)`` goes on.
    borrowing func write(_ bytes: [UInt8], at offset: Int, _ path: String) throws(SystemFailure) {
        let number = number
        try FileStep.run(.write, path) { () throws(SystemFailure) in
            var done = 0
            while done < bytes.count {
                let wrote = unsafe bytes[done...].withUnsafeBytes { buffer in
                    unsafe pwrite(number, buffer.baseAddress, buffer.count, off_t(offset + done))
                }
                if wrote < 0 {
                    if errno == EINTR { continue }
                    throw SystemFailure(operation: "write", path: path, code: errno)
                }
                done += wrote
            }
        }
    }
}
