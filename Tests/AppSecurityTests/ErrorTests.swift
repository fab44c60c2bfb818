import Foundation
import PaviseAppLock
import PavisePrimitives
import PaviseSession
import PaviseStorage
import PaviseTransport
import PaviseVault
import Testing

@testable import Pavise

@Suite struct `What an app and its person are told` {
    @Test(arguments: MessageLanguage.all)
    func `FD11: every code has a title and a sentence in each language`(_ language: MessageLanguage) {
        let table = MessageCatalogue.tables[language] ?? [:]
        for code in PaviseError.Code.all {
            for part in ["title", "message"] {
                let text = table["error.\(code.rawValue).\(part)"] ?? ""
                #expect(text.count >= 4, "\(code.rawValue).\(part) in \(language.code)")
            }
        }
    }

    @Test(arguments: MessageLanguage.all)
    func `every notice has a title and a sentence in each language`(_ language: MessageLanguage) {
        let states =
            DegradedReason.allCases.map(SessionState.degraded) + ReloginReason.allCases.map(SessionState.reloginNeeded)
        for state in states {
            let notice = SecurityNotice(state, account: "work")
            #expect(MessageCatalogue.tables[language]?["notice.\(notice?.code ?? "").title"] != nil, "\(state)")
            #expect(MessageCatalogue.tables[language]?["notice.\(notice?.code ?? "").message"] != nil, "\(state)")
        }
    }

    @Test(arguments: [
        (["LANG": "de_DE.UTF-8"], "de"), (["LANG": "C.UTF-8", "LANGUAGE": "de"], "en"), ([:], "en"),
        (["LANG": "de_AT", "LC_ALL": "en_US.UTF-8"], "en"), (["LANG": "en_US", "LC_MESSAGES": "de@euro"], "de"),
        (["LANG": "fr_FR.UTF-8", "LANGUAGE": "es:de:en"], "de"), (["LANG": "POSIX", "LANGUAGE": "de"], "en"),
        (["LC_ALL": "", "LANG": "de"], "de"), (["LANG": "fr_FR.UTF-8"], "en"), (["LANG": "/../de"], "en"),
    ])
    func `the environment says the language, as with gettext`(_ variables: [String: String], _ code: String) {
        let wanted = MessageLanguage.wanted { variables[$0] }
        #expect(MessageLanguage.first(of: wanted).code == code)
    }

    @Test func `both languages have the same texts`() {
        #expect(Set(MessageCatalogue.english.keys) == Set(MessageCatalogue.german.keys))
        for (name, text) in MessageCatalogue.english {
            #expect(text.contains("%@") == MessageCatalogue.german[name]?.contains("%@"), "\(name)")
        }
    }

    @Test func `FD10: an error matches by its code, whatever is underneath`() {
        let one = PaviseError(SessionFailure.reloginNeeded(.expired))
        let two = PaviseError(SessionFailure.reloginNeeded(.identityMismatch))
        #expect(one == two)
        #expect(!one.isSecurityEvent && two.isSecurityEvent)
        do { throw one } catch PaviseError.Code.appLocked { Issue.record("another code") } catch PaviseError.Code
            .signInNeeded
        {
            #expect(Bool(true))
        } catch {
            Issue.record("no match")
        }
    }

    @Test(
        arguments: [
            (SignInFailure.identity(.keysUnavailable), .network, false),
            (SignInFailure.identity(.keysUntrusted), .certificateRefused, true),
            (SignInFailure.identity(.signature), .forged, true),
            (SignInFailure.registration(.unavailable(.network)), .network, false),
            (SignInFailure.registration(.unavailable(.trust)), .certificateRefused, true),
            (LogoutTokenProblem.token(.keysUnavailable), .network, false),
            (LogoutTokenProblem.token(.keysUntrusted), .certificateRefused, true),
            (LogoutTokenProblem.token(.signature), .forged, true),
            (UserInfoFailure.otherSubject, .forged, true),
            (UserInfoFailure.session(.signedOut), .signedOut, false),
            (UserInfoFailure.authority(.unavailable(.network)), .network, false),
            (UserInfoFailure.status(403), .forbidden, false),
        ] as [(any Error, PaviseError.Code, Bool)])
    func `FD10: what could not be asked is not forged, and a refused certificate is told as such`(
        _ error: any Error, _ code: PaviseError.Code, _ isSecurityEvent: Bool
    ) {
        let told = PaviseError(error)
        #expect(told.code == code && told.isSecurityEvent == isSecurityEvent)
        #expect(code != .network || told.recovery == .retry(after: 0))
    }

