/// What to do next so that both sides become equal and nothing is lost: a pure function of three trees (sync/SY1).
///
/// It asks no clock and no disk, and orders nothing by time. Do its steps in any order, look at what became of them,
/// and plan again, until a plan has none:
///
/// ```swift
/// let plan = SyncPlan(base: base, here: here, there: there, naming: naming)
/// ```
public struct SyncPlan: Hashable, Sendable {
    /// What to do, in any order.
    public let steps: [SyncStep]
    /// How many items both sides would lose or get in the end: what ``MassChange`` judges.
    public let extent: Extent

    /// How much a plan and those after it would change.
    public struct Extent: Hashable, Sendable {
        /// Items that go here.
        public var deletedHere = 0
        /// Items that go on the server.
        public var deletedThere = 0
        /// Files that get other content here.
        public var replacedHere = 0
        /// Files that get other content on the server.
        public var replacedThere = 0
        /// Items that both sides had agreed on.
        public var agreed = 0

        /// Nothing changes.
        public init() {}
    }

    /// Plans.
    ///
    /// - Parameters:
    ///   - base: What both sides last agreed on.
    ///   - here: What this device has.
    ///   - there: What the server has.
    ///   - held: Items that wait for a person; nothing is done to them.
    ///   - rules: When two names are one.
    ///   - naming: What copies of conflicts are called.
    public init(
        base: SyncTree, here: SyncTree, there: SyncTree, held: Set<ItemID> = [], rules: NameRules = .exact,
        naming: ConflictNaming
    ) {
        let notes = Self.notes(base, here, there)
        let merged = MergedTree(base: base, here: here, there: there, held: held, rules: rules, naming: naming)
        extent = Self.extent(merged)
        let reads = there.items.filter { $0.value.isUnread && !held.contains($0.key) }.keys.sorted()
        guard reads.isEmpty else {
            steps = notes + reads.map(SyncStep.read)
            return
        }
        let first = Self.identities(merged, rules, naming)
        guard first.isEmpty else {
            steps = notes + first
            return
        }
        let sides = SyncSide.allCases.flatMap { side in
            SideSteps(side: side, from: side == .here ? here : there, to: merged.items, held: held, rules: rules).steps
        }
        steps = notes + sides
    }

    // Each attribute is agreed on by itself: a download that was done is agreed on though a move still waits.
    private static func notes(_ base: SyncTree, _ here: SyncTree, _ there: SyncTree) -> [SyncStep] {
        var notes: [SyncStep] = []
        for id in here.items.keys.sorted() {
            guard let mine = here[id], let theirs = there[id], mine.isFolder == theirs.isFolder else { continue }
            let isPlaced = mine.location == theirs.location && !mine.name.isReserved
            let isSame = mine.isFolder || (mine.digest != nil && mine.digest == theirs.digest)
            guard let old = base[id] else {
                if isPlaced && isSame { notes.append(.agree(id, mine)) }
                continue
            }
            var new = old
            if isPlaced { new = new.at(mine.location) }
            if isSame { new.kind = mine.kind }
            if new != old { notes.append(.agree(id, new)) }
        }
        notes += base.items.keys.filter { here[$0] == nil && there[$0] == nil }.sorted().map { .agree($0, nil) }
        return notes
    }

    // What two items are one, and which file becomes two.
    private static func identities(_ merged: MergedTree, _ rules: NameRules, _ naming: ConflictNaming) -> [SyncStep] {
        var steps = merged.twins.map { SyncStep.join(here: $0.here, there: $0.there) }
        guard !merged.conflicts.isEmpty else { return steps }
        var taken = Set(
            (Array(merged.here.items.values) + merged.items.values).map { item in
                ItemLocation(parent: item.parent, name: rules.key(item.name))
            })
        for id in merged.conflicts {
            guard let mine = merged.here[id] else { continue }
            var count = 1
            var name = naming.name(for: mine.name)
            while !taken.insert(ItemLocation(parent: mine.parent, name: rules.key(name))).inserted {
                count += 1
                name = naming.name(for: mine.name, copy: count)
            }
            steps.append(.setAside(id, as: name))
        }
        return steps
    }

    private static func extent(_ merged: MergedTree) -> Extent {
        var extent = Extent()
        extent.agreed = merged.base.items.count
        for id in merged.here.items.keys where merged.items[id] == nil { extent.deletedHere += 1 }
        for id in merged.there.items.keys where merged.items[id] == nil { extent.deletedThere += 1 }
        for (id, old) in merged.base.items where !old.isFolder {
            // What nobody has read yet may be the same: the plan after the reading tells.
            guard let mine = merged.here[id], let theirs = merged.there[id], !mine.isUnread, !theirs.isUnread,
                mine.kind != theirs.kind
            else { continue }
            if mine.kind == old.kind { extent.replacedHere += 1 }
            if theirs.kind == old.kind { extent.replacedThere += 1 }
        }
        return extent
    }
}
