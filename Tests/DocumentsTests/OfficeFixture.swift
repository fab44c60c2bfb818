@testable import PaviseDocuments

/// Makes archives byte by byte, also such as no honest program makes.
struct ArchiveFixture {
    struct File {
        var name: String
        var content: [UInt8]
        /// The packed bytes; `nil` stores the content.
        var packed: [UInt8]?
        var flags = 0
        /// What the directory says, where it lies.
        var claimedSize: Int?
        var claimedOffset: Int?
    }
    var files: [File] = []

    init(_ files: [(String, String)] = []) {
        self.files = files.map { File(name: $0.0, content: Array($0.1.utf8)) }
    }

    mutating func add(_ name: String, _ content: [UInt8], packed: [UInt8]? = nil) {
        files.append(File(name: name, content: content, packed: packed))
    }

    var bytes: [UInt8] {
        var body: [UInt8] = []
        var directory: [UInt8] = []
        for file in files {
            let packed = file.packed ?? file.content
            let offset = body.count
            let method = file.packed == nil ? 0 : 8
            let common =
                number(file.flags, 2) + number(method, 2) + number(0, 4) + number(Int(Checksum.of(file.content)), 4)
                + number(packed.count, 4) + number(file.claimedSize ?? file.content.count, 4)
                + number(file.name.utf8.count, 2) + number(0, 2)
            body += number(0x0403_4B50, 4) + number(20, 2) + common + Array(file.name.utf8) + packed
            directory += number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + common + number(0, 2) + number(0, 2)
            directory += number(0, 2) + number(0, 4) + number(file.claimedOffset ?? offset, 4) + Array(file.name.utf8)
        }
        let end =
            number(0x0605_4B50, 4) + number(0, 4) + number(files.count, 2) + number(files.count, 2)
            + number(directory.count, 4) + number(body.count, 4) + number(0, 2)
        return body + directory + end
    }

    private func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}

enum Fixture {
    /// A picture of one point.
    static let gif: [UInt8] =
        Array("GIF89a".utf8) + [
            1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44,
        ]
        + [1, 0, 0x3B]

    static func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10, 0, 0, 0, 13] + Array("IHDR".utf8) + big(width) + big(height)
            + [8, 2, 0, 0, 0, 0, 0, 0, 0]
    }

    static var docx: ArchiveFixture {
        var archive = ArchiveFixture([
            ("[Content_Types].xml", "<Types/>"),
            (
                "word/_rels/document.xml.rels",
                """
                <Relationships>
                <Relationship Id="r1" Type="x/image" Target="media/a.gif"/>
                <Relationship Id="r2" Type="x/image" Target="http://tripwire.invalid/a.png" TargetMode="External"/>
                <Relationship Id="r3" Type="x/hyperlink" Target="https://example.org/a" TargetMode="External"/>
                <Relationship Id="r4" Type="x/template" Target="http://tripwire.invalid/t" TargetMode="External"/>
                </Relationships>
                """
            ),
            (
                "word/document.xml",
                """
                <?xml version="1.0"?><w:document xmlns:w="w" xmlns:r="r" xmlns:a="a"><w:body>
                <w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>Title &amp; more</w:t></w:r></w:p>
                <w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bold</w:t></w:r><w:r><w:t> plain</w:t></w:r></w:p>
                <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
                <w:p><w:pPr><w:numPr/></w:pPr><w:r><w:t>two</w:t></w:r></w:p>
                <w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
                <w:p><w:hyperlink r:id="r3"><w:r><w:t>a link</w:t></w:r></w:hyperlink></w:p>
                <w:p><w:r><w:drawing><a:blip r:embed="r1"/></w:drawing></w:r></w:p>
                <w:p><w:r><w:drawing><a:blip r:embed="r2"/></w:drawing></w:r></w:p>
                <w:p><w:r><w:instrText>INCLUDEPICTURE "http://tripwire.invalid/i.png"</w:instrText></w:r></w:p>
                <w:p><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del></w:p>
                <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>
                </w:body></w:document>
                """
            ), ("word/vbaProject.bin", "macro"), ("word/embeddings/oleObject1.bin", "object"),
        ])
        archive.add("word/media/a.gif", gif)
        return archive
    }

    static let xlsx = ArchiveFixture([
        (
            "xl/_rels/workbook.xml.rels",
            #"<Relationships><Relationship Id="r1" Target="worksheets/s.xml"/></Relationships>"#
        ),
        (
            "xl/workbook.xml",
            #"<workbook xmlns:r="r"><sheets><sheet name="Nights" sheetId="1" r:id="r1"/></sheets></workbook>"#
        ), ("xl/sharedStrings.xml", "<sst><si><t>hours</t></si><si><r><t>a</t></r><r><t>b</t></r></si></sst>"),
        (
            "xl/worksheets/s.xml",
            """
            <worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1"><f>1+1</f><v>2</v></c></row>
            <row><c t="s"><v>1</v></c><c t="inlineStr"><is><t>inline</t></is></c><c t="b"><v>1</v></c>
            <c t="s"><v>99</v></c></row>
            </sheetData></worksheet>
            """
        ), ("xl/externalLinks/externalLink1.xml", "<x/>"),
    ])

    static let pptx = ArchiveFixture([
        (
            "ppt/_rels/presentation.xml.rels",
            """
            <Relationships><Relationship Id="r1" Target="slides/b.xml"/>
            <Relationship Id="r2" Target="slides/a.xml"/></Relationships>
            """
        ),
        (
            "ppt/presentation.xml",
            #"<p xmlns:r="r"><sldIdLst><sldId id="1" r:id="r1"/><sldId id="2" r:id="r2"/></sldIdLst></p>"#
        ), ("ppt/slides/b.xml", "<sld><txBody><p><r><t>first slide</t></r></p></txBody></sld>"),
        ("ppt/slides/a.xml", "<sld><txBody><p><r><t>second slide</t></r></p></txBody></sld>"),
    ])

    static let odtContent = """
        <?xml version="1.0"?><office:document-content xmlns:office="o" xmlns:text="t" xmlns:xlink="x" xmlns:draw="d">
        <office:scripts><office:script>run</office:script></office:scripts><office:body><office:text>
        <text:h text:outline-level="2">Heading</text:h>
        <text:p>Some <text:span>text</text:span><text:s text:c="2"/>more</text:p>
        <text:list><text:list-item><text:p>item</text:p></text:list-item></text:list>
        <text:p><text:a xlink:href="https://example.org/o">link</text:a></text:p>
        <draw:image xlink:href="http://tripwire.invalid/o.png"/><draw:image xlink:href="Pictures/a.gif"/>
        <text:p><text:hidden-text>secret</text:hidden-text></text:p>
        </office:text></office:body></office:document-content>
        """

    static var odt: ArchiveFixture {
        var archive = ArchiveFixture([
            ("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", odtContent),
            ("Basic/Standard/m.xml", "<x/>"),
        ])
        archive.add("Pictures/a.gif", gif)
        return archive
    }

    static var flat: String {
        """
        <?xml version="1.0"?><office:document xmlns:office="o" xmlns:text="t" xmlns:draw="d" xmlns:table="b">
        <office:scripts><office:script>run</office:script></office:scripts>
        <office:body><office:spreadsheet><table:table>
        <table:table-row><table:table-cell><text:p>flat cell</text:p></table:table-cell>
        <table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table>
        <draw:image><office:binary-data>\(base64(gif))</office:binary-data></draw:image>
        </office:spreadsheet></office:body></office:document>
        """
    }

    static func base64(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        PictureCoding.append(bytes[...], to: &result)
        return String(decoding: result, as: UTF8.self)
    }
}
