import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import SwiftUI
import UniformTypeIdentifiers

/// Language and looks, reminder, lock, server, and everything out or away.
struct SettingsView: View {
    let model: DiaryModel
    @State private var isChangingPIN = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        Form {
            GeneralRows(model: model)
            Section(phrases.security) {
                Button(phrases.lockNow) { model.security?.app.lock.lockNow() }
                Button(phrases.changePIN) { isChangingPIN = true }
                if model.security?.hasBiometrics ?? false { BiometricsRow(model: model) }
                Text(phrases.device).font(.headline)
                Text(model.security?.hasDeviceFindings ?? false ? phrases.deviceFindings : phrases.deviceFine)
            }
            Section(phrases.account) { AccountRows(model: model) }
            #if canImport(PaviseSync)
            if model.account != nil { SyncRows(model: model) }
            #endif
            Section(phrases.data) { DataRows(model: model) }
        }
        .sheet(isPresented: $isChangingPIN) {
            PINView(model: model, purpose: .change) { isChangingPIN = false }
                .paviseCover { CoverView(phrases: phrases) }
        }
    }
}

/// Language, looks, reminder.
struct GeneralRows: View {
    let model: DiaryModel
    @State private var language = DiaryLanguage.system
    @State private var appearance = Appearance.system
    @State private var reminds = false
    @State private var time = ""

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        Section(phrases.general) {
            Picker(phrases.language, selection: $language) {
                Text(phrases.asSystem).tag(DiaryLanguage.system)
                Text("Deutsch").tag(DiaryLanguage.german)
                Text("English").tag(DiaryLanguage.english)
            }
            Picker(phrases.appearance, selection: $appearance) {
                Text(phrases.asSystem).tag(Appearance.system)
                Text(phrases.light).tag(Appearance.light)
                Text(phrases.dark).tag(Appearance.dark)
            }
            Toggle(phrases.remind, isOn: $reminds)
            Text(phrases.remindText).font(.caption)
            TextField(phrases.remindAt, text: $time).autocorrectionDisabled().onSubmit { setTime() }
        }
        .onAppear { read() }
        .onChange(of: language) { _, language in set { try $0.settings.set(language, for: .language) } }
        .onChange(of: appearance) { _, appearance in set { try $0.settings.set(appearance, for: .appearance) } }
        .onChange(of: reminds) { _, reminds in turn(reminds, UserAction()) }
    }

    private func read() {
        guard let settings = model.security?.settings else { return }
        language = (try? settings.value(of: .language)) ?? .system
        appearance = (try? settings.value(of: .appearance)) ?? .system
        reminds = (try? settings.value(of: .reminds)) ?? false
        let minute = (try? settings.value(of: .reminderMinute)) ?? 510
        time = WallTime(minute / 60, minute % 60)?.text ?? ""
    }

    private func set(_ change: @escaping @MainActor (DiarySecurity) throws -> Void) {
        model.attempt { security in
            try change(security)
            model.readPreferences()
        }
    }

    // The system asks her once, and only here: not at the start of the app.
    private func turn(_ reminds: Bool, _ action: UserAction) {
        model.attempt { security in
            guard reminds != (try? security.settings.value(of: .reminds)) else { return }
            let isAllowed = reminds ? await Reminders.ask(model, action) : false
            try security.settings.set(isAllowed, for: .reminds)
            self.reminds = isAllowed
        }
    }

    private func setTime() {
        guard let wall = WallTime(time) else { return model.say(phrases.wrongTime) }
        set { try $0.settings.set(wall.hour * 60 + wall.minute, for: .reminderMinute) }
    }
}

/// Whether a face or a finger opens the lock.
struct BiometricsRow: View {
    let model: DiaryModel
    @State private var isOn = false

    var body: some View {
        Toggle(model.phrases.useBiometrics, isOn: $isOn)
            .onAppear { isOn = (try? model.security?.settings.value(of: .usesBiometrics)) ?? false }
            .onChange(of: isOn) { _, isOn in
                model.attempt { security in
                    try security.settings.set(isOn, for: .usesBiometrics)
                    if !isOn { try await security.useBiometrics(false) }
                }
            }
        Text(model.phrases.useBiometricsText).font(.caption)
    }
}

/// Everything out, or away.
struct DataRows: View {
    let model: DiaryModel
    @State private var isErasing = false
    @State private var isWithdrawing = false
    @State private var isExporting = false
    @State private var export = ExportedDiary(contents: Data())
    @State private var exported = ""

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        Button(phrases.export) {
            model.attempt { security in
                let (json, unreadable) = try await security.export()
                export = ExportedDiary(contents: json)
                exported = model.text.exported(unreadable: unreadable)
                isExporting = true
            }
        }
        .fileExporter(
            isPresented: $isExporting, document: export, contentType: .json, defaultFilename: "sleep-diary.json"
        ) { result in
            export = ExportedDiary(contents: Data())
            switch result {
            case .success: model.say(exported)
            case .failure: model.say(phrases.notExported)
            }
        }
        Text(phrases.exportText).font(.caption)
        Button(phrases.withdraw) { isWithdrawing = true }
            .alert(phrases.withdrawQuestion, isPresented: $isWithdrawing) {
                Button(phrases.cancel, role: .cancel) { isWithdrawing = false }
                Button(phrases.withdraw, role: .destructive) { model.attempt { try await $0.consent(false) } }
            } message: {
                Text(phrases.withdrawText)
            }
        Button(phrases.eraseAll, role: .destructive) { isErasing = true }
            .alert(phrases.eraseAllQuestion, isPresented: $isErasing) {
                Button(phrases.cancel, role: .cancel) { isErasing = false }
                Button(phrases.eraseAll, role: .destructive) { model.eraseAll() }
            } message: {
                Text(phrases.eraseAllText)
            }
    }
}
