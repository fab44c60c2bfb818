#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file of the home that grows at its end, mode 0600: a log, a trail.
package struct AppendOnlyFile: ~Copyable {
    private let file: FileDescriptor
    private let path: String

    /// Opens the file and makes it where it is not there. A link, a pipe and a file that others may open are refused.
    package init(_ path: String) throws(SystemFailure) {
        file = try FileDescriptor.openOwn(path, O_RDWR | O_CREAT | O_APPEND, isSecret: true)
        self.path = path
    }

    /// The size in bytes.
    package borrowing func size() throws(SystemFailure) -> Int { try file.size() }

    /// Whether the file still has its name: what another program has renamed or removed meanwhile, nobody may look into
    /// any more.
    package var isInPlace: Bool {
        guard let open = FileIdentity(descriptor: file.number) else { return false }
        return FileIdentity(path)?.place == open.place
    }

    /// The last `count` bytes, or all where there are fewer.
    package borrowing func last(_ count: Int) throws(SystemFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let place = max(0, try file.size() - count)
        let read = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(file.number, $0.baseAddress, count, off_t(place))
        }
        guard read >= 0 else { throw SystemFailure(operation: "read", path: path, code: errno) }
        return Array(bytes.prefix(read))
    }

    /// Appends all of `bytes`. Where that fails half-way, what was written is taken back as far as the disk lets it,
    /// and as long as nobody has appended anything behind it.
    package borrowing func append(_ bytes: [UInt8]) throws(SystemFailure) {
        let all = bytes[...]
        var written = 0
        do throws(SystemFailure) { try file.write(all.span, counting: &written) } catch {
            takeBack(written)
            throw error
        }
    }

    // Not all writers have a lock: where the file ends is no sign of what this one wrote. The kernel keeps the place
    // behind its last byte.
    private borrowing func takeBack(_ written: Int) {
        let end = lseek(file.number, 0, SEEK_CUR)
        guard written > 0, end >= off_t(written), let size = try? file.size(), off_t(size) == end else { return }
        _ = ftruncate(file.number, end - off_t(written))
    }

    /// Cuts the file at `size` bytes.
    package borrowing func cut(to size: Int) throws(SystemFailure) {
        guard ftruncate(file.number, off_t(size)) == 0 else {
            throw SystemFailure(operation: "truncate", path: path, code: errno)
        }
    }

    /// Waits until the bytes are on the disk.
    package borrowing func synchronise() throws(SystemFailure) { try file.synchronise() }
}
