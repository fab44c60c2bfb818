#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// What stands in a folder.
package enum Folder {
    /// What a name leads to; links are named, not followed.
    package enum Kind: Hashable, Sendable {
        case file
        case folder
        case link
        /// A pipe, a socket, a device.
        case other
    }

    /// One name in a folder.
    package struct Entry: Hashable, Sendable {
        /// The name, without the folder.
        package let name: String
        /// What it leads to.
        package let kind: Kind
    }

    /// What stands in `path` except `.` and `..`, sorted; a name that is no UTF-8 is repaired and may not be found
    /// again.
    package static func entries(of path: String) throws(SystemFailure) -> [Entry] {
        try names(in: path).map { Entry(name: $0, kind: kind(of: "\(path)/\($0)")) }
    }

    /// The same without looking at each.
    package static func names(in path: String) throws(SystemFailure) -> [String] {
        try FileStep.run(.list, path) { () throws(SystemFailure) in
            guard let stream = unsafe opendir(path) else {
                throw SystemFailure(operation: "opendir", path: path, code: errno)
            }
            return unsafe try read(stream, path)
        }
    }

    #if canImport(Glibc)
    typealias Stream = OpaquePointer
    #else
    typealias Stream = UnsafeMutablePointer<DIR>
    #endif

    // Closes the stream.
    static func read(_ stream: Stream, _ path: String) throws(SystemFailure) -> [String] {
        var names: [String] = []
        unsafe try readEach(stream, path) { name in
            let text = unsafe String(decoding: name, as: UTF8.self)
            if text != "." && text != ".." { names.append(text) }
        }
        return names.sorted()
    }

    // Byte for byte, and a zero: one that is no UTF-8 is found again by these alone. Closes the stream.
    static func readRaw(_ stream: Stream, _ path: String) throws(SystemFailure) -> [[CChar]] {
        var names: [[CChar]] = []
        unsafe try readEach(stream, path) { name in
            let bytes = unsafe name.map { CChar(bitPattern: $0) } + [0]
            if bytes != [0x2E, 0] && bytes != [0x2E, 0x2E, 0] { names.append(bytes) }
        }
        return names
    }

    private static func readEach(
        _ stream: Stream, _ path: String, _ take: (Slice<UnsafeRawBufferPointer>) -> Void
    ) throws(SystemFailure) {
        defer { unsafe closedir(stream) }
        errno = 0
        while let next = unsafe readdir(stream) {
            unsafe withUnsafeBytes(of: &next.pointee.d_name) { bytes in unsafe take(bytes.prefix { $0 != 0 }) }
            errno = 0
        }
        guard errno == 0 else { throw SystemFailure(operation: "readdir", path: path, code: errno) }
    }

    private static func kind(of path: String) -> Kind {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return .other }
        return Kind(status)
    }
}

extension Folder.Kind {
    init(_ status: stat) {
        self =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }
}
