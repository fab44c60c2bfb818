internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A folder that is open: what lies in it is named by one path component, and no link is followed.
///
/// Whoever exchanges a folder above it for a link changes nothing: the open folder stays the one that was opened.
package struct OpenFolder: ~Copyable {
    private let descriptor: FileDescriptor
    /// Where it was opened, for messages.
    package let path: String

    /// Opens the folder at `path`; a link at its end is followed: a person may name her folder so.
    package static func open(_ path: String) throws(SystemFailure) -> OpenFolder {
        OpenFolder(descriptor: try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY), path: path)
    }

    /// Opens the folder `name` in this one. A link is the failure `ELOOP` or `ENOTDIR`.
    package borrowing func folder(_ name: String) throws(SystemFailure) -> OpenFolder {
        let place = "\(path)/\(name)"
        return OpenFolder(descriptor: try openFile(name, O_RDONLY | O_DIRECTORY), path: place)
    }

    /// Opens the file `name` for reading; a pipe is not waited at.
    package borrowing func file(_ name: String) throws(SystemFailure) -> FileDescriptor { try openFile(name, O_RDONLY) }

    private borrowing func openFile(_ name: String, _ flags: Int32) throws(SystemFailure) -> FileDescriptor {
        let (number, place) = (descriptor.number, try checked(name))
        return try FileStep.run(.open, place) { () throws(SystemFailure) in
            let file = unsafe pavise_open_at(number, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard file >= 0 else { throw SystemFailure(operation: "open", path: place, code: -file) }
            return FileDescriptor(owning: file, path: place)
        }
    }

    /// Makes the file `name` for writing; nothing may be there.
    package borrowing func create(_ name: String, mode: UInt32 = 0o600) throws(SystemFailure) -> FileDescriptor {
        let (number, place) = (descriptor.number, try checked(name))
        return try FileStep.run(.create, place) { () throws(SystemFailure) in
            let file = unsafe pavise_create_at(number, name, mode)
            guard file >= 0 else { throw SystemFailure(operation: "create", path: place, code: -file) }
            return FileDescriptor(owning: file, path: place)
        }
    }

    /// Makes the folder `name`; the failure is `EEXIST` when something is there.
    package borrowing func makeFolder(_ name: String) throws(SystemFailure) {
        let (number, place) = (descriptor.number, try checked(name))
        try FileStep.run(.makeFolder, place) { () throws(SystemFailure) in
            guard unsafe mkdirat(number, name, 0o700) == 0 else {
                throw SystemFailure(operation: "mkdir", path: place, code: errno)
            }
        }
    }

    /// Gives `name` the name `target` in `other`, where nothing may have it.
    package borrowing func move(
        _ name: String, to target: String, in other: borrowing OpenFolder
    ) throws(SystemFailure) {
        let (number, place) = (descriptor.number, try checked(name))
        let (otherNumber, goal) = (other.descriptor.number, try other.checked(target))
        try FileStep.run(.rename, place, target: goal) { () throws(SystemFailure) in
            let code = unsafe pavise_rename_new(number, name, otherNumber, target)
            guard code == 0 else { throw SystemFailure(operation: "rename", path: goal, code: -code) }
        }
    }

    /// Lets two names exchange what they stand for.
    ///
    /// - Returns: `false` where the file system cannot; nothing was done then.
    package borrowing func exchange(_ name: String, _ other: String) throws(SystemFailure) -> Bool {
        let (number, place) = (descriptor.number, try checked(name))
        let goal = try checked(other)
        do throws(SystemFailure) {
            try FileStep.run(.rename, place, target: goal) { () throws(SystemFailure) in
                let code = unsafe pavise_exchange(number, name, other)
                guard code == 0 else { throw SystemFailure(operation: "rename", path: goal, code: -code) }
            }
            return true
        } catch {
            guard error.code == EINVAL else { throw error }
            return false
        }
    }

    /// Takes the name `name` away; a folder must be empty.
    package borrowing func remove(_ name: String, isFolder: Bool = false) throws(SystemFailure) {
        let (number, place) = (descriptor.number, try checked(name))
        try FileStep.run(isFolder ? .removeFolder : .remove, place) { () throws(SystemFailure) in
            guard unsafe unlinkat(number, name, isFolder ? AT_REMOVEDIR : 0) == 0 else {
                throw SystemFailure(operation: "remove", path: place, code: errno)
            }
        }
    }

    /// What the file system says of `name`; `nil` when nothing is there.
    package borrowing func status(of name: String) throws(SystemFailure) -> NodeStatus? {
        let place = try checked(name)
        var facts = stat()
        guard unsafe fstatat(descriptor.number, name, &facts, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw SystemFailure(operation: "stat", path: place, code: errno) }
            return nil
        }
        return NodeStatus(facts, born: unsafe pavise_birth_time(descriptor.number, name))
    }

    /// The names in it, sorted. One that is no UTF-8 is repaired, and has no status.
    package borrowing func names() throws(SystemFailure) -> [String] {
        let (number, place) = (descriptor.number, path)
        return try FileStep.run(.list, place) { () throws(SystemFailure) in try Folder.names(in: place, number) }
    }

    /// Waits until its names are on the disk.
    package borrowing func synchronise() throws(SystemFailure) {
        let number = descriptor.number
        let place = path
        try FileStep.run(.synchroniseFolder, place) { () throws(SystemFailure) in
            #if canImport(Darwin)
            // As a file is: fsync(2) of Apple's systems stops at the drive's cache.
            if pavise_fcntl_int(number, F_FULLFSYNC, 0) >= 0 { return }
            #endif
            while fsync(number) != 0 {
                guard errno == EINTR else { throw SystemFailure(operation: "fsync", path: place, code: errno) }
            }
        }
    }

    /// Waits until all that anybody wrote to its file system is on the disk: one call for any number of files. Another
    /// file system below the folder is not waited for.
    package borrowing func synchroniseAll() throws(SystemFailure) {
        let (number, place) = (descriptor.number, path)
        try FileStep.run(.synchroniseAll, place) { () throws(SystemFailure) in
            let code = pavise_synchronise_all(number)
            guard code == 0 else { throw SystemFailure(operation: "syncfs", path: place, code: -code) }
        }
    }

    private borrowing func checked(_ name: String) throws(SystemFailure) -> String {
        guard name != ".", name != "..", !name.isEmpty, name.utf8.allSatisfy({ $0 != 0 && $0 != 0x2F }) else {
            throw SystemFailure(operation: "open", path: "\(path)/?", code: EINVAL)
        }
        return "\(path)/\(name)"
    }
}

