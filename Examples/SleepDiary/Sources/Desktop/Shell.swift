import DiaryCore
import Foundation
import Pavise
import PaviseDocuments
import PavisePrivacy
import Toolkit
import VersionOne

/// The window, and what is in it: a page while it may be seen, the cover while not, the lock in place of both.
@MainActor
final class Shell {
    let application: Application
    private(set) var window: Window?
    // GTK is there from the first activation on.
    private lazy var slot = Slot()
    private var toasts: Toasts?
    // What was to be said under the cover.
    private var unsaid: [(text: String, isPrivate: Bool)] = []
    private var content: Widget?
    /// What keeps the current page's handlers alive; letting go of it lets go of what it shows.
    private var page: AnyObject?
    private var screen = ScreenMachine()
    // The questions that are open: what goes on may ask while another one waits. Their words go under the cover, too,
    // where they are of the diary.
    private var prompts: [(widget: Prompt, isPrivate: Bool)] = []
    // A question came or went, and the keyboard is on its way.
    private var isSettling = false
    private var leaving: Task<Void, Never>?
    private var isAway = false
    private var isInBrowser = false
    /// How it writes, in the language of the person.
    private(set) var text = DiaryText(.current)
    var language: MessageLanguage { text.language }
    var phrases: DiaryPhrases { text.phrases }
    private var reminding: Task<Void, Never>?
    private var document: DocumentProgram?
    private var lastSync: ContinuousClock.Instant?
    // What is to be shown was asked so often, and the answer to this question was shown.
    private var asked = 0
    private var answered = 0
    private var resumedNotices = false
    /// The server that version 1 of the app knew.
    private(set) var formerAddress: String?
    /// The app's security, once it is open.
    private(set) var open: DiarySecurity?

    init(_ application: Application) { self.application = application }

    // MARK: Beginning

    /// The program was started, or started again.
    func activate() {
        guard window == nil else { return window?.present() ?? () }
        application.style(Self.sheet)
        let toasts = Toasts(slot)
        let window = Window(application, phrases.appName, width: 760, height: 700)
        window.size(340, 420)
        window.show(toasts)
        self.toasts = toasts
        self.window = window
        application.onKeyboard { [weak self] in self?.keyboardMoved() }
        show(Spinner().centered().size(48, 48), keeping: nil)
        window.present()
        Task { await begin() }
    }

    private func begin() async {
        do throws(PaviseError) {
            let security = try await DiarySecurity.open()
            open = security
            formerAddress = await Self.readFormerAddress()
            readPreferences()
            follow(security)
            await advance()
        } catch {
            showFailure(error)
        }
    }

    @concurrent
    nonisolated private static func readFormerAddress() async -> String? { ServerAddress.load() }

    /// Erases what version 1 of the app kept beside the diary.
    ///
    /// - Returns: Whether it is gone.
    func forgetFormerAddress() async -> Bool {
        guard await Self.eraseFormerAddress() else { return false }
        formerAddress = nil
        return true
    }

    @concurrent
    nonisolated private static func eraseFormerAddress() async -> Bool { ServerAddress.delete() }

    private func showFailure(_ error: PaviseError) {
        let buttons = Stack(spacing: 12)
        buttons.add(Button(phrases.quit) { [application] in application.quit() }.styled("pill").centered())
        // The settings, where it is otherwise, cannot be reached.
        if open != nil, DiarySecurity.mayOnlyErase(after: error) {
            let erase = Button(phrases.eraseAll) { [weak self] in
                self?.attempt { try await SettingsPage.eraseAll($0) }
            }
            buttons.add(erase.styled("pill", "destructive-action").centered())
        }
        show(
            StatusPage(
                icon: "dialog-warning-symbolic", title: error.title(in: language), text: error.message(in: language),
                buttons),
            keeping: nil)
    }

    /// Shows what the person has to do next. Of several questions the last decides: the lock may have closed or opened
    /// since an earlier one was answered.
    func advance() async {
        guard let security = open else { return }
        asked += 1
        let question = asked
        do throws(PaviseError) {
            let stage = try await security.stage()
            guard question == asked else { return }
            answered = question
            switch stage {
            case .choosePIN:
                endReminding()
                show(PINPage(self, .choose))
            case .locked: show(PINPage(self, .unlock))
            case .consent: show(ConsentPage(self))
            case .open:
                show(MainPage(self))
                resumeNotices(security)
                // Which nights are told can be said now, and may have come from another device.
                remind()
            case .erased:
                endReminding()
                // What was erased is all that the app kept, also what its version 1 did.
                let isForgotten = await forgetFormerAddress()
                guard question == asked else { return }
                show(erasedPage(), keeping: nil)
                if !isForgotten { say(phrases.formerNotErased) }
            }
        } catch {
            guard question == asked else { return }
            answered = question
            showFailure(error)
        }
    }

