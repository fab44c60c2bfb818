/// What the nights of a week or a month say together.
public struct SleepSummary: Hashable, Sendable {
    /// How nights are taken together.
    public enum Period: Sendable {
        /// Weeks of ISO 8601, `2026-W43`.
        case week
        /// Months, `2026-10`.
        case month
    }

    /// The week or month.
    public let period: String
    /// How many nights were told; nights without an entry count nowhere.
    public let nights: Int
    /// Minutes in bed, the mean.
    public let minutesInBed: Double
    /// Minutes of sleep, the mean.
    public let minutesAsleep: Double
    /// All sleep by all time in bed, 0 to 1. It is not the mean of the nights' own parts, in which a short night counts
    /// as a long one.
    public let efficiency: Double

    /// One summary for each period that has nights, the earliest first.
    public static func of(_ nights: [Night], by period: Period) -> [SleepSummary] {
        var groups: [String: [Night]] = [:]
        for night in nights {
            guard let day = night.day else { continue }
            groups[period == .week ? day.week : day.month, default: []].append(night)
        }
        return groups.keys.sorted().compactMap { name in groups[name].map { SleepSummary(name, $0) } }
    }

    private init(_ period: String, _ nights: [Night]) {
        let inBed = nights.reduce(0) { $0 + $1.minutesInBed }
        let asleep = nights.reduce(0) { $0 + $1.minutesAsleep }
        self.period = period
        self.nights = nights.count
        minutesInBed = inBed / Double(nights.count)
        minutesAsleep = asleep / Double(nights.count)
        efficiency = asleep / inBed
    }
}
