#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Tells one state of a file from another without reading it. ``DurableFile`` makes a new file with each write, so that
/// two writes never have the same stamp.
package struct FileIdentity: Hashable, Sendable {
    /// Which file it is, whatever is in it.
    package struct Location: Hashable, Sendable {
        fileprivate let device: UInt64
        fileprivate let inode: UInt64

        init(_ status: stat) {
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(status.st_ino)
        }
    }

    /// Which file it is.
    package let place: Location
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// The stamp of what is at `path` now; `nil` when nothing is.
    package init?(_ path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The stamp of an open file; `nil` when it has no name any more.
    init?(descriptor: Int32) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        place = Location(status)
        size = Int64(status.st_size)
        #if canImport(Glibc)
        seconds = status.st_ctim.tv_sec
        nanoseconds = status.st_ctim.tv_nsec
        #else
        seconds = status.st_ctimespec.tv_sec
        nanoseconds = status.st_ctimespec.tv_nsec
        #endif
    }
}
