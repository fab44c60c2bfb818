import Foundation
import PaviseSync
import Testing

@Suite struct PlanTests {
    /// `PAVISE_SYNC_SEEDS` asks for more, in the conformance run.
    private var count: UInt64 { ProcessInfo.processInfo.environment["PAVISE_SYNC_SEEDS"].flatMap(UInt64.init) ?? 4_000 }

    @Test func `SY1: random triples end within 200 plans, both sides equal, nothing lost, in any order of steps`() {
        let first = ProcessInfo.processInfo.environment["PAVISE_SYNC_FIRST"].flatMap(UInt64.init) ?? 0
        for seed in first..<first + count {
            var model = TreeModel(seed: seed)
            let plans = model.run()
            let problems = model.problems
            guard plans <= 200, problems.isEmpty else {
                Issue.record("seed \(seed): \(plans) plans, \(problems)")
                return
            }
        }
    }

    @Test func `SY20: one seed, one run`() {
        for seed: UInt64 in 0..<200 {
            var (one, other) = (TreeModel(seed: seed), TreeModel(seed: seed))
            #expect(one.run() == other.run())
            #expect(one.here == other.here)
        }
    }

    @Test func `SY10: a deleted folder stays for a file in it that was never sent`() throws {
        let name = try #require(SyncItemName("a"))
        let (folder, file) = (ItemID(1), ItemID(2))
        let base = SyncTree([folder: SyncItem(parent: .root, name: name, kind: .folder)])
        var here = base
        here[file] = SyncItem(parent: folder, name: name, kind: .file(.known(ContentDigest(of: [1]))))
        let plan = SyncPlan(base: base, here: here, there: SyncTree(), naming: ConflictNaming(moment: "m", device: "d"))
        #expect(plan.extent.deletedHere == 0)
        #expect(plan.steps == [.create(.there, folder, SyncItem(parent: .root, name: name, kind: .folder))])
    }

    @Test(arguments: [("Abc", "abc"), ("caf\u{E9}", "cafe\u{301}")])
    func `SY17: twins by case or by the form of a letter both stay where a device takes their names for one`(
        _ one: String, _ other: String
    ) throws {
        var there = SyncTree()
        for (number, text) in [one, other].enumerated() {
            let name = try #require(SyncItemName(text))
            let kind = SyncItem.Kind.file(.known(ContentDigest(of: [UInt8(number)])))
            there[ItemID(UInt64(number) + 1)] = SyncItem(parent: .root, name: name, kind: kind)
        }
        func made(_ rules: NameRules) -> [String] {
            let naming = ConflictNaming(moment: "m", device: "d")
            let plan = SyncPlan(base: SyncTree(), here: SyncTree(), there: there, rules: rules, naming: naming)
            return plan.steps.compactMap { step in
                guard case .create(.here, _, let item) = step else { return nil }
                return item.name.text
            }
        }
        #expect(Set(made(.exact).map { Array($0.utf8) }) == Set([one, other].map { Array($0.utf8) }))
        let names = made(.folded).map { $0.lowercased() }
        #expect(names.count == 2 && Set(names).count == 2, "\(names)")
        #expect(names.count { $0.contains("(conflict m d)") } == 1)
    }

    @Test(arguments: [("Abc", "abc"), ("caf\u{E9}", "cafe\u{301}")])
    func `SY17: a name that changes in case alone steps aside first, where a device takes both for one`(
        _ old: String, _ new: String
    ) throws {
        let id = ItemID(1)
        let kind = SyncItem.Kind.file(.known(ContentDigest(of: [1])))
        let (before, after) = (try #require(SyncItemName(old)), try #require(SyncItemName(new)))
        let base = SyncTree([id: SyncItem(parent: .root, name: before, kind: kind)])
        let there = SyncTree([id: SyncItem(parent: .root, name: after, kind: kind)])
        let goal = SyncStep.move(.here, id, to: ItemLocation(parent: .root, name: after))
        func steps(_ here: SyncTree, _ rules: NameRules) -> [SyncStep] {
            let naming = ConflictNaming(moment: "m", device: "d")
            return SyncPlan(base: base, here: here, there: there, rules: rules, naming: naming).steps
        }
        #expect(steps(base, .exact) == [goal])
        let first = steps(base, .folded)
        guard first.count == 1, case .move(.here, id, let aside) = first[0] else {
            Issue.record("\(first)")
            return
        }
        #expect(aside.name != after && aside.name.text.hasPrefix("."))
        let here = SyncTree([id: SyncItem(parent: aside.parent, name: aside.name, kind: kind)])
        #expect(steps(here, .folded) == [goal])
    }

    @Test func `SY11: mass changes are asked about, small ones are not`() {
        func extent(here: Int = 0, there: Int = 0, of agreed: Int) -> SyncPlan.Extent {
            var extent = SyncPlan.Extent()
            (extent.deletedHere, extent.deletedThere, extent.agreed) = (here, there, agreed)
            return extent
        }
        #expect(MassChange.judge(extent(here: 101, of: 10_000), here: 10_000, there: 9_899) != nil)
        #expect(MassChange.judge(extent(there: 6, of: 10), here: 4, there: 10) != nil)
        #expect(MassChange.judge(extent(here: 1, of: 1), here: 1, there: 0) == .emptied(.there))
        #expect(MassChange.judge(extent(there: 3, of: 3), here: 0, there: 3) == .emptied(.here))
        #expect(MassChange.judge(extent(here: 100, of: 10_000), here: 10_000, there: 9_900) == nil)
        #expect(MassChange.judge(extent(of: 10), here: 10, there: 10) == nil)
    }
}
