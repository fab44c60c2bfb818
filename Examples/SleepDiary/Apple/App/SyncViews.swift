#if canImport(PaviseSync)
import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import PaviseSync
import SwiftUI

/// What waits, what stopped the last run, and what the person has to choose.
struct SyncRows: View {
    let model: DiaryModel
    @State private var waiting = 0
    @State private var waitingDocuments = 0
    @State private var conflicts: [DiarySync.Conflict] = []
    @State private var state: SyncState?
    @State private var trouble: PaviseError?
    @State private var asked: DiarySync.Outcome?
    @State private var isAsking = false
    @State private var shown: DiarySync.Conflict?

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        Section(phrases.sync) {
            Text(line)
            Button(phrases.syncNow) { run(nil) }
                .alert(phrases.syncQuestion, isPresented: $isAsking) {
                    Button(phrases.cancel, role: .cancel) { isAsking = false }
                    Button(phrases.syncGoOn, role: .destructive) { run(asked) }
                } message: {
                    Text(asked.map(model.text.question) ?? "")
                }
            if let first = conflicts.first {
                Button(phrases.conflicts) { shown = first }
                    .sheet(item: $shown) { conflict in
                        ConflictView(model: model, conflict: conflict) { shown = nil }
                            .paviseCover { CoverView(phrases: phrases) }
                    }
                Text(DiaryPhrases.fill(phrases.conflictsText, "\(conflicts.count)"))
            }
        }
        .task { await follow() }
    }

    private var line: String {
        // Figures that nobody could read are none.
        if let trouble { return trouble.message(in: model.text.language) }
        let line = model.text.waiting(nights: waiting, documents: waitingDocuments)
        return switch state?.activity {
        case nil, .idle: line
        case .running: phrases.working
        case .stopped(let error): line + " " + error.message(in: model.text.language)
        }
    }

    private func follow() async {
        do {
            guard let sync = try await model.security?.sync() else { return }
            for await state in sync.states {
                self.state = state
                await look(sync)
            }
        } catch {
            trouble = PaviseError(error)
        }
    }

    private func look(_ sync: DiarySync) async {
        do {
            waiting = try await sync.waiting()
            waitingDocuments = try await sync.waitingDocuments()
            conflicts = try await sync.conflicts()
            trouble = nil
        } catch {
            trouble = PaviseError(error)
        }
    }

    private func run(_ approved: DiarySync.Outcome?) {
        model.attempt { security in
            guard let sync = try await security.sync() else { return }
            let outcome = try await sync.run(approving: approved)
            await look(sync)
            asked = outcome.asks && approved == nil ? outcome : nil
            guard asked == nil else { return isAsking = true }
            model.say(model.text.text(outcome))
        }
    }
}

/// Two versions of a night, beside each other; to keep one says what goes with the other.
struct ConflictView: View {
    let model: DiaryModel
    let conflict: DiarySync.Conflict
    let close: () -> Void
    @State private var chosen: Choice?

    /// The version that the person chose, and the one that is lost with it.
    struct Choice {
        let night: Night?
        let lost: String
    }

    private var phrases: DiaryPhrases { model.phrases }
    private var current: String { conflict.current.map(model.text.line) ?? phrases.conflictErased }
    private var other: String { model.text.line(conflict.other) }

    var body: some View {
        ScrollView {
            VStack(spacing: 18) {
                Text(model.text.day(conflict.other.day)).font(.title)
                if let chosen {
                    question(chosen)
                } else {
                    Text(phrases.conflictText)
                    version(phrases.conflictCurrent, current, Choice(night: conflict.current, lost: other))
                    version(phrases.conflictOther, other, Choice(night: conflict.other, lost: current))
                    Button(phrases.back) { close() }
                }
            }
        }
    }

    private func version(_ title: String, _ line: String, _ choice: Choice) -> some View {
        VStack(spacing: 8) {
            Text(title).font(.headline)
            Text(line)
            Button(phrases.keepThis) { chosen = choice }.accessibilityLabel("\(phrases.keepThis): \(title)")
        }
    }

    // Not an alert: that would lie above the cover, with a note of the diary in it.
    @ViewBuilder private func question(_ choice: Choice) -> some View {
        Text(phrases.keepQuestion).font(.headline)
        Text(DiaryPhrases.fill(phrases.keepText, choice.lost))
        Button(phrases.cancel, role: .cancel) { chosen = nil }
        Button(phrases.keepThis, role: .destructive) { keep(choice) }
    }

    private func keep(_ choice: Choice) {
        model.attempt { security in
            guard let sync = try await security.sync() else { return }
            try await sync.close(conflict, keeping: choice.night)
            model.say(phrases.conflictClosed)
            close()
            model.synchronise(now: true)
        }
    }
}
#endif
