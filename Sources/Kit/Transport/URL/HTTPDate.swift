/// The dates of HTTP (RFC 9110 §5.6.7), read as forgivingly as RFC 6265 §5.1.1 demands.
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
                year = token.count == 4 ? number : number + (number < 70 ? 2000 : 1900)
            }
        }
        guard let day, let month, let year, let time, (1...31).contains(day), (1601...9999).contains(year) else {
            return nil
        }
        return days(year, month, day) * 86_400 + time
    }

    /// The moment as `2026-11-22T06:00:00Z`.
    static func text(_ seconds: Int64) -> String {
        let day = seconds.dividingFloor(by: 86_400)
        let second = seconds - day * 86_400
        let shifted = day + 719_468
        let era = shifted.dividingFloor(by: 146_097)
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let month = (5 * ofYear + 2) / 153
        let date = ofYear - (153 * month + 2) / 5 + 1
        let year = yearOfEra + era * 400 + (month < 10 ? 0 : 1)
        let numbers = [month < 10 ? month + 3 : month - 9, date, second / 3600, second / 60 % 60, second % 60]
        let two = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(year)-\(two[0])-\(two[1])T\(two[2]):\(two[3]):\(two[4])Z"
    }

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

    // Days since 1970-01-01 in the Gregorian calendar: years begin in March, so the leap day is the last of its year.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let ofEra = shifted % 400
        let ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }
}

extension Int64 {
    fileprivate func dividingFloor(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }
}
