package import PavisePrimitives

/// What both clocks said at one moment (app-lock AL28).
///
/// The wall clock can be set by anybody; the continuous clock counts sleep, cannot be set, and begins again with each boot.
package struct ClockReading: Hashable, Sendable {
    /// Milliseconds since 1970.
    package let wall: Int64
    /// Milliseconds since the boot, sleep included.
    package let continuous: Int64
    /// Names the boot.
    package let boot: String

    /// A reading from its parts.
    package init(wall: Int64, continuous: Int64, boot: String) {
        self.wall = wall
        self.continuous = continuous
        self.boot = boot
    }

    /// Now.
    package init(_ time: TimeSource) {
        self.init(
            wall: time.wallMilliseconds, continuous: time.bootMilliseconds,
            boot: String(time.bootEpoch.prefix(64)))
    }

    /// The part that delays after wrong PINs go by: the wall clock has no say in them.
    package var moment: Attempts.Moment { Attempts.Moment(boot: boot, milliseconds: continuous) }

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
