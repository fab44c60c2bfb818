public import Foundation
public import Pavise

/// How the app writes days, times and figures in one language: the same words in the windows of every system.
///
/// ```swift
/// let text = DiaryText(.german)
/// text.line(night)
/// ```
public struct DiaryText: Sendable {
    /// The language.
    public let language: MessageLanguage
    /// Its sentences.
    public let phrases: DiaryPhrases

    /// The words of a language.
    public init(_ language: MessageLanguage) {
        self.language = language
        phrases = .of(language)
    }

    private var locale: Locale { Locale(identifier: language == .german ? "de_DE" : "en_GB") }

    // MARK: Days and times

    /// `Wednesday 25 November`; nothing for no day.
    public func day(_ date: LocalDate?) -> String { formatted(date, "EEEEdMMMM") }

    /// `25/11`, for a chart.
    public func shortDay(_ date: LocalDate) -> String { formatted(date, "dM") }

    /// `November 2026` for `2026-11`.
    public func month(_ month: String) -> String { formatted(LocalDate(month + "-01"), "MMMMyyyy") }

    /// `Week 48, 2026` for `2026-W48`.
    public func week(_ week: String) -> String {
        let parts = week.components(separatedBy: "-W")
        return parts.count == 2 ? DiaryPhrases.fill(phrases.weekOf, parts[1], parts[0]) : week
    }

    private func formatted(_ date: LocalDate?, _ template: String) -> String {
        guard let date else { return "" }
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.setLocalizedDateFormatFromTemplate(template)
        return formatter.string(from: Date(timeIntervalSince1970: Double(date.days) * 86_400))
    }

    /// A day and a time.
    public func moment(_ moment: Date) -> String {
        let formatter = DateFormatter()
        formatter.locale = locale
        formatter.dateStyle = .long
        formatter.timeStyle = .short
        return formatter.string(from: moment)
    }

    /// A time on the wall, `offset` minutes from Greenwich's.
    public func clock(_ moment: Date, _ offset: Int) -> String {
        TimeZone(secondsFromGMT: offset * 60).flatMap { WallTime(of: moment, in: $0)?.text } ?? ""
    }

    /// Minutes as hours and minutes.
    public func span(_ minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return "\(whole / 60) h \(whole % 60) min"
    }

    /// A part of one.
    public func percent(_ part: Double) -> String { "\(Int((part * 100).rounded())) %" }

    // MARK: Nights

    /// What a night says, in a line and its note.
    public func line(_ night: Night) -> String {
        let line = DiaryPhrases.fill(
            phrases.nightLine, clock(night.toBed, night.offsetToBed), clock(night.up, night.offsetUp),
            span(night.minutesAsleep), percent(night.efficiency))
        return night.note.isEmpty ? line : "\(line)\n\(night.note)"
    }

    /// What some nights say together.
    public func line(_ figures: SleepFigures) -> String {
        DiaryPhrases.fill(
            phrases.trendLine, "\(figures.nights)", span(figures.inBed), span(figures.asleep),
            percent(figures.efficiency))
    }

    /// What to mend in a form.
    public func sentence(_ problem: NightForm.Problem) -> String {
        switch problem {
        case .date: phrases.wrongDate
        case .toBed, .up: phrases.wrongTime
        case .minutes: phrases.wrongMinutes
        case .night(.awake): phrases.wrongAwake
        case .night(.order), .night(.offset): phrases.wrongOrder
        case .night(.note): phrases.wrongNote
        }
    }

    // MARK: Questionnaires

    /// A questionnaire's name.
    public func title(_ questionnaire: Questionnaire) -> String {
        questionnaire == .isi ? phrases.isi : phrases.phq9
    }

    /// What it asks.
    public func intro(_ questionnaire: Questionnaire) -> String {
        questionnaire == .isi ? phrases.isiIntro : phrases.phq9Intro
    }

    /// The subjects of its items.
    public func items(_ questionnaire: Questionnaire) -> [String] {
        questionnaire == .isi ? phrases.isiItems : phrases.phq9Items
    }

    /// What an item may be answered with, 0 first.
    public func options(_ questionnaire: Questionnaire) -> [String] {
        questionnaire == .isi ? phrases.isiOptions : phrases.phq9Options
    }

    /// What answers say together.
    public func line(_ answers: Answers) -> String {
        switch answers.score {
        case .incomplete(let missing): DiaryPhrases.fill(phrases.incomplete, "\(missing.count)")
        case .complete(let total, let severity):
            DiaryPhrases.fill(
                phrases.sumOf, "\(total)", "\(answers.questionnaire.items * answers.questionnaire.range.upperBound)")
                + " · " + phrases.severity(severity)
        }
    }

    // MARK: Documents

    /// What a document is called in the list.
    public func name(_ document: DiarySecurity.Document) -> String {
        document.name.isEmpty ? phrases.damagedDocument : document.name
    }

    /// Its size, or what is wrong with it.
    public func detail(_ document: DiarySecurity.Document) -> String {
        document.trouble == nil ? "\(max(1, document.length / 1_024)) KiB" : missing(document)
    }

