import DiaryCore
import Foundation
import Pavise
import PaviseDocuments
import SwiftUI

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
            ForEach(model.documents, id: \.id) { document in
                Button(document.name) { show(document) }
            }
            if model.documents.isEmpty { Text(model.phrases.noDocumentsText) }
            Button(model.phrases.addDocument) { isChoosing = true }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.item]) { result in
            guard case .success(let place) = result else { return }
            take(place)
        }
        .sheet(item: $shown) { shown in
            page(shown).paviseCover { CoverView(phrases: model.phrases) }
        }
    }

    private func show(_ document: DiarySecurity.Document) {
        model.attempt { security in
            shown = Shown(document: document, page: try await security.page(of: document))
        }
    }

    @ViewBuilder private func page(_ shown: Shown) -> some View {
        ScrollView {
            VStack(spacing: 14) {
                Text(shown.document.name).font(.title)
                Text(shown.page?.text ?? model.phrases.cannotShow)
                // Addresses are text here: nothing opens them.
                ForEach(shown.page?.links ?? [], id: \.number) { link in Text("[\(link.number)] \(link.address)") }
                Button(model.phrases.erase, role: .destructive) {
                    model.attempt { security in try await security.remove(shown.document) }
                    self.shown = nil
                }
                Button(model.phrases.close) { self.shown = nil }
            }
        }
    }

    private func take(_ place: URL) {
        model.attempt { security in
            guard let bytes = await Self.read(place) else { return model.say(model.phrases.tooLarge) }
            try await security.keep(document: bytes, named: place.lastPathComponent)
        }
    }

    @concurrent
    nonisolated private static func read(_ place: URL) async -> [UInt8]? {
        guard place.startAccessingSecurityScopedResource() else { return nil }
        defer { place.stopAccessingSecurityScopedResource() }
        guard let file = try? FileHandle(forReadingFrom: place),
            let bytes = try? file.read(upToCount: DiarySecurity.documentLimit + 1),
            bytes.count <= DiarySecurity.documentLimit
        else { return nil }
        return [UInt8](bytes)
    }
}
