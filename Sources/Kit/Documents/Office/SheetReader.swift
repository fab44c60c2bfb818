/// Workbooks of Office Open XML (ECMA-376 part 1, 18): each sheet as a table of what its cells hold. Values are shown
/// as they are stored: a date is the number of its day. Formulas are not computed; their last results are shown.
struct SheetReader {
    private var package: OfficePackage
    private var strings: [String] = []
    // A text that many cells share may be blank, and fill no page: as much as a file could hold is shown of them all.
    private var sharedBytes = 0

    init(_ package: OfficePackage) { self.package = package }

    static func fits(_ archive: ZIPArchive) -> Bool { archive.entries["xl/workbook.xml"] != nil }

    mutating func write(to writer: inout PageWriter) throws(DocumentFailure) {
        guard let book = try package.archive.file("xl/workbook.xml") else { throw .damaged(.content) }
        let relations = try package.relations(of: "xl/workbook.xml")
        if let bytes = try package.archive.file("xl/sharedStrings.xml") { try readStrings(bytes) }
        var reader = XMLReader(book, depth: writer.limits.depth)
        while let piece = try reader.next() {
            guard case .start(let tag) = piece else { continue }
            if tag.name == "ddeLink" { writer.omit(.field) }
            guard tag.name == "sheet", let id = tag.prefixed("id"), let relation = relations[id] else { continue }
            guard !relation.isExternal, let sheet = try package.archive.file(relation.target) else {
                writer.omit(.externalReference)
                continue
            }
            writer.open(.h2)
            writer.text(tag.value("name") ?? "")
            writer.close(.h2)
            let parts = try package.relations(of: relation.target)
            for part in parts.values where part.isExternal && part.type != "hyperlink" {
                writer.omit(.externalReference)
            }
            try write(sheet, parts, to: &writer)
        }
        package.countLeftOut(&writer)
    }

    private mutating func readStrings(_ bytes: [UInt8]) throws(DocumentFailure) {
        var reader = XMLReader(bytes, depth: package.limits.depth)
        var current: String?
        var isText = false
        var isPhonetic = false
        while let piece = try reader.next() {
            switch piece {
            case .start(let tag):
                if tag.name == "si" { current = "" }
                if tag.name == "rPh" { isPhonetic = true }
                isText = tag.name == "t" && !isPhonetic
            case .end(let name):
                if name == "si", let text = current {
                    strings.append(text)
                    current = nil
                }
                if name == "rPh" { isPhonetic = false }
                isText = false
            case .text(let bytes): if isText { current? += XMLReader.text(of: bytes) }
            }
        }
    }

    private mutating func write(
        _ bytes: [UInt8], _ parts: [String: OfficePackage.Relation], to writer: inout PageWriter
    ) throws(DocumentFailure) {
        var reader = XMLReader(bytes, depth: writer.limits.depth)
        var kind = ""
        var text = ""
        var isValue = false
        var column = 0
        var links: [(cells: String, target: String)] = []
        var drawings: [String] = []
        writer.open(.table, .sheet)
        while let piece = try reader.next() {
            guard !writer.isFull, sharedBytes <= writer.limits.entry else { return writer.omit(.rest) }
            switch piece {
            case .start(let tag):
                isValue = tag.name == "v" || tag.name == "t"
                switch tag.name {
                case "row":
                    writer.open(.tr)
                    column = 0
                case "c":
                    kind = tag.value("t") ?? "n"
                    text = ""
                    // Empty cells before it, up to a width that a reader can follow.
                    let wanted = min(Self.column(of: tag.value("r")) ?? column, column + 64)
                    while column < wanted {
                        writer.open(.td)
                        writer.close(.td)
                        column += 1
                    }
                case "f": if tag.value("t") == "dataTable" { writer.omit(.field) }
                case "oleObject", "control": writer.omit(.embeddedObject)
                case "legacyDrawing", "legacyDrawingHF": writer.omit(.drawing)
                case "headerFooter": writer.omit(.pageHeader)
                case "drawing":
                    if let part = tag.prefixed("id").flatMap({ parts[$0] }), !part.isExternal {
                        drawings.append(part.target)
                    } else {
                        writer.omit(.drawing)
                    }
                case "hyperlink":
                    // A link to a place of the workbook itself is none that could be opened.
                    if let target = tag.prefixed("id").flatMap({ parts[$0]?.target }) {
                        links.append((tag.value("ref") ?? "", target))
                    }
                default: break
                }
            case .end(let name):
                isValue = false
                if name == "c" {
                    let content = shown(kind, text)
                    if kind == "s" { sharedBytes += content.utf8.count }
                    writer.open(.td)
                    writer.text(content)
                    writer.close(.td)
                    column += 1
                } else if name == "row" {
                    writer.close(.tr)
                }
            case .text(let bytes): if isValue { text += XMLReader.text(of: bytes) }
            }
        }
        writer.close(.table)
        for link in links {
            writer.open(.p)
            writer.text(link.cells)
            writer.link(to: link.target.utf8)
            writer.close(.p)
        }
        for part in drawings { try writeDrawing(part, to: &writer) }
    }

    // ECMA-376 part 1, 20.5: the pictures of a sheet; its shapes and charts are drawings.
    private mutating func writeDrawing(_ part: String, to writer: inout PageWriter) throws(DocumentFailure) {
        guard let bytes = try package.archive.file(part) else { return writer.omit(.drawing) }
        let relations = try package.relations(of: part)
        var reader = XMLReader(bytes, depth: writer.limits.depth)
        while let piece = try reader.next() {
            guard !writer.isFull else { return writer.omit(.rest) }
            guard case .start(let tag) = piece else { continue }
            switch tag.name {
            case "blip":
                guard let relation = tag.prefixed("embed").flatMap({ relations[$0] }), !relation.isExternal else {
                    writer.omit(.remoteContent)
                    break
                }
                guard let picture = try package.archive.file(relation.target) else {
                    writer.omit(.unknownPicture)
                    break
                }
                writer.open(.p)
                writer.picture(picture[...])
                writer.close(.p)
            case "sp", "cxnSp", "graphicFrame": writer.omit(.drawing)
            default: break
            }
        }
    }

    private func shown(_ kind: String, _ text: String) -> String {
        switch kind {
        case "s": Int(text).flatMap { strings.indices.contains($0) ? strings[$0] : nil } ?? ""
        case "b": text == "1" ? "true" : "false"
        default: text
        }
    }

    // The letters of a reference such as AB12, from 0.
    static func column(of reference: String?) -> Int? {
        guard let reference else { return nil }
        var value = 0
        for byte in reference.utf8 {
            guard (0x41...0x5A).contains(byte), value < 20_000 else { break }
            value = value * 26 + Int(byte - 0x40)
        }
        return value > 0 ? value - 1 : nil
    }
}
