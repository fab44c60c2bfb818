import DiaryCore
import Foundation
import Pavise
import PavisePrivacy
import SwiftUI

/// The server: looked at, signed in, asked, signed out.
struct AccountRows: View {
    let model: DiaryModel
    @State private var address = ""
    @State private var review: Review?
    @State private var isSigningOut = false
    @State private var unsent = ""
    // Who the server says the person is: below the cover, and gone with the lock. An alert would lie above both.
    @State private var known: String?

    /// A certificate that the person has to judge.
    struct Review: Identifiable {
        let id = UUID()
        let server: ReviewedServer
        let certificate: CertificateReview
    }

    /// What the server says of a person.
    struct Me: Decodable, Sendable { let user: String }

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        if let trouble = model.accountTrouble {
            Text(phrases.stateUnknown)
            Text(trouble.message(in: model.text.language)).font(.caption)
            signOutRow
        } else if let account = model.account, let state = model.accountState, state != .signedOut {
            signedIn(account, state)
        } else {
            Text(phrases.accountText)
            TextField(phrases.address, text: $address).autocorrectionDisabled().onSubmit { signIn(at: address) }
                .onAppear { if address.isEmpty { address = model.formerAddress ?? "" } }
            Button(phrases.signIn) { signIn(at: address) }.sheet(item: $review) { review in question(review) }
        }
    }

    @ViewBuilder private func signedIn(_ account: Account, _ state: AccountState) -> some View {
        let server = "\(account.origin)"
        switch state {
        case .signedIn:
            Text(DiaryPhrases.fill(phrases.signedInAt, server))
            Button(phrases.checkServer) { ask(account) }
            if let known { Text(DiaryPhrases.fill(phrases.serverSays, known)) }
            PushRow(model: model)
        case .needsSignIn:
            Text(DiaryPhrases.fill(phrases.sessionEndedAt, server))
            Button(phrases.signInAgain) { signInAgain() }.sheet(item: $review) { review in question(review) }
        case .unknown, .signedOut: Text(phrases.stateUnknown)
        }
        signOutRow
    }

    private var signOutRow: some View {
        Button(phrases.signOut) { askToSignOut() }
            .alert(phrases.signOutQuestion, isPresented: $isSigningOut) {
                Button(phrases.cancel, role: .cancel) { isSigningOut = false }
                Button(phrases.signOut, role: .destructive) { signOut() }
            } message: {
                Text(phrases.signOutText + unsent)
            }
    }

    private func ask(_ account: Account) {
        known = nil
        model.attempt { _ in known = try await account.get("/api/me", as: Me.self).user }
    }

    private func signIn(at address: String) {
        guard !address.isEmpty else { return }
        model.attempt { security in try await goOn(try await security.review(address), security) }
    }

    private func signInAgain() {
        model.attempt { security in
            guard let server = try await security.reviewAgain() else { return }
            try await goOn(server, security)
        }
    }

    // The sign-in may lead to other servers, each of which is looked at: at most a handful.
    private func goOn(_ server: ReviewedServer, _ security: DiarySecurity, tries: Int = 5) async throws {
        switch server.verdict {
        case .refused(let reason): throw reason
        case .needsApproval(let certificate): review = Review(server: server, certificate: certificate)
        case .trusted:
            do {
                known = nil
                _ = try await security.signIn(to: server, options: try SignInWindow.options())
                model.say(phrases.signedIn)
                model.synchronise(now: true)
            } catch PaviseError.Code.approvalNeeded where tries > 1 {
                try await goOn(server, security, tries: tries - 1)
            }
        }
    }

    private func question(_ review: Review) -> some View {
        CertificateView(model: model, review: review) { isTrusted in
            self.review = nil
            model.attempt { security in
                guard isTrusted else {
                    try await review.server.reject()
                    return model.say(phrases.notConnected)
                }
                try await review.server.approve()
                try await goOn(review.server, security)
            }
        }
        .paviseCover { CoverView(phrases: phrases) }
    }

    // What is not at the server yet is said before it is given up.
    private func askToSignOut() {
        model.attempt { security in
            #if canImport(PaviseSync)
            unsent = await model.text.unsent(security)
            #endif
            isSigningOut = true
        }
    }

    private func signOut() {
        model.attempt { security in
            // What is here still is told, and not that it is gone.
            if let failure = try await security.signOut()?.localFailure { throw failure }
            model.say(phrases.signedOut)
        }
    }
}

/// Shows a certificate so that a person can judge it. The safe answer comes first; closing the sheet sends nothing.
struct CertificateView: View {
    let model: DiaryModel
    let review: AccountRows.Review
    let answered: (Bool) -> Void
    @State private var isExplained = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        let summary = review.certificate.summary
        ScrollView {
            VStack(spacing: 10) {
                Text(phrases.reviewTitle).font(.title)
                Text(DiaryPhrases.fill(phrases.reviewText, "\(review.server.origin)"))
                Text(model.text.failures(review.certificate))
                Text(phrases.reviewKey).font(.headline)
                Text(model.text.grouped(summary.spki)).monospaced()
                Text("\(phrases.reviewNames): \(summary.names.joined(separator: ", "))")
                Text("\(phrases.reviewIssuer): \(summary.issuer)")
                Button(phrases.reviewMeaning) { isExplained = true }
                if isExplained { Text(phrases.reviewMeaningText) }
                Button(phrases.distrust, role: .cancel) { answered(false) }
                Button(phrases.trust) { answered(true) }
            }
        }
    }
}

/// Whether the server tells this device when another one changed the diary.
struct PushRow: View {
    let model: DiaryModel
    @State private var isOn = false

    var body: some View {
        Toggle(model.phrases.push, isOn: $isOn)
            .task { isOn = (try? await model.security?.push.isWanted()) ?? false }
            .onChange(of: isOn) { _, isOn in turn(isOn, UserAction()) }
        Text(model.phrases.pushText).font(.caption)
    }

    // Where the system or the person says no, or what is kept could not be changed, the switch goes back.
    private func turn(_ isOn: Bool, _ action: UserAction) {
        model.attempt { security in
            guard try await security.push.isWanted() != isOn else { return }
            do {
                if isOn { try await security.push.want(action) } else { try await security.push.refuse() }
            } catch {
                self.isOn = (try? await security.push.isWanted()) ?? isOn
                throw error
            }
            self.isOn = try await security.push.isWanted()
        }
    }
}
