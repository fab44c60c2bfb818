internal import CPavisePlatform

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A file that is being written under a name of its own, beside the one it will have (mode 0600).
///
/// The kernel keeps a lock on it for as long as its writer lives, so that ``Unfinished/sweep(_:)`` tells what a kill
/// left behind from what is still being written. One that goes away before ``finish()`` leaves nothing.
package struct UnfinishedFile: ~Copyable {
    private let target: String
    private let path: String
    private let file: FileDescriptor
    private var isFinished = false

    /// Begins what will be `target`. A symbolic link there will be replaced, not followed.
    package init(_ target: String) throws(SystemFailure) {
        for _ in 0..<Unfinished.tries {
            let path = Unfinished.name(for: target)
            let file = try FileDescriptor.open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            guard Unfinished.isOurs(path, file.number) else { continue }
            self.target = target
            self.path = path
            self.file = file
            return
        }
        throw SystemFailure(operation: "lock", path: target, code: EBUSY)
    }

    /// Appends `bytes`.
    package borrowing func write(_ bytes: Span<UInt8>) throws(SystemFailure) { try file.write(bytes) }

    /// Where it lies until then, for attributes of the file system.
    package var place: String { path }

    /// Writes over the first bytes, which were written before to keep room.
    package borrowing func overwriteStart(_ bytes: [UInt8]) throws(SystemFailure) {
        try file.write(bytes, at: 0, path)
    }

    /// Gives the file its name; when this returns, it is on the disk.
    package mutating func finish() throws(SystemFailure) {
        try file.synchronise()
        let folder = try FolderOfChange(of: target)
        try DurableFile.rename(path, to: target)
        isFinished = true
        try folder.synchronise()
    }

    /// Gives the file its name unless something has that name already, which stays as it is. When this returns, what
    /// has the name is on the disk.
    ///
    /// - Returns: Whether this file got the name.
    @discardableResult
    package borrowing func finishUnlessPresent() throws(SystemFailure) -> Bool {
        try file.synchronise()
        let folder = try FolderOfChange(of: target)
        let isOurs = try hasNewName()
        try folder.synchronise()
        return isOurs
    }

    // A second name for the same file; the first one goes with this value. FAT, as on most sticks, has no second names:
    // there the file is renamed.
    private borrowing func hasNewName() throws(SystemFailure) -> Bool {
        let (path, target) = (path, target)
        do throws(SystemFailure) {
            return try FileStep.run(.link, path, target: target) { () throws(SystemFailure) in
                guard unsafe link(path, target) != 0 else { return true }
                guard errno == EEXIST else { throw SystemFailure(operation: "link", path: target, code: errno) }
                return false
            }
        } catch {
            guard [EPERM, ENOTSUP, ENOSYS].contains(error.code) else { throw error }
        }
        let folder = try FileDescriptor.openUnobserved(DurableFile.directory(of: target), O_RDONLY | O_DIRECTORY)
        let (name, goal) = (DurableFile.name(of: path), DurableFile.name(of: target))
        return try FileStep.run(.rename, path, target: target) { () throws(SystemFailure) in
            let code = unsafe pavise_rename_new(folder.number, name, folder.number, goal)
            guard code == 0 || code == -EEXIST else {
                throw SystemFailure(operation: "rename", path: target, code: -code)
            }
            return code == 0
        }
    }

    deinit {
        guard !isFinished else { return }
        let path = path
        try? FileStep.run(.remove, path) { () throws(SystemFailure) in _ = unsafe unlink(path) }
    }
}

/// A folder for files that are being made and will have their names elsewhere. It goes with the value, and is swept
/// like a file when a kill leaves it behind.
package struct UnfinishedFolder: ~Copyable {
    /// The folder.
    package let path: String
    private let file: FileDescriptor

    /// Makes a folder beside `target` (mode 0700).
    package init(beside target: String) throws(SystemFailure) {
        for _ in 0..<Unfinished.tries {
            let path = Unfinished.name(for: target)
            guard unsafe mkdir(path, 0o700) == 0 else {
                throw SystemFailure(operation: "mkdir", path: path, code: errno)
            }
            guard let file = try Self.open(path), Unfinished.isOurs(path, file.number) else { continue }
            self.path = path
            self.file = file
            return
        }
        throw SystemFailure(operation: "lock", path: target, code: EBUSY)
    }

    // `nil` when a sweep was faster.
    private static func open(_ path: String) throws(SystemFailure) -> FileDescriptor? {
        do {
            return try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    deinit { try? Folder.remove(path) }
}
