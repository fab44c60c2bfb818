/// What a document is: told by its own bytes. Its name decides only between kinds of text, which have no mark.
public enum DocumentKind: String, Hashable, Sendable, CaseIterable {
    /// HTML.
    case html
    /// Plain text.
    case text
    /// Markdown.
    case markdown
    /// An e-mail (RFC 5322).
    case mail
    /// A text document, workbook or presentation of Office Open XML.
    case docx, xlsx, pptx
    /// OpenDocument in an archive: text, spreadsheet, presentation.
    case openDocument = "open-document"
    /// OpenDocument in one file.
    case flatOpenDocument = "flat-open-document"
    /// A picture by itself.
    case picture
    /// PDF.
    case pdf

    /// Looks at the bytes.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - name: The file's name, for texts: `.md`, `.html`, `.eml`.
    /// - Throws: ``DocumentFailure/unknownKind`` for bytes that are no text and nothing known.
    package static func of(_ bytes: [UInt8], named name: String) throws(DocumentFailure) -> DocumentKind {
        let ending = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
        if bytes.starts(with: Array("%PDF-".utf8)) { return .pdf }
        // Behind something else the mark may be a word of a text.
        if bytes.prefix(1024).containsPDFMark, !textEndings.contains(ending) { return .pdf }
        if Picture(bytes[...]) != nil { return .picture }
        if bytes.starts(with: [0x50, 0x4B]) {
            let archive = try ZIPArchive(bytes)
            if WordReader.fits(archive) { return .docx }
            if SheetReader.fits(archive) { return .xlsx }
            if SlideReader.fits(archive) { return .pptx }
            if OpenDocumentReader.fits(archive) { return .openDocument }
            throw .unknownKind
        }
        // The container of old office files, which are not read, is also that of encrypted new ones.
        if bytes.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            throw hasEncryptedPackage(bytes) ? DocumentFailure.encrypted : .unknownKind
        }
        let head = String(decoding: UTF8Text.normalized(Array(bytes.prefix(4096))), as: UTF8.self).lowercased()
        if head.contains("<?xml"), head.contains("office:document") { return .flatOpenDocument }
        guard !bytes.prefix(4096).contains(0) || bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
        else {
            throw .unknownKind
        }
        switch ending {
        case "md", "markdown": return .markdown
        case "txt", "log", "csv": return .text
        case "html", "htm", "xhtml": return .html
        case "eml": return .mail
        default: break
        }
        if MailReader.fits(bytes) { return .mail }
        for mark in ["<!doctype html", "<html", "<body", "<head", "<p>", "<div", "<script", "<svg", "<table"]
        where head.contains(mark) {
            return .html
        }
        return .text
    }

    private static let textEndings: Set = [
        "md", "markdown", "txt", "log", "csv", "html", "htm", "xhtml", "eml",
    ]

    // [MS-OFFCRYPTO] 2.3.4: a stream of this name. [MS-CFB] 2.6.1: names are UTF-16, in entries of 128 bytes.
    private static func hasEncryptedPackage(_ bytes: [UInt8]) -> Bool {
        let name = "EncryptedPackage".utf8.flatMap { [$0, 0] as [UInt8] }
        return stride(from: 512, through: bytes.count - name.count, by: 128).contains { entry in
            bytes[entry..<(entry + name.count)].elementsEqual(name)
        }
    }
}

extension Sequence<UInt8> {
    // Readers of PDF take a file whose mark stands in its first 1,024 bytes.
    fileprivate var containsPDFMark: Bool { String(decoding: Array(self), as: UTF8.self).contains("%PDF-") }
}
