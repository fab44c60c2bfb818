import DiaryCore
import Foundation
import Observation
import Pavise
import SwiftUI

/// What the views show. It decides nothing: `DiarySecurity` does.
@MainActor @Observable
final class DiaryModel {
    /// Which of the pages is shown.
    enum Screen {
        case opening
        case failed(PaviseError)
        case at(DiarySecurity.Stage)
    }

    private(set) var screen = Screen.opening
    private(set) var security: DiarySecurity?
    private(set) var nights: [Night] = []
    private(set) var answers: [Questionnaire: [Answers]] = [:]
    private(set) var documents: [DiarySecurity.Document] = []
    private(set) var account: Account?
    private(set) var accountState: AccountState?
    /// Why nobody can say whether there is an account.
    private(set) var accountTrouble: PaviseError?
    /// How it writes, in the language of the person.
    private(set) var text = DiaryText(.current)
    /// How it looks.
    private(set) var appearance = Appearance.system
    /// What is said in passing, and whether it is.
    private(set) var said: (title: String, text: String)?
    var isSaying = false
    /// The receipt that is told, for the person to keep.
    private(set) var receipt: String?
    var isSavingReceipt = false
    private var following: [Task<Void, Never>] = []
    @ObservationIgnored private var lastSync: ContinuousClock.Instant?
    @ObservationIgnored private var resumedNotices = false
    // What is to be shown was asked so often.
    @ObservationIgnored private var asked = 0

    var phrases: DiaryPhrases { text.phrases }
    /// Light or dark, where the person wants it otherwise than the system.
    var colours: ColorScheme? {
        switch appearance {
        case .system: nil
        case .light: .light
        case .dark: .dark
        }
    }

    /// The server that version 1 of the app knew.
    private(set) var formerAddress: String?

    @concurrent
    nonisolated private static func readFormerAddress() async -> String? { ServerAddress.load() }

    /// Erases what version 1 of the app kept beside the diary.
    ///
    /// - Returns: Whether it is gone.
    func forgetFormerAddress() async -> Bool {
        guard await Self.eraseFormerAddress() else { return false }
        formerAddress = nil
        return true
    }

    @concurrent
    nonisolated private static func eraseFormerAddress() async -> Bool { ServerAddress.delete() }

    /// Opens the security of the app, once.
    func begin(_ events: SystemEvents) async {
        guard security == nil else { return }
        do throws(PaviseError) {
            let security = try await DiarySecurity.open()
            self.security = security
            formerAddress = await Self.readFormerAddress()
            readPreferences()
            let push = security.push
            push.use(SystemPush(appName: phrases.appName))
            events.tokenCame = { token in Task { try? await push.came(token) } }
            follow(security)
            await advance()
        } catch {
            screen = .failed(error)
        }
    }

    /// Shows what the person has to do next. Of several questions the last decides: the lock may have closed or opened
    /// since an earlier one was answered.
    func advance() async {
        guard let security else { return }
        asked += 1
        let question = asked
        let next: Screen
        do throws(PaviseError) { next = .at(try await security.stage()) } catch { next = .failed(error) }
        guard question == asked else { return }
        screen = next
        switch next {
        case .at(.open): return await reload(question)
        // Nobody is left to be reminded.
        case .at(.choosePIN): await Reminders.remove(self)
        case .at(.erased):
            await Reminders.remove(self)
            if await !forgetFormerAddress() { say(phrases.formerNotErased) }
        default: break
        }
        // What was shown goes out of memory with the lock.
        (nights, answers, documents) = ([], [:], [])
        account = nil
        accountState = nil
        accountTrouble = nil
    }

    /// Looks at the lock, which may have closed by time.
    func look() {
        _ = security?.app.lock.state
        guard resumedNotices, let security else { return }
        Task { try? await security.push.becameActive() }
    }

    /// Reads what is shown, unless something else is to be shown by then: behind the lock nothing of it is kept.
    private func reload(_ question: Int) async {
        guard let security else { return }
        do throws(PaviseError) {
            let contents = try await security.contents()
            guard question == asked else { return }
            (nights, answers, documents) = (contents.nights, contents.answers, contents.documents)
            (account, accountState) = (contents.account, contents.accountState)
            accountTrouble = contents.accountTrouble
            await Reminders.plan(self)
            resumeNotices(security)
        } catch {
            tell(error)
        }
    }

    // The system may have another token at each start: asked once, and not before the lock is open.
    private func resumeNotices(_ security: DiarySecurity) {
        guard !resumedNotices else { return }
        resumedNotices = true
        Task { try? await security.push.goOn() }
    }

    /// Reads what is set.
    func readPreferences() {
        guard let settings = security?.settings else { return }
        text = DiaryText(((try? settings.value(of: .language)) ?? .system).language)
        appearance = (try? settings.value(of: .appearance)) ?? .system
    }

    /// Does something that may fail, says how it failed, and shows what there is then.
    func attempt(_ body: @escaping @MainActor (DiarySecurity) async throws -> Void) {
        guard let security else { return }
        security.app.lock.used()
        Task {
            do { try await body(security) } catch { tell(PaviseError(error)) }
            await advance()
        }
    }

    /// Erases everything, and says what was erased.
    func eraseAll() {
        attempt { [self] security in
            let receipt = try await security.eraseEverything()
            let left = await forgetFormerAddress() ? "" : "\n" + phrases.formerNotErased
            say(receipt, left)
            readPreferences()
        }
    }

    /// Brings the diary and the server together, without a word: the settings say how it stands.
    ///
    /// - Parameter now: Also where the last time is less than five minutes ago, and behind a run that goes on: a person
    ///   did something that it does not know of.
    func synchronise(now: Bool = false) {
        #if canImport(PaviseSync)
        if !now, let lastSync, lastSync.duration(to: .now) < .seconds(300) { return }
        lastSync = .now
        Task {
            guard let outcome = try? await security?.sync()?.run(waits: now),
                outcome.received + outcome.documents.received > 0
            else { return }
            await advance()
        }
        #endif
    }

    /// Says something in passing.
    func say(_ text: String, title: String? = nil) {
        receipt = nil
        said = (title ?? phrases.appName, text)
        isSaying = true
    }

    /// Says what was erased.
    ///
    /// - Parameter more: What is no part of the receipt.
    func say(_ erased: DeletionReceipt, _ more: String) {
        let receipt = text.text(erased)
        say(receipt + more, title: phrases.receipt)
        self.receipt = receipt
    }

    /// Says what went wrong; the lock page says that it is locked.
    func tell(_ error: PaviseError) {
        guard error.code != .cancelled, error.code != .appLocked else { return }
        say(error.message(in: text.language), title: error.title(in: text.language))
    }

    private func follow(_ security: DiarySecurity) {
        following = [
            Task { [weak self] in
                for await state in security.app.lock.states where !state.isOpen { await self?.advance() }
            },
            Task { [weak self] in
                for await notice in security.app.notices {
                    guard let self else { return }
                    self.say(notice.message(in: self.text.language), title: notice.title(in: self.text.language))
                }
            },
        ]
    }
}
