import DiaryCore
import Foundation
import Pavise
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
                if model.nights.isEmpty { Text(model.phrases.noNightsText) }
                ForEach(model.nights.reversed(), id: \.id) { night in
                    Button(night.date) { edited = Edit(old: night) }
                    Text(model.line(night))
                }
            }
            .navigationTitle(model.phrases.diary)
            .toolbar { Button(model.phrases.addNight) { edited = Edit(old: nil) } }
        }
        .sheet(item: $edited) { edit in NightView(model: model, old: edit.old) { edited = nil } }
    }
}

extension DiaryModel {
    /// What a night says, in a line and its note.
    func line(_ night: Night) -> String {
        let line = DiaryPhrases.fill(
            phrases.nightLine, clock(night.toBed, night.offsetToBed), clock(night.up, night.offsetUp),
            span(night.minutesAsleep), "\(Int((night.efficiency * 100).rounded())) %")
        return night.note.isEmpty ? line : "\(line)\n\(night.note)"
    }

    /// What some nights say together.
    func line(_ summary: SleepSummary) -> String {
        DiaryPhrases.fill(
            phrases.trendLine, "\(summary.nights)", span(summary.minutesInBed), span(summary.minutesAsleep),
            "\(Int((summary.efficiency * 100).rounded())) %")
    }

    private func clock(_ moment: Date, _ offset: Int) -> String {
        TimeZone(secondsFromGMT: offset * 60).flatMap { WallTime(of: moment, in: $0)?.text } ?? ""
    }

    private func span(_ minutes: Double) -> String {
        let whole = Int(minutes.rounded())
        return "\(whole / 60) h \(whole % 60) min"
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
                if let form {
                    field(phrases.evening, form.date) { self.form?.date = $0 }
                    field(phrases.toBed, form.toBed) { self.form?.toBed = $0 }
                    field(phrases.up, form.up) { self.form?.up = $0 }
                    field(phrases.asleepAfter, form.asleepAfter) { self.form?.asleepAfter = $0 }
                    field(phrases.awake, form.awake) { self.form?.awake = $0 }
                    field(phrases.note, form.note) { self.form?.note = $0 }
                }
                Text(trouble).foregroundStyle(.red)
                Button(phrases.save) { save() }
                if old != nil { Button(phrases.erase) { isErasing = true } }
                Button(phrases.cancel) { close() }
            }
            .navigationTitle(phrases.night)
        }
        // A sheet lies over the app's cover: it has one of its own.
        .paviseCover { CoverView(phrases: phrases) }
        .onAppear { form = Self.begun(old) }
        .alert(phrases.eraseNight, isPresented: $isErasing) {
            Button(phrases.cancel) { isErasing = false }
            Button(phrases.erase, role: .destructive) { erase() }
        } message: {
            Text(phrases.eraseNightText)
        }
    }

    private static func begun(_ old: Night?) -> NightForm? {
        if let old { return NightForm(old) }
        let yesterday = LocalDate(of: Date(timeIntervalSinceNow: -86_400), in: .current)
        return yesterday.map { NightForm(evening: $0) }
    }

    // Notes are health data: no dictionary of the keyboard learns them.
    private func field(_ title: String, _ text: String, _ changed: @escaping (String) -> Void) -> some View {
        TextField(title, text: Binding(get: { text }, set: changed)).autocorrectionDisabled()
    }

    private func save() {
        guard let form else { return }
        do throws(NightForm.Problem) {
            let night = try form.night(in: .current, replacing: old)
            model.attempt { security in try await security.with { try $0.keep(night) } }
            close()
        } catch {
            trouble = phrases.sentence(error)
        }
    }

    private func erase() {
        guard let old else { return }
        model.attempt { security in try await security.with { try $0.erase(old.id) } }
        close()
    }
}

/// Weeks and months.
struct TrendsView: View {
    let model: DiaryModel

    var body: some View {
        List {
            Section(model.phrases.weeks) { summaries(.week) }
            Section(model.phrases.months) { summaries(.month) }
        }
    }

    private func summaries(_ period: SleepSummary.Period) -> some View {
        let found = Array(SleepSummary.of(model.nights, by: period).suffix(6).reversed())
        return ForEach(found, id: \.period) { summary in
            VStack(spacing: 4) {
                Text(summary.period).font(.headline)
                Text(model.line(summary))
            }
        }
    }
}
