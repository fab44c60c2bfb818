import DiaryCore
import Foundation
import Pavise
import Toolkit

/// The diary while the lock is open: five pages under one bar.
@MainActor
final class MainPage: Page {
    let widget: Widget
    private unowned let shell: Shell
    private let pages = Pages()
    private let slots: [Tab: Slot]
    private static var lastShown = Tab.diary

    enum Tab: String, CaseIterable {
        case diary, trends, questionnaires, documents, settings
    }

    init(_ shell: Shell) {
        self.shell = shell
        let phrases = shell.phrases
        slots = Dictionary(uniqueKeysWithValues: Tab.allCases.map { ($0, Slot()) })
        let titles: [Tab: (String, String)] = [
            .diary: (phrases.diary, "weather-clear-night-symbolic"),
            .trends: (phrases.trends, "power-profile-performance-symbolic"),
            .questionnaires: (phrases.questionnaires, "emblem-documents-symbolic"),
            .documents: (phrases.documents, "folder-documents-symbolic"),
            .settings: (phrases.settings, "emblem-system-symbolic"),
        ]
        for tab in Tab.allCases {
            guard let slot = slots[tab], let (title, icon) = titles[tab] else { continue }
            pages.add(slot.expanded(), tab.rawValue, title: title, icon: icon)
        }
        let switcher = Switcher(pages, title: phrases.appName)
        let lock = Button(icon: "changes-prevent-symbolic", name: phrases.lockNow) { [weak shell] in
            shell?.open?.app.lock.lockNow()
        }
        let header = Header(end: [lock])
        header.title(switcher)
        widget = Stack([header, pages.expanded(), switcher.bar()])
        pages.shown = Self.lastShown.rawValue
        pages.onChange { [weak pages] in Self.lastShown = pages.flatMap { Tab(rawValue: $0.shown) } ?? .diary }
    }

    func appeared() { reload() }

    /// Reads everything that is shown, elsewhere, and shows it.
    private func reload() {
        // The page comes again by itself, too, as with what another device sent.
        shell.attempt(isUse: false) { [weak self] shell in
            guard let security = shell.open else { return }
            let contents = try await security.contents()
            if let trouble = contents.accountTrouble { shell.tell(trouble) }
            let sync: SyncStatus?
            do { sync = try await contents.accountTrouble == nil ? SyncStatus(security) : nil } catch {
                // Without its rows the settings would say that nothing waits.
                sync = nil
                shell.tell(PaviseError(error))
            }
            let wantsNotices = (try? await security.push.isWanted()) ?? false
            self?.fill(contents.nights, contents.answers, contents.documents)
            let signedIn = SignedIn(
                account: contents.account, state: contents.accountState, trouble: contents.accountTrouble,
                wantsNotices: wantsNotices)
            self?.slots[.settings]?.show(SettingsPage.widget(shell, signedIn, sync))
            shell.synchronise()
        }
    }

    private func fill(
        _ nights: [Night], _ answers: [Questionnaire: [Answers]], _ documents: [DiarySecurity.Document]
    ) {
        slots[.diary]?.show(diary(nights))
        slots[.trends]?.show(TrendsPage.widget(shell, nights))
        slots[.questionnaires]?.show(QuestionnairePages.list(shell, answers))
        slots[.documents]?.show(DocumentPages.list(shell, documents))
    }

    // MARK: Nights

    private func diary(_ nights: [Night]) -> Widget {
        let phrases = shell.phrases
        let add = Button(phrases.addNight) { [weak shell] in
            guard let shell else { return }
            shell.show(NightPage(shell, nil))
        }.styled("pill", "suggested-action").centered().margin(12)
        guard !nights.isEmpty else {
            return StatusPage(
                icon: "weather-clear-night-symbolic", title: phrases.noNights, text: phrases.noNightsText, add)
        }
        var groups: [Widget] = [add]
        var months: [(String, [Night])] = []
        for night in nights.reversed() {
            let month = night.day?.month ?? ""
            if months.last?.0 == month {
                months[months.count - 1].1.append(night)
            } else {
                months.append((month, [night]))
            }
        }
        for (month, nights) in months {
            groups.append(RowGroup(shell.text.month(month), "", nights.map(row)))
        }
        return Scrolled(Clamp(Stack(spacing: 18, groups).margin(12)))
    }

    private func row(_ night: Night) -> Widget {
        Row(shell.text.day(night.day), shell.text.line(night)).onPress { [weak shell] in
            guard let shell else { return }
            shell.show(NightPage(shell, night))
        }
    }
}

/// One night: told, changed or erased.
@MainActor
final class NightPage: Page {
    let widget: Widget
    private unowned let shell: Shell
    private let old: Night?
    private let form: NightForm?
    private let date, toBed, up, asleepAfter, awake, note: EntryRow
    private let trouble = Label("")

    init(_ shell: Shell, _ old: Night?) {
        self.shell = shell
        self.old = old
        let phrases = shell.phrases
        let evening = LocalDate(eveningBefore: Date(), in: .current) ?? LocalDate(days: 0)
        let form = old.map(NightForm.init) ?? evening.map { NightForm(evening: $0) }
        self.form = form
        date = EntryRow(phrases.evening, form?.date ?? "")
        toBed = EntryRow(phrases.toBed, form?.toBed ?? "")
        up = EntryRow(phrases.up, form?.up ?? "")
        asleepAfter = EntryRow(phrases.asleepAfter, form?.asleepAfter ?? "")
        awake = EntryRow(phrases.awake, form?.awake ?? "")
        note = EntryRow(phrases.note, form?.note ?? "")
        trouble.styled("error")
        widget = Stack()
        let save = Button(phrases.save) { [weak self] in self?.save() }.styled("suggested-action")
        let back = Button(phrases.cancel) { [weak shell] in shell?.attempt { await $0.advance() } }
        let rows = [date, toBed, up, asleepAfter, awake, note]
        let body = Stack(spacing: 18, [RowGroup("", "", rows), trouble])
        if old != nil {
            body.add(
                Button(phrases.erase) { [weak self] in self?.erase() }.styled("pill", "destructive-action").centered())
        }
        (widget as? Stack)?.add(Header(title: phrases.night, start: [back], end: [save]))
        (widget as? Stack)?.add(Scrolled(Clamp(body.margin(18))).expanded())
        for row in rows { row.onEnter { [weak self] in self?.save() } }
    }

    private func save() {
        // The form of the page, not a new one: whoever presses twice tells one night.
        guard var form else { return }
        form.date = date.text
        form.toBed = toBed.text
        form.up = up.text
        form.asleepAfter = asleepAfter.text
        form.awake = awake.text
        form.note = note.text
        do throws(NightForm.Problem) {
            let night = try form.night(in: .current, replacing: old)
            shell.attempt { [old] shell in
                try await shell.open?.keep(night, over: old)
                shell.say(shell.phrases.nightSaved)
                shell.remind()
                await shell.advance()
                shell.synchronise(now: true)
            }
        } catch {
            trouble.text = shell.text.sentence(error)
        }
    }

    private func erase() {
        guard let old else { return }
        shell.attempt { shell in
            let phrases = shell.phrases
            let isElsewhere = await shell.isSignedIn()
            let answer = await shell.ask(
                phrases.eraseNight, isElsewhere ? phrases.eraseNightElsewhere : phrases.eraseNightText,
                [.init("keep", phrases.cancel), .init("erase", phrases.erase, .destructive)])
            guard answer == "erase" else { return }
            try await shell.open?.erase(old)
            await shell.advance()
            shell.synchronise(now: true)
        }
    }
}
