/// Presentations of Office Open XML (ECMA-376 part 1, 19): the text, tables and pictures of each slide, in their order.
struct SlideReader {
    private var package: OfficePackage

    init(_ package: OfficePackage) { self.package = package }

    static func fits(_ archive: ZIPArchive) -> Bool { archive.entries["ppt/presentation.xml"] != nil }

    mutating func write(to writer: inout PageWriter) throws(DocumentFailure) {
        guard let bytes = try package.archive.file("ppt/presentation.xml") else { throw .damaged(.content) }
        let relations = try package.relations(of: "ppt/presentation.xml")
        var reader = XMLReader(bytes, depth: writer.limits.depth)
        var number = 0
        while let piece = try reader.next() {
            guard case .start(let tag) = piece, tag.name == "sldId", let id = tag.prefixed("id"),
                let relation = relations[id]
            else { continue }
            number += 1
            guard !relation.isExternal else {
                writer.omit(.externalReference)
                continue
            }
            writer.open(.h2, .slide)
            writer.text("\(number)")
            writer.close(.h2)
            try write(relation.target, to: &writer)
        }
        package.countLeftOut(&writer)
    }

    private mutating func write(_ part: String, to writer: inout PageWriter) throws(DocumentFailure) {
        guard let bytes = try package.archive.file(part) else { throw .damaged(.content) }
        let relations = try package.relations(of: part)
        for relation in relations.values where relation.isExternal && relation.type != "hyperlink" {
            writer.omit(.externalReference)
        }
        var reader = XMLReader(bytes, depth: writer.limits.depth)
        var isText = false
        var links: Set<String> = []
        while let piece = try reader.next() {
            guard !writer.isFull else { return writer.omit(.rest) }
            switch piece {
            case .start(let tag):
                isText = tag.name == "t"
                switch tag.name {
                case "p": writer.open(.p)
                case "br": writer.lineBreak()
                case "tbl": writer.open(.table)
                case "tr": writer.open(.tr)
                case "tc": writer.open(.td)
                case "hlinkClick":
                    if let target = tag.prefixed("id").flatMap({ relations[$0]?.target }), links.insert(target).inserted
                    {
                        writer.link(to: target.utf8)
                    }
                case "blip":
                    guard let relation = tag.prefixed("embed").flatMap({ relations[$0] }), !relation.isExternal else {
                        writer.omit(.remoteContent)
                        break
                    }
                    guard let bytes = try package.archive.file(relation.target) else {
                        writer.omit(.unknownPicture)
                        break
                    }
                    writer.picture(bytes[...])
                case "oleObj", "control": writer.omit(.embeddedObject)
                case "audioFile", "videoFile", "wavAudioFile": writer.omit(.embeddedObject)
                case "chart", "relIds": writer.omit(.drawing)
                default: break
                }
            case .end(let name):
                isText = false
                switch name {
                case "p": writer.close(.p)
                case "tbl": writer.close(.table)
                case "tr": writer.close(.tr)
                case "tc": writer.close(.td)
                default: break
                }
            case .text(let bytes): if isText { writer.text(XMLReader.text(of: bytes)) }
            }
        }
        writer.closeAll()
    }
}
