public import Foundation

/// One night of the diary. What it says fits together: a value that does not cannot be made.
///
/// Moments are in UTC, and beside each stands the offset of the clock that the person saw: durations come from the
/// moments, so that the night of a clock change has its hour less or more.
public struct Night: Hashable, Sendable, Codable {
    /// Why a night cannot be as it was told.
    public enum Problem: Error, Hashable, Sendable {
        /// Up before to bed, or more than 24 hours later.
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
    /// When they went to bed.
    public let toBed: Date
    /// Minutes that the clock was ahead of UTC then.
    public let offsetToBed: Int
    /// When they got up.
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
