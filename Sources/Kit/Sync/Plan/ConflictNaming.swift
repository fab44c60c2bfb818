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
        var kept = Substring(Self.withoutSuffix(stem))
        var extra = ending
        if suffix.utf8.count + extra.utf8.count >= SyncItemName.limit { extra = "" }
        while kept.utf8.count + suffix.utf8.count + extra.utf8.count > SyncItemName.limit { kept = kept.dropLast() }
        return SyncItemName(unchecked: kept + suffix + extra)
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
            bytes[(open - 1)...].starts(with: " (conflict ".utf8)
        else { return stem }
        return String(decoding: bytes[..<(open - 1)], as: UTF8.self)
    }

    private static func moment(_ milliseconds: Int64) -> String {
        let time = CivilTime(seconds: max(0, milliseconds / 1000))
        return "\(time.day) \(time.clock.hour)\(time.clock.minute)\(time.clock.second)"
    }
}
