/// Text documents of Office Open XML (ECMA-376 part 1, 17): paragraphs, headings, lists, tables, pictures, notes.
struct WordReader {
    private var package: OfficePackage
    private var relations: [String: OfficePackage.Relation] = [:]
    private var skipped = 0
    private var isInList = false
    private var style = Style()
    private var paragraph = Paragraph()
    private var pendingLinks: [String?] = []

    private struct Style {
        var bold = false, italic = false, underline = false, struck = false, hidden = false
    }
    private struct Paragraph {
        var heading: Int?
        var isItem = false
        var isOpen = false
    }

    init(_ package: OfficePackage) { self.package = package }

    static func fits(_ archive: ZIPArchive) -> Bool {
        archive.names.contains { $0.hasPrefix("word/document") && $0.hasSuffix(".xml") }
    }

    // The relations of the whole name it (ECMA-376 part 1, 11.3.10): some writers call it `document2.xml`.
    private mutating func mainPart() throws(DocumentFailure) -> String {
        let relations = try package.relations(of: "").values.filter { $0.type == "officeDocument" && !$0.isExternal }
        let there = relations.map(\.target).filter { package.archive.entries[$0] != nil }
        return there.min() ?? "word/document.xml"
    }

    mutating func write(to writer: inout PageWriter) throws(DocumentFailure) {
        let parts = package.archive.names.filter { name in
            ["word/header", "word/footnotes", "word/endnotes", "word/footer", "word/comments"].contains {
                name.hasPrefix($0)
            } && name.hasSuffix(".xml") && !name.contains("Extended") && !name.contains("Ids")
        }
        try write(try mainPart(), to: &writer)
        for part in parts {
            writer.rule()
            try write(part, to: &writer)
        }
        package.countLeftOut(&writer)
    }

    private mutating func write(_ part: String, to writer: inout PageWriter) throws(DocumentFailure) {
        guard let bytes = try package.archive.file(part) else { throw .damaged(.content) }
        relations = try package.relations(of: part)
        for relation in relations.values where relation.isExternal && relation.type != "hyperlink" {
            writer.omit(.externalReference)
        }
        var reader = XMLReader(bytes, depth: writer.limits.depth)
        var texts: [String] = []
        while let piece = try reader.next() {
            guard !writer.isFull else { return writer.omit(.rest) }
            switch piece {
            case .start(let tag):
                if skipped > 0 {
                    skipped += 1
                } else {
                    try start(tag, &writer)
                    if skipped == 0 { texts.append(tag.name) }
                }
            case .end(let name):
                if skipped > 0 {
                    skipped -= 1
                } else {
                    _ = texts.popLast()
                    end(name, &writer)
                }
            case .text(let bytes):
                guard skipped == 0, texts.last == "t" else { continue }
                if style.hidden {
                    writer.omit(.hiddenText)
                } else {
                    beginParagraph(&writer)
                    writer.text(XMLReader.text(of: bytes))
                }
            }
        }
        endList(&writer)
        writer.closeAll()
    }

