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
    @State private var form: AnswersForm?

    private var phrases: DiaryPhrases { model.phrases }
    private var begun: AnswersForm { form ?? AnswersForm(questionnaire) }

    var body: some View {
        ScrollView {
            VStack(spacing: 14) {
                if let index = begun.item {
                    item(index)
                } else {
                    result
                }
                Button(begun.item == nil ? phrases.close : phrases.cancel) { close() }
            }
        }
    }

    @ViewBuilder private func item(_ index: Int) -> some View {
        let options = model.text.options(questionnaire)
        Text(DiaryPhrases.fill(phrases.itemOf, "\(index + 1)", "\(questionnaire.items)"))
        Text(model.text.items(questionnaire)[index]).font(.title)
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
        return try? begun.answers(on: today)
    }

    private func answer(_ value: Int?) {
        var next = begun
        guard next.take(value) else { return }
        form = next
        guard next.item == nil, let sheet else { return }
        model.attempt { security in
            do throws(PaviseError) { try await security.with { try $0.keep(sheet) } } catch {
                // What could not be kept is asked again, and no result.
                form?.askAgain()
                throw error
            }
        }
    }
}
