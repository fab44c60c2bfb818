/// Documents of OpenDocument (OASIS, ISO/IEC 26300), in an archive and in one flat file: text, tables, slides,
/// pictures.
struct OpenDocumentReader {
    private var package: OfficePackage?
    private var reader: XMLReader
    private var skipped = 0
    private var lists = 0
    private var pictures: [[UInt8]] = []
    private var binary: [UInt8]?
    private var links: [String?] = []
    private var spans: [[PageElement]] = []
    // What is equal to the cell or row before it a sheet keeps once (OpenDocument 1.3 part 3, 19.677 and 19.679).
    private var cellRepeats = 1
    private var cellStart = PageWriter.ContentStart()
    private var rowRepeats = 1
    private var rowStart = PageWriter.ContentStart()
    private var blocks: [Block] = []
    // In how many cells and items of lists the reader is.
    private var level = 0

    /// A paragraph or heading that has begun and not ended. On the page a paragraph ends where another block begins in
    /// it, a note or a frame, and goes on behind that.
    private struct Block {
        let element: PageElement
        /// What is in a cell or an item ends no paragraph around it.
        let level: Int
        var isOpen = true
    }

    static func fits(_ archive: ZIPArchive) -> Bool { archive.entries["content.xml"] != nil }

    /// One in an archive.
    init(_ package: OfficePackage) throws(DocumentFailure) {
        var package = package
        guard let content = try package.archive.file("content.xml") else { throw .damaged(.content) }
        if let manifest = try package.archive.file("META-INF/manifest.xml"),
            String(decoding: manifest, as: UTF8.self).contains("encryption-data")
        {
            throw .encrypted
        }
        reader = XMLReader(content, depth: package.limits.depth)
        self.package = package
    }

    /// A flat one.
    init(flat bytes: [UInt8], _ limits: DocumentLimits) { reader = XMLReader(bytes, depth: limits.depth) }

    mutating func write(to writer: inout PageWriter) throws(DocumentFailure) {
        var isBody = false
        reading: while let piece = try reader.next() {
            guard !writer.isFull else {
                writer.omit(.rest)
                break reading
            }
            switch piece {
            case .start(let tag):
                if skipped > 0 {
                    skipped += 1
                } else if tag.name == "body" {
                    isBody = true
                } else if tag.name == "scripts" || tag.name == "script" || tag.name == "event-listener" {
                    writer.omit(.macro)
                    skipped = 1
                } else if !isBody, Self.standsOnPages(tag.name) {
                    writer.omit(.pageHeader)
                    skipped = 1
                } else if isBody {
                    try start(tag, &writer)
                } else if tag.name == "font-face-uri" {
                    writer.omit(.remoteContent)
                }
            case .end(let name):
                if skipped > 0 {
                    skipped -= 1
                } else if name == "body" {
                    isBody = false
                } else if isBody {
                    end(name, &writer)
                }
            case .text(let bytes):
                guard isBody, skipped == 0 else { continue }
                if binary != nil {
                    if binary?.count ?? 0 <= writer.limits.picture * 2 { binary? += bytes }
                } else {
                    write(XMLReader.text(of: bytes), &writer)
                }
            }
        }
        if reader.instructions > 0 { writer.omit(.style, reader.instructions) }
        writer.closeAll()
        try countStyles(&writer)
        package?.countLeftOut(&writer)
    }

    // The headers and footers of pages stand with the styles (OpenDocument 1.3 part 3, 16.11).
    private mutating func countStyles(_ writer: inout PageWriter) throws(DocumentFailure) {
        guard let styles = try package?.archive.file("styles.xml") else { return }
        var reader = XMLReader(styles, depth: writer.limits.depth)
        while let piece = try reader.next() {
            if case .start(let tag) = piece, Self.standsOnPages(tag.name) { writer.omit(.pageHeader) }
        }
    }

    private static func standsOnPages(_ name: String) -> Bool {
        ["header", "header-left", "header-first", "footer", "footer-left", "footer-first"].contains(name)
    }

