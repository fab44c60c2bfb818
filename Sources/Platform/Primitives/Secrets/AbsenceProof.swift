/// Whether "there is no such item" can be believed.
///
/// While a device is locked, iOS has answered searches of the keychain with "not found" (-25300) where it should have
/// said "locked" (-25308). Whoever believed it signed people out, or made a new key over packets that the old one
/// opens. So an absence counts only after an item was seen at that moment that was made for this and nothing else, and
/// is readable no longer than the one in question (``Readability``).
///
/// ```swift
/// let status = AbsenceProof.status(answered, look: { find() }, make: { add() })
/// ```
package enum AbsenceProof {
    /// While the device is in which state the items in question can be read, as far as the caller knows it.
    package enum Readability: Hashable, Sendable {
        /// From the first unlock on, also while the screen is locked: what Pavise itself keeps.
        case afterFirstUnlock
        /// While it is unlocked: keys of such a class, and items of others, whose class nobody knows.
        case whenUnlocked
    }

    // SecBase.h: errSecItemNotFound, errSecDuplicateItem, errSecInteractionNotAllowed.
    private static let notFound: Int32 = -25_300
    private static let duplicate: Int32 = -25_299
    private static let locked: Int32 = -25_308

    /// What a keychain's status is worth: every other than "not found" itself; "not found" where it is proved; "locked"
    /// where it is disproved; and the reason why nobody can say where neither could be done.
    ///
    /// - Parameters:
    ///   - status: What the keychain said of the item in question.
    ///   - look: Searches the item that is made for this, readable when the item in question is.
    ///   - make: Adds it.
    package static func status(_ status: Int32, look: () -> Int32, make: () -> Int32) -> Int32 {
        guard status == notFound else { return status }
        var seen = look()
        if seen == notFound {
            let made = make()
            // A duplicate: another program was faster, or it was there and the search said that it was not.
            guard made == 0 || made == duplicate else { return made }
            seen = look()
        }
        switch seen {
        case 0: return notFound
        case notFound: return locked
        default: return seen
        }
    }
}
