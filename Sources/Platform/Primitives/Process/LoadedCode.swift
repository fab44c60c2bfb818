internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The code of this process as its loader knows it.
package enum LoadedCode {
    /// A run of addresses: `start` is in it, `end` is behind it.
    package struct Range: Hashable, Sendable {
        package let start: UInt64
        package let end: UInt64

        package init(start: UInt64, end: UInt64) {
            self.start = start
            self.end = end
        }
    }

    /// Where the loader put code; `nil` where the system does not tell.
    package static func ranges() -> [Range]? {
        var room = [pavise_code_range](repeating: pavise_code_range(start: 0, end: 0), count: 512)
        let count = unsafe room.withUnsafeMutableBufferPointer { buffer in
            unsafe pavise_code_ranges(buffer.baseAddress, buffer.count)
        }
        guard count >= 0, count <= room.count else { return nil }
        return room.prefix(count).map { Range(start: $0.start, end: $0.end) }
    }

    /// Whether the kernel started this process with more rights than the one that started it (AT_SECURE).
    package static var hasRaisedRights: Bool { pavise_has_raised_rights() != 0 }
}

/// Whether a file may be written, asked without writing.
package enum WriteProbe: Hashable, Sendable {
    /// It could be opened for writing. Nothing was written, and its times stay as they are.
    case possible
    /// The system refuses.
    case refused
    /// There is no such file.
    case absent
    /// The system gave another answer, with its error number.
    case unknown(Int32)

    /// Opens `path` for writing and closes it again. `access(2)` would answer for root what the file system does not
    /// hold to. Nothing is created; a link is not followed, a pipe not waited at.
    package static func ask(_ path: String) -> WriteProbe {
        let code = unsafe pavise_open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY, 0)
        guard code < 0 else {
            close(code)
            return .possible
        }
        switch -code {
        case EACCES, EPERM, EROFS, ETXTBSY: return .refused
        case ENOENT, ENOTDIR, ELOOP: return .absent
        default: return .unknown(-code)
        }
    }
}
