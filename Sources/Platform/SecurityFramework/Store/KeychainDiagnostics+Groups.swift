internal import PaviseDatabase
package import PavisePrimitives

extension KeychainDiagnostics {
    /// An access group of a keychain.
    package struct Group: Hashable, Sendable {
        /// Its name.
        package let name: String
        /// How many items it has, those that cannot be opened among them.
        package let items: Int
        /// Whether calls of this program reach it.
        package let isOwn: Bool
    }

    /// Why the groups of a keychain cannot be told.
    package struct Unreadable: Error, Hashable, Sendable {
        /// The reason in a sentence without secrets, and what to do next.
        package let explanation: String
    }

    /// The access groups of the keychain of `home`, ordered by name: those of other programs of this user, too. Groups
    /// of Pavise's own items, which no program can name, are left out, and so is what a deletion left of a synchronised
    /// item.
    ///
    /// Nothing is made where there is no keychain, and no item is opened.
    package static func groups(_ home: PaviseHome) throws(Unreadable) -> [Group] {
        guard DurableFile.exists(KeychainItemStore.path(home)) else { return [] }
        let counts: [String: Int]
        do {
            counts = try OpenStores.store(home).countedGroups()
        } catch {
            note(error, home)
            throw Unreadable(explanation: explanation(of: error))
        }
        let own = SecurityEnvironment.current.accessGroups
        return counts.map { Group(name: $0, items: $1, isOwn: own.contains($0)) }.sorted { $0.name < $1.name }
    }
}

extension KeychainItemStore {
    fileprivate func countedGroups() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for row in try database.rows("SELECT header FROM item") {
            // A header is followed by its tag of 16 bytes.
            guard let header = row.blob(0).flatMap({ ItemHeader(Array($0.dropLast(16))) }), !header.isTombstone,
                !OwnItems.isReserved(group: header.group)
            else { continue }
            counts[header.group, default: 0] += 1
        }
        return counts
    }
}
