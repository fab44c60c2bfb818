package import PavisePrimitives

/// How much time passed for a session, by both clocks.
extension ClockReading {
    /// Milliseconds from `earlier` to here.
    ///
    /// Within one boot the wall clock has no say: setting it changes nothing (session SR14, oauth S6). Across a boot
    /// only the wall clock is left; a wall clock that went back counts as no time.
    package func milliseconds(since earlier: ClockReading) -> Int64 {
        let distance =
            isSameBoot(as: earlier)
            ? continuous.subtractingReportingOverflow(earlier.continuous)
            : wall.subtractingReportingOverflow(earlier.wall)
        return distance.overflow ? .max : max(0, distance.partialValue)
    }
}
