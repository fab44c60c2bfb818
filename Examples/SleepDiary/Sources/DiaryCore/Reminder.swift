public import Foundation
public import PavisePrivacy

/// When a person is reminded to tell about the last night.
public struct Reminder: Hashable, Sendable {
    /// The time on the clock.
    public let time: WallTime

    /// A reminder at a time of each day.
    public init(at time: WallTime) { self.time = time }

    /// The next moment to remind.
    ///
    /// - Parameters:
    ///   - now: Later than this.
    ///   - zone: Of the person's clock.
    ///   - kept: The evenings that are in the diary: whoever told about the last night is not reminded.
    public func next(after now: Date, in zone: TimeZone, kept: Set<LocalDate>) -> Date? {
        guard let today = LocalDate(of: now, in: zone) else { return nil }
        // However many evenings were told ahead: without a next moment nobody would wait for one any more.
        for days in 0...(kept.count + 2) {
            guard let day = LocalDate(days: today.days + days), let evening = LocalDate(days: today.days + days - 1)
            else { return nil }
            // In the hour that the clock leaves out there is no such moment: an hour later there is.
            let moments = time.moments(on: day, in: zone) + (time.hourLater?.moments(on: day, in: zone) ?? [])
            guard let moment = moments.min(), moment > now, !kept.contains(evening) else { continue }
            return moment
        }
        return nil
    }
}

/// What the app may say outside of its window: nothing of the diary fits into it.
public enum DiaryNotice: NoticeKind {
    /// Last night has no entry yet.
    case reminder(TimeOfDay)

    /// What is shown.
    public var notice: Notice {
        switch self {
        case .reminder(let time): Notice("notice.reminder", .time(time))
        }
    }
}

extension WallTime {
    var hourLater: WallTime? { WallTime(hour + 1, minute) }

    /// `23:05`; `nil` for any other text. One digit is enough for the hour.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }), let hour = Int(parts[0]),
            let minute = Int(parts[1])
        else { return nil }
        self.init(hour, minute)
    }

    /// The time that a clock in `zone` shows at a moment.
    public init?(of moment: Date, in zone: TimeZone) {
        let seconds = Int(moment.timeIntervalSince1970.rounded(.down)) + zone.secondsFromGMT(for: moment)
        let ofDay = ((seconds % 86_400) + 86_400) % 86_400
        self.init(ofDay / 3_600, ofDay % 3_600 / 60)
    }

    /// `23:05`.
    public var text: String { "\(hour < 10 ? "0" : "")\(hour):\(minute < 10 ? "0" : "")\(minute)" }
}

extension LocalDate {
    /// The day that a calendar in `zone` shows at a moment.
    public init?(of moment: Date, in zone: TimeZone) {
        let seconds = moment.timeIntervalSince1970.rounded(.down) + Double(zone.secondsFromGMT(for: moment))
        self.init(days: Int((seconds / 86_400).rounded(.down)))
    }

    /// The day before the one that a calendar in `zone` shows at a moment: the evening of which somebody tells then.
    /// 24 hours earlier it may be the same day still, or two days before, where the clock was changed.
    public init?(eveningBefore moment: Date, in zone: TimeZone) {
        guard let today = LocalDate(of: moment, in: zone) else { return nil }
        self.init(days: today.days - 1)
    }
}