    @Test(
        arguments: [
            (WebURL.Problem.empty, .invalidInput, .correct),
            (RedirectAddress.Problem.malformed, .invalidInput, .correct),
            (PinSet.Problem.noBackup, .invalidInput, .correct),
            (SettingsFailure.secretName("canary"), .invalidInput, .correct),
            (SettingsFailure.unusableStoredValue(name: "canary"), .damaged, .askForHelp),
            (SettingsFailure.busy, .busy, .retry(after: 1)),
            (SettingsFailure.system(SystemFailure(operation: "write", path: "/canary", code: 28)), .diskFull, .correct),
            (BrowserFailure("canary"), .signInFailed, .signIn),
        ] as [(any Error, PaviseError.Code, PaviseError.Recovery)])
    func `FD10: what an app's own values throw has a code, and is no unknown error`(
        _ error: any Error, _ code: PaviseError.Code, _ recovery: PaviseError.Recovery
    ) {
        let told = PaviseError(error)
        #expect(told.code == code && told.recovery == recovery && !told.isSecurityEvent)
        #expect(!"\(told) \(told.message(in: .english))".contains("canary"))
    }

    @Test func `FD10: figures of a lock that are out of their range are told as input`() {
        do throws(AppLockPolicy.Problem) {
            _ = try AppLockPolicy(attempts: 0)
            Issue.record("the figure was taken")
        } catch {
            #expect(PaviseError(error).code == .invalidInput)
        }
    }

    @Test func `RV-O4: what cannot be read now is neither locked nor damaged, and no security event`() {
        let failure = SystemFailure(operation: "open", path: "connection.json", code: 5)
        guard let id = ConnectionID("00000000-0000-4000-8000-000000000001") else {
            Issue.record("no identifier")
            return
        }
        let now = PaviseError(AppLockFailure.unreadable(.unavailable("EMFILE")))
        #expect(now.code == .storage && !now.isSecurityEvent)
        let list = PaviseError(ConnectionsFailure.damaged(id, .system(failure)))
        #expect(list.code == .storage && !list.isSecurityEvent)
        #expect(PaviseError(AppLockFailure.unreadable(.denied)).code == .denied)
        #expect(PaviseError(AppLockFailure.unreadable(.storeLocked)).code == .deviceLocked)
        for damage in [LockDamage.corrupt, .olderCopy, .missing, .orders] {
            #expect(PaviseError(AppLockFailure.unreadable(damage)).isSecurityEvent)
        }
        #expect(PaviseError(ConnectionsFailure.damaged(id, .unreadable)).isSecurityEvent)
    }

    @Test func `what helps says when`() {
        let error = PaviseError(SessionFailure.unavailable(.network, retryIn: 7))
        #expect(error.recovery == .retry(after: 7))
        #expect(error.message(in: .english).hasSuffix("Try again in 7 s."))
        #expect(error.message(in: .german).hasSuffix("Versuchen Sie es in 7 s erneut."))
        #expect(error.errorDescription != nil)
    }

    private struct Another: Error { let name = "canary" }

    @Test(arguments: PaviseError.Code.all)
    func `FD10: each code matches whatever is underneath, and however it is mended`(_ code: PaviseError.Code) {
        let one = PaviseError(code, .retry(after: 7), isSecurityEvent: true, Stranger())
        let two = PaviseError(code, .none, Another())
        #expect(one == two && one.hashValue == two.hashValue)
        #expect(code ~= one && code ~= two)
        for other in PaviseError.Code.all where other != code {
            #expect(!(other ~= one) && one != PaviseError(other, .none, Stranger()))
        }
    }

    @Test(
        arguments: [
            Stranger(), SignInFailure.browser("canary"), VaultFailure.locked(status: -25_308),
            ConnectionsFailure.unknownName("canary", known: ["canary"]), SignInFailure.otherUser,
            SystemFailure(operation: "open", path: "/canary", code: 13), AppLockFailure.notWritten("canary"),
            TransportFailure.network("canary", sent: false), SessionFailure.transport(.malformed("canary")),
            ConnectRefusal.address("canary"), RolledBack(reason: Stranger(), leftovers: [Stranger()]),
        ] as [any Error])
    func `FD11: an error that is printed says its code and its type, and nothing that it was made of`(
        _ error: any Error
    ) {
        let said = PaviseError(error)
        for text in ["\(said)", String(reflecting: said), said.localizedDescription, said.title] {
            #expect(!text.contains("canary"), "\(text)")
        }
        #expect("\(said)" == "\(said.code.rawValue) (\(type(of: said.underlying)))")
    }

    private struct Stranger: Error { let token = "canary" }

    @Test func `an error of nobody's has a code and no content`() {
        let error = PaviseError(Stranger())
        #expect(error.code == .unknown)
        #expect(!error.message(in: .english).contains("canary"))
        #expect(PaviseError(error) == error)
    }
}
