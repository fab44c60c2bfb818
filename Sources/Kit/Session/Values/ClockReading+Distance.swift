package import PavisePrimitives

/// How much time passed for a session, by both clocks.
extension ClockReading {
    /// Milliseconds from `earlier` to here.
    ///
    /// Within one boot the wall clock has no say: setting it changes nothing (session SR14, oauth S6). Across a boot
    /// the wall clock is left, and the time since the start of this boot at least: a clock that was set back hides no
    /// hour in which the machine ran, only those in which it was off.
    package func milliseconds(since earlier: ClockReading) -> Int64 {
        guard !isSameBoot(as: earlier) else { return Self.distance(continuous, earlier.continuous) }
        return max(Self.distance(wall, earlier.wall), max(0, continuous))
    }

    private static func distance(_ later: Int64, _ earlier: Int64) -> Int64 {
        let distance = later.subtractingReportingOverflow(earlier)
        return distance.overflow ? .max : max(0, distance.partialValue)
    }
}
