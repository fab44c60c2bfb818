import DiaryCore
import Pavise
import SwiftUI

/// What stands in the place of the diary while it is not in use.
struct CoverView: View {
    let phrases: DiaryPhrases

    var body: some View {
        VStack(spacing: 12) {
            Text(phrases.appName).font(.title)
            Text(phrases.coverText)
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
                        let receipt = try await security.eraseEverything()
                        let left = await model.forgetFormerAddress() ? "" : "\n" + model.phrases.formerNotErased
                        guard !receipt.isEmpty else { return model.say(model.phrases.disagreed + left) }
                        model.say(receipt, left)
                    }
                }
            }
        }
    }
}

/// After too many wrong PINs.
struct ErasedView: View {
    let model: DiaryModel

    var body: some View {
        VStack(spacing: 12) {
            Text(model.phrases.erasedTitle).font(.title)
            Text(model.phrases.erasedText)
            Button(model.phrases.beginAnew) {
                model.attempt { security in try await security.startOver() }
            }
        }
    }
}

/// Why nothing can be shown.
struct FailureView: View {
    let model: DiaryModel
    let error: PaviseError
    @State private var isErasing = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        VStack(spacing: 12) {
            Text(error.title(in: model.text.language)).font(.title)
            Text(error.message(in: model.text.language))
            // The settings, where it is otherwise, cannot be reached.
            if model.security != nil, DiarySecurity.mayOnlyErase(after: error) {
                Button(phrases.eraseAll, role: .destructive) { isErasing = true }
                    .alert(phrases.eraseAllQuestion, isPresented: $isErasing) {
                        Button(phrases.cancel, role: .cancel) { isErasing = false }
                        Button(phrases.eraseAll, role: .destructive) { model.eraseAll() }
                    } message: {
                        Text(phrases.eraseAllText)
                    }
            }
        }
    }
}
