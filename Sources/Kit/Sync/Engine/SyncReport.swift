/// What a run did, and what waits for a person.
public struct SyncReport: Hashable, Sendable {
    /// Something that a person has to answer before it goes on.
    public enum Question: Hashable, Sendable, Codable {
        /// The plan changes too much at once (sync/SY11).
        case massChange(MassChange)
        /// The file has 0 bytes on one side and had more on both: with a yes it has on both, and the old content is
        /// kept (sync/SY13).
        case emptied(SyncPath)
        /// The file is damaged here, and the server does not have it any more (sync/SY4).
        case damaged(SyncPath)
        /// The server's conditions are not worth enough to replace, move or delete this (sync/SY6).
        case serverTooWeak(SyncPath)
        /// The server refused this three times although nothing seems to have changed (sync/SY16).
        case refused(SyncPath)
        /// The folder here was synchronised by another account, or before a sign-out: with a yes what is in it and what
        /// this account's server has come together, and nothing is deleted (sync/SY11, SY19).
        case otherOwner
    }

    /// The steps that were done, in their order.
    public var done: [SyncStep] = []
    /// Copies of conflicts that were made.
    public var conflicts: [SyncPath] = []
    /// What a person has to answer.
    public var questions: Set<Question> = []
    /// What one side has and the other cannot have.
    public var leftOut: Set<LeftOutItem> = []
    /// What ended the run early; `nil` when it came to its end.
    public var failure: SyncFailure?

    /// Nothing done.
    public init() {}

    /// Whether both sides are equal now, as far as this run saw, but for what is left out.
    public var isComplete: Bool { failure == nil && questions.isEmpty }
}

extension SyncReport.Question {
    /// The same for a question that was answered with yes.
    func covers(_ change: MassChange, after done: SyncPlan.Extent) -> Bool {
        guard case .massChange(let approved) = self else { return false }
        return approved.covers(change, after: done)
    }
}
