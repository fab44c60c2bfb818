import Foundation
import PaviseSync
import Testing

@Suite struct PlanTests {
    /// `PAVISE_SYNC_SEEDS` asks for more, in the conformance run.
    private var count: UInt64 { ProcessInfo.processInfo.environment["PAVISE_SYNC_SEEDS"].flatMap(UInt64.init) ?? 4_000 }

    @Test func `SY1: random triples end within 200 plans, both sides equal, nothing lost, in any order of steps`() {
        for seed in 0..<count {
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
