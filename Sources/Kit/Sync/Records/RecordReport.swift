/// What a run with an app's records did, and what waits for a person.
public struct RecordReport: Hashable, Sendable {
    /// Something that a person has to answer before it goes on.
    public enum Question: Hashable, Sendable {
        /// So many records would be deleted here: more than 100, or at least 10 and more than half (sync/SY11).
        case deletions(Int, of: Int)
        /// So many records would get another content here: at least 100, and more than half (sync/SY11).
        case replacements(Int, of: Int)
        /// The server has no record any more, and so many here would go.
        case emptied(Int)
        /// The server's collection is another one than before: with a yes everything is compared anew, and what only
        /// this device has is sent.
        case otherCollection
        /// The server refuses this record, or it changed each time; the next run tries again.
        case refused(RecordID)
    }

    /// How many writes the server took.
    public var sent = 0
    /// How many records of this device changed.
    public var received = 0
    /// Other versions that were put beside a record: both stay until a person closes the conflict.
    public var conflicts: [RecordID] = []
    /// What a person has to answer.
    public var questions: Set<Question> = []
    /// What ended the run early; `nil` when it came to its end.
    public var failure: SyncFailure?

    /// Nothing done.
    public init() {}

    /// Whether both sides have the same now, as far as this run saw.
    public var isComplete: Bool { failure == nil && questions.isEmpty }
}
