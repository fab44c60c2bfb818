/// What both sides have to become: a three-way merge of base, here and there (sync/SY1, SY9, SY10). A pure function.
struct MergedTree {
    /// Whose word an item's location is. Of two that want the same, the one further down gives way.
    private enum Claim: Int, Comparable {
        case here
        case base
        case there

        static func < (one: Claim, other: Claim) -> Bool { one.rawValue < other.rawValue }
    }

    private struct Entry {
        var location: ItemLocation
        var claim: Claim
    }

    let base: SyncTree
    let here: SyncTree
    let there: SyncTree
    /// Items about which a person or a reading has to decide first: nothing happens to them.
    let held: Set<ItemID>
    private(set) var items: [ItemID: SyncItem] = [:]
    /// Files whose content both sides changed.
    private(set) var conflicts: [ItemID] = []
    /// New items of both sides that are the same.
    private(set) var twins: [(here: ItemID, there: ItemID)] = []
    private var entries: [ItemID: Entry] = [:]

    init(base: SyncTree, here: SyncTree, there: SyncTree, held: Set<ItemID>, rules: NameRules, naming: ConflictNaming) {
        (self.base, self.here, self.there, self.held) = (base, here, there, held)
        for id in Set(here.items.keys).union(there.items.keys) { entries[id] = entry(of: id) }
        breakCycles()
        keepNeeded()
        settleContent()
        settleNames(rules, naming)
    }

    // MARK: Locations

    private func entry(of id: ItemID) -> Entry {
        let (old, mine, theirs) = (base[id]?.location, claim(here[id]), claim(there[id]))
        if let theirs, theirs != old || mine == nil { return Entry(location: theirs, claim: .there) }
        if let mine, mine != old || theirs == nil {
            return Entry(location: mine, claim: mine == theirs ? .there : .here)
        }
        if let theirs { return Entry(location: theirs, claim: .there) }
        // Both wait under a name of ours for their location.
        let fallback = there[id]?.location ?? here[id]?.location ?? ItemLocation(parent: .root, name: .moving(id))
        return Entry(location: old ?? fallback, claim: .base)
    }

    // A name of ours is nobody's wish.
    private func claim(_ item: SyncItem?) -> ItemLocation? {
        guard let item, !item.name.isReserved else { return nil }
        return item.location
    }

    // Each side has no cycle; a merge of two can have one. What was moved here goes back to where the server has it.
    private mutating func breakCycles() {
        var done: Set<ItemID> = [.root]
        for start in entries.keys.sorted() where !done.contains(start) {
            while let cycle = cycle(from: start, &done) {
                let movable =
                    cycle.filter { entries[$0]?.claim != .there && there[$0] != nil }.min() ?? cycle.min() ?? start
                let location = there[movable].map(\.location) ?? ItemLocation(parent: .root, name: .moving(movable))
                entries[movable] = Entry(location: location, claim: .there)
            }
        }
    }

    // The items of a cycle on the way up; without one the way is done.
    private func cycle(from start: ItemID, _ done: inout Set<ItemID>) -> [ItemID]? {
        var way: [ItemID] = []
        var seen: [ItemID: Int] = [:]
        var next = start
        while !done.contains(next) {
            if let first = seen[next] { return Array(way[first...]) }
            guard let parent = entries[next]?.location.parent else { break }
            seen[next] = way.count
            way.append(next)
            next = parent
        }
        done.formUnion(way)
        return nil
    }

    // MARK: What stays

    private func isKept(_ id: ItemID) -> Bool {
        if held.contains(id) { return true }
        guard let old = base[id] else { return true }
        let (mine, theirs) = (here[id], there[id])
        guard mine == nil || theirs == nil else { return true }
        guard let left = mine ?? theirs else { return false }
        // An edit, and a move, beat a deletion. Damage is no edit; alone, it waits for a person.
        if left.isDamaged { return true }
        if !left.name.isReserved, left.location != old.location { return true }
        return !left.isFolder && left.digest != old.digest
    }

    // A folder stays for the sake of what stays in it (sync/SY10).
    private mutating func keepNeeded() {
        var kept: Set<ItemID> = [.root]
        for id in entries.keys where isKept(id) {
            var next = id
            while kept.insert(next).inserted, let parent = entries[next]?.location.parent { next = parent }
        }
        for id in kept {
            guard let entry = entries[id], let item = there[id] ?? here[id] else { continue }
            let isHomeless = entry.location.parent != .root && entries[entry.location.parent] == nil
            if isHomeless {
                entries[id]?.location = ItemLocation(parent: .root, name: entry.location.name)
                entries[id]?.claim = .here
            }
            items[id] = item.at(entries[id]?.location ?? entry.location)
        }
    }

    // MARK: Content

    private mutating func settleContent() {
        for (id, item) in items where !item.isFolder {
            guard let mine = here[id], let theirs = there[id] else { continue }
            if mine.isDamaged || mine.kind == theirs.kind || mine.kind == base[id]?.kind {
                items[id]?.kind = theirs.kind
            } else if theirs.kind == base[id]?.kind {
                items[id]?.kind = mine.kind
            } else if !held.contains(id) {
                conflicts.append(id)
            }
        }
        conflicts.sort()
    }

    // MARK: Names

    private mutating func settleNames(_ rules: NameRules, _ naming: ConflictNaming) {
        var owners: [ItemLocation: ItemID] = [:]
        owners.reserveCapacity(items.count)
        func key(_ location: ItemLocation) -> ItemLocation {
            ItemLocation(parent: location.parent, name: rules.key(location.name))
        }
        let order = items.keys.sorted { one, other in
            let (first, second) = (entries[one]?.claim ?? .here, entries[other]?.claim ?? .here)
            return first == second ? one < other : first > second
        }
        for id in order {
            guard let item = items[id] else { continue }
            guard let owner = owners[key(item.location)] else {
                owners[key(item.location)] = id
                continue
            }
            if isTwin(here: id, there: owner) { twins.append((id, owner)) }
            var count = 1
            var free = item.location
            while owners[key(free)] != nil {
                free = ItemLocation(parent: item.parent, name: naming.name(for: item.name, copy: count))
                count += 1
            }
            owners[key(free)] = id
            items[id] = item.at(free)
        }
    }

    private func isTwin(here id: ItemID, there other: ItemID) -> Bool {
        guard let mine = here[id], let theirs = there[other], there[id] == nil, here[other] == nil else { return false }
        guard !held.contains(id), !held.contains(other), mine.name == theirs.name else { return false }
        return mine.kind == theirs.kind && !mine.isDamaged && !mine.isUnread
    }
}
