/// What a server turned out to do with a file of ours (sync/SY6).
public struct MeasuredServer: Hashable, Sendable, Codable {
    /// What it calls itself: measured again when this changes.
    public var software = ""
    /// What its conditions are worth.
    public var level = ServerLevel.newNamesOnly
    /// Whether a lock keeps others out.
    public var locks = false
    /// Whether the answer to a write names the version that was written.
    public var answersTags = false
    /// Whether two contents of one size, written in one second, have two tags.
    public var hasFineTags = false
    /// Whether files have identifiers of ownCloud's and Nextcloud's kind.
    public var speaksOwnCloud = false

    /// Nothing measured: the lowest level.
    public init() {}
}
