import PaviseAppLock
import PavisePrimitives
import TestSupport
import Testing

/// The pure machine: every sequence of events up to a depth, and the rules that no sequence may break.
@Suite struct AppLockMachineTests {
    @Test("AL16, AL18, AL33, AL36: no sequence of events breaks a rule", .long, arguments: [0, 1, 2] as [UInt8])
    func everySequence(_ failures: UInt8) {
        let walk = LockWalk(from: LockWorld(failures: failures), depth: 5)
        #expect(walk.found == nil, "\(String(describing: walk.found))")
        // A machine that does nothing would have one world.
        #expect(walk.worlds > 10_000, "\(walk.worlds) worlds, \(walk.steps) steps")
    }

    @Test(
        "A control that is taken away is noticed",
        arguments: [
            (.countsLater, .judgedBeforeCount), (.ignoresDelay, .judgedInDelay), (.delaysByWall, .judgedInDelay),
            (.forgetsAtStart, .judgedBeforeCount), (.nothingOpens, .openWithoutProof), (.keepsKey, .keyLeft),
            (.bareBoolean, .openWithoutProof),
        ] as [(LockTwist, LockBreach)])
    func removedControl(_ twist: LockTwist, _ breach: LockBreach) {
        let starts = [0, 1, 2].map { LockWorld(twist, failures: $0) }
        let found = starts.compactMap { LockWalk(from: $0, depth: 3).found }
        #expect(found.map(\.breach).contains(breach), "\(found)")
    }
}
