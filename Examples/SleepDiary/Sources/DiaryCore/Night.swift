public import Foundation

/// One night of the diary. What it says fits together: a value that does not cannot be made, and none is read.
///
/// Moments are in UTC, and beside each stands the offset of the clock that the person saw: durations come from the
/// moments, so that the night of a clock change has its hour less or more.
public struct Night: Hashable, Sendable, Codable {
    /// Why a night cannot be as it was told.
    public enum Problem: Error, Hashable, Sendable {
        /// Up before to bed, or more than 24 hours later, or not in the years 1900 to 2999.
        case order
        /// Falling asleep and lying awake take longer than the time in bed, or less than nothing.
        case awake
        /// No zone on Earth: UTC−12 to UTC+14 (IANA time zone database).
        case offset
        /// A note has at most 4,000 characters.
        case note
    }

    /// Names the night.
    public let id: UUID
    /// The day of the evening, as the person has it.
    public let date: String
    /// When they went to bed, in whole milliseconds.
    public let toBed: Date
    /// Minutes that the clock was ahead of UTC then.
    public let offsetToBed: Int
    /// When they got up, in whole milliseconds.
    public let up: Date
    /// Minutes that the clock was ahead of UTC then.
    public let offsetUp: Int
    /// Minutes until they fell asleep.
    public let asleepAfter: Int
    /// Minutes that they lay awake later.
    public let awake: Int
    /// What they wrote.
    public let note: String
    /// Counts the changes of this night, from 1 on.
    public let version: Int

    /// A night; what does not fit together is refused.
    public init(
        id: UUID = UUID(), date: LocalDate, toBed: Date, offsetToBed: Int, up: Date, offsetUp: Int, asleepAfter: Int,
        awake: Int, note: String = "", version: Int = 1
    ) throws(Problem) {
        guard let toBed = Self.moment(toBed), let up = Self.moment(up) else { throw .order }
        let minutes = up.timeIntervalSince(toBed) / 60
        guard minutes > 0, minutes <= 1_440 else { throw .order }
        guard (0...1_440).contains(asleepAfter), (0...1_440).contains(awake), Double(asleepAfter + awake) <= minutes
        else {
            throw .awake
        }
        guard [offsetToBed, offsetUp].allSatisfy((-720...840).contains) else { throw .offset }
        guard note.count <= 4_000 else { throw .note }
        self.id = id
        self.date = date.description
        self.toBed = toBed
        self.offsetToBed = offsetToBed
        self.up = up
        self.offsetUp = offsetUp
        self.asleepAfter = asleepAfter
        self.awake = awake
        self.note = note
        self.version = version
    }

    /// Reads a night. One that does not fit together is refused here, too: a damaged or foreign one is shown to nobody.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard let date = LocalDate(try values.decode(String.self, forKey: .date)) else {
            throw DecodingError.dataCorruptedError(forKey: .date, in: values, debugDescription: "no day")
        }
        let id = try values.decode(UUID.self, forKey: .id)
        let (toBed, up) = (try values.decode(Date.self, forKey: .toBed), try values.decode(Date.self, forKey: .up))
        let offsetToBed = try values.decode(Int.self, forKey: .offsetToBed)
        let offsetUp = try values.decode(Int.self, forKey: .offsetUp)
        let asleepAfter = try values.decode(Int.self, forKey: .asleepAfter)
        let awake = try values.decode(Int.self, forKey: .awake)
        let note = try values.decode(String.self, forKey: .note)
        let version = try values.decode(Int.self, forKey: .version)
        // Each change counts one more.
        guard (1...1_000_000_000).contains(version) else {
            throw DecodingError.dataCorruptedError(forKey: .version, in: values, debugDescription: "no version")
        }
        do throws(Problem) {
            try self.init(
                id: id, date: date, toBed: toBed, offsetToBed: offsetToBed, up: up, offsetUp: offsetUp,
                asleepAfter: asleepAfter, awake: awake, note: note, version: version)
        } catch {
            throw DecodingError.dataCorruptedError(forKey: .up, in: values, debugDescription: "no night: \(error)")
        }
    }

    // Whole milliseconds are the same after a database, an export and a server.
    private static func moment(_ moment: Date) -> Date? {
        let milliseconds = (moment.timeIntervalSince1970 * 1_000).rounded()
        return range.contains(milliseconds) ? Date(timeIntervalSince1970: milliseconds / 1_000) : nil
    }

    // The years 1900 to 2999, as those of a day, in milliseconds.
    private static let range = -2_209_032_000_000.0...32_503_766_400_000.0

    /// The same night with another note, as its next version.
    public func noting(_ text: String) throws(Problem) -> Night {
        guard let day else { throw .order }
        return try Night(
            id: id, date: day, toBed: toBed, offsetToBed: offsetToBed, up: up, offsetUp: offsetUp,
            asleepAfter: asleepAfter, awake: awake, note: text, version: version + 1)
    }

    /// The day of the evening.
    public var day: LocalDate? { LocalDate(date) }
    /// Minutes from going to bed to getting up.
    public var minutesInBed: Double { up.timeIntervalSince(toBed) / 60 }
    /// Minutes of sleep.
    public var minutesAsleep: Double { minutesInBed - Double(asleepAfter + awake) }
    /// The part of the time in bed that was sleep, 0 to 1 (Reed and Sacco, J Clin Sleep Med 2016).
    public var efficiency: Double { minutesAsleep / minutesInBed }
}
