/// The `Date` field of an answer (RFC 9110 §5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
enum HTTPMoment {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The text for seconds since 1970.
    static func text(_ seconds: Int64) -> String {
        let seconds = max(0, seconds)
        let (day, month, year) = date(seconds / 86_400)
        let clock = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map(pair).joined(separator: ":")
        return "\(days[Int(seconds / 86_400 % 7)]), \(pair(day)) \(months[Int(month) - 1]) \(year) \(clock) GMT"
    }

    // The Gregorian date of a day since 1970; the year is taken to begin in March, so that a leap day comes last.
    private static func date(_ day: Int64) -> (day: Int64, month: Int64, year: Int64) {
        let shifted = day + 719_468
        let era = shifted / 146_097
        let inEra = shifted % 146_097
        let yearOfEra = (inEra - inEra / 1460 + inEra / 36_524 - inEra / 146_096) / 365
        let inYear = inEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * inYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        return (inYear - (153 * part + 2) / 5 + 1, month, era * 400 + yearOfEra + (month <= 2 ? 1 : 0))
    }

    private static func pair(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
