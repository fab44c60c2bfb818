/// A chart of the last nights, as parts of its height and width: pure geometry, drawn by each platform in its own way.
public struct Trend: Hashable, Sendable {
    /// One night.
    public struct Bar: Hashable, Sendable {
        /// The evening.
        public let date: LocalDate
        /// The part of the width at its middle, 0 to 1.
        public let x: Double
        /// Time in bed, as a part of the greatest.
        public let inBed: Double
        /// Sleep, as a part of the greatest time in bed.
        public let asleep: Double
        /// Sleep by time in bed, 0 to 1.
        public let efficiency: Double
    }

    /// The nights, the earliest first.
    public let bars: [Bar]
    /// How wide each is, as a part of the width.
    public let width: Double
    /// Hours at the top.
    public let hours: Int

    /// The chart of the days from `last` back. A day without a night leaves a gap.
    public init(_ nights: [Night], days: Int, through last: LocalDate) {
        let days = max(1, days)
        let shown = nights.compactMap { night in night.day.map { ($0, night) } }
            .filter { ($0.0.days > last.days - days) && $0.0 <= last }.sorted { $0.0 < $1.0 }
        let longest = shown.map(\.1.minutesInBed).max() ?? 0
        hours = max(1, Int((longest / 60).rounded(.up)))
        let top = Double(hours) * 60
        width = 1 / Double(days)
        bars = shown.map { date, night in
            Bar(
                date: date, x: (Double(date.days - last.days + days) - 0.5) / Double(days),
                inBed: night.minutesInBed / top, asleep: night.minutesAsleep / top, efficiency: night.efficiency)
        }
    }
}
