/// Who follows a gate, in the order in which they came.
///
/// A gate may stay as it is for hours, and values that follow it come and go meanwhile. Each comes with its owner: when
/// that is gone, the entry goes with the next one that comes, and at the latest with the gate's next change.
package struct GateObservers {
    private struct Entry {
        let id: UInt64
        let isOwned: Bool
        weak var owner: (any AnyObject & Sendable)?
        let body: @Sendable (Bool) -> Bool
        var isOver: Bool { isOwned && owner == nil }
    }
    private var entries: [Entry] = []
    private var last: UInt64 = 0

    /// Nobody.
    package init() {}

    /// How many there are, with those that are gone and were not dropped yet.
    package var count: Int { entries.count }

    /// All, to be called outside of any mutex.
    package var all: [(id: UInt64, body: @Sendable (Bool) -> Bool)] { entries.map { ($0.id, $0.body) } }

    /// Takes one more; without an owner it stays until it says that it is over.
    package mutating func add(for owner: (any AnyObject & Sendable)?, _ body: @escaping @Sendable (Bool) -> Bool) {
        entries.removeAll { $0.isOver }
        last += 1
        entries.append(Entry(id: last, isOwned: owner != nil, owner: owner, body: body))
    }

    /// Lets go of one.
    package mutating func remove(_ id: UInt64) { entries.removeAll { $0.id == id } }
}
