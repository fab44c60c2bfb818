#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Reads into memory that the caller has already: a loop over a large file asks the system for memory once.
extension FileDescriptor {
    /// ``readChunk(upTo:)`` in place of what `chunk` holds.
    package borrowing func readChunk(upTo limit: Int, into chunk: inout [UInt8]) throws(SystemFailure) {
        let number = number
        let got = unsafe Self.fill(&chunk, limit) { target, count in
            #if canImport(Glibc)
            unsafe Glibc.read(number, target, count)
            #else
            unsafe Darwin.read(number, target, count)
            #endif
        }
        try keep(got, of: &chunk)
    }

    /// ``readWhole(at:count:)`` in place of what `bytes` holds.
    package borrowing func readWhole(at offset: Int, count: Int, into bytes: inout [UInt8]) throws(SystemFailure) {
        let number = number
        let got = unsafe Self.fill(&bytes, count) { target, count in
            unsafe pread(number, target, count, off_t(offset))
        }
        try keep(got, of: &bytes)
        guard (1..<count).contains(bytes.count) else { return }
        bytes += try readWhole(at: offset + bytes.count, count: count - bytes.count)
    }

    // The number of bytes that came, or an error number below zero.
    private static func fill(
        _ bytes: inout [UInt8], _ count: Int, _ read: (UnsafeMutableRawPointer?, Int) -> Int
    ) -> Int {
        bytes.resize(to: count)
        return unsafe bytes.withUnsafeMutableBytes { buffer in
            while true {
                let got = unsafe read(buffer.baseAddress, count)
                guard got < 0 else { return got }
                guard errno == EINTR else { return -Int(errno) }
            }
        }
    }

    private borrowing func keep(_ got: Int, of bytes: inout [UInt8]) throws(SystemFailure) {
        bytes.resize(to: max(0, got))
        guard got < 0 else { return }
        throw SystemFailure(operation: "read", path: path, code: Int32(-got))
    }
}

extension [UInt8] {
    /// Cuts at `count`, or adds zeros up to it.
    package mutating func resize(to count: Int) {
        if count < self.count { removeLast(self.count - count) }
        append(contentsOf: repeatElement(0, count: count - self.count))
    }
}
