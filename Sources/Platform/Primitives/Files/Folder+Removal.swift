#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension Folder {
    /// Removes `path` and everything in it; links are removed, not followed. A folder that is not there is fine.
    ///
    /// - Parameter depth: How many folders may lie in each other; deeper ones fail with `ELOOP`.
    package static func remove(_ path: String, depth: Int = 32) throws(SystemFailure) {
        guard DurableFile.exists(path) else { return }
        guard depth > 0 else { throw SystemFailure(operation: "remove", path: path, code: ELOOP) }
        for entry in try entries(of: path) {
            let name = "\(path)/\(entry.name)"
            guard entry.kind != .folder else {
                try remove(name, depth: depth - 1)
                continue
            }
            guard unsafe unlink(name) == 0 || errno == ENOENT else {
                throw SystemFailure(operation: "remove", path: name, code: errno)
            }
        }
        guard unsafe rmdir(path) == 0 || errno == ENOENT else {
            throw SystemFailure(operation: "rmdir", path: path, code: errno)
        }
        try DurableFile.synchroniseDirectory(of: path)
    }
}
