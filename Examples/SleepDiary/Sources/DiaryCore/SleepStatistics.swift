public import PaviseStorage

/// Weeks and months of the diary, added up once: in memory alone, until a night changes, the lock closes, somebody
/// signs out, or everything is erased.
///
/// ```swift
/// let weeks = security.statistics.summaries(of: nights, by: .week)
/// ```
public final class SleepStatistics: Sendable {
    private struct Kept: Sendable {
        let nights: [Night]
        let summaries: [SleepSummary]
    }

    private let kept = MemoryCache<SleepSummary.Period, Kept>(countLimit: 2)

    /// Nothing added up yet.
    ///
    /// - Parameter caches: Those of the app, which are emptied together.
    public init(in caches: CacheGroup) { caches.add(kept) }

    /// Whether nothing is kept.
    public var isEmpty: Bool { kept.count == 0 }

    /// One summary for each period that has nights, the earliest first.
    public func summaries(of nights: [Night], by period: SleepSummary.Period) -> [SleepSummary] {
        if let known = kept.value(for: period), known.nights == nights { return known.summaries }
        let summaries = SleepSummary.of(nights, by: period)
        kept.set(Kept(nights: nights, summaries: summaries), for: period)
        return summaries
    }
}
