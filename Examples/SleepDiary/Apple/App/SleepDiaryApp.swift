import DiaryCore
import Pavise
import PavisePrimitives
import PavisePrivacy
import SwiftUI
import UniformTypeIdentifiers

/// The sleep diary on a phone and on a Mac: the windows over `DiaryCore`, which the Linux desktop stands on, too.
@main
struct SleepDiaryApp: App {
    #if os(iOS)
    @UIApplicationDelegateAdaptor(SystemEvents.self) private var events
    #else
    @NSApplicationDelegateAdaptor(SystemEvents.self) private var events
    #endif
    @State private var model = DiaryModel()

    init() {
        // Before a secret is read: no core file and no crash report of the runtime has what is in memory.
        do throws(SystemFailure) { try MemoryProtection.start() } catch {
            fatalError("The memory of this app cannot be protected.")
        }
    }

    var body: some Scene {
        WindowGroup {
            RootView(model: model)
                // The system takes a picture of the screen when the app leaves: it is one of this.
                .paviseCover { CoverView(phrases: model.phrases) }
                .task { await model.begin(events) }
        }
    }
}

/// What the person has to do next.
struct RootView: View {
    @Bindable var model: DiaryModel
    @Environment(\.scenePhase) private var phase

    var body: some View {
        stage.onChange(of: phase) { _, phase in
            // What closes by time is told to whoever looks.
            if phase == .active { model.look() }
        }
        .preferredColorScheme(model.colours)
        .alert(model.said?.title ?? "", isPresented: $model.isSaying) {
            Button(model.phrases.close) { model.isSaying = false }
            if model.receipt != nil { Button(model.phrases.saveReceipt) { model.isSavingReceipt = true } }
        } message: {
            Text(model.said?.text ?? "")
        }
        .fileExporter(
            isPresented: $model.isSavingReceipt, document: model.receipt.map { SavedReceipt(text: $0) },
            contentType: .plainText, defaultFilename: "sleep-diary-receipt.txt"
        ) { result in
            switch result {
            case .success: model.say(model.phrases.receiptSaved)
            case .failure: model.say(model.phrases.notExported)
            }
        }
    }

    @ViewBuilder private var stage: some View {
        switch model.screen {
        case .opening: ProgressView()
        case .failed(let error): FailureView(model: model, error: error)
        case .at(.choosePIN): PINView(model: model, purpose: .choose)
        case .at(.locked): PINView(model: model, purpose: .unlock)
        case .at(.consent): ConsentView(model: model)
        case .at(.erased): ErasedView(model: model)
        case .at(.open): DiaryTabs(model: model)
        }
    }
}

/// The diary while the lock is open.
struct DiaryTabs: View {
    let model: DiaryModel

    var body: some View {
        TabView {
            NightsView(model: model).tabItem { Label(model.phrases.diary, systemImage: "moon") }
            TrendsView(model: model).tabItem { Label(model.phrases.trends, systemImage: "chart.bar") }
            QuestionnairesView(model: model).tabItem {
                Label(model.phrases.questionnaires, systemImage: "list.bullet.clipboard")
            }
            DocumentsView(model: model).tabItem { Label(model.phrases.documents, systemImage: "doc.text") }
            SettingsView(model: model).tabItem { Label(model.phrases.settings, systemImage: "gearshape") }
        }
        .task { model.synchronise() }
    }
}
