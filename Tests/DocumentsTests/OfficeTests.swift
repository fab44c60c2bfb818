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

    @Test func `the relations of a text document say which of its parts is the text`() throws {
        let type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
        let relation = #"<Relationship Id="r" Type="\#(type)" Target="/word/document2.xml"/>"#
        let page = try page(
            ArchiveFixture([
                ("_rels/.rels", "<Relationships>\(relation)</Relationships>"),
                ("word/document2.xml", "<document><body><p><r><t>second</t></r></p></body></document>"),
            ]))
        #expect(page.kind == .docx && page.text == "second\n" && page.omissions.isEmpty, "\(page.text)")
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

    /// A document of one part of content, with others beside it.
    private func page(
        _ kind: DocumentKind, _ content: String, _ beside: [(String, String)] = []
    ) throws -> DocumentPage {
        var archive = ArchiveFixture()
        switch kind {
        case .docx:
            archive.add("word/document.xml", Array("<document><body><p><r>\(content)</r></p></body></document>".utf8))
        case .pptx:
            archive = Fixture.pptx
            archive.files.removeLast()
            archive.files[2] = .init(name: "ppt/slides/b.xml", content: Array("<sld>\(content)</sld>".utf8))
            archive.files[1].content = Array(
                #"<p xmlns:r="r"><sldIdLst><sldId id="1" r:id="r1"/></sldIdLst></p>"#.utf8)
        case .xlsx:
            archive.files = Array(Fixture.xlsx.files.prefix(2))
            archive.add(
                "xl/worksheets/s.xml", Array(#"<worksheet xmlns:r="r"><sheetData/>\#(content)</worksheet>"#.utf8))
        default: archive.add("content.xml", Array("<content><body><text>\(content)</text></body></content>".utf8))
        }
        for (name, text) in beside { archive.add(name, Array(text.utf8)) }
        return try page(archive)
    }

    /// What each kind of document can hold and no page shows.
    private static let unseen: [(DocumentKind, String, [(String, String)], DocumentOmission)] = [
        (.pptx, "", [("ppt/notesSlides/notesSlide1.xml", "<notes/>")], .speakerNote),
        (.pptx, "", [("ppt/comments/comment1.xml", "<cmLst/>")], .comment),
        (.pptx, "", [("ppt/comments/modernComment_1_2.xml", "<cmLst/>")], .comment),
        (.pptx, "", [("ppt/media/media1.mp4", "film")], .attachment),
        (.pptx, #"<blip xmlns:r="r" r:embed="none"/>"#, [], .remoteContent),
        (.xlsx, "", [("xl/comments1.xml", "<comments/>")], .comment),
        (.xlsx, "", [("xl/threadedComments/threadedComment1.xml", "<x/>")], .comment),
        (.xlsx, "<headerFooter><oddHeader>x</oddHeader></headerFooter>", [], .pageHeader),
        (.xlsx, #"<legacyDrawing r:id="r9"/>"#, [], .drawing),
        (.xlsx, #"<drawing r:id="r9"/>"#, [], .drawing),
        (.xlsx, "", [("xl/media/image1.png", "picture")], .attachment),
        (.docx, #"<sym w:font="Wingdings" w:char="F0E0"/>"#, [], .symbol),
        (.docx, "", [("word/media/image1.png", "picture")], .attachment),
        (.docx, "", [("word/nested.zip", "archive")], .attachment),
        (
            .openDocument, "",
            [("styles.xml", "<s><master-page><style:header><text:p>x</text:p></style:header></master-page></s>")],
            .pageHeader
        ), (.openDocument, "", [("Pictures/b.png", "picture")], .attachment),
    ]

    @Test(arguments: unseen.indices) func `PR20: what an office document holds and no page shows is told`(
        _ index: Int
    ) throws {
        let (kind, content, beside, omission) = Self.unseen[index]
        let told = try page(kind, content, beside).omissions
        #expect(told[omission] == 1 && told.all.count == 1, "\(told.sentence)")
        let nothing = try page(kind, "").omissions
        #expect(nothing.isEmpty, "\(nothing.sentence)")
    }

    @Test func `PR20: the headers of a flat OpenDocument are told`() throws {
        let flat = Fixture.flat.replacing(
            "<office:body>",
            with:
                "<office:master-styles><style:header><text:p>x</text:p></style:header></office:master-styles><office:body>"
        )
        #expect(try DocumentPage(Array(flat.utf8), named: "a.xml").omissions[.pageHeader] == 1)
    }

    @Test func `PR20: a paragraph of OpenDocument goes on behind a note, a frame, a table and a list in it`() throws {
        let note = "<note><note-citation>1</note-citation><note-body><p>inner</p></note-body></note>"
        let cell = "<table><table-row><table-cell><p>inner</p></table-cell></table-row></table>"
        let list = "<list><list-item><p>inner</p></list-item></list>"
        func lines(_ inner: String) throws -> [String] {
            let page = try page(
                .openDocument, "<p>before\(inner) after</p><h>title\(inner) end</h><p> <span>last</span> </p>")
            #expect(page.omissions.isEmpty)
            return page.text.split(separator: "\n").map(String.init)
        }
        #expect(try lines(note) == ["before1", "inner", "after", "# title1", "inner", "end", "last"])
        for inner in ["<p>inner</p>", cell, list] {
            let found = try lines("<frame><text-box>\(inner)</text-box></frame>")
            #expect(found.count { $0.contains("inner") } == 2, "\(found)")
            for word in ["before", "after", "title", "end", "last"] {
                #expect(found.count { $0.contains(word) } == 1, "\(word): \(found)")
            }
        }
    }

    @Test func `a sheet shows its links and its pictures, and a hyphen that does not break is one`() throws {
        var archive = Fixture.xlsx
        archive.files[3].content = Array(
            """
            <worksheet xmlns:r="r"><sheetData/><hyperlinks><hyperlink ref="A1" r:id="r1"/>
            <hyperlink ref="A2" location="Nights!A1"/></hyperlinks><drawing r:id="r2"/></worksheet>
            """.utf8)
        archive.add(
            "xl/worksheets/_rels/s.xml.rels",
            Array(
                """
                <Relationships>
                <Relationship Id="r1" Type="x/hyperlink" Target="https://example.org/s" TargetMode="External"/>
                <Relationship Id="r2" Type="x/drawing" Target="../drawings/d.xml"/></Relationships>
                """.utf8))
        archive.add(
            "xl/drawings/d.xml",
            Array(#"<wsDr xmlns:r="r"><pic><blip r:embed="r1"/></pic><sp/><graphicFrame/></wsDr>"#.utf8))
        archive.add(
            "xl/drawings/_rels/d.xml.rels",
            Array(#"<Relationships><Relationship Id="r1" Target="../media/a.gif"/></Relationships>"#.utf8))
        archive.add("xl/media/a.gif", Fixture.gif)
        let page = try page(archive)
        #expect(page.text.contains("A1[1]\n[picture]"), "\(page.text)")
        #expect(page.links.map(\.address) == ["https://example.org/s"])
        #expect(page.omissions[.drawing] == 2 && page.omissions[.attachment] == 0)
        #expect(try self.page(.docx, "<t>a</t><noBreakHyphen/><t>b</t>").text == "a-b\n")
    }

    @Test func `macros are told also of a document that is longer than a page may be`() throws {
        var limits = DocumentLimits()
        limits.page = 10
        let page = try DocumentPage(Fixture.odt.bytes, limits: limits)
        #expect(page.omissions[.rest] == 1 && page.omissions[.macro] == 2)
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

    @Test func `how a text looked before a change says nothing of how it looks`() throws {
        func run(_ now: String, _ before: String, _ text: String) -> String {
            "<w:r><w:rPr>\(now)<w:rPrChange><w:rPr>\(before)</w:rPr></w:rPrChange></w:rPr><w:t>\(text)</w:t></w:r>"
        }
        let body =
            "<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val=\"Heading1\"/></w:pPr></w:pPrChange></w:pPr>"
            + run("", "<w:vanish/>", "seen") + run("<w:vanish/>", "<w:vanish w:val=\"0\"/>", "unseen") + "</w:p>"
        let archive = ArchiveFixture([
            ("word/document.xml", "<w:document xmlns:w=\"w\"><w:body>\(body)</w:body></w:document>")
        ])
        let page = try DocumentPage(archive.bytes)
        #expect(page.text.contains("seen") && !page.text.contains("unseen") && !page.text.contains("#"))
        #expect(page.omissions[.hiddenText] == 1)
    }

    @Test func `PR19: a text that many cells share fills no more than a file could hold, blank or not`() throws {
        var archive = Fixture.xlsx
        let blank = String(repeating: " \t", count: 500)
        let cells = String(repeating: #"<c t="s"><v>0</v></c>"#, count: 3_000)
        for (name, content) in [
            ("xl/sharedStrings.xml", "<sst><si><t>\(blank)</t></si></sst>"),
            ("xl/worksheets/s.xml", "<worksheet><sheetData><row>\(cells)</row></sheetData></worksheet>"),
        ] {
            archive.files.removeAll { $0.name == name }
            archive.add(name, Array(content.utf8))
        }
        var limits = DocumentLimits.standard
        let whole = try DocumentPage(archive.bytes, limits: limits)
        #expect(whole.omissions[.rest] == 0 && whole.steps > 3_000_000)
        limits.entry = 1 << 20
        let page = try DocumentPage(archive.bytes, limits: limits)
        #expect(page.omissions[.rest] == 1 && page.steps < 3 << 19, "\(page.steps)")
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

    @Test func `a document that lies about its type is what its bytes are`() throws {
        let lies: [([UInt8], String, DocumentKind)] = [
            (Fixture.docx.bytes, "a.txt", .docx), (Fixture.docx.bytes, "a.html", .docx),
            (Array("<html><p>text".utf8), "a.docx", .html), (Array("<script>x</script>".utf8), "a.png", .html),
            (Fixture.gif, "a.html", .picture), (Fixture.gif, "a.docx", .picture), (Array("text".utf8), "a.pdf", .text),
            (Array("%PDF-1.7".utf8), "a.txt", .pdf), (Array("\n%PDF-1.7".utf8), "a.pdf", .pdf),
            (Array("# How %PDF-1.7 begins".utf8), "a.md", .markdown),
            (Array(Fixture.flat.utf8), "a.txt", .flatOpenDocument),
            // The lines of an e-mail end with CR LF (RFC 5322), or with LF where a program wrote it down.
            (Array("From: a@example.org\r\nSubject: b\r\n\r\n<html><p>text".utf8), "a", .mail),
            (Array("From: a@example.org\nSubject: b\n\n<html><p>text".utf8), "a", .mail),
            (Array("From: a@example.org\r\n\r\nSubject: b\r\n".utf8), "a", .text),
        ]
        for (bytes, name, kind) in lies {
            #expect(try DocumentKind.of(bytes, named: name) == kind, "\(name), \(kind)")
        }
        // Who says what it is, and is wrong, gets a refusal.
        #expect(throws: DocumentFailure.damaged(.archive)) {
            try DocumentPage(Array("<html>".utf8), named: "a.docx", as: .docx)
        }
    }

    private func sheet(_ rows: String) throws -> DocumentPage {
        let page = try DocumentPage(
            Array(
                """
                <?xml version="1.0"?><office:document xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body>
                <table:table>\(rows)</table:table></office:body></office:document>
                """.utf8))
        #expect(page.kind == .flatOpenDocument)
        return page
    }

    @Test func `PR20: equal cells and rows, which a sheet keeps once, are all shown`() throws {
        let cell = #"<table:table-cell table:number-columns-repeated="3"><text:p>7</text:p></table:table-cell>"#
        let last = "<table:table-cell><text:p>8</text:p></table:table-cell>"
        let page = try sheet(
            #"<table:table-row table:number-rows-repeated="2">\#(cell)\#(last)</table:table-row>"#
                + "<table:table-row>\(last)</table:table-row>"
                // To the edges of the sheet: nothing that anybody misses.
                + #"<table:table-row table:number-rows-repeated="1048573">"#
                + #"<table:table-cell table:number-columns-repeated="16384"/></table:table-row>"#)
        let lines = page.text.split(separator: "\n").map { line in String(line.filter { $0 != " " }) }
        #expect(lines.prefix(3) == ["7|7|7|8|", "7|7|7|8|", "8|"], "\(page.text)")
        #expect(page.text.filter { $0.isNumber }.count == 9 && page.omissions.isEmpty)
        var grammar = PageGrammar(page.body)
        #expect(grammar.problem() == nil)
    }

    @Test(arguments: ["1001", "9223372036854775807", "-9223372036854775808", "x", "0"])
    func `PR19: what a sheet repeats is bounded, and what is beyond it is told`(_ times: String) throws {
        let cell = #"<table:table-cell table:number-columns-repeated="\#(times)"><text:p>7</text:p></table:table-cell>"#
        let page = try sheet(#"<table:table-row table:number-rows-repeated="\#(times)">\#(cell)</table:table-row>"#)
        let isLarge = (Int(times) ?? 1) > 1_000
        let count = page.text.utf8.count { $0 == 0x37 }
        #expect(isLarge ? count >= 1_000 : count == 1, "\(count)")
        #expect(page.body.count < 5 << 20 && page.steps < 10 << 20)
        #expect(page.omissions[.rest] == (Int(times) == Int.max ? 2 : isLarge ? 1 : 0), "\(page.omissions.sentence)")
    }

    @Test func `an archive in an archive is told and not unpacked`() throws {
        var bomb = ArchiveFixture()
        bomb.add("a", Array(repeating: 0, count: 2 << 20), packed: InflateVectors.zeros)
        for (name, omission) in [
            ("word/embeddings/inner.docx", DocumentOmission.embeddedObject), ("word/inner.zip", .attachment),
            ("word/media/inner.zip", .attachment),
        ] {
            var archive = Fixture.docx
            let before = try DocumentPage(archive.bytes).omissions[omission]
            archive.add(name, bomb.bytes)
            let page = try DocumentPage(archive.bytes)
            #expect(page.omissions[omission] == before + 1, "\(name)")
        }
        // Shown as a picture it is none.
        var archive = Fixture.docx
        archive.files[archive.files.count - 1].content = bomb.bytes
        #expect(try DocumentPage(archive.bytes).omissions[.unknownPicture] == 1)
    }

    @Test func `an archive of another kind is no document`() {
        #expect(throws: DocumentFailure.unknownKind) { try DocumentPage(ArchiveFixture([("a.txt", "x")]).bytes) }
        #expect(throws: DocumentFailure.self) { try DocumentPage(Array("%PDF-1.7".utf8)) }
        #expect(throws: DocumentFailure.unknownKind) { try DocumentPage([1, 0, 2, 0]) }
    }

    @Test func `an old office file is of no kind that is shown, and an encrypted new one is told as that`() {
        let head: [UInt8] = [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1] + Array(repeating: 0, count: 1_144)
        func entry(_ name: String) -> [UInt8] {
            let letters = name.utf8.flatMap { [$0, 0] as [UInt8] }
            return letters + Array(repeating: 0, count: 128 - letters.count)
        }
        let old = head + entry("Root Entry") + entry("WordDocument")
        #expect(throws: DocumentFailure.unknownKind) { try DocumentPage(old, named: "letter.doc") }
        #expect(throws: DocumentFailure.encrypted) { try DocumentPage(old + entry("EncryptedPackage")) }
        for count in [5, 600] {
            #expect(throws: DocumentFailure.unknownKind) { try DocumentPage(Array(old.prefix(count))) }
        }
    }
}
