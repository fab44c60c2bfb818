#if DEBUG
import DiaryCore
import Foundation
import Pavise

/// Fills an empty diary with a month of nobody's nights, for `make diary` and its pictures. No release build has it.
enum Sample {
    static func fill() async {
        do {
            let security = try await DiarySecurity.open()
            let variables = ProcessInfo.processInfo.environment
            let language = DiaryLanguage(rawValue: variables["SLEEP_DIARY_LANGUAGE"] ?? "") ?? .system
            // Pictures that are compared are of one day.
            let day = variables["SLEEP_DIARY_DAY"].flatMap { LocalDate($0) } ?? LocalDate(of: Date(), in: .current)
            guard let day, let last = LocalDate(days: day.days - 1) else { return }
            let nights = try SampleMonth.nights(through: last, in: language.language)
            if let path = variables["SLEEP_DIARY_RECORDS"] {
                // The same nights, as the server of the clinic has them.
                try SampleMonth.records(of: "alice", nights).write(to: URL(fileURLWithPath: path))
            }
            let answers = try SampleMonth.answers(through: last)
            try await security.with { diary in
                try diary.keep(Consent(moment: Date(), isGiven: true))
                for night in nights { try diary.keep(night) }
                for sheet in answers { try diary.keep(sheet) }
            }
            let (letter, name) =
                language.language == .german
                ? (SampleMonth.germanLetter, "klinikbrief.html") : (SampleMonth.letter, "clinic-letter.html")
            try await security.keep(document: Array(letter.utf8), named: name)
            try security.settings.set(language, for: .language)
            let look = variables["SLEEP_DIARY_APPEARANCE"] ?? ""
            if let look = Appearance(rawValue: look) { try security.settings.set(look, for: .appearance) }
            print("The diary has \(nights.count) nights.")
        } catch {
            print("The sample could not be made: \(error)")
            exit(1)
        }
    }
}
#endif
