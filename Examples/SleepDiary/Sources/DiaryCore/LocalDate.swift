public import PaviseStorage

/// A day of the Gregorian calendar, wherever the person is. It has no time and no zone.
///
/// ```swift
/// LocalDate("2026-10-24")?.week   // 2026-W43
/// ```
public struct LocalDate: Hashable, Comparable, Sendable, RawRepresentable, SQLConvertible, CustomStringConvertible {
    /// Days since 1970-01-01.
    public let days: Int

    /// A day by its number; `nil` outside the years 1900 to 2999.
    public init?(days: Int) {
        guard (-25_567...376_199).contains(days) else { return nil }
        self.days = days
    }

    /// `2026-10-24`, and nothing else: a day that the calendar does not have is `nil`.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], text.utf8.allSatisfy({ $0 == 0x2d || (0x30...0x39).contains($0) }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]), (1...12).contains(month)
        else { return nil }
        self.init(days: Self.days(year, month, day))
        // 30 February would be a day of March.
        guard description == text else { return nil }
    }

    /// The same as ``init(_:)``.
    public init?(rawValue: String) { self.init(rawValue) }
    /// `2026-10-24`.
    public var rawValue: String { description }

    /// The earlier day.
    public static func < (one: LocalDate, other: LocalDate) -> Bool { one.days < other.days }

    /// Year, month 1 to 12, day 1 to 31.
    public var parts: (year: Int, month: Int, day: Int) {
        // Howard Hinnant, “chrono-Compatible Low-Level Date Algorithms”: years begin in March, eras have 400 years.
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * dayOfYear + 2) / 153
        let isEarly = month >= 10
        return (
            yearOfEra + era * 400 + (isEarly ? 1 : 0), month + (isEarly ? -9 : 3), dayOfYear - (153 * month + 2) / 5 + 1
        )
    }

    /// 1 for Monday to 7 for Sunday (ISO 8601).
    public var weekday: Int { (days + 3 - (days + 3).flooredQuotient(7) * 7) + 1 }

    /// The week of ISO 8601, `2026-W43`: it belongs to the year that has its Thursday.
    public var week: String {
        let thursday = days + 4 - weekday
        let year = Self.year(thursday)
        let number = (thursday - Self.days(year, 1, 1)) / 7 + 1
        return "\(Self.padded(year, 4))-W\(Self.padded(number, 2))"
    }

    /// The month, `2026-10`.
    public var month: String { String(description.prefix(7)) }

    /// `2026-10-24`.
    public var description: String {
        let (year, month, day) = parts
        return "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
    }

    private static func year(_ days: Int) -> Int { LocalDate(days: days)?.parts.year ?? 0 }

    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year.flooredQuotient(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int {
    fileprivate func flooredQuotient(_ divisor: Int) -> Int {
        self >= 0 ? self / divisor : (self - divisor + 1) / divisor
    }
}
