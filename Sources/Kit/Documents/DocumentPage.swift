/// A document as a page that can be shown: written anew from a closed alphabet of elements, never a document that
/// was cleaned. It has no script, no style of its own, no address and no link that a click follows.
///
/// ```swift
/// let page = try DocumentPage(bytes, named: "letter.docx")
/// view(page)                              // or: write page.html() to a file
/// print(page.omissions.sentence)          // Left out: 1 macro, 2 pictures and files on servers.
/// for link in page.links { row(link.number, link.host, link.address) }
/// ```
///
/// Reads HTML, Markdown, plain text, e-mails, DOCX, XLSX, PPTX, ODT, ODS, ODP, the flat form of OpenDocument, pictures,
/// and on Linux PDF, as pictures of its pages. What it does not understand it leaves out; what is left out is counted
/// in ``omissions``. It is no layout of the document: fonts, colours, positions, drawings and the format of numbers are
/// lost.
public struct DocumentPage: Sendable {
    /// What the document is.
    public let kind: DocumentKind
    /// The numbered links, for a list outside of the page. Ask before one is opened, and show its host.
    public let links: [DocumentLink]
    /// What was left out.
    public let omissions: DocumentOmissions
    /// The text alone, for a terminal or a screen reader: without control and direction characters.
    public let text: String
    /// What stands in the body.
    package let body: [UInt8]
    /// The work, without a clock.
    package let steps: Int

    /// Reads a document. Takes time and memory in proportion to its size; blocks for that long.
    ///
    /// - Parameters:
    ///   - bytes: The document.
    ///   - name: Its file name, which decides between kinds of text.
    ///   - kind: What it is, where that is known; by default its bytes tell.
    ///   - limits: How much of it is read.
    /// - Throws: ``DocumentFailure``.
    public init(
        _ bytes: [UInt8], named name: String = "", as kind: DocumentKind? = nil,
        limits: DocumentLimits = .standard
    ) throws(DocumentFailure) {
        guard bytes.count <= limits.bytes else { throw .tooLarge(limit: limits.bytes) }
        let found: DocumentKind
        if let kind { found = kind } else { found = try DocumentKind.of(bytes, named: name) }
        guard found != .pdf else {
            let drawn = try PDFPages.drawn(bytes, limits)
            self.init(pages: drawn.pages, of: .pdf, limits: limits, text: drawn.text, isCut: drawn.isCut)
            return
        }
        var writer = PageWriter(limits)
        try Self.write(bytes, found, limits, to: &writer)
        self.init(found, writer)
    }

    private init(_ kind: DocumentKind, _ finished: PageWriter, text: String? = nil) {
        var writer = finished
        writer.closeAll()
        self.kind = kind
        links = writer.links
        omissions = writer.omissions
        self.text = text ?? String(decoding: writer.plain, as: UTF8.self)
        body = writer.html
        steps = writer.steps
    }

    /// Pages that a confined program made into pictures, and their text.
    init(pages: [[UInt8]], of kind: DocumentKind, limits: DocumentLimits, text: String?, isCut: Bool) {
        var writer = PageWriter(limits)
        if isCut { writer.omit(.rest) }
        if text == nil { writer.omit(.pageText) }
        for page in pages {
            writer.open(.div)
            writer.picture(page[...])
            writer.close(.div)
        }
        self.init(kind, writer, text: text ?? "")
    }

    private static func write(
        _ bytes: [UInt8], _ kind: DocumentKind, _ limits: DocumentLimits, to writer: inout PageWriter
    ) throws(DocumentFailure) {
        switch kind {
        case .html:
            var reader = HTMLReader(UTF8Text.normalized(bytes))
            reader.write(to: &writer)
        case .text: PlainReader.write(bytes, to: &writer)
        case .markdown:
            var reader = MarkdownReader(bytes)
            reader.write(to: &writer)
        case .mail:
            var reader = MailReader(limits)
            reader.write(bytes, to: &writer)
        case .docx:
            var reader = WordReader(OfficePackage(archive: try ZIPArchive(bytes, limits), limits: limits))
            try reader.write(to: &writer)
        case .xlsx:
            var reader = SheetReader(OfficePackage(archive: try ZIPArchive(bytes, limits), limits: limits))
            try reader.write(to: &writer)
        case .pptx:
            var reader = SlideReader(OfficePackage(archive: try ZIPArchive(bytes, limits), limits: limits))
            try reader.write(to: &writer)
        case .openDocument:
            var reader = try OpenDocumentReader(
                OfficePackage(archive: try ZIPArchive(bytes, limits), limits: limits))
            try reader.write(to: &writer)
        case .flatOpenDocument:
            var reader = OpenDocumentReader(flat: bytes, limits)
            try reader.write(to: &writer)
        case .picture: writer.picture(bytes[...])
        // Its pages are made by another program.
        case .pdf: throw .pdf
        }
    }
}
