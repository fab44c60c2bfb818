/// Something that one side has and the other cannot have: a name that is none there, a link, a device (sync/SY17), a
/// folder that this person may not look into.
///
/// It stays where it is, and what both sides agreed on under its name, or its identity, is not deleted for it.
public struct LeftOutItem: Hashable, Sendable {
    /// Which side has it.
    public let side: SyncSide
    /// Its path for a person. It may hold control characters, and is no path that anybody opens.
    public let path: String
    /// What names it through renames; `nil` when nothing does.
    public let identity: String?

    /// An item from its parts.
    public init(side: SyncSide, path: String, identity: String?) {
        (self.side, self.path, self.identity) = (side, path, identity)
    }

    /// How many a report names.
    static let limit = 1_000
}
