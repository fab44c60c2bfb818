internal import PavisePrimitives

extension Report.Fact {
    /// When a certificate ends, seen from `now`: the days that are left, rounded down before the end and after it, so
    /// that what ends in an hour ends today.
    ///
    /// - Parameters:
    ///   - notAfter: The end, in seconds since 1970.
    ///   - now: The time, in seconds since 1970.
    static func expiry(of notAfter: Int64, at now: Int64) -> Self {
        let days = (notAfter - now).quotientAndRemainder(dividingBy: 86_400)
        let whole = days.remainder < 0 ? days.quotient - 1 : days.quotient
        let words =
            switch whole {
            case 0: "expires today"
            case 1: "expires tomorrow"
            case 2...: "expires in \(whole) days"
            case -1: "has expired"
            default: "has expired \((-whole - 1).counting("day")) ago"
            }
        return Self("daysLeft", "Expiry", .integer(whole), words: words)
    }
}
