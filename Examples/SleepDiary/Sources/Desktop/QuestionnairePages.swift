import DiaryCore
import Foundation
import Toolkit

/// What was answered, and the way to answer again.
@MainActor
enum QuestionnairePages {
    static func list(_ shell: Shell, _ answers: [Questionnaire: [Answers]]) -> Widget {
        let (phrases, text) = (shell.phrases, shell.text)
        let groups = Questionnaire.allCases.map { questionnaire -> Widget in
            let start = Button(phrases.answerNow) { [weak shell] in
                guard let shell else { return }
                shell.show(QuestionnairePage(shell, questionnaire))
            }.named("\(phrases.answerNow): \(text.title(questionnaire))").styled("suggested-action").centered()
            let group = RowGroup(
                text.title(questionnaire), text.intro(questionnaire),
                [Row(phrases.answerNow, phrases.subjectsNote, [start])])
            let given = (answers[questionnaire] ?? []).suffix(6).reversed()
            for sheet in given {
                group.add(Row(text.day(sheet.date), text.line(sheet)))
            }
            if given.isEmpty { group.add(Row(phrases.notAnswered)) }
            return group
        }
        return Scrolled(
            Clamp(Stack(spacing: 24, groups).margin(18)))
    }
}

/// One item after the other, then the result.
@MainActor
final class QuestionnairePage: Page {
    let widget: Widget
    private unowned let shell: Shell
    private let questionnaire: Questionnaire
    private let slot = Slot()
    private var form: AnswersForm

    init(_ shell: Shell, _ questionnaire: Questionnaire) {
        self.shell = shell
        self.questionnaire = questionnaire
        form = AnswersForm(questionnaire)
        let cancel = Button(shell.phrases.cancel) { [weak shell] in shell?.attempt { await $0.advance() } }
        widget = Stack([
            Header(title: shell.text.title(questionnaire), start: [cancel]), slot.expanded(),
        ])
        showItem()
    }

    private func showItem() {
        guard let item = form.item else { return }
        let phrases = shell.phrases
        let (items, options) = (shell.text.items(questionnaire), shell.text.options(questionnaire))
        let count = Label(DiaryPhrases.fill(phrases.itemOf, "\(item + 1)", "\(items.count)")).styled("dim-label")
        let subject = Label(items[item]).styled("title-2")
        let intro = Label(shell.text.intro(questionnaire))
        let group = RowGroup()
        for (value, option) in options.enumerated() {
            group.add(Row(option).onPress { [weak self] in self?.take(value) })
        }
        let skip = Button(phrases.skip) { [weak self] in self?.take(nil) }.styled("pill").centered()
        let progress = Progress(Double(item) / Double(items.count))
        slot.show(
            Scrolled(Clamp(Stack(spacing: 18, [progress, count, subject, intro, group, skip]).margin(18))))
    }

    private func take(_ value: Int?) {
        guard form.take(value) else { return }
        guard form.item == nil else { return showItem() }
        shell.attempt { [weak self] shell in
            guard let self, let today = LocalDate(of: Date(), in: .current) else { return }
            do {
                let answers = try self.form.answers(on: today)
                try await shell.open?.with { try $0.keep(answers) }
                self.showResult(answers)
            } catch {
                // The page has the last item still: pressed again, it is tried again.
                self.form.askAgain()
                throw error
            }
        }
    }

    private func showResult(_ answers: Answers) {
        let phrases = shell.phrases
        let result = Label(shell.text.line(answers)).styled("title-3").inMiddle()
        let parts: [Widget] = [result, Label(phrases.noDiagnosis).inMiddle()]
        let body = Stack(spacing: 18, parts)
        if answers.needsHelp {
            body.add(
                Stack(spacing: 6, [Label(phrases.helpTitle).styled("heading"), Label(phrases.helpText)]).styled("card"))
        }
        body.add(
            Button(phrases.close) { [weak shell] in shell?.attempt { await $0.advance() } }.styled("pill").centered())
        slot.show(
            Scrolled(
                StatusPage(icon: "emblem-ok-symbolic", title: phrases.resultTitle, text: "", Clamp(body.margin(12)))))
    }
}

extension Widget {
    fileprivate func inMiddle() -> Widget {
        (self as? Label)?.inTheMiddle()
        return self
    }
}
