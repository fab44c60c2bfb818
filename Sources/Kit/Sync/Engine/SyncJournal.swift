/// Base and journal of one connection, and the contents they speak of: sealed, and durable before a call returns
/// (sync/SY2).
public protocol SyncJournal: Sendable {
    /// What was written down.
    func load() async throws(SyncFailure) -> SyncRecords

    /// Writes all of these or, when it throws, none.
    func commit(_ changes: [SyncChange]) async throws(SyncFailure)

    /// Keeps a content, by its digest; one that is kept already is fine.
    func keep(_ content: SyncContent, named name: String, for reason: KeepReason) async throws(SyncFailure)

    /// A content that was kept; `nil` when there is none.
    func content(_ digest: ContentDigest) async throws(SyncFailure) -> SyncContent?

    /// Where the content of the server's file at `path` is put, before ``keep(_:named:for:)`` gets it. What a read that
    /// broke off has left is in it.
    func sink(for path: SyncPath) async throws(SyncFailure) -> ContentSink
}

extension SyncJournal {
    /// In memory: a read that breaks off begins anew.
    public func sink(for path: SyncPath) async throws(SyncFailure) -> ContentSink { ContentSink() }
}

/// Why a content is kept.
public enum KeepReason: String, Hashable, Sendable, Codable {
    /// It is being sent: kept until a later listing has shown it and a day has passed.
    case sending
    /// It was read from the server and is on its way here.
    case fetched
    /// A sealed folder has it now: kept for as long as it does.
    case current
    /// Something took its place, or it was deleted: kept for 30 days (sync/SY14).
    case replaced
}

/// What a journal holds.
public struct SyncRecords: Hashable, Sendable {
    /// What both sides agreed on.
    public var base: [ItemID: BaseRecord] = [:]
    /// Writes to the server whose end is not known.
    public var pending: [ItemID: PendingWrite] = [:]
    /// What the server called its folder when both sides last agreed on something; `nil` where it said nothing.
    public var root: String?

    /// Nothing.
    public init() {}

    /// Does what a change says.
    public mutating func apply(_ change: SyncChange) {
        switch change {
        case .base(let id, let record): base[id] = record
        case .pending(let id, let write): pending[id] = write
        case .root(let text): root = text
        case .keep: break
        }
    }
}

/// One change of a journal; `nil` removes.
public enum SyncChange: Hashable, Sendable {
    /// What was agreed on.
    case base(ItemID, BaseRecord?)
    /// What is being written.
    case pending(ItemID, PendingWrite?)
    /// What the server calls its folder.
    case root(String?)
    /// A content that is kept, of at most ``smallContent`` bytes: what is written down of it is durable together with
    /// it.
    case keep(SyncContent, named: String, for: KeepReason)

    /// The most bytes of a content that is kept with ``keep(_:named:for:)``.
    public static let smallContent = 65_536
}

/// What both sides agreed on for one item, and what each said of it then.
public struct BaseRecord: Hashable, Sendable {
    /// The item.
    public var item: SyncItem
    /// The file system's status of the file.
    public var status: FileStatus?
    /// What names it here.
    public var hereIdentity: String?
    /// The server's version.
    public var version: RemoteVersion?
    /// What names it there.
    public var thereIdentity: String?

    /// A record of an item.
    public init(item: SyncItem) { self.item = item }
}

/// A write that may or may not have reached the server (sync/SY15).
public struct PendingWrite: Hashable, Sendable {
    /// What was asked.
    public enum Kind: String, Hashable, Sendable, Codable {
        /// A new file.
        case create
        /// Other content.
        case replace
        /// Another location.
        case move
        /// A deletion.
        case delete
    }
    /// What was asked.
    public let kind: Kind
    /// The digest of what was sent, or of what was deleted.
    public let digest: ContentDigest?

    /// A write from its parts.
    public init(kind: Kind, digest: ContentDigest?) { (self.kind, self.digest) = (kind, digest) }
}
