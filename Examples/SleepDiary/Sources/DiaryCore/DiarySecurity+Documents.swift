internal import Foundation
public import Pavise
public import PaviseDocuments
internal import PaviseProtectedStorage
internal import PaviseStorage

extension DiarySecurity.Document {
    /// As the list has it.
    ///
    /// - Throws: What is wrong with the device and not with the document: it can be read later.
    init(_ entry: ProtectedFiles.Entry) throws(StorageFailure) {
        switch entry.content {
        case .success(let facts):
            self.init(id: entry.id, name: facts.attributes.name, length: Int(facts.attributes.length), trouble: nil)
        case .failure(let failure):
            guard !failure.isPassing else { throw failure }
            // It stays in the list: the person would miss it without a word.
            self.init(id: entry.id, name: "", length: 0, trouble: PaviseError(failure))
        }
    }
}

extension DiarySecurity {
    /// A document and its page, for a window.
    ///
    /// - Returns: No page for a kind that cannot be shown, and for one that is damaged: its `trouble` says so then,
    ///   also where the list could not see it.
    @concurrent
    public func opened(_ document: Document) async throws(PaviseError) -> (document: Document, page: DocumentPage?) {
        guard document.trouble == nil else { return (document, nil) }
        do throws(PaviseError) {
            return (document, try await page(of: document))
        } catch {
            guard error.code == .damaged else { throw error }
            return (Document(id: document.id, name: document.name, length: document.length, trouble: error), nil)
        }
    }

    /// Everything that is kept, of which ``export()`` makes JSON. A damaged document keeps nothing else from coming
    /// out: it is counted.
    public func contents() async throws(PaviseError) -> DiaryExport {
        var copies: [DiaryExport.Document] = []
        var unreadable = 0
        for document in try await documents() {
            do {
                let bytes = try app.files.get(document.id, limit: Self.documentLimit)
                copies.append(DiaryExport.Document(name: document.name, type: "", content: Data(bytes)))
            } catch let failure as StorageFailure where !failure.isPassing {
                unreadable += 1
            } catch {
                throw PaviseError(error)
            }
        }
        return try await with { [copies, unreadable] in
            try DiaryExport($0, documents: copies, unreadable: unreadable, at: Date())
        }
    }
}