    private func erasedPage() -> Widget {
        let anew = Button(phrases.beginAnew) { [weak self] in
            self?.attempt { shell in
                try await shell.open?.startOver()
                await shell.advance()
            }
        }.styled("pill", "suggested-action").centered()
        return StatusPage(
            icon: "user-trash-full-symbolic", title: phrases.erasedTitle, text: phrases.erasedText, anew)
    }

    // MARK: Showing

    /// Shows a page of the app. What was being read when the lock closed comes no more: the lock's page stays.
    func show(_ page: some Page) {
        guard !isLocked || Self.isBeforeTheDiary(page) else { return }
        show(page.widget, keeping: page)
    }

    private func show(_ widget: Widget, keeping page: AnyObject?) {
        content = widget
        self.page = page
        if !screen.isCovered { slot.show(widget) }
        (page as? any Page)?.appeared()
    }

    /// Says something in passing: under the cover, above which a toast lies, when the person is back.
    ///
    /// - Parameter isPrivate: Whether nobody hears of it behind the lock.
    func say(_ text: String, isPrivate: Bool = false) {
        guard !isPrivate || !isLocked else { return }
        guard screen.isCovered else { return toasts?.show(text) ?? () }
        unsaid.append((text: text, isPrivate: isPrivate))
        if unsaid.count > 5 { unsaid.removeFirst() }
    }

    /// Does something that may fail, and says how it failed.
    ///
    /// - Parameter isUse: Whether a person did it, for which the lock waits longer.
    func attempt(isUse: Bool = true, _ body: @escaping @MainActor (Shell) async throws -> Void) {
        if isUse { open?.app.lock.used() }
        Task { [weak self] in
            guard let self else { return }
            do { try await body(self) } catch { self.tell(PaviseError(error)) }
        }
    }

    /// Says what went wrong.
    func tell(_ error: PaviseError) {
        guard error.code != .cancelled else { return }
        // The lock page says it already.
        guard error.code != .appLocked else { return }
        say("\(error.title(in: language)): \(error.message(in: language))")
    }

    /// Asks something. The lock answers with the first answer, the safe one, also where it closed since the person
    /// answered.
    ///
    /// - Parameter isPrivate: Whether it has words of the diary. A key that is to be compared with a letter in another
    ///   window stays readable.
    func ask(
        _ heading: String, _ body: String, _ answers: [Question.Answer], _ child: Widget? = nil, isPrivate: Bool = true
    ) async -> String {
        guard let window, let safe = answers.first?.id else { return "" }
        // What was on its way when the lock closed: above its page no question stands.
        guard !isLocked else { return safe }
        let question = Question(window, heading, body, answers, child)
        let answer = await prompting(question, isPrivate: isPrivate) { await question.answer() }
        return isLocked ? safe : answer
    }

    /// Lets the person choose a file; `nil` where they chose none, or the lock closed meanwhile.
    func choose(_ title: String, saving name: String? = nil) async -> String? {
        guard let window, !isLocked else { return nil }
        let dialog = FileDialog(window, title, saving: name)
        let path = await prompting(dialog, isPrivate: false) { await dialog.path() }
        return isLocked ? nil : path
    }

    private func prompting<Value>(_ widget: Prompt, isPrivate: Bool, _ body: () async -> Value) async -> Value {
        prompts.append((widget, isPrivate))
        isSettling = true
        if screen.isCovered, isPrivate { widget.veil(true) }
        defer {
            prompts.removeAll { $0.widget === widget }
            isSettling = !(window?.isActive ?? false)
            keyboardMoved()
        }
        return await body()
    }

