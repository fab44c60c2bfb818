import DiaryCore
import Foundation
import Observation
import Pavise

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
    /// What is said in passing, and whether it is.
    private(set) var said = ""
    var isSaying = false
    private var following: [Task<Void, Never>] = []

    let language = MessageLanguage.current
    var phrases: DiaryPhrases { .of(language) }

    /// Opens the security of the app, once.
    func begin() async {
        guard security == nil else { return }
        do throws(PaviseError) {
            let security = try await DiarySecurity.open()
            self.security = security
            follow(security)
            await advance()
        } catch {
            screen = .failed(error)
        }
    }

    /// Shows what the person has to do next.
    func advance() async {
        guard let security else { return }
        do throws(PaviseError) { screen = .at(try await security.stage()) } catch { screen = .failed(error) }
        if case .at(.open) = screen { return await reload() }
        // What was shown goes out of memory with the lock.
        (nights, answers, documents) = ([], [:], [])
    }

    /// Looks at the lock, which may have closed by time.
    func look() { _ = security?.app.lock.state }

    /// Reads what is shown.
    func reload() async {
        guard let security else { return }
        do throws(PaviseError) {
            nights = try await security.with { try $0.nights() }
            let sheets = try await security.with { diary in
                try Questionnaire.allCases.map { ($0, try diary.answers(to: $0)) }
            }
            answers = Dictionary(uniqueKeysWithValues: sheets)
            documents = try await security.documents()
            account = try await security.account()
            accountState = await account?.state
        } catch {
            tell(error)
        }
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

    /// Says something in passing.
    func say(_ text: String) { (said, isSaying) = (text, true) }

    /// Says what went wrong; the lock page says that it is locked.
    func tell(_ error: PaviseError) {
        guard error.code != .cancelled, error.code != .appLocked else { return }
        say("\(error.title(in: language)): \(error.message(in: language))")
    }

    private func follow(_ security: DiarySecurity) {
        following = [
            Task { [weak self] in
                for await state in security.app.lock.states where !state.isOpen { await self?.advance() }
            },
            Task { [weak self] in
                for await notice in security.app.notices {
                    guard let self else { return }
                    self.say("\(notice.title(in: self.language)): \(notice.message(in: self.language))")
                }
            },
        ]
    }
}
