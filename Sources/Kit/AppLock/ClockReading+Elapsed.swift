package import PavisePrimitives

/// How much time passed for the lock, by both clocks (AL28).
extension ClockReading {
    /// How much time passed since an earlier reading.
    package enum Elapsed: Hashable, Sendable {
        /// The machine was started again in between: nobody knows, and whatever is open closes (AL29).
        case restarted
        /// Milliseconds: the larger of what both clocks say, and whether they disagree (AL30).
        case time(milliseconds: Int64, isTampered: Bool)
    }

    /// Five seconds for each hour, and never less than five seconds.
    private static func tolerance(_ continuous: Int64) -> Int64 { max(1, continuous / 3_600_000) * 5000 }

    /// The time from `earlier` to here.
    package func elapsed(since earlier: ClockReading) -> Elapsed {
        guard boot == earlier.boot, continuous >= earlier.continuous else { return .restarted }
        let passed = Self.difference(continuous, earlier.continuous)
        let byWall = Self.difference(wall, earlier.wall)
        let gap = Self.difference(passed, byWall).magnitude
        return .time(milliseconds: max(passed, byWall), isTampered: gap > UInt64(Self.tolerance(passed)))
    }

    private static func difference(_ one: Int64, _ other: Int64) -> Int64 {
        let (value, isOver) = one.subtractingReportingOverflow(other)
        guard isOver else { return value }
        return one > other ? .max : .min
    }
}
