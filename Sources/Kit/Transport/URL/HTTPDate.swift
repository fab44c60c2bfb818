internal import PavisePrimitives

/// The dates of HTTP (RFC 9110 §5.6.7), read as forgivingly as RFC 6265 §5.1.1 demands. A second of 60, which RFC 9110
/// knows as a leap second and RFC 6265 does not, is the one after 59: a cookie that ends then ends.
enum HTTPDate {
    /// Seconds since 1970, or `nil` for a text that names no moment.
    static func seconds(_ text: String) -> Int64? {
        var day: Int64?
        var month: Int64?
        var year: Int64?
        var time: Int64?
        for token in text.utf8.prefix(64).split(whereSeparator: isDelimiter) {
            if time == nil, let found = clock(token) {
                time = found
            } else if day == nil, (1...2).contains(token.count), let number = number(token) {
                day = number
            } else if month == nil, let found = monthNumber(token) {
                month = found
            } else if year == nil, (2...4).contains(token.count), let number = number(token) {
                switch number {
                case ..<70: year = number + 2000
                case ..<100: year = number + 1900
                default: year = number
                }
            }
        }
        guard let day, let month, let year, let time, (1601...9999).contains(year), day >= 1,
            day <= CivilDate.days(inMonth: Int(month), of: Int(year))
        else { return nil }
        return Int64(CivilDate(year: Int(year), month: Int(month), day: Int(day)).daysSince1970) * 86_400 + time
    }

    /// The moment as `2026-11-22T06:00:00Z`.
    static func text(_ seconds: Int64) -> String { CivilTime(seconds: seconds).text + "Z" }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A: false
        default: true
        }
    }

    private static func number(_ token: Substring.UTF8View.SubSequence) -> Int64? {
        token.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } ? Int64(String(decoding: token, as: UTF8.self)) : nil
    }

    private static func clock(_ token: Substring.UTF8View.SubSequence) -> Int64? {
        let parts = token.split(separator: 0x3A, omittingEmptySubsequences: false)
        guard parts.count == 3, let hour = number(parts[0]), let minute = number(parts[1]),
            let second = number(parts[2]),
            parts.allSatisfy({ (1...2).contains($0.count) }), hour < 24, minute < 60, second < 61
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func monthNumber(_ token: Substring.UTF8View.SubSequence) -> Int64? {
        let names = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        let start = String(decoding: token.prefix(3), as: UTF8.self).lowercased()
        return names.firstIndex(of: start).map { Int64($0 + 1) }
    }
}
