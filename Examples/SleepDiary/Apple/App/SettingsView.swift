import DiaryCore
import Foundation
import Pavise
import SwiftUI

/// Lock, server, and everything out or away.
struct SettingsView: View {
    let model: DiaryModel
    @State private var isChangingPIN = false
    @State private var isErasing = false
    @State private var isSigningOut = false
    @State private var isExporting = false
    @State private var export = ExportedDiary(contents: Data())

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        Form {
            Section(phrases.security) {
                Button(phrases.lockNow) { model.security?.app.lock.lockNow() }
                Button(phrases.changePIN) { isChangingPIN = true }
                Text(model.security?.hasDeviceFindings ?? false ? phrases.deviceFindings : phrases.deviceFine)
            }
            Section(phrases.account) { AccountRows(model: model, isSigningOut: $isSigningOut) }
            Section(phrases.data) {
                Button(phrases.export) {
                    model.attempt { security in
                        export = ExportedDiary(contents: try await security.export())
                        isExporting = true
                    }
                }
                Text(phrases.exportText)
                Button(phrases.eraseAll, role: .destructive) { isErasing = true }
            }
        }
        .sheet(isPresented: $isChangingPIN) {
            PINView(model: model, purpose: .change) { isChangingPIN = false }
                .paviseCover { CoverView(phrases: phrases) }
        }
        .fileExporter(
            isPresented: $isExporting, document: export, contentType: .json, defaultFilename: "sleep-diary.json"
        ) { result in
            export = ExportedDiary(contents: Data())
            switch result {
            case .success: model.say(phrases.exported)
            case .failure: model.say(phrases.notExported)
            }
        }
        .alert(phrases.eraseAllQuestion, isPresented: $isErasing) {
            Button(phrases.cancel) { isErasing = false }
            Button(phrases.eraseAll, role: .destructive) { eraseAll() }
        } message: {
            Text(phrases.eraseAllText)
        }
        .alert(phrases.signOutQuestion, isPresented: $isSigningOut) {
            Button(phrases.cancel) { isSigningOut = false }
            Button(phrases.signOut, role: .destructive) {
                model.attempt { security in
                    try await security.signOut()
                    model.say(phrases.signedOut)
                }
            }
        } message: {
            Text(phrases.signOutText)
        }
    }

    private func eraseAll() {
        model.attempt { security in
            let receipt = try await security.eraseEverything()
            var text = DiaryPhrases.fill(
                phrases.receiptText, "\(receipt.moment)", "\(receipt.nights)", "\(receipt.questionnaires)",
                "\(receipt.documents)")
            switch receipt.server {
            case .nothing: break
            case .revoked: text += " " + phrases.receiptRevoked
            case .endsByItself: text += " " + phrases.receiptLater
            }
            model.say(text)
        }
    }
}

/// The server: looked at, signed in, asked, signed out.
struct AccountRows: View {
    let model: DiaryModel
    @Binding var isSigningOut: Bool
    @State private var address = ""
    @State private var review: Review?

    /// A certificate that the person has to judge.
    struct Review: Identifiable {
        let id = UUID()
        let server: ReviewedServer
        let certificate: CertificateReview
    }

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        if let account = model.account, model.accountState != .signedOut {
            Text(DiaryPhrases.fill(phrases.signedInAt, "\(account.origin)"))
            Button(phrases.signOut) { isSigningOut = true }
        } else {
            TextField(phrases.address, text: $address).autocorrectionDisabled()
            Button(phrases.signIn) { signIn() }.sheet(item: $review) { review in question(review) }
        }
    }

    private func signIn() {
        model.attempt { security in
            let server = try await security.review(address)
            switch server.verdict {
            case .refused(let reason): throw reason
            case .trusted: try await signIn(server, security)
            case .needsApproval(let certificate): review = Review(server: server, certificate: certificate)
            }
        }
    }

    private func signIn(_ server: ReviewedServer, _ security: DiarySecurity) async throws {
        model.say(phrases.browserOpened)
        _ = try await security.signIn(to: server, options: try SignInWindow.options())
        model.say(phrases.signedIn)
    }

    // The safe answer comes first, and closing the sheet says nothing to the server.
    private func question(_ review: Review) -> some View {
        let summary = review.certificate.summary
        return ScrollView {
            VStack(spacing: 10) {
                Text(phrases.reviewTitle).font(.title)
                Text(DiaryPhrases.fill(phrases.reviewText, "\(review.server.origin)"))
                ForEach(review.certificate.failures, id: \.rawValue) { Text(phrases.failure($0)) }
                Text(phrases.reviewKey).font(.headline)
                Text(summary.spki)
                Text("\(phrases.reviewNames): \(summary.names.joined(separator: ", "))")
                Text("\(phrases.reviewIssuer): \(summary.issuer)")
                Text(phrases.reviewMeaningText)
                Button(phrases.distrust) {
                    self.review = nil
                    model.attempt { _ in
                        try await review.server.reject()
                        model.say(phrases.notConnected)
                    }
                }
                Button(phrases.trust) {
                    self.review = nil
                    model.attempt { security in
                        try await review.server.approve()
                        try await signIn(review.server, security)
                    }
                }
            }
        }
    }
}