    private mutating func start(_ tag: XMLReader.Tag, _ writer: inout PageWriter) throws(DocumentFailure) {
        switch tag.name {
        case "p": paragraph = Paragraph()
        case "pStyle":
            let digits = (tag.value("val") ?? "").filter(\.isNumber)
            if (tag.value("val") ?? "").lowercased().hasPrefix("heading") { paragraph.heading = Int(digits) }
            if (tag.value("val") ?? "").lowercased() == "title" { paragraph.heading = 1 }
        case "numPr": paragraph.isItem = true
        case "r": style = Style()
        case "b": style.bold = isOn(tag)
        case "i": style.italic = isOn(tag)
        case "u": style.underline = tag.value("val") != "none"
        case "strike": style.struck = isOn(tag)
        case "vanish", "webHidden": style.hidden = isOn(tag)
        case "t":
            guard !style.hidden else { break }
            beginParagraph(&writer)
            for element in marks { writer.open(element) }
        case "tab": if paragraph.isOpen { writer.text(" ") }
        case "noBreakHyphen" where !style.hidden:
            beginParagraph(&writer)
            writer.text("-")
        case "sym": writer.omit(style.hidden ? .hiddenText : .symbol)
        case "br", "cr":
            beginParagraph(&writer)
            writer.lineBreak()
        case "tbl":
            endList(&writer)
            writer.open(.table)
        case "tr": writer.open(.tr)
        case "tc": writer.open(.td)
        case "gridSpan": break
        case "hyperlink":
            beginParagraph(&writer)
            pendingLinks.append(tag.prefixed("id").flatMap { relations[$0]?.target })
        case "blip": try picture(tag, &writer)
        case "imagedata": try picture(tag, &writer)
        case "instrText", "fldSimple":
            writer.omit(.field)
            // A simple field has its result in it.
            if tag.name == "instrText" { skipped = 1 }
        case "del", "moveFrom":
            writer.omit(.hiddenText)
            skipped = 1
        // How it looked before a change (ECMA-376 part 1 §17.13.5): what was hidden once may be seen now.
        case "rPrChange", "pPrChange": skipped = 1
        case "altChunk": writer.omit(.attachment)
        case "object", "control", "OLEObject": writer.omit(.embeddedObject)
        case "Fallback": skipped = 1
        case "chart", "relIds": writer.omit(.drawing)
        default: break
        }
    }

    // ECMA-376 part 1 §17.17.4 (ST_OnOff), with the words of its first edition.
    private func isOn(_ tag: XMLReader.Tag) -> Bool { !["0", "false", "off"].contains(tag.value("val")) }

    private mutating func end(_ name: String, _ writer: inout PageWriter) {
        switch name {
        case "p":
            if paragraph.isOpen { closeParagraph(&writer) }
            paragraph = Paragraph()
        case "t": for element in marks.reversed() where !style.hidden { writer.close(element) }
        case "tc":
            endList(&writer)
            writer.close(.td)
        case "tr": writer.close(.tr)
        case "tbl": writer.close(.table)
        case "hyperlink":
            if let link = pendingLinks.popLast(), let link { writer.link(to: link.utf8) }
        default: break
        }
    }

    private var marks: [PageElement] {
        [(style.bold, PageElement.strong), (style.italic, .em), (style.underline, .u), (style.struck, .s)]
            .filter(\.0).map(\.1)
    }

    private mutating func beginParagraph(_ writer: inout PageWriter) {
        guard !paragraph.isOpen else { return }
        paragraph.isOpen = true
        if paragraph.isItem {
            if !isInList { writer.open(.ul) }
            isInList = true
            return writer.open(.li)
        }
        endList(&writer)
        writer.open(element)
    }

    private var element: PageElement {
        switch paragraph.heading {
        case nil: .p
        case 1: .h1
        case 2: .h2
        case 3: .h3
        case 4: .h4
        case 5: .h5
        default: .h6
        }
    }

    private mutating func closeParagraph(_ writer: inout PageWriter) {
        writer.close(paragraph.isItem ? .li : element)
    }

    private mutating func endList(_ writer: inout PageWriter) {
        if isInList { writer.close(.ul) }
        isInList = false
    }

    private mutating func picture(_ tag: XMLReader.Tag, _ writer: inout PageWriter) throws(DocumentFailure) {
        if tag.prefixed("link") != nil { writer.omit(.remoteContent) }
        guard let id = tag.prefixed("embed") ?? tag.prefixed("id"), let relation = relations[id] else { return }
        guard !relation.isExternal else { return writer.omit(.remoteContent) }
        guard let bytes = try package.archive.file(relation.target) else { return writer.omit(.unknownPicture) }
        beginParagraph(&writer)
        writer.picture(bytes[...])
    }
}
