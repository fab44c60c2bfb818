public import Pavise

/// What the pages of the diary show, read at once.
public struct DiaryContents: Sendable {
    /// All nights, in their order.
    public let nights: [Night]
    /// All answers, by day.
    public let answers: [Questionnaire: [Answers]]
    /// The documents, by name.
    public let documents: [DiarySecurity.Document]
    /// The account; `nil` where there is none, and where nobody can say.
    public let account: Account?
    /// How the account stands.
    public let accountState: AccountState?
    /// Why nobody can say whether there is an account. The diary is the app's, and is shown all the same.
    public let accountTrouble: PaviseError?
}

extension DiarySecurity {
    /// Whether what is left to the person after a failure is to erase everything and to begin anew: what the app kept
    /// is damaged, and no page of the diary can be shown.
    public static func mayOnlyErase(after failure: PaviseError) -> Bool { failure.code == .damaged }

    /// What the pages show. An account that cannot be opened, as one whose description was changed, hides no night.
    @concurrent
    public func contents() async throws(PaviseError) -> DiaryContents {
        let (nights, sheets) = try await with { diary in
            (try diary.nights(), try Questionnaire.allCases.map { ($0, try diary.answers(to: $0)) })
        }
        let documents = try await documents()
        var known: Account?
        var trouble: PaviseError?
        do throws(PaviseError) { known = try await account() } catch { trouble = error }
        return DiaryContents(
            nights: nights, answers: Dictionary(uniqueKeysWithValues: sheets), documents: documents, account: known,
            accountState: await known?.state, accountTrouble: trouble)
    }
}
