/// The one form of a date that HTTP sends today, IMF-fixdate (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`.
///
/// The two obsolete forms are not read; cookies, which allow nearly anything, have a reader of their own.
package enum IMFFixdate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds since 1970; `nil` for any other text, and for a year before 1970. The name of the day is not compared
    /// with the date, and a day that the month does not have counts into the next month, as a leap second does into the
    /// next minute.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(separator: " ")
        guard words.count == 6, words[5] == "GMT", let day = number(words[1], digits: 2), (1...31).contains(day),
            let month = months.firstIndex(of: String(words[2])), let year = number(words[3], digits: 4), year >= 1970
        else { return nil }
        let clock = words[4].split(separator: ":", omittingEmptySubsequences: false).map { number($0, digits: 2) }
        guard clock.count == 3, let hour = clock[0], let minute = clock[1], let second = clock[2], hour < 24,
            minute < 60, second < 61
        else { return nil }
        let date = CivilDate(year: year, month: month + 1, day: day)
        return Int64(date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second)
    }

    /// The text for seconds since 1970, which is the first moment that it has.
    package static func text(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        let time = CivilTime(seconds: seconds)
        let (date, clock) = (time.date, time.clock)
        return "\(days[Int(seconds / 86_400 % 7)]), \(CivilTime.two(date.day)) \(months[date.month - 1]) \(date.year)"
            + " \(clock.hour):\(clock.minute):\(clock.second) GMT"
    }

    private static func number(_ text: Substring, digits: Int) -> Int? {
        guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
