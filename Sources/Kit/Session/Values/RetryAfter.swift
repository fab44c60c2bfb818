/// The `Retry-After` field (RFC 9110 §10.2.3).
package enum RetryAfter {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Seconds to wait, from a number or a date; `nil` for anything else. Never negative.
    package static func seconds(_ text: String?, wallSeconds: Int64) -> Int64? {
        guard let text else { return nil }
        if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { return Int64(text) ?? .max }
        return date(text).map { max(0, $0 - wallSeconds) }
    }

    /// Seconds since 1970 of an IMF-fixdate: "Sun, 06 Nov 1994 08:49:37 GMT". The two obsolete forms are not read.
    package static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        guard parts.count == 6, parts[5] == "GMT", let day = Int64(parts[1]), let year = Int64(parts[3]),
            let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int64($0) }
        guard clock.count == 3, (1...31).contains(day), (1970...9999).contains(year), (0...23).contains(clock[0]),
            (0...59).contains(clock[1]), (0...60).contains(clock[2])
        else { return nil }
        return days(year, Int64(month) + 1, day) * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    // Days since 1970 in the Gregorian calendar; the year is taken to begin in March, so that a leap day comes last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
    }
}
