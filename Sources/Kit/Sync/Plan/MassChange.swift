/// Why a plan is not carried out before a person has said yes (sync/SY11).
public enum MassChange: Hashable, Sendable, Codable {
    /// More than 100 items would be deleted, or more than half of all.
    case deletions(here: Int, there: Int, of: Int)
    /// More than half of all files would get other content.
    case replacements(here: Int, there: Int, of: Int)
    /// One side is empty, and the other would be emptied.
    case emptied(SyncSide)
    /// The server's folder is another one than before: of another instance, or brought back from a backup. With a yes
    /// both sides are compared as if they had never met: nothing is deleted, and where contents differ both stay.
    case otherRoot

    /// Judges how much a plan changes; `nil` when it may go.
    ///
    /// - Parameters:
    ///   - extent: Of the plan.
    ///   - here: How many items this device has.
    ///   - there: How many the server has.
    public static func judge(_ extent: SyncPlan.Extent, here: Int, there: Int) -> MassChange? {
        if extent.agreed > 0, here == 0, extent.deletedThere > 0 { return .emptied(.here) }
        if extent.agreed > 0, there == 0, extent.deletedHere > 0 { return .emptied(.there) }
        let deleted = max(extent.deletedHere, extent.deletedThere)
        if deleted > 100 || (deleted > 0 && deleted * 2 > extent.agreed) {
            return .deletions(here: extent.deletedHere, there: extent.deletedThere, of: extent.agreed)
        }
        let replaced = max(extent.replacedHere, extent.replacedThere)
        if replaced >= 10, replaced * 2 > extent.agreed {
            return .replacements(here: extent.replacedHere, there: extent.replacedThere, of: extent.agreed)
        }
        return nil
    }

    /// Whether a person who said yes to this one has said yes to `change`, after a run has done so much of it. Folders
    /// go level by level, and each plan has another count.
    func covers(_ change: MassChange, after done: SyncPlan.Extent) -> Bool {
        switch (self, change) {
        case (.deletions(let here, let there, _), .deletions(let moreHere, let moreThere, _)):
            moreHere + done.deletedHere <= here && moreThere + done.deletedThere <= there
        case (.replacements(let here, let there, _), .replacements(let moreHere, let moreThere, _)):
            moreHere + done.replacedHere <= here && moreThere + done.replacedThere <= there
        default: self == change
        }
    }
}
