import Foundation
import Pavise
import PaviseSync
import Testing

@testable import DiaryCore

/// What the windows of every system say.
@Suite struct DiaryTextTests {
    private let english = DiaryText(.english)
    private let german = DiaryText(.german)

    @Test func `days and months are written in the person's language`() throws {
        let date = try #require(LocalDate("2026-11-25"))
        #expect(english.day(date).contains("November") && english.day(date).contains("Wednesday"))
        #expect(german.day(date).contains("Mittwoch") && german.month("2026-03").contains("März"))
        #expect(english.day(nil).isEmpty && english.month("never").isEmpty)
    }

    @Test func `a night is told with its times, its sleep and its note`() throws {
        let night = try Night(
            date: try #require(LocalDate("2026-11-25")), toBed: Date(timeIntervalSince1970: 1_795_644_000),
            offsetToBed: 60, up: Date(timeIntervalSince1970: 1_795_672_800), offsetUp: 60, asleepAfter: 30, awake: 30,
            note: "rain")
        let line = english.line(night)
        #expect(line.hasSuffix("\nrain") && line.contains("7 h 0 min") && line.contains("88 %"))
        #expect(line.contains(english.clock(night.toBed, 60)) && german.line(night) != line)
    }

    @Test func `figures are those of the days that are shown, and none of no night`() throws {
        let nights = try SampleMonth.nights(through: try #require(LocalDate("2026-11-25"))).reversed()
        let last = try #require(LocalDate("2026-11-25"))
        let shown = try #require(SleepFigures(Array(nights), days: 14, through: last))
        #expect(shown.nights == 13 && shown.efficiency > 0.5 && shown.efficiency < 1)
        #expect(SleepFigures([], days: 14, through: last) == nil)
        #expect(SleepFigures(Array(nights), days: 14, through: try #require(LocalDate("2025-01-01"))) == nil)
    }

    private func outcome(
        _ records: Set<RecordReport.Question> = [], _ documents: Set<SyncReport.Question> = []
    ) -> DiarySync.Outcome {
        DiarySync.Outcome(
            sent: 0, received: 0, unreadable: 0, questions: records,
            documents: DocumentSync.Outcome(sent: 0, received: 0, questions: documents))
    }

    @Test func `a question says where something would be erased, and what the server does not take is none`() throws {
        let (here, there) = (english.phrases.syncErasesHere, english.phrases.syncErasesThere)
        #expect(english.question(outcome([.emptied(3)])) == here)
        #expect(english.question(outcome([], [.massChange(.deletions(here: 0, there: 9, of: 10))])) == there)
        #expect(english.question(outcome([], [.massChange(.emptied(.here))])) == there)
        #expect(english.question(outcome([], [.massChange(.emptied(.there))])) == here)
        #expect(german.question(outcome([.otherCollection], [.otherOwner])) == german.phrases.syncChanges)
        let both = outcome([.deletions(11, of: 12)], [.massChange(.deletions(here: 0, there: 9, of: 10))])
        #expect(english.question(both) == here + "\n\n" + there && both.asks)
        let path = [try #require(SyncItemName("letter.txt"))]
        let refused = outcome([], [.refused(path)])
        #expect(!refused.asks && english.question(refused).isEmpty)
        #expect(english.text(refused).contains("does not take: 1") && !outcome().asks)
    }

    @Test func `a key is shown in groups of four, and loses nothing`() {
        #expect(english.grouped("abcdefghij") == "abcd efgh ij" && english.grouped("") == "")
    }

    @Test func `what waits is told with documents only where there are some`() {
        #expect(english.waiting(nights: 0, documents: 0) == english.phrases.syncDone)
        #expect(!english.waiting(nights: 2, documents: 0).contains("Documents"))
        #expect(german.waiting(nights: 0, documents: 3).contains("3"))
    }

    @Test func `the windows of a phone and of a desktop say the same, but for what only one of them has`() throws {
        let (desktop, phone) = (try Self.sentences("Sources/Desktop"), try Self.sentences("Apple/App"))
        #expect(desktop.count > 100 && phone.count > 100)
        // A phone's app is not ended, shows a document as text, and is one with its sign-in's sheet; its form closes.
        let ofDesktop: Set = ["browserOpened", "documentNotOpened", "nightSaved", "openDocument", "quit"]
        #expect(desktop.subtracting(phone) == ofDesktop)
        let ofPhone: Set = ["biometricsReason", "openWithBiometrics", "useBiometrics", "useBiometricsText"]
        #expect(phone.subtracting(desktop) == ofPhone)
    }

    @Test func `no alert of a phone, which would lie above the cover, says who the person is`() throws {
        let lines = try Self.sources("Apple/App").flatMap { $0.split(separator: "\n") }
        let told = lines.filter { $0.contains("serverSays") }
        #expect(told.count == 1 && !told[0].contains("say("))
    }

    @Test func `no window takes 24 hours for a day, which has 23 or 25 where the clock is changed`() throws {
        for text in try Self.sources("Sources/Desktop") + Self.sources("Apple/App") {
            #expect(!text.contains("-86_400"))
        }
    }

    @Test func `a question that was on its way when the lock closed is not put above the lock`() throws {
        let text = try Self.sources("Sources/Desktop").joined()
        let parts = text.components(separatedBy: "let question = Question(")
        #expect(parts.count == 2 && parts.first?.contains("guard !isLocked else { return safe }") == true)
        let dialogs = text.components(separatedBy: "let dialog = FileDialog(")
        #expect(dialogs.count == 2 && dialogs.first?.contains("guard let window, !isLocked else") == true)
    }

    @Test func `where everything was erased nobody is reminded any more`() throws {
        let desktop = try Self.sources("Sources/Desktop").joined()
        for stage in ["case .choosePIN:", "case .erased:"] {
            let parts = desktop.components(separatedBy: stage + "\n                endReminding()\n")
            #expect(parts.count == 2, "\(stage)")
        }
        let phone = try Self.sources("Apple/App").joined()
        #expect(phone.components(separatedBy: "await Reminders.remove(self)").count == 3)
    }

    @Test func `what a person did is sent behind a run that goes on, and not dropped`() throws {
        for folder in ["Sources/Desktop", "Apple/App"] {
            let text = try Self.sources(folder).joined()
            #expect(text.contains("run(waits: now)") && !text.contains("run(waits: false)"))
        }
    }

    // The texts of the sources of a folder.
    private static func sources(_ folder: String) throws -> [String] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        let place = tests.appendingPathComponent("../../Examples/SleepDiary/\(folder)").standardized
        return try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasSuffix(".swift") }.map {
            try String(contentsOf: place.appendingPathComponent($0), encoding: .utf8)
        }
    }

    // The names behind `phrases.` in the sources of a folder.
    private static func sentences(_ folder: String) throws -> Set<String> {
        var found: Set<String> = []
        for text in try sources(folder) {
            for part in text.components(separatedBy: "phrases.").dropFirst() {
                found.insert(String(part.prefix { $0.isLetter || $0.isNumber }))
            }
        }
        return found
    }
}
