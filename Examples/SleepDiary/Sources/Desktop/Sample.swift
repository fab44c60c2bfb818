#if DEBUG
import DiaryCore
import Foundation
import Pavise

/// Fills an empty diary with a month of nobody's nights, for `make diary` and its pictures. No release build has it.
enum Sample {
    static func fill() async {
        do {
            let security = try await DiarySecurity.open()
            guard let today = LocalDate(of: Date(), in: .current), let last = LocalDate(days: today.days - 1) else {
                return
            }
            let nights = try SampleMonth.nights(through: last)
            let answers = try SampleMonth.answers(through: last)
            try await security.with { diary in
                for night in nights { try diary.keep(night) }
                for sheet in answers { try diary.keep(sheet) }
                try diary.keep(Consent(moment: Date(), isGiven: true))
            }
            try await security.keep(document: Array(SampleMonth.letter.utf8), named: "clinic-letter.html")
            let wanted = ProcessInfo.processInfo.environment["SLEEP_DIARY_LANGUAGE"] ?? ""
            if let language = DiaryLanguage(rawValue: wanted) { try security.settings.set(language, for: .language) }
            let look = ProcessInfo.processInfo.environment["SLEEP_DIARY_APPEARANCE"] ?? ""
            if let look = Appearance(rawValue: look) { try security.settings.set(look, for: .appearance) }
            print("The diary has \(nights.count) nights.")
        } catch {
            print("The sample could not be made: \(error)")
            exit(1)
        }
    }
}
#endif
