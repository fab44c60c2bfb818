internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Folder {
    /// Removes `path` and everything in it. A link is removed and never followed, at the top as below. A path where
    /// nothing is, is fine; when this returns, it stays removed.
    ///
    /// A mount point inside stops it with `EXDEV`: what is mounted there is not touched.
    ///
    /// - Parameter depth: How many folders may lie in each other; deeper ones fail with `ELOOP`.
    package static func remove(_ path: String, depth: Int = 32) throws(SystemFailure) {
        switch try DurableFile.presence(of: path).get()?.kind {
        case nil: return
        case .folder:
            try empty(FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW), path, depth)
            try FileStep.run(.removeFolder, path) { () throws(SystemFailure) in
                guard unsafe rmdir(path) == 0 || errno == ENOENT else {
                    throw SystemFailure(operation: "rmdir", path: path, code: errno)
                }
            }
            try DurableFile.synchroniseDirectory(of: path)
        case .file, .link, .other: try DurableFile.remove(path)
        }
    }

    // Everything is named from the open folder on: nobody can put a link in the place of a folder that is being
    // emptied.
    private static func empty(_ folder: borrowing FileDescriptor, _ path: String, _ depth: Int) throws(SystemFailure) {
        guard depth > 0 else { throw SystemFailure(operation: "remove", path: path, code: ELOOP) }
        for name in unsafe try readRaw(stream(of: folder.number, path), path) {
            let place = "\(path)/\(String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))"
            let number = unsafe pavise_open_at(
                folder.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard number >= 0 else {
                // No folder: a file, a pipe (ENOTDIR), or a link (ENOTDIR or ELOOP).
                guard [ENOTDIR, ELOOP, ENOENT].contains(-number) else {
                    throw SystemFailure(operation: "open", path: place, code: -number)
                }
                try remove(name, in: folder, place, isFolder: false)
                continue
            }
            let inner = FileDescriptor(owning: number, path: place)
            guard !isMountPoint(folder, inner) else {
                throw SystemFailure(operation: "remove", path: place, code: EXDEV)
            }
            try empty(inner, place, depth - 1)
            try remove(name, in: folder, place, isFolder: true)
        }
    }

    // Another file system, or on Linux another part of this one, was mounted there: what lies in it is not ours to
    // delete.
    private static func isMountPoint(
        _ folder: borrowing FileDescriptor, _ inner: borrowing FileDescriptor
    ) -> Bool {
        #if canImport(Glibc)
        return pavise_is_mount_point(inner.number) != 0
        #else
        var (outside, inside) = (stat(), stat())
        guard unsafe fstat(folder.number, &outside) == 0, unsafe fstat(inner.number, &inside) == 0 else { return true }
        return outside.st_dev != inside.st_dev
        #endif
    }

    private static func remove(
        _ name: [CChar], in folder: borrowing FileDescriptor, _ path: String, isFolder: Bool
    ) throws(SystemFailure) {
        let number = folder.number
        try FileStep.run(isFolder ? .removeFolder : .remove, path) { () throws(SystemFailure) in
            guard unsafe unlinkat(number, name, isFolder ? AT_REMOVEDIR : 0) == 0 || errno == ENOENT else {
                throw SystemFailure(operation: "remove", path: path, code: errno)
            }
        }
    }

    static func names(in path: String, _ number: Int32) throws(SystemFailure) -> [String] {
        unsafe try read(stream(of: number, path), path)
    }

    // A second descriptor for the same folder: the stream takes it over.
    private static func stream(of number: Int32, _ path: String) throws(SystemFailure) -> Stream {
        let copy = unsafe pavise_open_at(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = unsafe fdopendir(copy) else {
            let code = copy < 0 ? -copy : errno
            if copy >= 0 { _ = close(copy) }
            throw SystemFailure(operation: "opendir", path: path, code: code)
        }
        return unsafe stream
    }
}
