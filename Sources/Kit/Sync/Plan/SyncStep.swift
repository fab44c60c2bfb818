/// One thing to do, so that both sides come nearer to each other. The steps of one plan may be done in any order
/// (sync/SY1).
public enum SyncStep: Hashable, Sendable {
    /// Write down that both sides agree on this item; on its absence where it is `nil`.
    case agree(ItemID, SyncItem?)
    /// Read the server's content, which may be another than before.
    case read(ItemID)
    /// Two new items with the same content at the same location are one: the item `here` is called `there` from now on.
    case join(here: ItemID, there: ItemID)
    /// Both sides changed the content: give the local file this name; it is a new item from now on, and so both stay
    /// (sync/SY9).
    case setAside(ItemID, as: SyncItemName)
    /// Make the item on this side.
    case create(SyncSide, ItemID, SyncItem)
    /// Put other content in the place of `old`; what is there must be `old`, or damaged where it is `nil`.
    case replace(SyncSide, ItemID, old: ContentDigest?, new: ContentDigest)
    /// Move or rename it on this side; the location must be free.
    case move(SyncSide, ItemID, to: ItemLocation)
    /// Delete it on this side. It must be as the item says; a folder must be empty.
    case delete(SyncSide, ItemID, SyncItem)

    /// The item it is about.
    public var item: ItemID {
        switch self {
        case .agree(let id, _), .read(let id), .setAside(let id, _), .create(_, let id, _), .replace(_, let id, _, _),
            .move(_, let id, _), .delete(_, let id, _):
            id
        case .join(let id, _): id
        }
    }

    /// Whether it only writes down what is.
    public var isNote: Bool {
        switch self {
        case .agree: true
        default: false
        }
    }
}
