import Testing

@testable import PaviseDocuments

/// Office documents: what is shown of them, and what an archive may not do.
@Suite struct OfficeTests {
    private func page(_ archive: ArchiveFixture) throws -> DocumentPage {
        let page = try DocumentPage(archive.bytes)
        var grammar = PageGrammar(page.body)
        #expect(grammar.problem() == nil)
        return page
    }

    @Test func `a text document keeps headings, lists, tables, links and its own pictures`() throws {
        let page = try page(Fixture.docx)
        #expect(page.kind == .docx)
        #expect(
            page.text.hasPrefix("# Title & more\nbold plain\n- one\n- two\ncell | \na link[1]\n[picture]\n"),
            "\(page.text)")
        #expect(page.links.map(\.address) == ["https://example.org/a"])
        #expect(!page.text.contains("deleted") && !page.text.contains("hidden") && !page.text.contains("tripwire"))
        let told = page.omissions
        #expect(told[.macro] == 1 && told[.embeddedObject] == 1 && told[.field] == 1 && told[.hiddenText] == 2)
        // The picture and the template on a server as relations, the picture once more where it would stand.
        #expect(told[.externalReference] == 2 && told[.remoteContent] == 1)
    }

    private func styled(_ properties: String) throws -> DocumentPage {
        try page(
            ArchiveFixture([
                ("[Content_Types].xml", "<Types/>"), ("word/_rels/document.xml.rels", "<Relationships/>"),
                (
                    "word/document.xml",
                    """
                    <w:document xmlns:w="w"><w:body><w:p><w:r><w:rPr>\(properties)</w:rPr><w:t>text</w:t></w:r></w:p>
                    </w:body></w:document>
                    """
                ),
            ]))
    }

    @Test(arguments: ["", #" w:val="1""#, #" w:val="true""#, #" w:val="on""#])
    func `what a run says of itself is shown`(_ value: String) throws {
        for (name, element) in [("b", "strong"), ("i", "em"), ("strike", "s")] {
            let page = try styled("<w:\(name)\(value)/>")
            #expect(String(decoding: page.body, as: UTF8.self) == "<p><\(element)>text</\(element)></p>")
        }
        for name in ["vanish", "webHidden"] {
            let page = try styled("<w:\(name)\(value)/>")
            #expect(page.text.isEmpty && page.omissions[.hiddenText] == 1, "\(page.text)")
        }
    }

    @Test(arguments: ["0", "false", "off"]) func `what a run says it is not changes nothing`(_ value: String) throws {
        for name in ["b", "i", "strike", "vanish", "webHidden"] {
            let page = try styled(#"<w:\#(name) w:val="\#(value)"/>"#)
            #expect(String(decoding: page.body, as: UTF8.self) == "<p>text</p>", "\(name)")
            #expect(page.omissions.isEmpty)
        }
        #expect(String(decoding: try styled(#"<w:u w:val="none"/>"#).body, as: UTF8.self) == "<p>text</p>")
        #expect(String(decoding: try styled(#"<w:u w:val="single"/>"#).body, as: UTF8.self) == "<p><u>text</u></p>")
    }

    @Test func `a workbook shows the stored values of each sheet`() throws {
        let page = try page(Fixture.xlsx)
        #expect(page.kind == .xlsx)
        #expect(page.text == "# Nights\nhours |  | 2 | \nab | inline | true |  | \n", "\(page.text)")
        #expect(page.omissions[.externalReference] == 1)
    }

    @Test func `slides come in the order of the presentation`() throws {
        let page = try page(Fixture.pptx)
        #expect(page.kind == .pptx)
        #expect(page.text == "# 1\nfirst slide\n# 2\nsecond slide\n")
    }

    @Test func `OpenDocument is read in an archive and as one flat file`() throws {
        let page = try page(Fixture.odt)
        #expect(page.kind == .openDocument)
        #expect(page.text.contains("# Heading\nSome text more\n- item\nlink[1]\n[picture]"), "\(page.text)")
        #expect(!page.text.contains("secret"))
        #expect(page.omissions[.macro] == 2 && page.omissions[.remoteContent] == 1 && page.omissions[.hiddenText] == 1)
        let flat = try DocumentPage(Array(Fixture.flat.utf8), named: "a.xml")
        #expect(flat.kind == .flatOpenDocument)
        #expect(flat.text.contains("flat cell"))
        #expect(flat.text.contains("[picture]"))
        #expect(flat.omissions[.macro] == 1)
        // Cells that repeat to the end of the sheet are no bomb.
        #expect(flat.body.count < 2000)
    }

    @Test(arguments: ["<!DOCTYPE x [<!ENTITY a SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE x>", "<!ENTITY a \"b\">"])
    func `XML that declares a document type is refused`(_ declaration: String) throws {
        #expect(throws: DocumentFailure.documentType) {
            try DocumentPage(
                Array(("<?xml version=\"1.0\"?>" + declaration + Fixture.flat.dropFirst(21)).utf8), named: "a.xml")
        }
        var archive = ArchiveFixture()
        archive.add("content.xml", Array((declaration + "<a/>").utf8))
        #expect(throws: DocumentFailure.documentType) { try DocumentPage(archive.bytes) }
    }

    @Test func `XML is read once, and not deeper than the limit`() throws {
        var archive = ArchiveFixture()
        archive.add("content.xml", Array(String(repeating: "<a>", count: 100_000).utf8))
        #expect(throws: DocumentFailure.bomb) { try DocumentPage(archive.bytes) }
        for text in ["<a", "<a b", "<a b=c>", "<a></b>", "<a>", "<!--", "<a><![CDATA[", "</a>", "<a b='"] {
            var archive = ArchiveFixture()
            archive.add("content.xml", Array(text.utf8))
            #expect(throws: DocumentFailure.damaged(.xml)) { try DocumentPage(archive.bytes) }
        }
        // The end of a comment or of marked text is found behind what looks like it.
        var reader = XMLReader(Array("<a><!-- - -- ---><![CDATA[]]]]]>x</a>".utf8))
        var texts = ""
        while let piece = try reader.next() { if case .text(let bytes) = piece { texts += XMLReader.text(of: bytes) } }
        #expect(texts == "]]]x")
    }
}

/// Archives that are made to harm.
@Suite struct HostileArchiveTests {
    private func failure(_ archive: ArchiveFixture, _ limits: DocumentLimits = .standard) -> DocumentFailure? {
        do throws(DocumentFailure) {
            var zip = try ZIPArchive(archive.bytes, limits)
            for name in zip.names { _ = try zip.file(name) }
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["../a", "a/../b", "/a", "a\\b", "a\0b"])
    func `names that lead out are refused`(_ name: String) {
        #expect(failure(ArchiveFixture([(name, "x")])) == .bomb)
    }

    @Test func `a name that comes twice, files that share bytes, and encrypted files are refused`() {
        #expect(failure(ArchiveFixture([("a", "x"), ("a", "y")])) == .bomb)
        var shared = ArchiveFixture([("a", "content"), ("b", "content")])
        shared.files[1].claimedOffset = 0
        #expect(failure(shared) == .bomb)
        var encrypted = ArchiveFixture([("a", "x")])
        encrypted.files[0].flags = 1
        #expect(failure(encrypted) == .encrypted)
    }

    // 2 MiB of zeros in 2,049 bytes; see `Tests/DocumentsTests/InflateTests`.
    @Test func `what unpacks to far more than it is, or to more than it says, is refused`() {
        var archive = ArchiveFixture()
        archive.add("a", Array(repeating: 0, count: 2 << 20), packed: InflateVectors.zeros)
        #expect(failure(archive) == .bomb)
        var limits = DocumentLimits()
        limits.ratio = 2000
        #expect(failure(archive, limits) == nil)
        limits.unpacked = 1 << 20
        #expect(failure(archive, limits) == .bomb)
        archive.files[0].claimedSize = 100
        #expect(failure(archive) == .bomb)
    }

    @Test func `more entries than the limit are refused before any is read`() {
        var limits = DocumentLimits()
        limits.entries = 2
        #expect(failure(ArchiveFixture([("a", "x"), ("b", "x"), ("c", "x")]), limits) == .bomb)
    }

    @Test func `every byte may be changed, and nothing but a refusal or the same content comes of it`() {
        let whole = ArchiveFixture([("a", "content of a"), ("b", "content of b")]).bytes
        for place in whole.indices {
            var bytes = whole
            bytes[place] ^= 0xFF
            do throws(DocumentFailure) {
                var zip = try ZIPArchive(bytes)
                for name in zip.names {
                    if let content = try zip.file(name) {
                        #expect(["content of a", "content of b"].contains(String(decoding: content, as: UTF8.self)))
                    }
                }
            } catch {
                #expect(error != .unknownKind)
            }
        }
    }

    @Test func `an archive of another kind is no document`() {
        #expect(throws: DocumentFailure.unknownKind) { try DocumentPage(ArchiveFixture([("a.txt", "x")]).bytes) }
        #expect(throws: DocumentFailure.encrypted) { try DocumentPage([0xD0, 0xCF, 0x11, 0xE0, 0]) }
        #expect(throws: DocumentFailure.self) { try DocumentPage(Array("%PDF-1.7".utf8)) }
        #expect(throws: DocumentFailure.unknownKind) { try DocumentPage([1, 0, 2, 0]) }
    }
}
