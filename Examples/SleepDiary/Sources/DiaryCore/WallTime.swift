public import Foundation

/// A time as a clock on the wall shows it.
public struct WallTime: Hashable, Sendable {
    /// 0 to 23.
    public let hour: Int
    /// 0 to 59.
    public let minute: Int

    /// A time; `nil` for one that no clock shows.
    public init?(_ hour: Int, _ minute: Int) {
        guard (0...23).contains(hour), (0...59).contains(minute) else { return nil }
        self.hour = hour
        self.minute = minute
    }

    /// The moments at which a clock in `zone` shows this time on `date`, the earlier one first.
    ///
    /// One on most days; none in the hour that the clock leaves out in spring; two in the hour that comes twice in
    /// autumn. The person is asked then, and nothing is guessed.
    public func moments(on date: LocalDate, in zone: TimeZone) -> [Date] {
        let local = Double(date.days * 86_400 + hour * 3_600 + minute * 60)
        let around = [-1.0, 1.0].map { zone.secondsFromGMT(for: Date(timeIntervalSince1970: local + $0 * 86_400)) }
        return Set(around).map { Date(timeIntervalSince1970: local - Double($0)) }
            .filter { $0.timeIntervalSince1970 + Double(zone.secondsFromGMT(for: $0)) == local }
            .sorted()
    }
}
