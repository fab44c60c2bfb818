import DiaryCore
import Foundation
import Pavise
import SwiftUI

/// The questionnaires, and what was answered last.
struct QuestionnairesView: View {
    let model: DiaryModel
    @State private var answered: Begun?

    /// A questionnaire that is answered now.
    struct Begun: Identifiable {
        let questionnaire: Questionnaire
        var id: String { questionnaire.rawValue }
    }

    var body: some View {
        List {
            ForEach(Questionnaire.allCases, id: \.rawValue) { questionnaire in
                Section(model.phrases.title(questionnaire)) {
                    Text(last(questionnaire))
                    Button(model.phrases.answerNow) { answered = Begun(questionnaire: questionnaire) }
                }
            }
            Text(model.phrases.subjectsNote)
        }
        .sheet(item: $answered) { begun in
            ItemsView(model: model, questionnaire: begun.questionnaire) { answered = nil }
                .paviseCover { CoverView(phrases: model.phrases) }
        }
    }

    private func last(_ questionnaire: Questionnaire) -> String {
        model.answers[questionnaire]?.last.map { model.phrases.line($0) } ?? model.phrases.notAnswered
    }
}

/// One item after the other; one that is left out stays so.
struct ItemsView: View {
    let model: DiaryModel
    let questionnaire: Questionnaire
    let close: () -> Void
    @State private var values: [Int?] = []

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        VStack(spacing: 14) {
            if values.count < questionnaire.items {
                item
            } else {
                result
            }
            Button(values.count < questionnaire.items ? phrases.cancel : phrases.close) { close() }
        }
    }

    @ViewBuilder private var item: some View {
        let items = questionnaire == .isi ? phrases.isiItems : phrases.phq9Items
        let options = questionnaire == .isi ? phrases.isiOptions : phrases.phq9Options
        Text(DiaryPhrases.fill(phrases.itemOf, "\(values.count + 1)", "\(questionnaire.items)"))
        Text(items[values.count]).font(.title)
        ForEach(Array(questionnaire.range), id: \.self) { value in
            Button(options[value]) { answer(value) }
        }
        Button(phrases.skip) { answer(nil) }
    }

    @ViewBuilder private var result: some View {
        if let answers = sheet {
            Text(phrases.resultTitle).font(.title)
            Text(phrases.line(answers))
            if answers.needsHelp {
                Text(phrases.helpTitle).font(.headline)
                Text(phrases.helpText)
            }
            Text(phrases.noDiagnosis)
        }
    }

    private var sheet: Answers? {
        guard let today = LocalDate(of: Date(), in: .current) else { return nil }
        return try? Answers(questionnaire, edition: Questionnaire.edition, date: today, values)
    }

    private func answer(_ value: Int?) {
        values.append(value)
        guard values.count == questionnaire.items, let sheet else { return }
        model.attempt { security in try await security.with { try $0.keep(sheet) } }
    }
}

extension DiaryPhrases {
    /// A questionnaire's name.
    func title(_ questionnaire: Questionnaire) -> String { questionnaire == .isi ? isi : phq9 }

    /// What answers say together.
    func line(_ answers: Answers) -> String {
        switch answers.score {
        case .incomplete(let missing): DiaryPhrases.fill(incomplete, "\(missing.count)")
        case .complete(let total, let severity):
            DiaryPhrases.fill(
                sumOf, "\(total)", "\(answers.questionnaire.items * answers.questionnaire.range.upperBound)")
                + ": " + self.severity(severity)
        }
    }

    /// What does not fit in a night's form.
    func sentence(_ problem: NightForm.Problem) -> String {
        switch problem {
        case .date: wrongDate
        case .toBed, .up: wrongTime
        case .minutes: wrongMinutes
        case .night(.awake): wrongAwake
        case .night(.order), .night(.offset): wrongOrder
        case .night(.note): wrongNote
        }
    }
}
