/// A time that a person or an administrator writes, from nothing to a day.
///
/// `90` are seconds; `15m`, `4h`, `30s`, `1h30m`, `1 h 30 min` are what they look like; `01:30` is hours and minutes.
public struct DurationText: Hashable, Sendable {
    /// The time.
    public let duration: Duration

    /// The longest time: 24 hours.
    public static let most = Duration.seconds(86_400)

    /// Reads a text.
    ///
    /// - Throws: ``DurationProblem``, which says what to write.
    public init(_ text: String) throws(DurationProblem) {
        guard !text.isEmpty else { throw .empty }
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) else { throw .form }
        let seconds = text.contains(":") ? Self.clock(text) : Self.parts(text)
        guard let seconds else { throw .form }
        guard seconds <= 86_400 else { throw .tooLong }
        duration = .seconds(seconds)
    }

    /// Checks a number of seconds.
    public init(seconds: Int64) throws(DurationProblem) {
        guard seconds >= 0 else { throw .form }
        guard seconds <= 86_400 else { throw .tooLong }
        duration = .seconds(seconds)
    }

    // HH:MM with both numbers in two digits, up to 24:00.
    private static func clock(_ text: String) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = number(parts[0]),
            let minutes = number(parts[1]), minutes < 60
        else { return nil }
        return hours * 3600 + minutes * 60
    }

    // Numbers with their units, each unit once, from the largest to the smallest.
    private static func parts(_ text: String) -> Int64? {
        var rest = text[...].drop { $0 == " " }
        if let plain = number(rest) { return plain }
        var total: Int64 = 0
        var smallest: Int64 = .max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count).drop { $0 == " " }
            let letters = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(letters.count).drop { $0 == " " }
            guard let count = number(digits), let unit = units[letters.lowercased()], unit < smallest else {
                return nil
            }
            smallest = unit
            total += count * unit
        }
        return smallest == .max ? nil : total
    }

    // Six digits are more than a day in seconds, and no sum of three overflows.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...6).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }

    private static let units: [String: Int64] = [
        "h": 3600, "hour": 3600, "hours": 3600, "m": 60, "min": 60, "minute": 60, "minutes": 60, "s": 1, "sec": 1,
        "second": 1, "seconds": 1,
    ]
}

/// Why a text is no time.
public enum DurationProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nothing was written.
    case empty
    /// Not a form that is read.
    case form
    /// More than a day.
    case tooLong

    /// One sentence that says what to write.
    public var description: String {
        switch self {
        case .empty, .form: "Write a time such as 30s, 15m, 4h, 1h30m or 01:30."
        case .tooLong: "Write a time of at most 24 hours."
        }
    }
}
