internal import Foundation
internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

/// A folder whose files lie sealed in a connection's store, and nowhere else: names and contents are rows and sealed
/// files of its protected container.
///
/// ```swift
/// let notes = try account.sync(sealed: "notes", with: "/dav/notes", device: "Ada's phone")
/// if let folder = notes.sealed {
///     try folder.write(Array("rain".utf8), to: "2026/november.txt")
///     let text = try folder.content(of: "2026/november.txt")?.bytes()
///     print(text ?? [])
/// }
/// let report = await notes.run()
/// ```
/// What is written is on the disk when a call returns. What an app replaces or removes stays for 30 days, as what
/// comes from the server does.
public final class SealedFolder: SyncFolder {
    let journal: ProtectedJournal
    private let changes = Mutex(0)
    private let isOpen: @Sendable () -> Bool
    private let changed: @Sendable () -> Void

    /// - Parameters:
    ///   - journal: Whose store it lies in.
    ///   - isOpen: Whether the app lock is.
    ///   - changed: Hears that an app has written.
    init(
        _ journal: ProtectedJournal, isOpen: @escaping @Sendable () -> Bool = { true },
        changed: @escaping @Sendable () -> Void = {}
    ) {
        (self.journal, self.isOpen, self.changed) = (journal, isOpen, changed)
    }

    /// How often an app has written: another number means that there is something to synchronise.
    var version: Int { changes.withLock { $0 } }

    // MARK: For an app

    /// All items, folders too, in the order of their paths.
    ///
    /// - Throws: ``SyncFailure/locked`` while the device or the app lock is closed.
    public func items() throws(SyncFailure) -> [FolderEntry] {
        try check()
        return try journal.read { access in
            let tree = try SealedTree(access)
            return tree.entries
        }
    }

    /// The content of a file, read as it is needed; `nil` when there is none.
    ///
    /// - Parameter path: Names with `/` between them.
    public func content(of path: String) throws(SyncFailure) -> SyncContent? {
        try check()
        let path = try Self.path(path)
        let row = try journal.read { access in try SealedTree.find(path, access) }
        guard let digest = row?.digest else { return nil }
        guard let content = try journal.kept(digest) else { throw .journal("The content of a sealed file is gone.") }
        return content
    }

    /// Writes a file, and makes the folders it is in.
    ///
    /// - Throws: ``SyncFailure/refused(_:)`` for a path that is none, or that is a folder's.
    public func write(_ bytes: [UInt8], to path: String) throws(SyncFailure) {
        try check()
        let path = try Self.path(path)
        guard SyncItemName.isWritable(path.last) else { throw .refused("The name is kept for Pavise's own files.") }
        let content = SyncContent(bytes)
        try journal.storing { () throws(SyncFailure) in
            let row = try journal.row(content, path.last?.text ?? "", .current)
            let moment = moment()
            try journal.write { access in
                try row.insert(access)
                try SealedTree.makeFolders(Array(path.dropLast()), moment, access)
                let old = try SealedTree.find(path, access)
                guard old == nil || old?.digest != nil else { throw SyncFailure.refused("A folder has this path.") }
                if let digest = old?.digest, digest != content.digest {
                    try SealedTree.replaced(digest, moment, access)
                }
                _ = try SealedTree.put(content, path, moment, access)
            }
        }
        noteChange()
    }

    /// Moves a file or a folder to a path that is free; its folder exists.
    public func move(_ path: String, to target: String) throws(SyncFailure) {
        try check()
        let (path, target) = (try Self.path(path), try Self.path(target))
        guard SyncItemName.isWritable(target.last) else { throw .refused("The name is kept for Pavise's own files.") }
        try journal.write { access in try SealedTree.move(path, target, access) }
        noteChange()
    }

    /// Removes a file, or a folder with all that is in it; one that is not there is fine.
    public func remove(_ path: String) throws(SyncFailure) {
        try check()
        let path = try Self.path(path)
        let moment = moment()
        try journal.write { access in try SealedTree.remove(path, moment, access) }
        noteChange()
    }

    /// Something is to be synchronised.
    func noteChange() {
        changes.withLock { $0 += 1 }
        changed()
    }

    private func check() throws(SyncFailure) { guard isOpen() else { throw .locked } }

    private func moment() -> SealedTree.Moment {
        SealedTree.Moment(wall: journal.now(), elapsed: journal.elapsed().total)
    }

    private static func path(_ text: String) throws(SyncFailure) -> SyncPath {
        let names = text.split(separator: "/", omittingEmptySubsequences: false).map { SyncItemName(String($0)) }
        let path = names.compactMap { $0 }
        guard !path.isEmpty, path.count == names.count else { throw .refused("The path is none.") }
        return path
    }

    // MARK: For the engine

    /// See ``SyncFolder/scan()``.
    public func scan() async throws(SyncFailure) -> [FolderEntry] { try items() }

    /// See ``SyncFolder/read(_:)``.
    public func read(_ path: SyncPath) async throws(SyncFailure) -> FileContent {
        let row = try journal.read { access in try SealedTree.find(path, access) }
        guard let digest = row?.digest, let status = row?.status else { throw .changed }
        guard let content = try journal.kept(digest) else { throw .journal("The content of a sealed file is gone.") }
        return FileContent(content, status: status)
    }

    /// See ``SyncFolder/write(_:to:replacing:)``.
    public func write(
        _ content: SyncContent, to path: SyncPath, replacing old: ContentDigest?
    ) async throws(SyncFailure) -> WrittenFile {
        guard SyncItemName.isWritable(path.last) else { throw .refused("The name is kept for Pavise's own files.") }
        return try journal.storing { () throws(SyncFailure) in
            let row = try journal.row(content, path.last?.text ?? "", .current)
            let moment = moment()
            return try journal.write { access in
                let found = try SealedTree.find(path, access)
                guard found?.digest == old, found == nil || old != nil else { throw SyncFailure.changed }
                try row.insert(access)
                return try SealedTree.put(content, path, moment, access)
            }
        }
    }

    /// See ``SyncFolder/makeFolder(_:)``.
    public func makeFolder(_ path: SyncPath) async throws(SyncFailure) {
        guard SyncItemName.isWritable(path.last) else { throw .refused("The name is kept for Pavise's own files.") }
        let moment = moment()
        try journal.write { access in
            guard try SealedTree.folder(Array(path.dropLast()), access) != nil else { throw SyncFailure.changed }
            try SealedTree.makeFolders(path, moment, access)
        }
    }

    /// See ``SyncFolder/move(_:to:)``.
    public func move(_ path: SyncPath, to target: SyncPath) async throws(SyncFailure) {
        guard SyncItemName.isWritable(target.last) else { throw .refused("The name is kept for Pavise's own files.") }
        try journal.write { access in try SealedTree.move(path, target, access) }
    }

    /// See ``SyncFolder/delete(_:expecting:)``.
    public func delete(_ path: SyncPath, expecting old: ContentDigest?) async throws(SyncFailure) {
        try journal.write { access in
            guard let found = try SealedTree.find(path, access), found.digest == old else { throw SyncFailure.changed }
            let item = found.item
            guard try access.first("SELECT 1 FROM tree WHERE parent = \(item)") == nil else {
                throw SyncFailure.changed
            }
            try access.run("DELETE FROM tree WHERE item = \(item)")
        }
    }
}
