import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import Toolkit

/// Language and looks, reminder, lock, server, and everything out or away.
@MainActor
enum SettingsPage {
    static func widget(_ shell: Shell, _ signedIn: SignedIn, _ sync: SyncStatus?) -> Widget {
        var groups = [
            general(shell), reminder(shell), security(shell), AccountGroup.widget(shell, signedIn), data(shell),
        ]
        if let sync { groups.insert(SyncGroup.widget(shell, sync), at: 4) }
        return Scrolled(Clamp(Stack(spacing: 24, groups).margin(18)))
    }

    private static func general(_ shell: Shell) -> Widget {
        let phrases = shell.phrases
        let settings = shell.open?.settings
        let language = (try? settings?.value(of: .language)) ?? .system
        let look = (try? settings?.value(of: .appearance)) ?? .system
        let languages = ChoiceRow(
            phrases.language, [phrases.asSystem, "Deutsch", "English"],
            selected: DiaryLanguage.allCases.firstIndex(of: language) ?? 0
        ) { [weak shell] index in
            shell?.attempt { shell in
                try shell.open?.settings.set(DiaryLanguage.allCases[index], for: .language)
                shell.readPreferences()
                await shell.advance()
            }
        }
        let looks = ChoiceRow(
            phrases.appearance, [phrases.asSystem, phrases.light, phrases.dark],
            selected: Appearance.allCases.firstIndex(of: look) ?? 0
        ) { [weak shell] index in
            shell?.attempt { shell in
                try shell.open?.settings.set(Appearance.allCases[index], for: .appearance)
                shell.readPreferences()
            }
        }
        return RowGroup(phrases.general, "", [languages, looks])
    }

    private static func reminder(_ shell: Shell) -> Widget {
        let phrases = shell.phrases
        let settings = shell.open?.settings
        let isOn = (try? settings?.value(of: .reminds)) ?? false
        let minute = (try? settings?.value(of: .reminderMinute)) ?? 510
        let toggle = Toggle(isOn) { [weak shell] _, isOn in
            shell?.attempt { shell in
                try shell.open?.settings.set(isOn, for: .reminds)
                shell.remind()
            }
        }
        let time = EntryRow(phrases.remindAt, WallTime(minute / 60, minute % 60)?.text ?? "")
        time.onApply { [weak shell, weak time] in
            guard let time, let wall = WallTime(time.text) else {
                return shell?.say(shell?.phrases.wrongTime ?? "") ?? ()
            }
            shell?.attempt { shell in
                try shell.open?.settings.set(wall.hour * 60 + wall.minute, for: .reminderMinute)
                shell.remind()
            }
        }
        return RowGroup("", "", [Row(phrases.remind, phrases.remindText, [toggle]).pressesFirst(), time])
    }

    private static func security(_ shell: Shell) -> Widget {
        let phrases = shell.phrases
        let lock = Row(phrases.lockNow).onPress { [weak shell] in shell?.open?.app.lock.lockNow() }
        let change = Row(phrases.changePIN).onPress { [weak shell] in
            guard let shell else { return }
            shell.show(PINPage(shell, .change))
        }
        let isSuspect = shell.open?.hasDeviceFindings ?? false
        let device = Row(phrases.device, isSuspect ? phrases.deviceFindings : phrases.deviceFine)
        return RowGroup(phrases.security, "", [lock, change, device])
    }

    private static func data(_ shell: Shell) -> Widget {
        let phrases = shell.phrases
        let export = Row(phrases.export, phrases.exportText).onPress { [weak shell] in
            shell?.attempt { try await Self.export($0) }
        }
        let withdraw = Row(phrases.withdraw).onPress { [weak shell] in shell?.attempt { try await Self.withdraw($0) } }
        let erase = Row(phrases.eraseAll).onPress { [weak shell] in shell?.attempt { try await eraseAll($0) } }
        return RowGroup(phrases.data, "", [export, withdraw, erase])
    }

    // The page of the consent comes then, and there the person says what becomes of the diary.
    private static func withdraw(_ shell: Shell) async throws {
        let phrases = shell.phrases
        let answer = await shell.ask(
            phrases.withdrawQuestion, phrases.withdrawText,
            [.init("keep", phrases.cancel), .init("withdraw", phrases.withdraw, .destructive)])
        guard answer == "withdraw" else { return }
        try await shell.open?.consent(false)
        await shell.advance()
    }