    private mutating func start(_ tag: XMLReader.Tag, _ writer: inout PageWriter) throws(DocumentFailure) {
        switch tag.name {
        case "p": begin(.p, &writer)
        case "h": begin(Self.heading(tag.value("outline-level")), &writer)
        case "list":
            interrupt()
            writer.open(.ul)
        case "list-item", "list-header":
            level += 1
            writer.open(.li)
        case "table":
            interrupt()
            writer.open(.table)
        case "table-row":
            rowRepeats = Self.times(tag.value("number-rows-repeated"))
            writer.open(.tr)
            rowStart = writer.contentStart
        case "table-cell", "covered-table-cell":
            cellRepeats = Self.times(tag.value("number-columns-repeated"))
            level += 1
            writer.open(
                .td, colspan: tag.value("number-columns-spanned").flatMap { Int($0) } ?? 1,
                rowspan: tag.value("number-rows-spanned").flatMap { Int($0) } ?? 1)
            cellStart = writer.contentStart
        case "page":
            interrupt()
            writer.open(.h2, .slide)
            writer.text(tag.value("name") ?? "")
            writer.close(.h2)
        case "s":
            for _ in 0..<min(max(tag.value("c").flatMap { Int($0) } ?? 1, 1), 256) { writer.append(0x20) }
        case "tab": writer.append(0x20)
        case "line-break": writer.lineBreak()
        case "a":
            // A link to a place of the document itself is none that could be opened.
            links.append(tag.value("href").flatMap { $0.hasPrefix("#") ? nil : $0 })
        case "image": try picture(tag, &writer)
        case "binary-data": binary = []
        case "tracked-changes", "deletion":
            writer.omit(.hiddenText)
            skipped = 1
        case "object", "object-ole", "applet", "plugin", "floating-frame":
            writer.omit(tag.name == "floating-frame" ? .frame : .embeddedObject)
            skipped = 1
        case "dde-source", "dde-connection", "dde-connection-decl", "database-display", "execute-macro",
            "conditional-text":
            writer.omit(.field)
        case "hidden-text", "hidden-paragraph":
            writer.omit(.hiddenText)
            skipped = 1
        case "section-source", "cell-range-source", "table-source": writer.omit(.externalReference)
        case "forms", "form":
            writer.omit(.form)
            skipped = 1
        default: break
        }
    }

    private mutating func end(_ name: String, _ writer: inout PageWriter) {
        switch name {
        case "p", "h": if let block = blocks.popLast(), block.isOpen { writer.close(block.element) }
        case "list": writer.close(.ul)
        case "list-item", "list-header":
            level -= 1
            writer.close(.li)
        case "table": writer.close(.table)
        case "table-row":
            writer.close(.tr)
            // Empty rows go on to the end of a sheet.
            if writer.hasText(since: rowStart) { writer.again(.tr, from: rowStart, times: rowRepeats - 1) }
            rowRepeats = 1
        case "table-cell", "covered-table-cell":
            level -= 1
            let isEmpty = !writer.hasText(since: cellStart)
            writer.close(.td)
            // Empty cells go on to the edge of a sheet.
            writer.again(.td, from: cellStart, times: min(cellRepeats, isEmpty ? 16 : .max) - 1)
            cellRepeats = 1
        case "a": if let link = links.popLast(), let link { writer.link(to: link.utf8) }
        case "binary-data":
            if let text = binary, let bytes = PictureCoding.decode(text, limit: writer.limits.picture) {
                writer.picture(bytes[...])
            } else {
                writer.omit(.largePicture)
            }
            binary = nil
        default: break
        }
    }

    private mutating func begin(_ element: PageElement, _ writer: inout PageWriter) {
        interrupt()
        writer.open(element)
        blocks.append(Block(element: element, level: level))
    }

    // Another block begins: the writer ends an open paragraph for it.
    private mutating func interrupt() {
        guard let last = blocks.last, last.level == level, last.element == .p else { return }
        blocks[blocks.count - 1].isOpen = false
    }

    // Text stands in paragraphs and headings alone.
    private mutating func write(_ text: String, _ writer: inout PageWriter) {
        guard let last = blocks.last, last.level == level else { return }
        if !last.isOpen {
            guard !text.allSatisfy(\.isWhitespace) else { return }
            writer.open(last.element)
            blocks[blocks.count - 1].isOpen = true
        }
        writer.text(text)
    }

    private static func times(_ text: String?) -> Int { max(1, text.flatMap { Int($0) } ?? 1) }

    private static func heading(_ level: String?) -> PageElement {
        switch level {
        case "1", nil: .h1
        case "2": .h2
        case "3": .h3
        case "4": .h4
        case "5": .h5
        default: .h6
        }
    }

    private mutating func picture(_ tag: XMLReader.Tag, _ writer: inout PageWriter) throws(DocumentFailure) {
        // A flat document has it as an element of its own.
        guard let target = tag.value("href") else { return }
        let path = target.hasPrefix("./") ? String(target.dropFirst(2)) : target
        guard package != nil, !path.contains(":") else { return writer.omit(.remoteContent) }
        guard let bytes = try package?.archive.file(path) else { return writer.omit(.unknownPicture) }
        writer.picture(bytes[...])
    }
}
