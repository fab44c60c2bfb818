internal import Foundation

/// A night as it travels to the other devices of a person: a record of their account.
///
/// Two devices' changes are merged field by field. What belongs together is one field here, so that no merge makes a
/// night that nobody told: to bed at ten by one device, up at nine by the other.
public struct NightRecord: Codable, Identifiable, Hashable, Sendable {
    /// Day, moments and minutes of a night.
    public struct Times: Codable, Hashable, Sendable {
        let date: String
        // Milliseconds since 1970: whole numbers look the same at every server.
        let toBed, up: Int64
        let offsetToBed, offsetUp, asleepAfter, awake: Int
    }

    /// The night's identifier.
    public let id: String
    /// When it was; `nil` for what another program put here.
    public let times: Times?
    /// What the person wrote; `nil` as for ``times``.
    public let note: String?

    /// The record of a night.
    public init(_ night: Night) {
        id = night.id.uuidString
        note = night.note
        times = Times(
            date: night.date, toBed: Self.milliseconds(night.toBed), up: Self.milliseconds(night.up),
            offsetToBed: night.offsetToBed, offsetUp: night.offsetUp, asleepAfter: night.asleepAfter,
            awake: night.awake)
    }

    /// Reads a record. One that is no night of this app is read all the same: it must not keep the others away.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        times = try? values.decode(Times.self, forKey: .times)
        note = try? values.decode(String.self, forKey: .note)
    }

    /// The night; `nil` for a record that says none.
    ///
    /// - Parameter version: Of the night on this device.
    public func night(version: Int) -> Night? {
        guard let id = UUID(uuidString: id), id.uuidString == self.id, let times, let note,
            let date = LocalDate(times.date), Self.range.contains(times.toBed), Self.range.contains(times.up)
        else { return nil }
        return try? Night(
            id: id, date: date, toBed: Self.moment(times.toBed), offsetToBed: times.offsetToBed,
            up: Self.moment(times.up), offsetUp: times.offsetUp, asleepAfter: times.asleepAfter, awake: times.awake,
            note: note, version: version)
    }

    // The years 1900 to 2999, as those of a day.
    private static let range: ClosedRange<Int64> = -2_209_032_000_000...32_503_766_400_000

    private static func milliseconds(_ moment: Date) -> Int64 {
        Int64((moment.timeIntervalSince1970 * 1_000).rounded())
    }

    private static func moment(_ milliseconds: Int64) -> Date {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
    }
}