    private static func export(_ shell: Shell) async throws {
        guard let path = await shell.choose(shell.phrases.export, saving: "sleep-diary.json") else { return }
        guard let security = shell.open else { return }
        do {
            let unreadable = try await ChosenFile.write(to: path) { write in try await security.export(to: write) }
            shell.say(shell.text.exported(unreadable: unreadable))
        } catch {
            guard PaviseError(error).underlying is ChosenFile.NotWritten else { throw error }
            shell.say(shell.phrases.notExported)
        }
    }

    /// Erases everything, once the person has said so.
    static func eraseAll(_ shell: Shell) async throws {
        let phrases = shell.phrases
        let answer = await shell.ask(
            phrases.eraseAllQuestion, phrases.eraseAllText,
            [.init("keep", phrases.cancel), .init("erase", phrases.eraseAll, .destructive)])
        guard answer == "erase" else { return }
        try await eraseEverything(shell)
    }

    /// Erases everything, and shows the receipt, which the person may keep.
    static func eraseEverything(_ shell: Shell) async throws {
        guard let receipt = try await shell.open?.eraseEverything(at: momentOfPictures) else { return }
        let isForgotten = await shell.forgetFormerAddress()
        shell.readPreferences()
        let phrases = shell.phrases
        if receipt.isEmpty {
            shell.say(phrases.disagreed)
        } else {
            let text = shell.text.text(receipt)
            let answer = await shell.ask(
                phrases.receipt, text, [.init("close", phrases.close), .init("save", phrases.saveReceipt)])
            if answer == "save", let path = await shell.choose(phrases.receipt, saving: "sleep-diary-receipt.txt") {
                let isSaved = await ChosenFile.write(Data("\(text)\n".utf8), to: path)
                shell.say(isSaved ? phrases.receiptSaved : phrases.notExported)
            }
        }
        await shell.advance()
        if !isForgotten { shell.say(phrases.formerNotErased) }
    }

    // Pictures that are compared are of one day.
    private static var momentOfPictures: Date? {
        #if DEBUG
        let day = ProcessInfo.processInfo.environment["SLEEP_DIARY_DAY"].flatMap { LocalDate($0) }
        return day.map { Date(timeIntervalSince1970: Double($0.days) * 86_400 + 43_200) }
        #else
        return nil
        #endif
    }
}

/// What the settings show of the account.
struct SignedIn {
    let account: Account?
    let state: AccountState?
    /// Why nobody can say whether there is one.
    let trouble: PaviseError?
    /// Whether the person wants notices from the server.
    let wantsNotices: Bool
}

/// The server: looked at, signed in, asked, signed out.
@MainActor
enum AccountGroup {
    static func widget(_ shell: Shell, _ signedIn: SignedIn) -> Widget {
        let phrases = shell.phrases
        let group = RowGroup(phrases.account, phrases.accountText)
        let signOut = Row(phrases.signOut).onPress { [weak shell] in shell?.attempt { try await Self.signOut($0) } }
        if let trouble = signedIn.trouble {
            group.add(Row(phrases.stateUnknown, trouble.message(in: shell.language)))
            group.add(signOut)
            return group
        }
        guard let account = signedIn.account, let state = signedIn.state, state != .signedOut else {
            let address = EntryRow(phrases.address, initialAddress(shell))
            let signIn = Button(phrases.signIn) { [weak shell, weak address] in
                guard let text = address?.text, !text.isEmpty else { return }
                shell?.attempt { try await Self.signIn($0, at: text) }
            }.styled("suggested-action").centered()
            address.onEnter { [weak shell, weak address] in
                guard let text = address?.text, !text.isEmpty else { return }
                shell?.attempt { try await Self.signIn($0, at: text) }
            }
            group.add(address)
            group.add(Row(phrases.signIn, "", [signIn]))
            return group
        }
        let server = "\(account.origin)"
        switch state {
        case .signedIn:
            group.add(Row(DiaryPhrases.fill(phrases.signedInAt, server)))
            group.add(
                Row(phrases.checkServer).onPress { [weak shell] in shell?.attempt { try await ask(account, $0) } })
            group.add(notices(shell, signedIn.wantsNotices))
        case .needsSignIn:
            group.add(
                Row(DiaryPhrases.fill(phrases.sessionEndedAt, server), phrases.signInAgain).onPress { [weak shell] in
                    shell?.attempt { try await Self.signInAgain($0) }
                })
        case .unknown, .signedOut: group.add(Row(phrases.stateUnknown))
        }
        group.add(signOut)
        return group
    }

