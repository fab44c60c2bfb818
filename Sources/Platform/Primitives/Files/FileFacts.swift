#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Whose a file or folder is, and who may do what with it.
package struct FileFacts: Hashable, Sendable {
    /// Whether it is a file and no folder, device, pipe or socket.
    package let isRegular: Bool
    /// The user's number.
    package let owner: UInt32
    /// The permissions, with the bits for set-user-id, set-group-id and sticky.
    package let mode: UInt32

    package init(isRegular: Bool, owner: UInt32, mode: UInt32) {
        self.isRegular = isRegular
        self.owner = owner
        self.mode = mode
    }

    /// The folder in which `path` lies.
    package init(folderOf path: String) throws(SystemFailure) {
        let folder = DurableFile.directory(of: path)
        var facts = stat()
        guard unsafe stat(folder, &facts) == 0 else {
            throw SystemFailure(operation: "stat", path: folder, code: errno)
        }
        self.init(facts)
    }

    init(_ facts: stat) {
        self.init(
            isRegular: facts.st_mode & S_IFMT == S_IFREG, owner: facts.st_uid, mode: UInt32(facts.st_mode) & 0o7777)
    }

    /// Whether it belongs to the system's administrator or to the user of this process.
    package var isOursOrTheSystems: Bool { owner == 0 || owner == geteuid() }

    /// Whether everybody may change it.
    package var isOpenToAll: Bool { mode & 0o002 != 0 }

    /// Whether everybody may put another file in the place of one in this folder.
    package var letsAllReplace: Bool { isOpenToAll && mode & 0o1000 == 0 }
}
