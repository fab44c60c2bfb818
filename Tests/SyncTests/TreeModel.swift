import PaviseSync

/// Trees as persons change them, and the steps of a plan done on values: no disk, no server.
struct TreeModel {
    typealias Side = WritableKeyPath<TreeModel, SyncTree>
    var base = SyncTree()
    var here = SyncTree()
    var there = SyncTree()
    /// What lies on the server behind `unread`.
    var hidden: [ItemID: ContentDigest] = [:]
    var random: SeededRandom
    private var counter: UInt64 = 0
    private(set) var wrong: [String] = []
    var needed: Set<ContentDigest> = []

    init(seed: UInt64, changes: Int = 8) {
        random = SeededRandom(seed)
        for _ in 0..<random.below(10) { change(\.base, mayDelete: false) }
        (here, there) = (base, base)
        for _ in 0..<random.below(changes) { change(\.here) }
        for _ in 0..<random.below(changes) { change(\.there) }
        noteNeeded()
        for id in there.items.keys.sorted() where random.chance(5) {
            guard let digest = there[id]?.digest else { continue }
            hidden[id] = digest
            there[id]?.kind = .file(.unread)
        }
    }

    // New content of a side, and what neither side touched.
    private mutating func noteNeeded() {
        for side in [here, there] {
            for (id, item) in side.items {
                guard let digest = item.digest else { continue }
                if digest != base[id]?.digest || (here[id]?.digest == digest && there[id]?.digest == digest) {
                    needed.insert(digest)
                }
            }
        }
    }

    mutating func freshID() -> ItemID {
        counter += 1
        return ItemID(counter << 8 | random.next() & 0xFF)
    }

    private mutating func freshDigest() -> ContentDigest {
        counter += 1
        return ContentDigest(bytes: (0..<32).map { $0 < 8 ? UInt8(truncatingIfNeeded: counter >> (8 * $0)) : 7 })!
    }

    private mutating func change(_ side: Side, mayDelete: Bool = true) {
        let ids = self[keyPath: side].items.keys.sorted()
        let folders = [ItemID.root] + ids.filter { self[keyPath: side][$0]?.isFolder == true }
        let parent = folders[random.below(folders.count)]
        let name = SyncItemName(["a", "b", "c", "d", "e"][random.below(5)])!
        let isFree = !self[keyPath: side].items.values.contains { $0.parent == parent && $0.name == name }
        let id = ids.isEmpty ? nil : ids[random.below(ids.count)]
        switch random.below(mayDelete ? 6 : 2) {
        case 0 where isFree:
            let made = (id: freshID(), digest: freshDigest())
            self[keyPath: side][made.id] = SyncItem(parent: parent, name: name, kind: .file(.known(made.digest)))
        case 1 where isFree:
            let made = freshID()
            self[keyPath: side][made] = SyncItem(parent: parent, name: name, kind: .folder)
        case 2:
            let digest = freshDigest()
            if let id, self[keyPath: side][id]?.isFolder == false {
                self[keyPath: side][id]?.kind = .file(.known(digest))
            }
        case 3: if let id { remove(id, side) }
        default:
            guard isFree, let id, !isInside(parent, id, self[keyPath: side]) else { return }
            self[keyPath: side][id]?.parent = parent
            self[keyPath: side][id]?.name = name
        }
    }

    private mutating func remove(_ id: ItemID, _ side: Side) {
        for child in self[keyPath: side].items.filter({ $0.value.parent == id }).keys { remove(child, side) }
        self[keyPath: side][id] = nil
    }

    private func isInside(_ folder: ItemID, _ id: ItemID, _ tree: SyncTree) -> Bool {
        var next = folder
        while next != .root {
            if next == id { return true }
            guard let parent = tree[next]?.parent else { return false }
            next = parent
        }
        return false
    }

    /// Plans and acts until nothing is left.
    ///
    /// - Returns: How many plans there were.
    mutating func run(limit: Int = 200) -> Int {
        for count in 1...limit {
            let naming = ConflictNaming(moment: "2026-11-24 22\(count)", device: "test")
            let plan = SyncPlan(base: base, here: here, there: there, naming: naming)
            if plan.steps.isEmpty { return count }
            for step in plan.steps.shuffled(using: &random) { act(step) }
        }
        return limit + 1
    }

    private mutating func act(_ step: SyncStep) {
        switch step {
        case .agree(let id, let item): base[id] = item
        case .read(let id):
            guard let digest = hidden[id] else { return wrong.append("nothing to read") }
            there[id]?.kind = .file(.known(digest))
        case .join(let mine, let theirs):
            here[theirs] = here[mine]
            here[mine] = nil
            for (id, item) in here.items where item.parent == mine { here[id]?.parent = theirs }
        case .setAside(let id, let name):
            let item = here[id]
            here[id] = nil
            here[freshID()] = item.map { SyncItem(parent: $0.parent, name: name, kind: $0.kind) }
            check(here)
        case .create(.here, let id, let item): create(id, item, \.here)
        case .create(.there, let id, let item): create(id, item, \.there)
        case .replace(let side, let id, let old, let new):
            if (side == .here ? here : there)[id]?.digest != old { wrong.append("replaced what is not there") }
            if side == .here { here[id]?.kind = .file(.known(new)) } else { there[id]?.kind = .file(.known(new)) }
        case .move(let side, let id, let target):
            if side == .here { move(id, target, \.here) } else { move(id, target, \.there) }
        case .delete(let side, let id, let item):
            if side == .here { delete(id, item, \.here) } else { delete(id, item, \.there) }
        }
    }

    private mutating func create(_ id: ItemID, _ item: SyncItem, _ side: Side) {
        if self[keyPath: side][id] != nil { wrong.append("made twice") }
        self[keyPath: side][id] = item
        check(self[keyPath: side])
    }

    private mutating func move(_ id: ItemID, _ target: ItemLocation, _ side: Side) {
        if self[keyPath: side][id] == nil || isInside(target.parent, id, self[keyPath: side]) {
            wrong.append("moved into itself, or nothing")
        }
        self[keyPath: side][id]?.parent = target.parent
        self[keyPath: side][id]?.name = target.name
        check(self[keyPath: side])
    }

    private mutating func delete(_ id: ItemID, _ item: SyncItem, _ side: Side) {
        if self[keyPath: side][id] != item || self[keyPath: side].items.values.contains(where: { $0.parent == id }) {
            wrong.append("deleted another")
        }
        self[keyPath: side][id] = nil
    }

    private mutating func check(_ tree: SyncTree) {
        if Set(tree.items.values.map(\.location)).count != tree.items.count { wrong.append("two at one location") }
        for id in tree.items.keys where tree.path(of: id) == nil { wrong.append("no way to the root") }
    }

    /// What is wrong at the end; empty when all is well.
    var problems: [String] {
        var found = wrong
        if here != there { found.append("the sides differ") }
        if base != here { found.append("the base differs") }
        let left = Set(here.items.values.compactMap(\.digest))
        if !needed.isSubset(of: left) { found.append("\(needed.subtracting(left).count) contents are lost") }
        if here.items.values.contains(where: { $0.name.isReserved }) { found.append("a name of ours is left") }
        return found
    }
}

extension SyncItem {
    var location: ItemLocation { ItemLocation(parent: parent, name: name) }
}
