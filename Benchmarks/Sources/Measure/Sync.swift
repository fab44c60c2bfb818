internal import Foundation
internal import PaviseSync

/// Plans for trees of so many items: nothing to do, and all of them new here. Seconds, and bytes of memory an item.
func syncPlan(_ arguments: [String]) throws -> [(String, String)] {
    guard let count = arguments.first.flatMap({ Int($0) }), count > 0 else { usage() }
    let before = residentBytes()
    let tree = try tree(of: count)
    let bytes = Double(residentBytes() - before) / Double(count)
    let naming = ConflictNaming(milliseconds: 1_900_000_000_000, device: "bench")
    func seconds(_ base: SyncTree, _ here: SyncTree, _ there: SyncTree, steps: Int) throws -> Double {
        let clock = ContinuousClock()
        let times = try (0..<5).map { _ in
            let begun = clock.now
            let plan = SyncPlan(base: base, here: here, there: there, naming: naming)
            let took = clock.now - begun
            guard plan.steps.count == steps else { throw MeasureFailure(description: "\(plan.steps.count) steps") }
            return Double(took.components.attoseconds) / 1e18 + Double(took.components.seconds)
        }
        return median(times)
    }
    let same = try seconds(tree, tree, tree, steps: 0)
    // Those whose folder is there already: one level of folders.
    let folders = tree.items.count { $0.value.isFolder }
    let new = try seconds(SyncTree(), tree, SyncTree(), steps: folders)
    return [("same", "\(same)"), ("new", "\(new)"), ("bytes", "\(bytes)")]
}

// A hundred files in each folder.
private func tree(of count: Int) throws -> SyncTree {
    var items: [ItemID: SyncItem] = [:]
    items.reserveCapacity(count)
    var folder = ItemID.root
    for number in 1...count {
        guard let name = SyncItemName("name of an item \(number).txt") else {
            throw MeasureFailure(description: "no name")
        }
        let id = ItemID(UInt64(number))
        if number % 100 == 1 {
            folder = id
            items[id] = SyncItem(parent: .root, name: name, kind: .folder)
        } else {
            let digest = ContentDigest(of: Array("\(number)".utf8))
            items[id] = SyncItem(parent: folder, name: name, kind: .file(.known(digest)))
        }
    }
    return SyncTree(items)
}

private func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * 4_096
}
