extension KeychainRepair {
    /// What became of an item.
    package enum Fate: String, Hashable, Sendable, CaseIterable {
        /// It was opened, and is in the new keychain.
        case readable
        /// Its class is locked now: it is in the new keychain, and what is inside was not looked at.
        case locked
        /// It was there, and does not open any more. Its bytes are in the old files.
        case lost
    }

    /// One item that left a trace.
    package struct Item: Hashable, Sendable {
        /// The code of its class, such as `genp`.
        package let itemClass: String
        /// Its access group.
        package let group: String
        /// What a person knows it by: service or server and account, or a label; `nil` where it cannot be read.
        package let name: String?
        /// What became of it.
        package let fate: Fate
    }

    /// What was found.
    package struct Findings: Sendable {
        /// Why the keychain does not open, in a sentence; `nil` where it opens and single items or pages are damaged.
        package var reason: String?
        /// The items, in the order of their insertion.
        package var items: [Item] = []
        /// Pages of the files that cannot be read. What was in them is not known.
        package var damagedPages = 0
        /// Whether nothing at all authenticates: it is another device's keychain, or nothing of it is left.
        package var isNothingReadable = false
        /// Whether changes of late may be missing: an item may be older than it was, and a deleted one may be back.
        package var mayBeOlder = false

        /// How many items had this fate.
        package func count(_ fate: Fate) -> Int { items.count { $0.fate == fate } }
    }

    /// Why nothing was repaired. Nothing was changed.
    package enum Failure: Error, Hashable, Sendable {
        /// The device that the keychain belongs to is gone or damaged: without its keys, nothing in the keychain opens.
        case device(String)
        /// The keychain itself cannot be read or written.
        case keychain(String)

        /// One sentence, and what to do next.
        package var explanation: String {
            switch self {
            case .device(let text), .keychain(let text): text
            }
        }
    }
}
