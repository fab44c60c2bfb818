/// A date of the proleptic Gregorian calendar in UTC, and the only place that counts days.
///
/// ```text
/// CivilDate(daysSince1970: 20_782)                        // 2026-11-25
/// CivilDate(year: 2026, month: 11, day: 25).daysSince1970 // 20782
/// ```
///
/// The arithmetic is H. Hinnant's "chrono-compatible low-level date algorithms": years begin in March, so that the leap
/// day is the last of its year, and 400 years are one era of 146,097 days.
package struct CivilDate: Hashable, Sendable {
    /// The year; 0 is the year before 1.
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    /// A date from its parts, which are not checked: 31 February is 3 March, or 2 March in a leap year.
    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date of the day that comes so many days after 1970-01-01.
    package init(daysSince1970: Int) {
        let days = daysSince1970 + 719_468
        let era = days.dividingDown(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Days since 1970-01-01; negative before.
    package var daysSince1970: Int {
        let years = month <= 2 ? year - 1 : year
        let era = years.dividingDown(by: 400)
        let yearOfEra = years - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// How many days a month has.
    package static func days(inMonth month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }
}

/// A moment of the calendar in UTC, to the second and without leap seconds.
package struct CivilTime: Hashable, Sendable {
    /// The day.
    package let date: CivilDate
    /// 0 to 86,399.
    package let secondOfDay: Int

    /// The moment that comes so many seconds after 1970-01-01T00:00:00Z.
    package init(seconds: Int64) {
        let (days, rest) = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
        date = CivilDate(daysSince1970: rest < 0 ? days - 1 : days)
        secondOfDay = rest < 0 ? rest + 86_400 : rest
    }

    /// Hour, minute and second with two digits each.
    package var clock: (hour: String, minute: String, second: String) {
        (
            Self.two(secondOfDay / 3_600), Self.two(secondOfDay / 60 % 60), Self.two(secondOfDay % 60)
        )
    }

    /// `2026-11-25`.
    package var day: String { "\(date.year)-\(Self.two(date.month))-\(Self.two(date.day))" }

    /// `2026-11-25T06:00:00`, to which RFC 3339 wants a fraction or a zone added.
    package var text: String { "\(day)T\(clock.hour):\(clock.minute):\(clock.second)" }

    static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    /// The quotient towards minus infinity.
    fileprivate func dividingDown(by divisor: Int) -> Int {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }
}