    /// Waits for the person in the system's browser: the diary is covered, and does not begin to lock. Whoever signs in
    /// may need longer than a minute; after a while the sign-in ends by itself.
    func inBrowser<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        isInBrowser = true
        defer {
            isInBrowser = false
            if isAway { open?.app.report(.willResignActive(of: "window")) }
        }
        return try await body()
    }

    // The PIN is changed on a page of its kind, too: that one goes with the lock.
    private var isLockShown: Bool { Self.isBeforeTheDiary(page) }

    private static func isBeforeTheDiary(_ page: AnyObject?) -> Bool {
        (page as? PINPage)?.purpose.isBeforeTheDiary ?? false
    }

    private var isLocked: Bool { !(open?.app.lock.state.isOpen ?? true) }

    /// Whether somebody is signed in, for a question before something is erased: also where nobody can say.
    func isSignedIn() async -> Bool {
        do { return try await open?.account() != nil } catch { return true }
    }

    /// Brings the diary and the server together, without a word: the settings say how it stands.
    ///
    /// - Parameter now: Also where the last time is less than five minutes ago, and behind a run that goes on: a person
    ///   did something that it does not know of.
    func synchronise(now: Bool = false) {
        if !now, let lastSync, lastSync.duration(to: .now) < .seconds(300) { return }
        lastSync = .now
        Task { [weak self] in
            await self?.showNotices()
            guard let outcome = try? await self?.open?.sync()?.run(waits: now),
                outcome.received + outcome.documents.received > 0
            else { return }
            // What somebody is typing stays.
            if self?.page is MainPage { await self?.advance() }
        }
    }

    // A token that is on its way goes on where the last program ended: once, and not before the lock is open.
    private func resumeNotices(_ security: DiarySecurity) {
        guard !resumedNotices else { return }
        resumedNotices = true
        Task { try? await security.push.goOn() }
    }

    // What the server had to say meanwhile. On a desktop nobody wakes the app for it.
    func showNotices() async {
        for notice in (try? await open?.push.notices(in: language)) ?? [] {
            application.notify("push", title: notice.title, body: notice.body)
        }
    }

    // MARK: Documents

    /// Shows a page in the window of the program that has no keys; it goes with the lock, and with this program.
    func show(_ page: DocumentPage) {
        guard !isLocked else { return }
        if let document {
            document.close()
            // It is not heard any more.
            open?.app.report(.closed("document"))
        }
        document = nil
        do {
            document = try DocumentProgram(page.html(), title: phrases.appName) { [weak self] in self?.heard($0) }
        } catch {
            say(phrases.documentNotOpened)
        }
    }

    // Whoever reads in that window has not left the app.
    private func heard(_ event: DocumentProgram.Event) {
        switch event {
        case .active: open?.app.report(.becameActive(of: "document"))
        case .inactive: open?.app.report(.willResignActive(of: "document"))
        case .ended(let wasShown):
            open?.app.report(.closed("document"))
            if !wasShown { say(phrases.documentNotOpened) }
        }
        look()
    }

    // MARK: Covering and locking

    private func keyboardMoved() {
        leaving?.cancel()
        guard !application.hasKeyboard else { return came() }
        // Between a window and its question nobody has the keyboard for a moment.
        guard isSettling || !prompts.isEmpty else { return left() }
        leaving = Task { [weak self] in
            guard (try? await Task.sleep(for: .milliseconds(500))) != nil else { return }
            self?.left()
        }
    }

    private func came() {
        if window?.isActive ?? false { isSettling = false }
        isAway = false
        open?.app.report(.becameActive(of: "window"))
        if resumedNotices { Task { [open] in try? await open?.push.becameActive() } }
        // The decision first, then the picture: the lock page is on its way.
        if isLocked, page != nil, !isLockShown { show(Spinner().centered().size(48, 48), keeping: nil) }
        perform(screen.handle(.becameActive))
    }

    private func left() {
        guard !isAway else { return }
        isAway = true
        perform(screen.handle(.willResignActive))
        if !isInBrowser { open?.app.report(.willResignActive(of: "window")) }
    }

    private func perform(_ actions: [ScreenMachine.Action]) {
        for action in actions {
            switch action {
            case .cover:
                slot.show(cover())
                content?.veil(true)
                veilPrompts(true)
                toasts?.clear()
            case .uncover:
                content?.veil(false)
                veilPrompts(false)
                if let content { slot.show(content) }
                let waited = unsaid
                unsaid = []
                for (text, isPrivate) in waited { say(text, isPrivate: isPrivate) }
            case .clearClipboard: application.clearClipboard()
            case .withdrawNotices: withdrawNotices()
            case .warnOfScreenshot: break
            }
        }
    }

    private func withdrawNotices() {
        application.withdraw("reminder")
        application.withdraw("push")
    }

    private func veilPrompts(_ isVeiled: Bool) {
        for prompt in prompts where prompt.isPrivate { prompt.widget.veil(isVeiled) }
    }

    private func cover() -> Widget {
        Stack([
            Header(title: phrases.appName),
            StatusPage(icon: "weather-clear-night-symbolic", title: phrases.appName, text: phrases.coverText)
                .expanded(),
        ])
    }

    // What closes by time is told to whoever looks.
    private func look() { _ = open?.app.lock.state }

    private func follow(_ security: DiarySecurity) {
        Task { [weak self] in
            for await state in security.app.lock.states where !state.isOpen { await self?.closed() }
        }
        Task { [weak self] in
            for await notice in security.app.notices {
                guard let self else { return }
                self.say("\(notice.title(in: self.language)): \(notice.message(in: self.language))")
                // A session that ended is no sign-in any more, also on the page that is there.
                if self.page is MainPage { await self.advance() }
            }
        }
    }

    // Whatever is shown goes out of the window and out of memory.
    private func closed() async {
        // An answer of before may be on its way.
        guard !isLockShown || asked != answered else { return }
        withdrawNotices()
        toasts?.clear()
        unsaid = []
        document?.close()
        // Erased and without a PIN nothing is locked: the receipt stays.
        if isLocked { for prompt in prompts { prompt.widget.close() } }
        application.clearClipboard()
        await advance()
    }

    // MARK: Preferences

    /// Reads what is set, for the window and for the reminder.
    func readPreferences() {
        guard let settings = open?.settings else { return }
        var wanted = (try? settings.value(of: .language)) ?? .system
        #if DEBUG
        // For pictures of the pages before the settings.
        let forced = ProcessInfo.processInfo.environment["SLEEP_DIARY_LANGUAGE"].flatMap { DiaryLanguage(rawValue: $0) }
        if wanted == .system { wanted = forced ?? .system }
        #endif
        text = DiaryText(wanted.language)
        window?.title(phrases.appName)
        switch (try? settings.value(of: .appearance)) ?? .system {
        case .system: application.look(.system)
        case .light: application.look(.light)
        case .dark: application.look(.dark)
        }
        remind()
    }

    /// Waits for the next reminder, where the person wants one.
    func remind() {
        reminding?.cancel()
        guard let settings = open?.settings, (try? settings.value(of: .reminds)) == true,
            let minute = try? settings.value(of: .reminderMinute), let time = WallTime(minute / 60, minute % 60)
        else { return }
        reminding = Task { [weak self] in
            while !Task.isCancelled {
                guard let moment = Reminder(at: time).next(after: Date(), in: .current, kept: await self?.kept() ?? [])
                else { return }
                let seconds = max(1, moment.timeIntervalSinceNow)
                guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
                self?.showReminder(time)
            }
        }
    }

    // Nobody is left to be reminded. Whoever begins anew is, once the diary is open.
    private func endReminding() {
        reminding?.cancel()
        application.withdraw("reminder")
    }

    // While the lock is closed nobody can say which nights are told; then everybody is reminded.
    private func kept() async -> Set<LocalDate> {
        let nights = try? await open?.with { try $0.nights() }
        return Set((nights ?? []).compactMap(\.day))
    }

    private func showReminder(_ time: WallTime) {
        guard let shown = TimeOfDay(hour: time.hour, minute: time.minute) else { return }
        let notice = DiaryNotice.reminder(shown).notice
        let values = notice.parameters.map(\.text)
        application.notify(
            "reminder", title: phrases.reminderTitle,
            body: DiaryPhrases.fill(phrases.reminderBody, values.first ?? ""))
    }

    private static let sheet = """
        .pin { font-size: 22px; letter-spacing: 4px; border-radius: 14px; }
        .key { font-size: 18px; padding: 0; min-width: 84px; min-height: 46px; border-radius: 23px; }
        .figure { font-size: 34px; font-weight: 300; }
        .mono { font-family: monospace; }
        .card { padding: 14px; }
        """
}

/// One page of the window.
@MainActor
protocol Page: AnyObject {
    /// What is shown.
    var widget: Widget { get }
    /// It is in the window now.
    func appeared()
}

extension Page {
    func appeared() {}
}
