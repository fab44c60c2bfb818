import DiaryCore
import Pavise
import PaviseValidation
import SwiftUI

/// Choosing, typing or changing the PIN, on a keypad of the app's own: no text field, so that no keyboard of another
/// maker and no dictionary sees a digit.
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
    @State private var isBusy = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        VStack(spacing: 14) {
            Text(title).font(.title)
            Text(hint)
            Text((0..<typed.limit).map { $0 < count ? "●" : "○" }.joined(separator: " "))
                .accessibilityLabel(phrases.pin)
                .accessibilityValue(DiaryPhrases.fill(phrases.digitsTyped, "\(count)"))
            Text(trouble).foregroundStyle(.red)
            ForEach(0..<3) { row in
                HStack { ForEach(1..<4) { column in key(row * 3 + column) } }
            }
            HStack {
                Button(phrases.takeBack) {
                    typed.removeLast()
                    count = typed.count
                }
                key(0)
                Button(phrases.enter) { submit() }
            }
            if let leave { Button(phrases.cancel) { leave() } }
        }
        .disabled(isBusy)
    }

    private var title: String {
        switch purpose {
        case .choose: phrases.choosePIN
        case .unlock: phrases.locked
        case .change: phrases.changePIN
        }
    }

    private var hint: String {
        if purpose == .change, old == nil { return phrases.oldPIN }
        if first != nil { return phrases.repeatPIN }
        return purpose == .change ? phrases.newPIN : phrases.typePIN
    }

    private func key(_ digit: Int) -> some View {
        Button("\(digit)") {
            typed.append(digit)
            count = typed.count
        }
        .accessibilityLabel(DiaryPhrases.fill(phrases.digit, "\(digit)"))
    }

    private func submit() {
        guard let taken = typed.take() else { return }
        count = 0
        trouble = ""
        let pin = SharedSecretBytes(taken)
        if purpose == .unlock {
            return work { try await $0.unlock(Self.copy(pin)) }
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
            do { try await body(security) } catch {
                let failure = PaviseError(error)
                trouble = failure.message(in: model.language)
                (old, first) = (nil, nil)
            }
            isBusy = false
            await model.advance()
        }
    }
}

/// What is kept, and whether the person agrees.
struct ConsentView: View {
    let model: DiaryModel

    var body: some View {
        ScrollView {
            VStack(spacing: 18) {
                Text(model.phrases.consentTitle).font(.title)
                Text(model.phrases.consentText)
                Button(model.phrases.agree) { model.attempt { try await $0.consent(true) } }
                Button(model.phrases.disagree) {
                    model.attempt { security in
                        try await security.startOver()
                        model.say(model.phrases.disagreed)
                    }
                }
            }
        }
    }
}
