import DiaryCore
import Foundation
import Pavise
import PaviseDocuments
import PavisePrivacy
import SwiftUI
import UniformTypeIdentifiers

/// Documents: kept sealed, shown as text that runs and fetches nothing.
struct DocumentsView: View {
    let model: DiaryModel
    @State private var isChoosing = false
    @State private var shown: Shown?

    /// A document that is shown.
    struct Shown: Identifiable {
        let document: DiarySecurity.Document
        let page: DocumentPage?
        var id: String { "\(document.id)" }
    }

    var body: some View {
        List {
            if model.documents.isEmpty {
                Text(model.phrases.noDocuments).font(.headline)
                Text(model.phrases.noDocumentsText)
            }
            ForEach(model.documents, id: \.id) { document in
                Button {
                    show(document)
                } label: {
                    Text(model.text.name(document)).font(.headline)
                    Text(model.text.detail(document))
                }
            }
            Button(model.phrases.addDocument) { isChoosing = true }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.item]) { result in
            guard case .success(let place) = result else { return }
            take(place)
        }
        .sheet(item: $shown) { shown in
            DocumentPageView(model: model, document: shown.document, page: shown.page) { self.shown = nil }
                .paviseCover { CoverView(phrases: model.phrases) }
        }
    }

    private func show(_ document: DiarySecurity.Document) {
        model.attempt { security in
            let opened = try await security.opened(document)
            shown = Shown(document: opened.document, page: opened.page)
        }
    }

    private func take(_ place: URL) {
        model.attempt { security in
            guard let bytes = await Self.read(place) else { return model.say(model.phrases.tooLarge) }
            try await security.keep(document: bytes, named: place.lastPathComponent)
            model.synchronise(now: true)
        }
    }

    @concurrent
    nonisolated private static func read(_ place: URL) async -> [UInt8]? {
        guard place.startAccessingSecurityScopedResource() else { return nil }
        defer { place.stopAccessingSecurityScopedResource() }
        do {
            // Nothing is read at the end of a file, which of an empty one is its beginning.
            let bytes = try FileHandle(forReadingFrom: place).read(upToCount: DiarySecurity.documentLimit + 1) ?? Data()
            return bytes.count <= DiarySecurity.documentLimit ? [UInt8](bytes) : nil
        } catch {
            return nil
        }
    }
}

/// One document: its text, what was left out, and its addresses as text, which nothing opens.
struct DocumentPageView: View {
    let model: DiaryModel
    let document: DiarySecurity.Document
    let page: DocumentPage?
    let close: () -> Void
    @State private var isErasing = false

    private var phrases: DiaryPhrases { model.phrases }

    var body: some View {
        ScrollView {
            VStack(spacing: 14) {
                Text(model.text.name(document)).font(.title)
                Text(page?.text ?? model.text.missing(document))
                if omitted > 0 { Text(DiaryPhrases.fill(phrases.leftOut, "\(omitted)")).font(.caption) }
                if !links.isEmpty { Text(phrases.links).font(.headline) }
                ForEach(links, id: \.number) { link in Text("[\(link.number)] \(link.address)") }
                Button(phrases.erase, role: .destructive) { isErasing = true }
                Button(phrases.close) { close() }
            }
        }
        .alert(phrases.eraseDocument, isPresented: $isErasing) {
            Button(phrases.cancel, role: .cancel) { isErasing = false }
            Button(phrases.erase, role: .destructive) {
                model.attempt { security in
                    try await security.remove(document)
                    model.synchronise(now: true)
                }
                close()
            }
        } message: {
            Text(model.account == nil ? phrases.eraseDocumentText : phrases.eraseDocumentElsewhere)
        }
    }

    private var links: [DocumentLink] { page?.links ?? [] }
    private var omitted: Int { page?.omissions.all.reduce(0) { $0 + $1.count } ?? 0 }
}
