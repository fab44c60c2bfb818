/// The server's side. WebDAV is one; an app adds its own by writing another (sync/SY5 to SY7), and gives it to
/// `Account.sync(folder:remote:named:device:)`:
///
/// ```swift
/// let cards = try account.sync(folder: path, remote: remote, named: "cards", device: "Ada's laptop")
/// let report = await cards.run()
/// ```
/// Each write has a condition of its kind. A write whose condition does not hold is ``SyncFailure/changed``, and
/// changes nothing.
public protocol SyncRemote: Sendable {
    /// What this server's conditions are worth, measured and not believed (sync/SY6).
    var level: ServerLevel { get async }

    /// What the server calls the folder itself, and no other one: of another instance, and after a backup was brought
    /// back, it is another text. `nil` where the server has nothing of the kind.
    var rootIdentity: String? { get async }

    /// All items. A listing that cannot be complete is ``SyncFailure/listing(_:)``.
    func list() async throws(SyncFailure) -> [RemoteEntry]

    /// What the last listing had and left out.
    var leftOut: [LeftOutItem] { get async }

    /// What a run that was cut off had taken aside, as of the last listing. A listing of a run ends it: what is nowhere
    /// else comes back, the rest goes.
    var aside: [SyncPath] { get async }

    /// Reads a file into `sink`, and goes on where an earlier read of the same version broke off, if it can.
    ///
    /// - Returns: The version that was read.
    func read(_ path: SyncPath, into sink: ContentSink) async throws(SyncFailure) -> RemoteVersion

    /// Makes a file where nothing is.
    ///
    /// - Returns: The version, if the answer proves that it is ours; `nil` when nobody knows.
    func create(_ path: SyncPath, _ content: SyncContent) async throws(SyncFailure) -> RemoteVersion?

    /// Puts content in the place of version `old`. Returns as ``create(_:_:)`` does.
    func replace(
        _ path: SyncPath, _ content: SyncContent, old: RemoteVersion
    ) async throws(SyncFailure) -> RemoteVersion?

    /// Makes a folder; one that is there is fine.
    func makeFolder(_ path: SyncPath) async throws(SyncFailure)

    /// Begins a folder that no listing shows; files are created in it before ``placeFolder(_:at:)`` makes it visible.
    ///
    /// - Returns: Where it is; `nil` when this remote has nothing of the kind.
    func beginFolder() async throws(SyncFailure) -> SyncPath?

    /// Gives a folder that was begun its place, where nothing may be.
    func placeFolder(_ begun: SyncPath, at path: SyncPath) async throws(SyncFailure)

    /// Removes a folder that was begun.
    func dropFolder(_ begun: SyncPath) async

    /// Moves an item, for a file one of version `old`, to a location where nothing is.
    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure)

    /// Deletes a file of version `old`, or an empty folder.
    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure)

    /// Whether something is there, asked for by its name: a listing that was made while others wrote may miss it.
    func isThere(_ path: SyncPath) async throws(SyncFailure) -> Bool
}

extension SyncRemote {
    /// For a remote whose folder has no name of its own.
    public var rootIdentity: String? { get async { nil } }

    /// For a remote that has no other names than those of items.
    public var leftOut: [LeftOutItem] { get async { [] } }

    /// For a remote that takes nothing aside.
    public var aside: [SyncPath] { get async { [] } }

    /// For a remote that makes each folder in its place.
    public func beginFolder() async throws(SyncFailure) -> SyncPath? { nil }

    /// Nothing was begun.
    public func placeFolder(_ begun: SyncPath, at path: SyncPath) async throws(SyncFailure) { throw .changed }

    /// Nothing was begun.
    public func dropFolder(_ begun: SyncPath) async {}

    /// For a remote whose listing is of one moment: what it does not list is not there.
    public func isThere(_ path: SyncPath) async throws(SyncFailure) -> Bool { false }
}

/// What a server's conditions are worth (sync/SY6).
public enum ServerLevel: Int, Hashable, Sendable, Comparable, Codable {
    /// Neither conditions nor locks hold: only new names are written, nothing is replaced, moved or deleted there.
    case newNamesOnly = 1
    /// LOCK and `Overwrite: F` hold.
    case locks = 2
    /// `If-Match` and `If-None-Match` hold.
    case conditions = 3

    /// By worth.
    public static func < (one: ServerLevel, other: ServerLevel) -> Bool { one.rawValue < other.rawValue }
}

/// An item as a server lists it.
public struct RemoteEntry: Hashable, Sendable {
    /// Where it is.
    public let path: SyncPath
    /// The version of a file; `nil` for a folder.
    public let version: RemoteVersion?
    /// Names the item through renames; `nil` when the server has nothing of the kind.
    public let identity: String?

    /// An entry from its parts.
    public init(path: SyncPath, version: RemoteVersion?, identity: String?) {
        (self.path, self.version, self.identity) = (path, version, identity)
    }
}
