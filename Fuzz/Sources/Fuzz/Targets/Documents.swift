@testable internal import PaviseDocuments

extension FuzzTarget {
    static let documents =
        [html, markdown, mail, archive, office, wordParts, sheetParts, slideParts, openParts, flatOffice, inflate]

    private static func page(_ bytes: [UInt8], _ kind: DocumentKind) {
        var limits = DocumentLimits()
        limits.page = 1 << 22
        limits.unpacked = 1 << 24
        guard let page = try? DocumentPage(bytes, as: kind, limits: limits) else { return }
        // Every tag begins with one of the closed list, and nothing but it has an angle bracket.
        let names = Set(PageElement.allCases.map(\.name)).union(["br", "hr", "img"])
        var rest = page.body[...]
        while let start = rest.firstIndex(of: 0x3C) {
            let inside = rest[(start + 1)...].prefix { $0 != 0x3E }
            let name = inside.drop { $0 == 0x2F }.prefix { $0 != 0x20 }
            require(names.contains(String(decoding: name, as: UTF8.self)), "an element of no page")
            rest = rest[inside.endIndex...].dropFirst()
        }
        require(page.body.allSatisfy { $0 < 0x80 && $0 >= 0x20 }, "a byte of no page")
        require(page.steps <= 40 * bytes.count + (1 << 24), "more work than the size allows")
    }

    private static let html = FuzzTarget(
        text: "document-html",
        seeds: [
            "<p>a<b>c</p><svg><a href=x></svg><!-- --><script>x</script>&amp;&#x41;",
            "<table><tr><td colspan=2><img src=\"data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///ywAAAA=\">",
            "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;\">",
        ]
    ) { page(Array($0.utf8), .html) }

    private static let markdown = FuzzTarget(
        text: "document-markdown", seeds: ["# a\n- b\n> c **d** *e* `f` [g](https://h) ![i](j)\n```\nk\n```"]
    ) { page(Array($0.utf8), .markdown) }

    private static let mail = FuzzTarget(
        text: "document-mail",
        seeds: [
            "From: a\nSubject: =?utf-8?Q?b=20?=\nContent-Type: multipart/mixed; boundary=c\n\n--c\n\nd\n--c--\n",
            "From: a\nTo: b\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\nPGI+",
        ]
    ) { page(Array($0.utf8), .mail) }

    private static let archive = FuzzTarget(
        "document-archive",
        seeds: {
            let files: [(name: String, content: [UInt8])] = [("a/b.xml", Array("<a/>".utf8)), ("c", [1, 2, 3])]
            return [packed([]), packed(files), packed(files, isDeflated: true)]
        }
    ) {
        bytes in
        guard var archive = try? ZIPArchive(bytes) else { return }
        for name in archive.names {
            require(!name.hasPrefix("/") && !name.split(separator: "/").contains(".."), "a name leads out")
            _ = try? archive.file(name)
        }
    }

    private static let office = FuzzTarget(
        "document-office",
        seeds: {
            [("word/document.xml", "<d><body><p><r><t>a</t></r></p></body></d>"), ("content.xml", "<o:d/>")].map {
                packed([($0, Array($1.utf8))], isDeflated: true)
            } + [packed([])]
        }
    ) {
        bytes in
        for kind in [DocumentKind.docx, .xlsx, .pptx, .openDocument] { page(bytes, kind) }
    }

    private static let flatOffice = FuzzTarget(
        text: "document-flat",
        seeds: [
            "<?xml version=\"1.0\"?><o:document><o:body><t:p>a<t:s t:c=\"2\"/></t:p></o:body></o:document>"
        ]
    ) { page(Array($0.utf8), .flatOpenDocument) }

    private static let inflate = FuzzTarget(
        "inflate", seeds: { [[0xCB, 0x48, 0xCD, 0xC9, 0xC9, 7, 0], [1, 1, 0, 0xFE, 0xFF, 65]] }
    ) {
        bytes in
        guard let result = Inflate.unpack(bytes[...], limit: 1 << 16) else { return }
        require(result.count <= 1 << 16, "more than the limit")
    }

    // Bytes seldom grow into an archive with the right checksums: here it is whole, and what lies in it is not.

