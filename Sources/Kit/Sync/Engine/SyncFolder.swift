/// The names on the way from the synchronised folder to an item; empty for the folder itself.
public typealias SyncPath = [SyncItemName]

/// The local side: a folder of files. One implementation for plain folders, one for each test (sync/SY20).
public protocol SyncFolder: Sendable {
    /// All items, without those whose name is reserved for writing. A listing that cannot be complete is an error.
    func scan() async throws(SyncFailure) -> [FolderEntry]

    /// What the last scan saw and left out.
    var leftOut: [LeftOutItem] { get async }

    /// What a run that was cut off had taken aside, as of the last scan. A scan of a run ends it: what a person wrote
    /// in that moment comes back, the rest goes.
    var aside: [SyncPath] { get async }

    /// The content of a file.
    func read(_ path: SyncPath) async throws(SyncFailure) -> FileContent

    /// Writes a file, durably, whole or not at all.
    ///
    /// - Parameters:
    ///   - content: The new content.
    ///   - path: Where. Its folder exists.
    ///   - old: The digest of what is there; `nil` when nothing may be there.
    /// - Throws: ``SyncFailure/changed`` when something else is there.
    func write(_ content: SyncContent, to path: SyncPath, replacing old: ContentDigest?) async throws(SyncFailure)
        -> WrittenFile

    /// Makes a folder; one that is there is fine.
    func makeFolder(_ path: SyncPath) async throws(SyncFailure)

    /// Moves an item to a location that is free; ``SyncFailure/changed`` when it is not.
    func move(_ path: SyncPath, to target: SyncPath) async throws(SyncFailure)

    /// Deletes a file whose content is `old`, or an empty folder where `old` is `nil`.
    func delete(_ path: SyncPath, expecting old: ContentDigest?) async throws(SyncFailure)

    /// Waits until all that others wrote into the folder is on the disk. The engine asks before it writes down that
    /// both sides agree: what a loss of power took back afterwards would look like a person's deletion.
    func makeDurable() async throws(SyncFailure)
}

extension SyncFolder {
    /// For a folder that has no other names than those of items.
    public var leftOut: [LeftOutItem] { get async { [] } }

    /// For a folder that takes nothing aside.
    public var aside: [SyncPath] { get async { [] } }

    /// For a folder whose every write is on the disk when it returns.
    public func makeDurable() async throws(SyncFailure) {}
}

/// An item as a scan sees it.
public struct FolderEntry: Hashable, Sendable {
    /// Where it is.
    public let path: SyncPath
    /// What the file system says of a file; `nil` for a folder.
    public let status: FileStatus?
    /// Names the item through renames, for example its inode; `nil` when nothing does.
    public let identity: String?
    /// Whether another item may have the same ``identity`` at another time: some file systems number their files anew
    /// each time they are mounted.
    var mayRecur = false

    /// An entry from its parts.
    public init(path: SyncPath, status: FileStatus?, identity: String?) {
        (self.path, self.status, self.identity) = (path, status, identity)
    }
}

/// What a file system says of a file. It tells when to look, and never that nothing changed (sync/SY8).
public struct FileStatus: Hashable, Sendable {
    /// In bytes.
    public let size: Int
    /// When the content was changed, in nanoseconds since 1970.
    public let modified: Int64
    /// Differs after each change, also after one that sets `modified` back: ctime, for example.
    public let change: Int64

    /// A status from its parts.
    public init(size: Int, modified: Int64, change: Int64) {
        (self.size, self.modified, self.change) = (size, modified, change)
    }
}

/// What a file system says of a file that was just written.
public struct WrittenFile: Hashable, Sendable {
    /// The status.
    public let status: FileStatus
    /// Names the file through renames; `nil` when nothing does.
    public let identity: String?

    /// A file from its parts.
    public init(status: FileStatus, identity: String?) { (self.status, self.identity) = (status, identity) }
}

/// A file's content together with what the file system said before and after it was read.
public struct FileContent: Hashable, Sendable {
    /// The content.
    public let content: SyncContent
    /// The status; a file that changed while it was read is ``SyncFailure/changed``.
    public let status: FileStatus

    /// A content from its parts.
    public init(_ content: SyncContent, status: FileStatus) { (self.content, self.status) = (content, status) }
}