/// What a file system says of a file or folder.
package struct NodeStatus: Hashable, Sendable {
    /// What it is; a link is itself.
    package let kind: Folder.Kind
    /// In bytes.
    package let size: Int
    /// When the content was changed, in nanoseconds since 1970.
    package let modified: Int64
    /// When content or attributes were changed, in nanoseconds since 1970; no program can set it.
    package let change: Int64
    /// The file system, the number in it, and when the file was made, where that is known: a number is soon given to
    /// another file.
    package let identity: String
    /// Whether ``identity`` is this file's for as long as it lives. Some file systems have numbers that they give anew
    /// each time they are mounted (FUSE without numbers of its own, FAT): those tell no birth, or one in hundredths of
    /// a second.
    package let isIdentityLasting: Bool
    /// The permissions.
    package let mode: UInt32

    init(_ facts: stat, born: Int64) {
        kind = Folder.Kind(facts)
        size = Int(facts.st_size)
        #if canImport(Glibc)
        (modified, change) = (Self.nanoseconds(facts.st_mtim), Self.nanoseconds(facts.st_ctim))
        #else
        (modified, change) = (Self.nanoseconds(facts.st_mtimespec), Self.nanoseconds(facts.st_ctimespec))
        #endif
        identity = "\(facts.st_dev):\(facts.st_ino)" + (born < 0 ? "" : ":\(born)")
        isIdentityLasting = born > 0 && born % 10_000_000 != 0
        mode = UInt32(facts.st_mode) & 0o777
    }

    private static func nanoseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
    }
}

extension FileDescriptor {
    /// What the file system says of the open file.
    package borrowing func status() throws(SystemFailure) -> NodeStatus {
        var facts = stat()
        guard unsafe fstat(number, &facts) == 0 else {
            throw SystemFailure(operation: "fstat", path: "", code: errno)
        }
        return NodeStatus(facts, born: unsafe pavise_birth_time(number, ""))
    }

    /// Sets the permissions.
    package borrowing func setMode(_ mode: UInt32) throws(SystemFailure) {
        guard fchmod(number, mode_t(mode & 0o777)) == 0 else {
            throw SystemFailure(operation: "chmod", path: "", code: errno)
        }
    }

    /// Makes the time of the content earlier by the least that the file system tells apart, which rounds down: whatever
    /// is written into the file from now on, in the same moment too, has another one.
    ///
    /// Where nobody may set a time it stays; on Apple's systems it stays.
    package borrowing func setTimeBack() throws(SystemFailure) {
        #if canImport(Glibc)
        let earlier = try status().modified &- 1
        // UTIME_OMIT: the time of the last reading stays.
        let times = [
            timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE),
            timespec(tv_sec: Int(earlier / 1_000_000_000), tv_nsec: Int(earlier % 1_000_000_000)),
        ]
        _ = unsafe futimens(number, times)
        #endif
    }
}

extension SystemFailure {
    /// Whether something else is there than was expected: nothing, or something that is in the way.
    package var isOtherThanExpected: Bool { [ENOENT, EEXIST, ENOTDIR, EISDIR, ELOOP, ENOTEMPTY, ENXIO].contains(code) }
}

extension SystemFailure {
    /// Something else is at `path` than was expected.
    package static func otherThanExpected(_ path: String) -> SystemFailure {
        SystemFailure(operation: "look at", path: path, code: EEXIST)
    }

    /// More folders or items than are looked through.
    package static func tooMuch(_ path: String) -> SystemFailure {
        SystemFailure(operation: "look through", path: path, code: EOVERFLOW)
    }
}
