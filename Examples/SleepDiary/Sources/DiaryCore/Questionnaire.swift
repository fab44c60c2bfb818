/// A questionnaire with a published way to score it. Its questions are their owners' and not part of this module.
public enum Questionnaire: String, CaseIterable, Hashable, Sendable, Codable {
    /// Insomnia Severity Index: 7 items of 0 to 4 (Bastien, Vallières and Morin, Sleep Medicine 2001).
    case isi
    /// Patient Health Questionnaire: 9 items of 0 to 3 (Kroenke, Spitzer and Williams, J Gen Intern Med 2001).
    case phq9

    /// The wording that this app shows: the subject of each item in the app's own words, until a team has licensed a
    /// published wording.
    public static let edition = "subjects-1"

    /// How many items it has.
    public var items: Int { self == .isi ? 7 : 9 }
    /// What an item may be answered with.
    public var range: ClosedRange<Int> { self == .isi ? 0...4 : 0...3 }

    /// What a sum means, in the words of its authors.
    public enum Severity: String, Hashable, Sendable {
        case notSignificant, subthreshold, moderate, severe
        case minimal, mild, moderatelySevere
    }

    func severity(_ total: Int) -> Severity {
        switch (self, total) {
        case (.isi, ...7): .notSignificant
        case (.isi, ...14): .subthreshold
        case (.isi, ...21): .moderate
        case (.isi, _): .severe
        case (.phq9, ...4): .minimal
        case (.phq9, ...9): .mild
        case (.phq9, ...14): .moderate
        case (.phq9, ...19): .moderatelySevere
        case (.phq9, _): .severe
        }
    }
}

/// A questionnaire as it was answered on one day. An item that was left out stays so: it is not 0.
public struct Answers: Hashable, Sendable {
    /// Why answers are none.
    public enum Problem: Error, Hashable, Sendable {
        /// More or fewer items than the questionnaire has.
        case count
        /// An answer that the item, counted from 1, does not offer.
        case item(Int)
        /// An edition has 1 to 64 characters.
        case edition
    }

    /// What the answers say.
    public enum Score: Hashable, Sendable {
        /// Items were left out, counted from 1: there is no sum.
        case incomplete(missing: [Int])
        /// The sum and what it means.
        case complete(total: Int, Questionnaire.Severity)
    }

    /// Which one.
    public let questionnaire: Questionnaire
    /// The wording that the person saw, for example `de-2019`.
    public let edition: String
    /// The day.
    public let date: LocalDate
    /// The answers in the order of the items; `nil` where one was left out.
    public let values: [Int?]

    /// Answers; what the questionnaire does not offer is refused.
    public init(
        _ questionnaire: Questionnaire, edition: String, date: LocalDate, _ values: [Int?]
    ) throws(Problem) {
        guard values.count == questionnaire.items else { throw .count }
        guard (1...64).contains(edition.count) else { throw .edition }
        for (index, value) in values.enumerated() {
            guard value.map(questionnaire.range.contains) ?? true else { throw .item(index + 1) }
        }
        self.questionnaire = questionnaire
        self.edition = edition
        self.date = date
        self.values = values
    }

    /// The sum, where every item was answered.
    public var score: Score {
        let missing = values.indices.filter { values[$0] == nil }.map { $0 + 1 }
        guard missing.isEmpty else { return .incomplete(missing: missing) }
        let total = values.reduce(0) { $0 + ($1 ?? 0) }
        return .complete(total: total, questionnaire.severity(total))
    }

    /// Whether the last item of PHQ-9, thoughts of being better off dead, was answered with more than 0: the app shows
    /// where help is, whatever the sum.
    public var needsHelp: Bool { questionnaire == .phq9 && (values.last ?? nil).map { $0 > 0 } ?? false }
}