    // Nobody is asked at the start, and no token is had before this switch.
    private static func notices(_ shell: Shell, _ isOn: Bool) -> Widget {
        let toggle = Toggle(isOn) { [weak shell] toggle, isOn in
            shell?.attempt { [weak toggle] shell in try await turn(toggle, isOn, shell) }
        }
        return Row(shell.phrases.push, shell.phrases.pushText, [toggle]).pressesFirst()
    }

    // What is kept decides: where it could not be changed, the switch goes back.
    private static func turn(_ toggle: Toggle?, _ isOn: Bool, _ shell: Shell) async throws {
        guard let push = shell.open?.push, try await push.isWanted() != isOn else { return }
        do {
            if isOn { try await push.want(UserAction()) } else { try await push.refuse() }
        } catch {
            toggle?.isOn = (try? await push.isWanted()) ?? isOn
            throw error
        }
        toggle?.isOn = try await push.isWanted()
    }

    // `make diary` writes the lab's address here; a build for people has that of the app's version 1, or none.
    private static func initialAddress(_ shell: Shell) -> String {
        #if DEBUG
        if let address = ProcessInfo.processInfo.environment["SLEEP_DIARY_SERVER"] { return address }
        #endif
        return shell.formerAddress ?? ""
    }

    private struct Me: Decodable, Sendable { let user: String }

    private static func ask(_ account: Account, _ shell: Shell) async throws {
        let me = try await account.get("/api/me", as: Me.self)
        shell.say(DiaryPhrases.fill(shell.phrases.serverSays, me.user), isPrivate: true)
    }

    private static func signIn(_ shell: Shell, at address: String) async throws {
        guard let security = shell.open else { return }
        try await goOn(shell, security, try await security.review(address))
    }

    private static func signInAgain(_ shell: Shell) async throws {
        guard let security = shell.open, let server = try await security.reviewAgain() else { return }
        try await goOn(shell, security, server)
    }

    private static func goOn(_ shell: Shell, _ security: DiarySecurity, _ server: ReviewedServer) async throws {
        // The sign-in may lead to other servers, each of which is looked at: at most a handful.
        var unanswered: PaviseError?
        for _ in 0..<5 {
            switch server.verdict {
            case .refused(let reason): throw reason
            case .trusted: break
            case .needsApproval(let review):
                guard await CertificateQuestion.isTrusted(review, server, shell) else {
                    try await server.reject()
                    return shell.say(shell.phrases.notConnected)
                }
                try await server.approve()
            }
            shell.say(shell.phrases.browserOpened)
            do {
                _ = try await shell.inBrowser { try await security.signIn(to: server) }
                shell.say(shell.phrases.signedIn)
                await shell.advance()
                return shell.synchronise(now: true)
            } catch let failure as PaviseError where failure.code == .approvalNeeded {
                unanswered = failure
            }
        }
        if let unanswered { throw unanswered }
    }

    private static func signOut(_ shell: Shell) async throws {
        let phrases = shell.phrases
        guard let security = shell.open else { return }
        let unsent = await shell.text.unsent(security)
        let answer = await shell.ask(
            phrases.signOutQuestion, phrases.signOutText + unsent,
            [.init("stay", phrases.cancel), .init("out", phrases.signOut, .destructive)])
        guard answer == "out" else { return }
        let report = try await security.signOut()
        // What is here still is told, and not that it is gone.
        if let failure = report?.localFailure { shell.tell(PaviseError(failure)) } else { shell.say(phrases.signedOut) }
        await shell.advance()
    }
}

/// Shows a certificate so that a person can judge it; the safe answer is no.
@MainActor
enum CertificateQuestion {
    static func isTrusted(_ review: CertificateReview, _ server: ReviewedServer, _ shell: Shell) async -> Bool {
        let phrases = shell.phrases
        let key = Label(shell.text.grouped(review.summary.spki)).selectable().styled("mono")
        let meaning = Label(phrases.reviewMeaningText)
        meaning.isVisible = false
        let explain = Button(phrases.reviewMeaning) { [weak meaning] in meaning?.isVisible = true }.styled("flat")
        let facts = Stack(
            spacing: 6,
            [
                Label(shell.text.failures(review)), Label(phrases.reviewKey).styled("heading"), key,
                Label("\(phrases.reviewNames): \(review.summary.names.joined(separator: ", "))"),
                Label("\(phrases.reviewIssuer): \(review.summary.issuer)"), explain, meaning,
            ])
        let answer = await shell.ask(
            phrases.reviewTitle, DiaryPhrases.fill(phrases.reviewText, "\(server.origin)"),
            [.init("no", phrases.distrust), .init("yes", phrases.trust)], facts, isPrivate: false)
        return answer == "yes"
    }
}
