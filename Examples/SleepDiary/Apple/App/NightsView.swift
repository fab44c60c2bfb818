import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import SwiftUI

/// The nights, the last one first.
struct NightsView: View {
    let model: DiaryModel
    @State private var edited: Edit?

    /// A night that is told or changed.
    struct Edit: Identifiable {
        let id = UUID()
        let old: Night?
    }

    var body: some View {
        NavigationStack {
            List {
                if model.nights.isEmpty {
                    Text(model.phrases.noNights).font(.headline)
                    Text(model.phrases.noNightsText)
                }
                ForEach(model.nights.reversed(), id: \.id) { night in
                    Button {
                        edited = Edit(old: night)
                    } label: {
                        Text(model.text.day(night.day)).font(.headline)
                        Text(model.text.line(night))
                    }
                }
            }
            .navigationTitle(model.phrases.diary)
            .toolbar { Button(model.phrases.addNight) { edited = Edit(old: nil) } }
        }
        // A sheet lies over the app's cover: it has one of its own.
        .sheet(item: $edited) { edit in
            NightView(model: model, old: edit.old) { edited = nil }
                .paviseCover { CoverView(phrases: model.phrases) }
        }
    }
}

extension View {
    /// For a field whose text no keyboard learns.
    fileprivate func keptPrivate() -> some View {
        #if os(iOS)
        pavisePrivateText()
        #else
        autocorrectionDisabled()
        #endif
    }
}

/// One night: told, changed or erased.
struct NightView: View {
    let model: DiaryModel
    let old: Night?
    let close: () -> Void
    @State private var form: NightForm?
    @State private var trouble = ""
    @State private var isErasing = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        NavigationStack {
            Form {
                if let form = Binding($form) {
                    field(phrases.evening, form.date)
                    field(phrases.toBed, form.toBed)
                    field(phrases.up, form.up)
                    field(phrases.asleepAfter, form.asleepAfter)
                    field(phrases.awake, form.awake)
                    field(phrases.note, form.note)
                }
                Text(trouble).foregroundStyle(.red)
                Button(phrases.save) { save() }
                if old != nil { Button(phrases.erase, role: .destructive) { isErasing = true } }
                Button(phrases.cancel) { close() }
            }
            .navigationTitle(phrases.night)
        }
        .onAppear { form = Self.begun(old) }
        .alert(phrases.eraseNight, isPresented: $isErasing) {
            Button(phrases.cancel, role: .cancel) { isErasing = false }
            Button(phrases.erase, role: .destructive) { erase() }
        } message: {
            Text(model.account == nil ? phrases.eraseNightText : phrases.eraseNightElsewhere)
        }
    }

    private static func begun(_ old: Night?) -> NightForm? {
        if let old { return NightForm(old) }
        return LocalDate(eveningBefore: Date(), in: .current).map { NightForm(evening: $0) }
    }

    // Notes are health data: no dictionary of the keyboard learns them.
    private func field(_ title: String, _ text: Binding<String>) -> some View {
        TextField(title, text: text).keptPrivate().accessibilityLabel(title)
    }

    private func save() {
        guard let form else { return }
        do throws(NightForm.Problem) {
            let night = try form.night(in: .current, replacing: old)
            model.attempt { security in
                do throws(PaviseError) { try await security.keep(night, over: old) } catch {
                    // What could not be kept stays in the form, which says why.
                    return trouble = error.message(in: model.text.language)
                }
                close()
                model.synchronise(now: true)
            }
        } catch {
            trouble = model.text.sentence(error)
        }
    }

    private func erase() {
        guard let old else { return }
        model.attempt { security in
            try await security.erase(old)
            model.synchronise(now: true)
        }
        close()
    }
}
