import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import SwiftUI

/// What was answered, and the way to answer again.
struct QuestionnairesView: View {
    let model: DiaryModel
    @State private var answered: Begun?

    /// A questionnaire that is being answered.
    struct Begun: Identifiable {
        let questionnaire: Questionnaire
        var id: String { questionnaire.rawValue }
    }

    private var text: DiaryText { model.text }

    var body: some View {
        List {
            ForEach(Questionnaire.allCases, id: \.rawValue) { questionnaire in
                Section(text.title(questionnaire)) {
                    Text(text.intro(questionnaire))
                    Button(model.phrases.answerNow) { answered = Begun(questionnaire: questionnaire) }
                        .accessibilityLabel("\(model.phrases.answerNow): \(text.title(questionnaire))")
                    let given = Array((model.answers[questionnaire] ?? []).suffix(6).reversed())
                    ForEach(given, id: \.date) { sheet in
                        Text("\(text.day(sheet.date)): \(text.line(sheet))")
                    }
                    if given.isEmpty { Text(model.phrases.notAnswered) }
                }
            }
            Text(model.phrases.subjectsNote)
        }
        .sheet(item: $answered) { begun in
            ItemsView(model: model, questionnaire: begun.questionnaire) { answered = nil }
                .paviseCover { CoverView(phrases: model.phrases) }
        }
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
        ScrollView {
            VStack(spacing: 14) {
                if values.count < questionnaire.items {
                    item
                } else {
                    result
                }
                Button(values.count < questionnaire.items ? phrases.cancel : phrases.close) { close() }
            }
        }
    }

    @ViewBuilder private var item: some View {
        let options = model.text.options(questionnaire)
        Text(DiaryPhrases.fill(phrases.itemOf, "\(values.count + 1)", "\(questionnaire.items)"))
        Text(model.text.items(questionnaire)[values.count]).font(.title)
        Text(model.text.intro(questionnaire))
        ForEach(Array(questionnaire.range), id: \.self) { value in
            Button(options[value]) { answer(value) }
        }
        Button(phrases.skip) { answer(nil) }
    }

    @ViewBuilder private var result: some View {
        if let answers = sheet {
            Text(phrases.resultTitle).font(.title)
            Text(model.text.line(answers))
            Text(phrases.noDiagnosis)
            if answers.needsHelp {
                Text(phrases.helpTitle).font(.headline)
                Text(phrases.helpText)
            }
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
