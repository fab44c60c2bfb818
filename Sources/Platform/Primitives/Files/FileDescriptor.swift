internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Owns an open file and closes it.
package struct FileDescriptor: ~Copyable {
    /// The number the kernel knows it by.
    package let number: Int32
    private let path: String

    /// Takes over `number`, which was opened for `path`.
    package init(owning number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    /// Opens `path` with the flags of open(2); close-on-exec and no-controlling-terminal are added.
    package static func open(
        _ path: String, _ flags: Int32, mode: UInt32 = 0o600
    ) throws(SystemFailure) -> FileDescriptor {
        try FileStep.run(flags & O_CREAT == 0 ? .open : .create, path) { () throws(SystemFailure) in
            try openUnobserved(path, flags, mode: mode)
        }
    }

    static func openUnobserved(
        _ path: String, _ flags: Int32, mode: UInt32 = 0o600
    ) throws(SystemFailure) -> FileDescriptor {
        guard !path.utf8.contains(0) else { throw SystemFailure(operation: "open", path: path, code: EINVAL) }
        let number = unsafe pavise_open(path, flags | O_CLOEXEC | O_NOCTTY, mode)
        guard number >= 0 else { throw SystemFailure(operation: "open", path: path, code: -number) }
        return FileDescriptor(owning: number, path: path)
    }

    /// Opens a file of the home: a regular file of this user's. A link at its end is not followed, a pipe is not waited
    /// at.
    ///
    /// - Parameter isSecret: Refuse a file that others may read or change.
    package static func openOwn(
        _ path: String, _ flags: Int32, isSecret: Bool = false
    ) throws(SystemFailure) -> FileDescriptor {
        let file: FileDescriptor
        do {
            file = try open(path, flags | O_NOFOLLOW | O_NONBLOCK)
        } catch  where !error.isNotThere {
            // A link, a folder or another user's file is told as what it is, with the command that mends it.
            guard let problem = (try? FileFacts(of: path))?.problem(asOwnFile: isSecret) else { throw error }
            throw .refused(path, problem)
        }
        if let problem = try file.facts().problem(asOwnFile: isSecret) { throw .refused(path, problem) }
        return file
    }

    /// Opens the file `path` for reading; a link at its end is an error, and a pipe is not waited at.
    package static func openForReading(_ path: String) throws(SystemFailure) -> FileDescriptor {
        try open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    }

    /// Writes all of `bytes`, however many calls it takes.
    package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) {
        var done = 0
        try write(bytes, counting: &done)
    }

    /// The same, and says how many of them were written, also where it throws.
    borrowing func write(_ bytes: Span<UInt8>, counting done: inout Int) throws(SystemFailure) {
        let (number, path) = (number, path)
        try FileStep.run(.write, path) { () throws(SystemFailure) in
            let code = Self.writeAll(bytes, number, &done)
            guard code == 0 else { throw SystemFailure(operation: "write", path: path, code: code) }
        }
    }

    private static func writeAll(_ bytes: Span<UInt8>, _ number: Int32, _ done: inout Int) -> Int32 {
        unsafe bytes.withUnsafeBytes { buffer -> Int32 in
            guard let base = buffer.baseAddress else { return 0 }
            done = 0
            while done < buffer.count {
                let wrote = unsafe Self.write(number, base + done, buffer.count - done)
                if wrote < 0 {
                    if errno == EINTR { continue }
                    return errno
                }
                done += wrote
            }
            return 0
        }
    }

    /// Reads until the end of the file, or stops with `EFBIG` beyond `limit` bytes. Of a file of up to 64 KiB, which
    /// may be a secret, no other copy is left than the one that the caller gets.
    package borrowing func readAll(limit: Int) throws(SystemFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        try FileStep.run(.read, path) { () throws(SystemFailure) in }
        let size = try size()
        let piece = (1..<65_536).contains(size) ? size + 1 : 65_536
        while true {
            let chunk = try readChunk(upTo: piece)
            guard !chunk.isEmpty else { return bytes }
            guard bytes.count + chunk.count <= limit else { throw failure("read", EFBIG) }
            // The first is given on as it is: a copy would stay in its memory.
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
    }

    /// Reads at most `limit` bytes; an empty answer is the end of the file.
    package borrowing func readChunk(upTo limit: Int) throws(SystemFailure) -> [UInt8] {
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            repeat {
                let got = unsafe Self.read(number, buffer.baseAddress, limit)
                code = got < 0 ? errno : 0
                count = max(0, got)
            } while code == EINTR
        }
        guard code == 0 else { throw failure("read", code) }
        return chunk
    }

    /// Reads at most `limit` bytes from `offset` on, without moving the place where ``readChunk(upTo:)`` goes on.
    package borrowing func readChunk(at offset: Int, upTo limit: Int) throws(SystemFailure) -> [UInt8] {
        var code: Int32 = 0
        let chunk = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            repeat {
                let got = unsafe pread(number, buffer.baseAddress, limit, off_t(offset))
                code = got < 0 ? errno : 0
                count = max(0, got)
            } while code == EINTR
        }
        guard code == 0 else { throw failure("read", code) }
        return chunk
    }

    /// The size of the file in bytes.
    package borrowing func size() throws(SystemFailure) -> Int {
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else { throw failure("fstat", errno) }
        return Int(facts.st_size)
    }

    /// Whose it is, and who may do what with it.
    package borrowing func facts() throws(SystemFailure) -> FileFacts {
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else { throw failure("fstat", errno) }
        return FileFacts(facts)
    }

    /// Waits until the bytes, and what is needed to find them again, are on the disk.
    package borrowing func synchronise() throws(SystemFailure) {
        try flush()
        try FileStep.run(.synchronise, path) { () throws(SystemFailure) in }
    }

    borrowing func flush() throws(SystemFailure) {
        #if canImport(Darwin)
        // fsync(2) of Apple's systems stops at the drive's cache; this goes on, where the file system has it.
        if pavise_fcntl_int(number, F_FULLFSYNC, 0) >= 0 { return }
        #endif
        while fsync(number) != 0 {
            guard errno == EINTR else { throw failure("fsync", errno) }
        }
    }

    private borrowing func failure(_ operation: String, _ code: Int32) -> SystemFailure {
        SystemFailure(operation: operation, path: path, code: code)
    }

    #if canImport(Glibc)
    private static func write(_ number: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        unsafe Glibc.write(number, bytes, count)
    }
    private static func read(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        unsafe Glibc.read(number, bytes, count)
    }
    #else
    private static func write(_ number: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        unsafe Darwin.write(number, bytes, count)
    }
    private static func read(_ number: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        unsafe Darwin.read(number, bytes, count)
    }
    #endif

    deinit { _ = close(number) }
}
