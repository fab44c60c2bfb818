/// The server's side of an app's records. ``HTTPRecordRemote`` is one; an app adds its own by writing another.
///
/// Each write has a condition and an idempotency key: a write whose condition does not hold changes nothing, and the
/// same key again is the same write (sync/SY5, SY15).
public protocol RecordRemote: Sendable {
    /// What changed since `cursor`, or all there is for `nil`; one page of it.
    ///
    /// - Returns: `nil` when the server does not know the cursor any more: all has to be asked for.
    func changes(since cursor: String?) async throws(SyncFailure) -> RecordPage?

    /// What the record is now; `nil` when the server has none and knows of none.
    func record(_ id: RecordID) async throws(SyncFailure) -> RemoteRecord?

    /// Writes a record in the place of version `old`, or where nothing is when that is `nil`.
    func put(
        _ id: RecordID, _ fields: RecordFields, original: RecordID?, old: String?, key: String
    ) async throws(SyncFailure) -> RecordWriteResult

    /// Deletes version `old` of a record.
    func delete(_ id: RecordID, old: String, key: String) async throws(SyncFailure) -> RecordWriteResult
}

/// What a server says to a write.
public enum RecordWriteResult: Hashable, Sendable {
    /// It was done, now or with the first request of this key; the version is called so.
    case done(tag: String)
    /// Its condition does not hold: this is what is there, `nil` for nothing.
    case other(RemoteRecord?)
}

/// One page of a server's changes.
public struct RecordPage: Hashable, Sendable {
    /// Names the collection for as long as it lives: another one is never taken for it (sync/SY11).
    public let collection: String
    /// Where the next page begins.
    public let cursor: String
    /// Whether there is more.
    public let hasMore: Bool
    /// The records that changed, each as it is now.
    public let records: [RemoteRecord]

    /// A page from its parts.
    public init(collection: String, cursor: String, hasMore: Bool, records: [RemoteRecord]) {
        (self.collection, self.cursor, self.hasMore, self.records) = (collection, cursor, hasMore, records)
    }
}
