#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Whose a file or folder is, and who may do what with it.
package struct FileFacts: Hashable, Sendable {
    /// What it is.
    package let kind: Folder.Kind
    /// The user's number.
    package let owner: UInt32
    /// The group's number.
    package let group: UInt32
    /// The permissions, with the bits for set-user-id, set-group-id and sticky.
    package let mode: UInt32
    /// How many names it has.
    package let names: UInt64

    package init(isRegular: Bool, owner: UInt32, mode: UInt32) {
        self.init(kind: isRegular ? .file : .other, owner: owner, group: 0, mode: mode)
    }

    package init(kind: Folder.Kind, owner: UInt32, group: UInt32, mode: UInt32, names: UInt64 = 1) {
        self.kind = kind
        self.owner = owner
        self.group = group
        self.mode = mode
        self.names = names
    }

    /// Of what lies at `path`; a link is itself.
    package init(of path: String) throws(SystemFailure) {
        self = try FileStep.run(.look, path) { () throws(SystemFailure) in
            var facts = stat()
            guard unsafe lstat(path, &facts) == 0 else {
                throw SystemFailure(operation: "lstat", path: path, code: errno)
            }
            return FileFacts(facts)
        }
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
            kind: Folder.Kind(facts), owner: facts.st_uid, group: facts.st_gid, mode: UInt32(facts.st_mode) & 0o7777,
            names: UInt64(facts.st_nlink))
    }

    /// Whether it is a file and no folder, device, pipe or socket.
    package var isRegular: Bool { kind == .file }

    /// Whether it belongs to the system's administrator or to the user of this process.
    package var isOursOrTheSystems: Bool { owner == 0 || isOurs }

    /// Whether it belongs to the user of this process.
    package var isOurs: Bool { owner == geteuid() }

    /// Whether nobody but the owner may do anything with it.
    package var isPrivate: Bool { mode & 0o077 == 0 }

    /// Whether this process's user alone has it: a file of hers with one name, which nobody else may read or change.
    package var isOursAlone: Bool { isRegular && isOurs && names == 1 && isPrivate }

    /// Whether a group or everybody may change it.
    package var isOpenToOthers: Bool { mode & 0o022 != 0 }

    /// Whether a group or everybody may put another file in the place of one in this folder.
    package var letsOthersReplace: Bool { isOpenToOthers && mode & 0o1000 == 0 }

    /// The name of the group whose members may read and write it; `nil` when a group may not, or it is root's own.
    package var sharedGroupName: String? {
        mode & 0o060 == 0o060 && group != 0 ? Accounts.groupName(group) : nil
    }

    /// Whether everybody may change it.
    package var isOpenToAll: Bool { mode & 0o002 != 0 }

    /// Whether everybody may put another file in the place of one in this folder.
    package var letsAllReplace: Bool { isOpenToAll && mode & 0o1000 == 0 }
}
