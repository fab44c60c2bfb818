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
        defer { unsafe closedir(stream) }
        var names: [String] = []
        errno = 0
        while let next = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &next.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != "." && name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemFailure(operation: "readdir", path: path, code: errno) }
        return names.sorted()
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
