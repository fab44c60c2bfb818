public import Foundation

/// A night as a person types it: times on the wall, minutes, a note. It becomes a ``Night``, or says what is wrong.
public struct NightForm: Hashable, Sendable {
    /// What does not fit.
    public enum Problem: Error, Hashable, Sendable {
        /// No day.
        case date
        /// No time on a clock, or one that the clock left out that night.
        case toBed
        /// As for ``toBed``.
        case up
        /// No number of minutes.
        case minutes
        /// The parts do not fit together.
        case night(Night.Problem)
    }

    /// Bytes of UTF-8 that a note has at most: 4,000 characters of 32 bytes.
    private static let noteLimit = 131_072

    /// Names the night, however often this form is saved.
    public let id: UUID
    /// The day of the evening, `2026-11-25`.
    public var date: String
    /// `23:05`.
    public var toBed: String
    /// `06:45`.
    public var up: String
    /// Minutes until they fell asleep.
    public var asleepAfter: String
    /// Minutes awake later.
    public var awake: String
    /// What they want to say.
    public var note: String

    /// What stands in the form at first: last evening.
    public init(evening: LocalDate) {
        id = UUID()
        date = evening.description
        (toBed, up, asleepAfter, awake, note) = ("23:00", "07:00", "15", "20", "")
    }

    /// The form of a night that is there already.
    public init(_ night: Night) {
        id = night.id
        date = night.date
        toBed = Self.text(night.toBed, night.offsetToBed)
        up = Self.text(night.up, night.offsetUp)
        asleepAfter = "\(night.asleepAfter)"
        awake = "\(night.awake)"
        note = night.note
    }

    /// The night.
    ///
    /// A time to bed from noon on is of the evening's day, an earlier one of the next day; whoever gets up does so
    /// within 24 hours. Of a time that comes twice in the night of a clock change the earlier one is meant. Of a night
    /// whose day and times stand as they were the moments stay, wherever the person is now.
    ///
    /// - Parameters:
    ///   - zone: Of the person's clock.
    ///   - old: The night that this one takes the place of.
    public func night(in zone: TimeZone, replacing old: Night? = nil) throws(Problem) -> Night {
        guard let date = LocalDate(date), let next = LocalDate(days: date.days + 1) else { throw .date }
        guard let bedTime = WallTime(toBed) else { throw .toBed }
        guard let upTime = WallTime(up) else { throw .up }
        guard let asleepAfter = Self.minutes(asleepAfter), let awake = Self.minutes(awake) else { throw .minutes }
        // One character may have any number of marks, and a record of the account has 256 KiB.
        guard note.utf8.count <= Self.noteLimit else { throw .night(.note) }
        // What the person left as it stood is what it was: they may be in another zone now, or it was the later one of
        // two such moments.
        let kept = old.flatMap { NightForm($0).hasTimes(of: self) ? $0 : nil }
        let (bed, up) =
            if let kept { (kept.toBed, kept.up) } else { try moments(date, next, bedTime, upTime, in: zone) }
        do throws(Night.Problem) {
            return try Night(
                id: old?.id ?? id, date: date, toBed: bed,
                offsetToBed: kept?.offsetToBed ?? zone.secondsFromGMT(for: bed) / 60, up: up,
                offsetUp: kept?.offsetUp ?? zone.secondsFromGMT(for: up) / 60, asleepAfter: asleepAfter, awake: awake,
                note: note, version: (old?.version ?? 0) + 1)
        } catch {
            throw .night(error)
        }
    }

    private func hasTimes(of other: NightForm) -> Bool {
        (date, toBed, up) == (other.date, other.toBed, other.up)
    }

    private func moments(
        _ date: LocalDate, _ next: LocalDate, _ bedTime: WallTime, _ upTime: WallTime, in zone: TimeZone
    ) throws(Problem) -> (Date, Date) {
        guard let bed = bedTime.moments(on: bedTime.hour >= 12 ? date : next, in: zone).first else { throw .toBed }
        let ups = upTime.moments(on: date, in: zone) + upTime.moments(on: next, in: zone)
        guard let up = ups.first(where: { $0 > bed }) else { throw .up }
        return (bed, up)
    }

    private static func minutes(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }

    private static func text(_ moment: Date, _ offset: Int) -> String {
        TimeZone(secondsFromGMT: offset * 60).flatMap { WallTime(of: moment, in: $0)?.text } ?? ""
    }
}
