/// Where the records of a collection lie on this device (sync/SY2). What returns without an error is durable.
package protocol RecordStore: Sendable {
    /// Does what the events say, all of it or, when it throws, nothing.
    func apply(
        _ events: [(RecordID, RecordEvent)], position: RecordPosition?
    ) throws(SyncFailure) -> RecordChanges

    /// One record, and its tombstone too.
    func row(_ id: RecordID) throws(SyncFailure) -> RecordRow?

    /// All records, by identifier, without tombstones where `isThere`.
    func rows(areThere: Bool) throws(SyncFailure) -> [RecordRow]

    /// The records that wait to be sent, or for the end of a write.
    func waiting() throws(SyncFailure) -> [RecordID]

    /// What was listed last; `nil` before the first time.
    func position() throws(SyncFailure) -> RecordPosition?
}

/// How far a server's changes are known.
package struct RecordPosition: Hashable, Sendable {
    package let collection: String
    package let cursor: String

    package init(collection: String, cursor: String) { (self.collection, self.cursor) = (collection, cursor) }
}
