internal import PavisePrimitives

/// How the copy of a conflict is called: `NAME (conflict 2026-11-24 221500 DEVICE).EXT` (sync/SY9).
///
/// Time and device are values that are given, so that a plan asks no clock (sync/SY1).
public struct ConflictNaming: Hashable, Sendable {
    /// The moment, `YYYY-MM-DD HHMMSS` in UTC.
    public let moment: String
    /// Which device kept the copy; parentheses, slashes and control characters are taken out.
    public let device: String

    /// A naming from its parts.
    public init(moment: String, device: String) {
        self.moment = moment
        self.device = String(
            device.unicodeScalars.filter {
                $0.value >= 0x20 && $0.value != 0x7F && !"()/\\".unicodeScalars.contains($0)
            }
            .prefix(40).map(Character.init))
    }

    /// A naming for a moment in milliseconds since 1970.
    public init(milliseconds: Int64, device: String) {
        self.init(moment: Self.moment(milliseconds), device: device)
    }

    /// The name of the `count`th copy of `name`, from 1. One suffix takes the place of another, so that names do not
    /// pile up.
    public func name(for name: SyncItemName, copy count: Int = 1) -> SyncItemName {
        let (stem, ending) = Self.parts(of: name.text)
        let suffix = " (conflict \(moment) \(device)\(count > 1 ? " \(count)" : ""))"
        return Self.joined(Self.withoutSuffix(stem), suffix, ending)
    }

    // A name that would be too long loses the end of its stem, and where that is not enough its ending.
    private static func joined(_ stem: String, _ suffix: String, _ ending: String) -> SyncItemName {
        var (kept, extra) = (Substring(stem), ending)
        if suffix.utf8.count + extra.utf8.count >= SyncItemName.limit { extra = "" }
        while kept.utf8.count + suffix.utf8.count + extra.utf8.count > SyncItemName.limit { kept = kept.dropLast() }
        return SyncItemName(unchecked: kept + suffix + extra)
    }

    /// The `number`th name beside `name`, which is none of a copy: `NAME 2.EXT`.
    static func name(beside name: SyncItemName, number: Int) -> SyncItemName {
        let (stem, ending) = parts(of: name.text)
        return joined(stem, " \(number)", ending)
    }

    /// What the name of a copy tells.
    struct Copy: Hashable {
        /// What the other version is called. Of a name that was too long, it has lost the end.
        let original: SyncItemName
        /// When the copy got its name, in seconds since 1970; `nil` where the name has no time.
        let seconds: Int64?
        /// Which device kept it; `nil` where the name does not say.
        let device: String?
    }

    /// Reads the name of a copy; `nil` for any other.
    static func copy(_ name: SyncItemName) -> Copy? {
        let (stem, ending) = parts(of: name.text)
        let left = withoutSuffix(stem)
        guard left != stem, let original = SyncItemName(left + ending) else { return nil }
        // ` (conflict 2026-11-24 221500 DEVICE)`
        let inner = String(decoding: stem.utf8.dropFirst(left.utf8.count + 11).dropLast(), as: UTF8.self)
        let told = inner.split(separator: " ", maxSplits: 2)
        guard told.count >= 2, let moment = seconds(told[0], told[1]) else {
            return Copy(original: original, seconds: nil, device: nil)
        }
        return Copy(original: original, seconds: moment, device: told.count > 2 ? String(told[2]) : nil)
    }

    private static func seconds(_ day: Substring, _ clock: Substring) -> Int64? {
        let digits = (day.utf8.filter { $0 != UInt8(ascii: "-") } + clock.utf8).map { Int($0) - 0x30 }
        guard day.utf8.count == 10, digits.count == 14, digits.allSatisfy((0...9).contains) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let date = CivilDate(year: number(0..<4), month: number(4..<6), day: number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard (1...12).contains(date.month),
            (1...CivilDate.days(inMonth: date.month, of: date.year)).contains(date.day), hour < 24, minute < 60,
            second < 60
        else { return nil }
        return Int64(date.daysSince1970) * 86_400 + Int64(hour * 3_600 + minute * 60 + second)
    }

    /// Whether `name` is that of a copy.
    public static func isCopy(_ name: SyncItemName) -> Bool {
        let stem = parts(of: name.text).stem
        return withoutSuffix(stem) != stem
    }

    // By bytes: some letters join with the parenthesis or the blank behind them. A leading dot begins no ending.
    private static func parts(of text: String) -> (stem: String, ending: String) {
        let bytes = Array(text.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0, !bytes[dot...].contains(UInt8(ascii: ")"))
        else { return (text, "") }
        return (String(decoding: bytes[..<dot], as: UTF8.self), String(decoding: bytes[dot...], as: UTF8.self))
    }

    private static func withoutSuffix(_ stem: String) -> String {
        let bytes = Array(stem.utf8)
        guard bytes.last == UInt8(ascii: ")"), let open = bytes.lastIndex(of: UInt8(ascii: "(")), open > 0,
            bytes[(open - 1)...].starts(with: " (conflict ".utf8), beginsWithMoment(bytes[(open + 10)...])
        else { return stem }
        return String(decoding: bytes[..<(open - 1)], as: UTF8.self)
    }

    // `2026-11-24 221500 …`, whether there is such a day or not. A person's “(conflict of interest)” is none of ours.
    private static func beginsWithMoment(_ bytes: ArraySlice<UInt8>) -> Bool {
        let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 2)
        guard words.count > 1 else { return false }
        let day = words[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard day.count == 3, day[0].count >= 4, day[1].count == 2, day[2].count == 2 else { return false }
        return (day + [words[1]]).allSatisfy { part in part.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func moment(_ milliseconds: Int64) -> String {
        let time = CivilTime(seconds: max(0, milliseconds / 1000))
        return "\(time.day) \(time.clock.hour)\(time.clock.minute)\(time.clock.second)"
    }
}
