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
}
