import DiaryCore
import Pavise
import PaviseValidation
import SwiftUI

/// Choosing, typing or changing the PIN, on a keypad of the app's own: no text field, so that no keyboard of another
/// maker and no dictionary sees a digit. A keyboard with keys presses the keypad's.
struct PINView: View {
    enum Purpose {
        case choose, unlock, change
    }

    let model: DiaryModel
    let purpose: Purpose
    /// Leaves the page; `nil` where it cannot be left.
    var leave: (() -> Void)?
    @State private var typed = TypedPIN()
    @State private var count = 0
    @State private var old: SharedSecretBytes?
    @State private var first: SharedSecretBytes?
    @State private var trouble = ""
    @State private var wait: Int64 = 0
    @State private var isBusy = false

    private var phrases: DiaryPhrases { model.phrases }
    // As many places as the usual PIN has, and more where an administrator wanted a longer one.
    private var dots: String {
        let places = max(PINRule.standard.length.upperBound, count)
        return (0..<places).map { $0 < count ? "●" : "○" }.joined(separator: " ")
    }

    var body: some View {
        ScrollView {
            VStack(spacing: 14) {
                Text(title).font(.title)
                if purpose == .choose { Text(phrases.choosePINText) }
                Text(hint)
                Text(dots)
                    .accessibilityLabel(phrases.pin)
                    .accessibilityValue(DiaryPhrases.fill(phrases.digitsTyped, "\(count)"))
                Text(isBusy ? phrases.working : trouble).foregroundStyle(.red)
                keypad
                if canUseBiometrics {
                    Button(phrases.openWithBiometrics) {
                        work { try await $0.unlockWithBiometrics(reason: phrases.biometricsReason) }
                    }
                }
                if let leave { Button(phrases.cancel) { leave() } }
            }
        }
        .disabled(isBusy)
        .task { await countDown() }
    }

    private var keypad: some View {
        VStack(spacing: 8) {
            ForEach(0..<3) { row in
                HStack { ForEach(1..<4) { column in key(row * 3 + column) } }
            }
            HStack {
                Button(phrases.takeBack) {
                    typed.removeLast()
                    count = typed.count
                }
                .keyboardShortcut(.delete, modifiers: [])
                key(0)
                Button(phrases.enter) { submit() }.keyboardShortcut(.defaultAction)
            }
        }
    }

    private var title: String {
        switch purpose {
        case .choose: phrases.choosePIN
        case .unlock: phrases.locked
        case .change: phrases.changePIN
        }
    }

    private var hint: String {
        if wait > 0 { return DiaryPhrases.fill(phrases.waitSeconds, "\(wait)") }
        if purpose == .change, old == nil { return phrases.oldPIN }
        if first != nil { return phrases.repeatPIN }
        return purpose == .change ? phrases.newPIN : phrases.typePIN
    }

    private var usesBiometrics: Bool {
        (try? model.security?.settings.value(of: .usesBiometrics)) ?? false
    }

    private var canUseBiometrics: Bool {
        purpose == .unlock && usesBiometrics && model.security?.hasBiometrics ?? false
    }

    private func key(_ digit: Int) -> some View {
        Button("\(digit)") {
            typed.append(digit)
            count = typed.count
        }
        .accessibilityLabel(DiaryPhrases.fill(phrases.digit, "\(digit)"))
        .keyboardShortcut(KeyEquivalent(Character("\(digit)")), modifiers: [])
    }

    private func submit() {
        guard let taken = typed.take() else { return }
        count = 0
        trouble = ""
        let pin = SharedSecretBytes(taken)
        if purpose == .unlock {
            return work { security in
                try await security.unlock(Self.copy(pin))
                // What the system cannot keep, it does not keep: the PIN opens the lock all the same.
                if usesBiometrics { try? await security.useBiometrics(true) }
            }
        }
        guard purpose == .choose || old != nil else { return old = pin }
        guard let chosen = first else { return first = pin }
        first = nil
        guard Self.copy(chosen).matches(Self.copy(pin)) else { return trouble = phrases.pinsDiffer }
        guard let old else { return work { try await $0.choose(Self.copy(pin)) } }
        self.old = nil
        work { security in
            try await security.change(Self.copy(old), to: Self.copy(pin))
            model.say(phrases.pinChanged)
            leave?()
        }
    }

    private static func copy(_ secret: SharedSecretBytes) -> SecretBytes {
        secret.withBytes { SecretBytes(copying: $0) }
    }

    // Half a second of arithmetic on purpose: elsewhere, and the screen goes on.
    private func work(_ body: @escaping @MainActor (DiarySecurity) async throws -> Void) {
        guard let security = model.security else { return }
        isBusy = true
        Task {
            do { try await body(security) } catch { refused(PaviseError(error)) }
            isBusy = false
            await model.advance()
            await countDown()
        }
    }

    private func refused(_ error: PaviseError) {
        (old, first) = (nil, nil)
        trouble = error.message(in: model.text.language)
        if case AppLockFailure.wrongPIN(let left) = error.underlying, let attempts = left.attempts {
            trouble += " " + DiaryPhrases.fill(phrases.attemptsLeft, "\(attempts)")
        }
    }

    // While no PIN is looked at.
    private func countDown() async {
        while case .delayed(_, let seconds)? = model.security?.app.lock.state {
            wait = seconds
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
        }
        wait = 0
    }
}
