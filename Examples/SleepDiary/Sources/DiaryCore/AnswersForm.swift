/// A questionnaire while a person answers it, one item after the other. With the last one it becomes ``Answers``.
public struct AnswersForm: Hashable, Sendable {
    /// Which one.
    public let questionnaire: Questionnaire
    private var values: [Int?] = []

    /// Nothing answered yet.
    public init(_ questionnaire: Questionnaire) { self.questionnaire = questionnaire }

    /// The item that is asked, counted from 0; `nil` when all were.
    public var item: Int? { values.count < questionnaire.items ? values.count : nil }

    /// Takes the answer to the item that is asked, `nil` for one that is left out.
    ///
    /// - Returns: Whether it was taken. Whoever presses once more while the last answer is being kept has given it.
    public mutating func take(_ value: Int?) -> Bool {
        guard item != nil else { return false }
        values.append(value)
        return true
    }

    /// Asks for the last answer again, where the answers could not be kept: those before it stay.
    public mutating func askAgain() { _ = values.popLast() }

    /// The answers.
    ///
    /// - Throws: `Answers.Problem.count` while an item is left.
    public func answers(on date: LocalDate) throws(Answers.Problem) -> Answers {
        try Answers(questionnaire, edition: Questionnaire.edition, date: date, values)
    }
}
