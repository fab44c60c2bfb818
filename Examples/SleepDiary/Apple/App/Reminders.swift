import DiaryCore
import Foundation
import PavisePrivacy
import PaviseStorage

/// The reminders of the next days, with the system: it shows them while the app is not running.
@MainActor
enum Reminders {
    /// Takes those back that were planned, and plans anew: none for an evening that was told about.
    static func plan(_ model: DiaryModel) async {
        let center = NoticeCenter(named: model.phrases.appName, texts: texts(model.phrases))
        await center.removeAll()
        guard let settings = model.security?.settings, (try? settings.value(of: .reminds)) == true,
            let minute = try? settings.value(of: .reminderMinute), let time = WallTime(minute / 60, minute % 60),
            let shown = TimeOfDay(hour: time.hour, minute: time.minute)
        else { return }
        let kept = Set(model.nights.compactMap(\.day))
        var last = Date()
        for _ in 0..<days {
            guard let moment = Reminder(at: time).next(after: last, in: .current, kept: kept) else { return }
            do { try await center.show(DiaryNotice.reminder(shown), at: moment) } catch { return }
            last = moment
        }
    }

    /// Takes back what is planned and what is shown.
    static func remove(_ model: DiaryModel) async {
        await NoticeCenter(named: model.phrases.appName, texts: texts(model.phrases)).removeAll()
    }

    /// How many are planned: whoever does not open the app for a week is left alone.
    private static let days = 7

    /// Asks the person through the system, because she turned the switch.
    ///
    /// - Returns: Whether she allows notices.
    static func ask(_ model: DiaryModel, _ action: UserAction) async -> Bool {
        let center = NoticeCenter(named: model.phrases.appName, texts: texts(model.phrases))
        return (try? await center.ask(action)) ?? false
    }

    private static func texts(_ phrases: DiaryPhrases) -> @Sendable (String) -> String {
        { key in
            switch key {
            case "notice.reminder.title": phrases.reminderTitle
            case "notice.reminder.body": phrases.reminderBody
            default: ""
            }
        }
    }
}
