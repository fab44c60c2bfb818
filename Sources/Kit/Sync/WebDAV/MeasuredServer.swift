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
    /// Whether a file keeps its tag when it is moved.
    public var keepsTags = false
    /// Whether files have identifiers of ownCloud's and Nextcloud's kind.
    public var speaksOwnCloud = false
    /// Whether a file may come in chunks (ownCloud's and Nextcloud's second version of them).
    public var takesChunks = false
    /// Whether a file may come in parts as tus 1.0.0 has them.
    public var takesResumable = false
    /// Whether a MOVE over a file is held to the version that an `If` list names of it (RFC 4918 §10.4.2).
    public var takesListConditions = false

    /// Nothing measured: the lowest level.
    public init() {}
}
