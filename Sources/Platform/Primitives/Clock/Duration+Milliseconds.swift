extension Duration {
    /// Whole milliseconds, fractions cut; a time that 64 bits do not hold is the longest that they do, in either
    /// direction.
    package var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isBeyond) = seconds.multipliedReportingOverflow(by: 1000)
        let (sum, isOver) = whole.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        guard isBeyond || isOver else { return sum }
        return seconds < 0 ? .min : .max
    }

    /// The same, from nothing to a century: sums of such times in milliseconds stay within 64 bits, and timers take
    /// them. A timer of the system ends the process at `.seconds(Int64.max)`.
    package var bounded: Duration { min(max(.zero, self), .seconds(36_525 * 86_400)) }
}
