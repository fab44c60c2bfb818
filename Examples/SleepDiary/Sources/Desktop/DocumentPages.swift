import DiaryCore
import Foundation
import Pavise
import PaviseDocuments
import Toolkit

/// Documents: kept sealed, shown as text that runs and fetches nothing.
@MainActor
enum DocumentPages {
    static func list(_ shell: Shell, _ documents: [DiarySecurity.Document]) -> Widget {
        let phrases = shell.phrases
        let add = Button(phrases.addDocument) { [weak shell] in shell?.attempt { try await take($0) } }
            .styled("pill", "suggested-action").centered().margin(12)
        guard !documents.isEmpty else {
            return StatusPage(
                icon: "folder-documents-symbolic", title: phrases.noDocuments, text: phrases.noDocumentsText, add)
        }
        let rows = documents.map { document in
            Row(shell.text.name(document), shell.text.detail(document)).onPress { [weak shell] in
                shell?.attempt { shell in
                    guard let opened = try await shell.open?.opened(document) else { return }
                    shell.show(DocumentViewPage(shell, opened.document, opened.page))
                }
            }
        }
        return Scrolled(Clamp(Stack(spacing: 12, [add, RowGroup(phrases.documents, "", rows)]).margin(12)))
    }

    private static func take(_ shell: Shell) async throws {
        guard let path = await shell.choose(shell.phrases.addDocument) else { return }
        guard let bytes = await read(path) else { return shell.say(shell.phrases.tooLarge) }
        try await shell.open?.keep(document: bytes, named: URL(fileURLWithPath: path).lastPathComponent)
        await shell.advance()
        shell.synchronise(now: true)
    }

    @concurrent
    nonisolated private static func read(_ path: String) async -> [UInt8]? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        do {
            // Nothing is read at the end of a file, which of an empty one is its beginning.
            let bytes = try file.read(upToCount: DiarySecurity.documentLimit + 1) ?? Data()
            return bytes.count <= DiarySecurity.documentLimit ? [UInt8](bytes) : nil
        } catch {
            return nil
        }
    }
}

/// One document.
@MainActor
final class DocumentViewPage: Page {
    let widget: Widget

    init(_ shell: Shell, _ document: DiarySecurity.Document, _ page: DocumentPage?) {
        let phrases = shell.phrases
        let back = Button(icon: "go-previous-symbolic", name: phrases.back) { [weak shell] in
            shell?.attempt { await $0.advance() }
        }
        let erase = Button(icon: "user-trash-symbolic", name: phrases.erase) { [weak shell] in
            shell?.attempt { try await Self.erase(document, $0) }
        }
        let body = Stack(spacing: 18)
        if let page {
            body.add(Stack([Label(page.text).selectable()]).styled("card"))
            if DocumentProgram.place != nil {
                let open = Button(phrases.openDocument) { [weak shell] in shell?.show(page) }
                body.add(open.styled("pill").centered())
            }
            let count = page.omissions.all.reduce(0) { $0 + $1.count }
            if count > 0 {
                body.add(Label(DiaryPhrases.fill(phrases.leftOut, "\(count)")).styled("caption", "dim-label"))
            }
            if !page.links.isEmpty {
                body.add(
                    RowGroup(phrases.links, "", page.links.map { Row("[\($0.number)] \($0.host ?? "@")", $0.address) }))
            }
        } else {
            body.add(Label(shell.text.missing(document)))
        }
        widget = Stack([
            Header(title: shell.text.name(document), start: [back], end: [erase]),
            Scrolled(Clamp(body.margin(18), width: 680)).expanded(),
        ])
    }

    private static func erase(_ document: DiarySecurity.Document, _ shell: Shell) async throws {
        let phrases = shell.phrases
        let isElsewhere = await shell.isSignedIn()
        let answer = await shell.ask(
            phrases.eraseDocument, isElsewhere ? phrases.eraseDocumentElsewhere : phrases.eraseDocumentText,
            [.init("keep", phrases.cancel), .init("erase", phrases.erase, .destructive)])
        guard answer == "erase" else { return }
        try await shell.open?.remove(document)
        await shell.advance()
        shell.synchronise(now: true)
    }
}