    /// Why a document's page has no text.
    public func missing(_ document: DiarySecurity.Document) -> String {
        guard let trouble = document.trouble else { return phrases.cannotShow }
        return trouble.code == .damaged ? phrases.damagedDocumentText : trouble.message(in: language)
    }

    /// What an export has, after it was written.
    ///
    /// - Parameter unreadable: How many documents are not in it.
    public func exported(unreadable: Int) -> String {
        unreadable == 0 ? phrases.exported : DiaryPhrases.fill(phrases.exportedWithout, "\(unreadable)")
    }

    // MARK: Server

    /// What is not at the server yet.
    public func waiting(nights: Int, documents: Int) -> String {
        let line = nights == 0 ? phrases.syncDone : DiaryPhrases.fill(phrases.syncWaiting, "\(nights)")
        return documents == 0 ? line : line + " " + DiaryPhrases.fill(phrases.documentsWaiting, "\(documents)")
    }

    #if canImport(PaviseSync)
    /// What a sign-out leaves undone, for the question before it: empty where nothing waits. Where nobody can say, it
    /// says that, and not that nothing waits.
    public func unsent(_ security: DiarySecurity) async -> String {
        do {
            guard let sync = try await security.sync() else { return "" }
            let (nights, documents) = (try await sync.waiting(), try await sync.waitingDocuments())
            return nights + documents > 0 ? " " + waiting(nights: nights, documents: documents) : ""
        } catch {
            return " " + phrases.unsentUnknown
        }
    }

    /// What a yes to the questions of a synchronisation would do.
    public func question(_ outcome: DiarySync.Outcome) -> String {
        SyncDanger.allCases.filter(outcome.dangers.contains).map { danger in
            switch danger {
            case .erasesHere: phrases.syncErasesHere
            case .erasesThere: phrases.syncErasesThere
            case .changes: phrases.syncChanges
            }
        }.joined(separator: "\n\n")
    }

    /// What a synchronisation did.
    public func text(_ outcome: DiarySync.Outcome) -> String {
        var text = DiaryPhrases.fill(phrases.syncResult, "\(outcome.sent)", "\(outcome.received)")
        let documents = outcome.documents
        if documents.sent + documents.received > 0 {
            text += " " + DiaryPhrases.fill(phrases.documentsResult, "\(documents.sent)", "\(documents.received)")
        }
        if outcome.unreadable > 0 {
            text += " " + DiaryPhrases.fill(phrases.syncUnreadable, "\(outcome.unreadable)")
        }
        if outcome.refused > 0 { text += " " + DiaryPhrases.fill(phrases.syncRefused, "\(outcome.refused)") }
        return text
    }
    #endif

    /// What fails of a certificate, a line each; that the key changed, where nothing else does.
    public func failures(_ review: CertificateReview) -> String {
        (review.failures.isEmpty ? [.keyChanged] : review.failures).map { "• " + phrases.failure($0) }
            .joined(separator: "\n")
    }

    /// The digest of a key in groups of four, which are compared more easily.
    public func grouped(_ text: String) -> String {
        stride(from: 0, to: text.count, by: 4).map { start in String(text.dropFirst(start).prefix(4)) }
            .joined(separator: " ")
    }

    /// What was erased.
    public func text(_ receipt: DeletionReceipt) -> String {
        var text = DiaryPhrases.fill(
            phrases.receiptText, moment(receipt.moment), "\(receipt.nights)", "\(receipt.questionnaires)",
            "\(receipt.documents)")
        if receipt.consents > 0 { text += " " + DiaryPhrases.fill(phrases.receiptConsents, "\(receipt.consents)") }
        if !receipt.isCounted { text += " " + phrases.receiptUncounted }
        return switch receipt.server {
        case .nothing: text
        case .revoked: text + " " + phrases.receiptRevoked
        case .endsByItself: text + " " + phrases.receiptLater
        }
    }
}

/// The figures of a line about some nights.
public struct SleepFigures: Hashable, Sendable {
    /// How many nights.
    public let nights: Int
    /// Minutes, the mean.
    public let inBed: Double
    /// Minutes, the mean.
    public let asleep: Double
    /// All sleep by all time in bed.
    public let efficiency: Double

    /// Those of a week or month.
    public init(_ summary: SleepSummary) {
        nights = summary.nights
        (inBed, asleep, efficiency) = (summary.minutesInBed, summary.minutesAsleep, summary.efficiency)
    }

    /// Those of the `days` days up to `last`; `nil` where none was told.
    public init?(_ nights: [Night], days: Int, through last: LocalDate) {
        let shown = nights.filter { night in night.day.map { $0.days > last.days - days && $0 <= last } ?? false }
        guard !shown.isEmpty else { return nil }
        self.nights = shown.count
        let bed = shown.reduce(0) { $0 + $1.minutesInBed }
        let sleep = shown.reduce(0) { $0 + $1.minutesAsleep }
        (inBed, asleep) = (bed / Double(shown.count), sleep / Double(shown.count))
        efficiency = bed > 0 ? sleep / bed : 0
    }
}
