/// The steps that bring one side nearer to the merged tree, chosen so that any order of them does.
struct SideSteps {
    private let side: SyncSide
    private let tree: SyncTree
    private let wanted: [ItemID: SyncItem]
    private let held: Set<ItemID>
    private let rules: NameRules
    private var owners: [ItemLocation: ItemID] = [:]
    private var taken: Set<ItemLocation> = []
    // Moves that are chosen: their new parents count beside the old ones, since nobody knows which is first.
    private var chosen: [ItemID: ItemID] = [:]
    private(set) var steps: [SyncStep] = []

    init(side: SyncSide, from tree: SyncTree, to wanted: [ItemID: SyncItem], held: Set<ItemID>, rules: NameRules) {
        (self.side, self.tree, self.wanted, self.held, self.rules) = (side, tree, wanted, held, rules)
        guard hasWork else { return }
        owners.reserveCapacity(tree.items.count)
        for (id, item) in tree.items { owners[key(item.location)] = id }
        let blocked = addMoves()
        addContent()
        addDeletions()
        // Nobody can move: one of them steps out of the way, to where there is always room.
        if steps.isEmpty, let first = blocked.first(where: { tree[$0]?.name.isReserved == false }) {
            steps = [.move(side, first, to: ItemLocation(parent: .root, name: .moving(first)))]
        }
    }

    private var hasWork: Bool { tree.items != wanted }

    private func key(_ location: ItemLocation) -> ItemLocation {
        ItemLocation(parent: location.parent, name: rules.key(location.name))
    }

    private func exists(_ folder: ItemID) -> Bool { folder == .root || tree[folder]?.isFolder == true }

    private mutating func take(_ location: ItemLocation, for id: ItemID) -> Bool {
        let wanted = key(location)
        guard owners[wanted] == nil || owners[wanted] == id else { return false }
        return taken.insert(wanted).inserted
    }

    private mutating func addMoves() -> [ItemID] {
        var blocked: [ItemID] = []
        let moved = tree.items.filter { id, item in wanted[id].map { $0.location != item.location } ?? false }.keys
            .sorted()
        for id in moved where !held.contains(id) {
            guard var target = wanted[id]?.location, let now = tree[id]?.location else { continue }
            // A device that takes both names for one refuses: the old one is in the way of the new one.
            if side == .here, key(now) == key(target) {
                target = ItemLocation(parent: .root, name: .moving(id))
            }
            guard exists(target.parent), !leads(from: target.parent, to: id), take(target, for: id) else {
                blocked.append(id)
                continue
            }
            chosen[id] = target.parent
            steps.append(.move(side, id, to: target))
        }
        return blocked
    }

    // Whether `folder` lies, or may lie during these steps, in `id`.
    private func leads(from folder: ItemID, to id: ItemID) -> Bool {
        guard tree[id]?.isFolder == true else { return false }
        var (open, seen) = ([folder], Set<ItemID>())
        while let next = open.popLast() {
            if next == id { return true }
            guard seen.insert(next).inserted else { continue }
            if let parent = tree[next]?.parent { open.append(parent) }
            if let parent = chosen[next] { open.append(parent) }
        }
        return false
    }

    private mutating func addContent() {
        for id in wanted.keys.sorted() where !held.contains(id) {
            guard let item = wanted[id] else { continue }
            guard let current = tree[id] else {
                if exists(item.parent), item.isFolder || item.digest != nil, take(item.location, for: id) {
                    steps.append(.create(side, id, item))
                }
                continue
            }
            guard let new = item.digest, current.digest != new, !current.isUnread else { continue }
            steps.append(.replace(side, id, old: current.digest, new: new))
        }
    }

    private mutating func addDeletions() {
        let gone = tree.items.keys.filter { wanted[$0] == nil && !held.contains($0) }.sorted()
        guard !gone.isEmpty else { return }
        let children = tree.children()
        for id in gone {
            guard let item = tree[id], !item.isFolder || children[id] == nil else { continue }
            steps.append(.delete(side, id, item))
        }
    }
}