    private static let wordParts = parts(
        "document-word", .docx, ["word/document.xml", "word/_rels/document.xml.rels", "word/media/a.gif"],
        """
        <d><body><p><pPr><pStyle val="Heading1"/><numPr/></pPr>
        <r><rPr><b/></rPr><t>a &amp; b</t></r>
        <hyperlink r:id="r1"><r><t>c</t></r></hyperlink><r><drawing><blip embed="r2"/></drawing></r></p>
        <tbl><tr><tc><p><r><t>d</t></r></p></tc></tr></tbl>
        <p><r><instrText>INCLUDEPICTURE "e"</instrText></r></p></body></d>
        """,
        """
        <R><Relationship Id="r1" Target="https://h/a" TargetMode="External"/>
        <Relationship Id="r2" Target="media/a.gif"/></R>
        """)

    private static let sheetParts = parts(
        "document-sheet", .xlsx,
        ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sharedStrings.xml", "xl/worksheets/s.xml"],
        #"<w><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></w>"#,
        #"<R><Relationship Id="r1" Target="worksheets/s.xml"/></R>"#, "<sst><si><t>a</t></si></sst>",
        #"<s><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="ZZ9"><v>1</v></c></row></sheetData></s>"#)

    private static let slideParts = parts(
        "document-slide", .pptx, ["ppt/presentation.xml", "ppt/_rels/presentation.xml.rels", "ppt/slides/a.xml"],
        #"<p><sldIdLst><sldId id="1" r:id="r1"/></sldIdLst></p>"#,
        #"<R><Relationship Id="r1" Target="slides/a.xml"/></R>"#,
        "<sld><txBody><p><r><t>a</t></r></p></txBody></sld>")

    private static let openParts = parts(
        "document-open", .openDocument, ["content.xml", "Pictures/a.gif"],
        """
        <o:d><o:body><t:h t:outline-level="2">a</t:h><t:p>b<t:s t:c="2"/><t:a x:href="https://h/">c</t:a></t:p>
        <t:list><t:list-item><t:p>d</t:p></t:list-item></t:list><b:table><b:table-row>
        <b:table-cell b:number-columns-repeated="9"><t:p>e</t:p></b:table-cell></b:table-row></b:table>
        <d:image x:href="Pictures/a.gif"/></o:body></o:d>
        """, "GIF89a")

    /// A document whose parts are the input, cut at each byte FF, which stands in no UTF-8.
    private static func parts(
        _ target: String, _ kind: DocumentKind, _ names: [String], _ seeds: String...
    ) -> FuzzTarget {
        FuzzTarget(target, seeds: { [seed(seeds)] }) { bytes in
            let contents = bytes.split(separator: 0xFF, maxSplits: names.count - 1, omittingEmptySubsequences: false)
            var files: [(name: String, content: [UInt8])] = []
            for (name, content) in zip(names, contents) { files.append((name, Array(content))) }
            page(packed(files), kind)
        }
    }

    private static func seed(_ parts: [String]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            if !bytes.isEmpty { bytes.append(0xFF) }
            bytes += part.utf8
        }
        return bytes
    }

    /// - Parameter isDeflated: Whether each file is one block of DEFLATE that is stored (RFC 1951 §3.2.4).
    private static func packed(_ files: [(name: String, content: [UInt8])], isDeflated: Bool = false) -> [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for (name, content) in files {
            var stored: [UInt8] = []
            if isDeflated { append((1, 1), (content.count, 2), (~content.count, 2), to: &stored) }
            stored += content
            var common: [UInt8] = []
            append((0, 2), (isDeflated ? 8 : 0, 2), (0, 4), (Int(Checksum.of(content)), 4), to: &common)
            append((stored.count, 4), (content.count, 4), to: &common)
            append((name.utf8.count, 2), (0, 2), to: &common)
            append((0x0201_4B50, 4), (20, 2), (20, 2), to: &directory)
            directory += common
            append((0, 8), (0, 2), (body.count, 4), to: &directory)
            directory += name.utf8
            append((0x0403_4B50, 4), (20, 2), to: &body)
            body += common
            body += name.utf8
            body += stored
        }
        let (start, length) = (body.count, directory.count)
        body += directory
        append((0x0605_4B50, 4), (0, 4), (files.count, 2), (files.count, 2), (length, 4), (start, 4), (0, 2), to: &body)
        return body
    }

    private static func append(_ numbers: (value: Int, count: Int)..., to bytes: inout [UInt8]) {
        for number in numbers {
            for place in 0..<number.count { bytes.append(UInt8(truncatingIfNeeded: number.value >> (8 * place))) }
        }
    }
}
