/// What a remote writes down for its next run, for example where an upload lies that broke off. Durable before a call
/// returns, and sealed.
public protocol RemoteNotes: Sendable {
    /// The note `name`; `nil` when there is none.
    func note(_ name: String) throws(SyncFailure) -> String?

    /// Writes a note, or takes it away.
    func setNote(_ name: String, _ text: String?) throws(SyncFailure)
}
