import PaviseAppLock

/// What can happen to a lock.
enum LockStep: Hashable, CaseIterable {
    case right, wrong, wrongToChange, killedAfterCount, fullDisk, elementAway
    case coldStart, reboot, halfMinute, fiveMinutes, tenHours, wallBack, wallAhead
    case lock, leave, comeBack, use, tick, keyGone, unreadable, tighten
    case finger, noFinger, otherFingers
}

/// What must never be.
enum LockBreach: String, Hashable, Error {
    case openWithoutProof, judgedBeforeCount, judgedInDelay, countLost, openWithoutRecord, keyLeft, openTooLong
    case judgedAfterEnd
}

/// A control that is taken away, to see that the walk notices.
enum LockTwist: Hashable, CaseIterable {
    case none
    /// The count is said to be durable before it is.
    case countsLater
    /// The time that a delay has to run is not looked at.
    case ignoresDelay
    /// Delays go by the clock that everybody can set.
    case delaysByWall
    /// A start forgets the count.
    case forgetsAtStart
    /// What is missing or wrong counts as right.
    case nothingOpens
    /// The key stays in memory.
    case keepsKey
    /// A biometric "yes" without a key opens.
    case bareBoolean
}

/// Takes every step from every world that it has not seen, so that each sequence up to a depth is covered.
struct LockWalk {
    /// A sequence that ends in a breach.
    private(set) var found: (steps: [LockStep], breach: LockBreach)?
    private(set) var worlds = 0
    private(set) var steps = 0

    init(from start: LockWorld, depth: Int) {
        var seen: Set<LockWorld> = [start]
        var frontier: [(LockWorld, [LockStep])] = [(start, [])]
        for _ in 0..<depth {
            var next: [(LockWorld, [LockStep])] = []
            for (world, path) in frontier {
                for step in LockStep.allCases {
                    var changed = world
                    changed.take(step)
                    steps += 1
                    if let breach = changed.breach {
                        found = (path + [step], breach)
                        return
                    }
                    if seen.insert(changed).inserted { next.append((changed, path + [step])) }
                }
            }
            frontier = next
        }
        worlds = seen.count
    }
}
