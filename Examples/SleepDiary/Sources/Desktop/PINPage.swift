import DiaryCore
import Pavise
import PaviseValidation
import Toolkit

/// Choosing, typing or changing the PIN.
@MainActor
final class PINPage: Page {
    enum Purpose {
        case choose, unlock, change

        /// Whether the page stands before the diary, and not in it.
        var isBeforeTheDiary: Bool { self != .change }
    }

    private(set) var widget: Widget
    private unowned let shell: Shell
    let purpose: Purpose
    private let field: PINField
    private let hint: Label
    private let trouble: Label
    /// What was typed first: the new PIN, or the old one where it is changed.
    private var first: SharedSecretBytes?
    private var old: SharedSecretBytes?
    private var isBusy = false
    private var waiting: Task<Void, Never>?

    init(_ shell: Shell, _ purpose: Purpose) {
        self.shell = shell
        self.purpose = purpose
        let phrases = shell.phrases
        let field = PINField(phrases.pin) { DiaryPhrases.fill(phrases.digitsTyped, "\($0)") }
        hint = Label(purpose == .change ? phrases.oldPIN : phrases.typePIN)
        hint.inTheMiddle()
        trouble = Label("")
        trouble.inTheMiddle().styled("error")
        self.field = field
        widget = Stack()
        let body = Stack(spacing: 14, [hint, field.centered(), trouble, Self.keypad(field, phrases)])
        var start: [Widget] = []
        if purpose == .change {
            start.append(
                Button(icon: "go-previous-symbolic", name: phrases.back) { [weak shell] in
                    shell?.attempt { await $0.advance() }
                })
        }
        let page = StatusPage(
            icon: purpose == .unlock ? "changes-prevent-symbolic" : "dialog-password-symbolic",
            title: purpose == .unlock ? phrases.locked : purpose == .choose ? phrases.choosePIN : phrases.changePIN,
            text: purpose == .choose ? phrases.choosePINText : "", body
        ).styled("compact")
        widget = Stack([Header(title: phrases.appName, start: start), Scrolled(page).expanded()])
        field.submitted = { [weak self] in
            guard let self, !self.isBusy, let typed = self.field.typed.take() else { return }
            self.take(typed)
        }
        if purpose == .unlock { showDelay() }
    }

    func appeared() { field.focus() }

    private static func keypad(_ field: PINField, _ phrases: DiaryPhrases) -> Widget {
        let rows = Stack(spacing: 8)
        func key(_ digit: Int) -> Widget {
            Button("\(digit)") { [weak field] in field?.type(digit) }
                .named(DiaryPhrases.fill(phrases.digit, "\(digit)")).styled("key")
        }
        for row in [[1, 2, 3], [4, 5, 6], [7, 8, 9]] {
            rows.add(Stack(vertical: false, spacing: 8, row.map(key)).centered())
        }
        let back = Button(icon: "edit-clear-symbolic", name: phrases.takeBack) { [weak field] in field?.takeBack() }
            .styled("key")
        let enter = Button(icon: "object-select-symbolic", name: phrases.enter) { [weak field] in field?.submit() }
            .styled("key", "suggested-action")
        rows.add(Stack(vertical: false, spacing: 8, [back, key(0), enter]).centered())
        return rows
    }

    private func take(_ typed: consuming SecretBytes) {
        switch purpose {
        case .unlock: unlock(typed)
        case .choose: choose(typed)
        case .change: change(typed)
        }
    }

    private func unlock(_ typed: consuming SecretBytes) {
        let typed = typed
        work { shell in try await shell.open?.unlock(typed) }
    }

    private func choose(_ typed: consuming SecretBytes) {
        guard let first else {
            self.first = SharedSecretBytes(typed)
            return say(shell.phrases.repeatPIN)
        }
        self.first = nil
        guard Self.isSame(first, typed) else { return differ(shell.phrases.typePIN) }
        let typed = typed
        work { shell in try await shell.open?.choose(typed) }
    }

    private func change(_ typed: consuming SecretBytes) {
        guard let old else {
            self.old = SharedSecretBytes(typed)
            return say(shell.phrases.newPIN)
        }
        guard let first else {
            self.first = SharedSecretBytes(typed)
            return say(shell.phrases.repeatPIN)
        }
        self.first = nil
        guard Self.isSame(first, typed) else { return differ(shell.phrases.newPIN) }
        self.old = nil
        let new = typed
        work { shell in
            let before = old.withBytes { SecretBytes(copying: $0) }
            try await shell.open?.change(before, to: new)
            shell.say(shell.phrases.pinChanged)
        }
    }

    private static func isSame(_ one: SharedSecretBytes, _ other: borrowing SecretBytes) -> Bool {
        one.withBytes { SecretBytes(copying: $0) }.matches(other)
    }

    private func say(_ text: String) {
        hint.text = text
        trouble.text = ""
    }

    private func differ(_ next: String) {
        hint.text = next
        trouble.text = shell.phrases.pinsDiffer
    }

    // Half a second of arithmetic on purpose: elsewhere, and the window goes on.
    private func work(_ body: @escaping @MainActor (Shell) async throws -> Void) {
        isBusy = true
        field.isEnabled = false
        trouble.text = shell.phrases.working
        Task { [weak self] in
            guard let self else { return }
            defer {
                self.isBusy = false
                self.field.isEnabled = true
                self.field.focus()
            }
            do {
                try await body(self.shell)
                self.trouble.text = ""
                await self.shell.advance()
            } catch {
                await self.refused(PaviseError(error))
            }
        }
    }

    private func refused(_ error: PaviseError) async {
        guard error.code != .wiped else { return await shell.advance() }
        trouble.text = error.message(in: shell.language)
        (old, first) = (nil, nil)
        hint.text = purpose == .change ? shell.phrases.oldPIN : shell.phrases.typePIN
        if case AppLockFailure.wrongPIN(let left) = error.underlying, let attempts = left.attempts {
            trouble.text += " " + DiaryPhrases.fill(shell.phrases.attemptsLeft, "\(attempts)")
        }
        showDelay()
    }

    // Counts down while no PIN is looked at.
    private func showDelay() {
        waiting?.cancel()
        waiting = Task { [weak self] in
            while let self, case .delayed(_, let seconds)? = self.shell.open?.app.lock.state {
                self.hint.text = DiaryPhrases.fill(self.shell.phrases.waitSeconds, "\(seconds)")
                guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
                self.hint.text = self.shell.phrases.typePIN
            }
        }
    }
}

/// What is kept, and whether the person agrees.
@MainActor
final class ConsentPage: Page {
    let widget: Widget

    init(_ shell: Shell) {
        let phrases = shell.phrases
        let agree = Button(phrases.agree) { [weak shell] in
            shell?.attempt { shell in
                try await shell.open?.consent(true)
                await shell.advance()
            }
        }.styled("pill", "suggested-action")
        let disagree = Button(phrases.disagree) { [weak shell] in
            shell?.attempt { try await SettingsPage.eraseEverything($0) }
        }.styled("pill")
        let text = Label(phrases.consentText)
        let body = Clamp(
            Stack(spacing: 24, [text, Stack(vertical: false, spacing: 12, [disagree, agree]).centered()]).margin(18))
        widget = Stack([
            Header(title: phrases.appName),
            Scrolled(StatusPage(icon: "security-high-symbolic", title: phrases.consentTitle, text: "", body))
                .expanded(),
        ])
    }
}
