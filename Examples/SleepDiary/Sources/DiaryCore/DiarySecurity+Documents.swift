public import Foundation
public import Pavise
public import PaviseDocuments
internal import PaviseProtectedStorage
internal import PaviseStorage
internal import Synchronization

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

    /// Everything that is kept, as JSON: in clear, for a place that the person chose. One document at a time is in
    /// memory. A damaged document keeps nothing else from coming out: it is counted.
    ///
    /// - Parameter write: Gets the pieces, in their order. When it throws, no more come.
    /// - Returns: How many documents are damaged, and are not in it.
    @concurrent
    public func export(to write: @Sendable (Data) throws -> Void) async throws(PaviseError) -> Int {
        let export = try await with { try DiaryExport($0, at: Date()) }
        let documents = try await documents()
        let files = try app.files
        do {
            try write(export.beginning())
            var unreadable = 0
            var isFirst = true
            for document in documents {
                guard let bytes = try Self.content(of: document, in: files) else {
                    unreadable += 1
                    continue
                }
                let copy = DiaryExport.Document(name: document.name, type: "", content: Data(bytes))
                try write(DiaryExport.piece(copy, isFirst: isFirst))
                isFirst = false
            }
            try write(export.end(unreadable: unreadable))
            return unreadable
        } catch {
            throw PaviseError(error)
        }
    }

    // `nil` for a damaged one.
    private static func content(
        of document: Document, in files: ProtectedFiles
    ) throws(StorageFailure) -> [UInt8]? {
        do throws(StorageFailure) {
            return try files.get(document.id, limit: documentLimit)
        } catch {
            guard !error.isPassing else { throw error }
            return nil
        }
    }

    /// The same as one piece, for a system that writes no other.
    public func export() async throws(PaviseError) -> (json: Data, unreadable: Int) {
        let whole = Mutex(Data())
        let unreadable = try await export { piece in whole.withLock { $0.append(contentsOf: piece) } }
        return (whole.withLock { $0 }, unreadable)
    }
}
