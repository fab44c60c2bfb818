/// The server's side. WebDAV is one; an app adds its own by writing another (sync/SY5 to SY7).
///
/// Each write has a condition of its kind. A write whose condition does not hold is ``SyncFailure/changed``, and
/// changes nothing.
public protocol SyncRemote: Sendable {
    /// What this server's conditions are worth, measured and not believed (sync/SY6).
    var level: ServerLevel { get async }

    /// All items. A listing that cannot be complete is ``SyncFailure/listing(_:)``.
    func list() async throws(SyncFailure) -> [RemoteEntry]

    /// The content of a file, with the version it is of.
    func read(_ path: SyncPath) async throws(SyncFailure) -> RemoteContent

    /// Makes a file where nothing is.
    ///
    /// - Returns: The version, if the answer proves that it is ours; `nil` when nobody knows.
    func create(_ path: SyncPath, _ content: [UInt8]) async throws(SyncFailure) -> RemoteVersion?

    /// Puts content in the place of version `old`. Returns as ``create(_:_:)`` does.
    func replace(_ path: SyncPath, _ content: [UInt8], old: RemoteVersion) async throws(SyncFailure) -> RemoteVersion?

    /// Makes a folder; one that is there is fine.
    func makeFolder(_ path: SyncPath) async throws(SyncFailure)

    /// Moves an item, for a file one of version `old`, to a location where nothing is.
    func move(_ path: SyncPath, to target: SyncPath, old: RemoteVersion?) async throws(SyncFailure)

    /// Deletes a file of version `old`, or an empty folder.
    func delete(_ path: SyncPath, old: RemoteVersion?) async throws(SyncFailure)

    /// Whether something is there, asked for by its name: a listing that was made while others wrote may miss it.
    func isThere(_ path: SyncPath) async throws(SyncFailure) -> Bool
}

extension SyncRemote {
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

/// The version of a file on a server.
public struct RemoteVersion: Hashable, Sendable {
    /// The entity tag as the server writes it (RFC 9110 §8.8.3); empty when it has none.
    public let validator: String
    /// The size in bytes; `nil` when the server does not say.
    public let size: Int?

    /// A version from its parts.
    public init(validator: String, size: Int?) { (self.validator, self.size) = (validator, size) }

    /// Whether the tag says that the bytes are the same: it is there, and is not weak. Another is never a base
    /// (sync/SY8).
    public var isStrong: Bool { validator.utf8.count > 2 && validator.hasPrefix("\"") && validator.hasSuffix("\"") }
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

/// A file's content together with its version.
public struct RemoteContent: Hashable, Sendable {
    /// All bytes.
    public let bytes: [UInt8]
    /// The version that the answer with these bytes named.
    public let version: RemoteVersion

    /// A content from its parts.
    public init(bytes: [UInt8], version: RemoteVersion) { (self.bytes, self.version) = (bytes, version) }
}
