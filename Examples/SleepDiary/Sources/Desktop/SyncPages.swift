import DiaryCore
import Foundation
import Pavise
import PaviseSync
import Toolkit

/// How this device and the server stand to each other.
struct SyncStatus: Sendable {
    let waiting: Int
    let waitingDocuments: Int
    let conflicts: [DiarySync.Conflict]
    let state: SyncState

    /// Whether something is not at the server yet.
    var waits: Bool { waiting + waitingDocuments > 0 }

    /// `nil` where nobody is signed in.
    init?(_ security: DiarySecurity) async throws {
        guard let sync = try await security.sync() else { return nil }
        waiting = try await sync.waiting()
        waitingDocuments = try await sync.waitingDocuments()
        conflicts = try await sync.conflicts()
        state = sync.state
    }
}

/// What waits, what stopped the last run, and what the person has to choose.
@MainActor
enum SyncGroup {
    static func widget(_ shell: Shell, _ sync: SyncStatus) -> Widget {
        let phrases = shell.phrases
        let group = RowGroup(phrases.sync)
        let row = Row(phrases.syncNow, line(shell, sync)).onPress { [weak shell] in
            shell?.attempt { try await run($0) }
        }
        follow(shell, row)
        group.add(row)
        guard !sync.conflicts.isEmpty else { return group }
        let text = DiaryPhrases.fill(phrases.conflictsText, "\(sync.conflicts.count)")
        group.add(
            Row(phrases.conflicts, text).onPress { [weak shell] in
                guard let shell, let first = sync.conflicts.first else { return }
                shell.show(ConflictPage(shell, first))
            })
        return group
    }

    /// What waits, and what goes on or went wrong.
    private static func line(_ shell: Shell, _ sync: SyncStatus) -> String {
        let waiting = shell.text.waiting(nights: sync.waiting, documents: sync.waitingDocuments)
        return switch sync.state.activity {
        case .idle: waiting
        case .running: sync.waits ? waiting + " " + shell.phrases.working : shell.phrases.working
        case .stopped(let error): waiting + " " + error.message(in: shell.language)
        }
    }

    // A run that waits for a server, or ends, is told where the row is still there.
    private static func follow(_ shell: Shell, _ row: Row) {
        Task { [weak shell, weak row] in
            guard let states = try? await shell?.open?.sync()?.states else { return }
            for await _ in states {
                guard let shell, let row, let security = shell.open else { return }
                if let sync = try? await SyncStatus(security) { row.subtitle(line(shell, sync)) }
            }
        }
    }

    private static func run(_ shell: Shell) async throws {
        let phrases = shell.phrases
        guard let sync = try await shell.open?.sync() else { return }
        await shell.showNotices()
        var outcome = try await sync.run()
        if outcome.asks {
            let answer = await shell.ask(
                phrases.syncQuestion, shell.text.question(outcome),
                [.init("no", phrases.cancel), .init("yes", phrases.syncGoOn, .destructive)])
            if answer == "yes" { outcome = try await sync.run(approving: outcome) }
        }
        shell.say(shell.text.text(outcome))
        await shell.advance()
    }
}

/// Two versions of a night, beside each other; to keep one says what goes with the other.
@MainActor
final class ConflictPage: Page {
    let widget: Widget

    init(_ shell: Shell, _ conflict: DiarySync.Conflict) {
        let phrases = shell.phrases
        let back = Button(icon: "go-previous-symbolic", name: phrases.back) { [weak shell] in
            shell?.attempt { await $0.advance() }
        }
        let current = conflict.current.map(shell.text.line) ?? phrases.conflictErased
        let other = shell.text.line(conflict.other)
        let body = Stack(spacing: 18, [Label(phrases.conflictText)])
        body.add(
            Self.version(phrases.conflictCurrent, current, shell) { [weak shell] in
                guard let shell else { return }
                Self.choose(conflict, conflict.current, losing: other, shell)
            })
        body.add(
            Self.version(phrases.conflictOther, other, shell) { [weak shell] in
                guard let shell else { return }
                Self.choose(conflict, conflict.other, losing: current, shell)
            })
        let title = shell.text.day(conflict.other.day)
        widget = Stack([Header(title: title, start: [back]), Scrolled(Clamp(body.margin(18))).expanded()])
    }

    private static func version(
        _ title: String, _ line: String, _ shell: Shell, _ chosen: @escaping @MainActor () -> Void
    ) -> Widget {
        let keep = Button(shell.phrases.keepThis, chosen).named("\(shell.phrases.keepThis): \(title)")
        return Stack(
            spacing: 8, [Label(title).styled("heading"), Label(line), keep.styled("pill").centered()]
        ).styled("card")
    }

    private static func choose(
        _ conflict: DiarySync.Conflict, _ night: Night?, losing lost: String, _ shell: Shell
    ) {
        shell.attempt { shell in
            let phrases = shell.phrases
            let answer = await shell.ask(
                phrases.keepQuestion, DiaryPhrases.fill(phrases.keepText, lost),
                [.init("no", phrases.cancel), .init("yes", phrases.keepThis, .destructive)])
            guard answer == "yes", let sync = try await shell.open?.sync() else { return }
            try await sync.close(conflict, keeping: night)
            shell.say(phrases.conflictClosed)
            await shell.advance()
            shell.synchronise(now: true)
        }
    }
}
