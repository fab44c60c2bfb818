import Foundation
import PaviseSync
import Testing

@Suite struct `Plans of three trees` {
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
}
