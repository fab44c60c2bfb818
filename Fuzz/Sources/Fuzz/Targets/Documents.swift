@testable internal import PaviseDocuments

extension FuzzTarget {
    static let documents = [html, markdown, mail, archive, office, flatOffice, inflate]

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
        "document-archive", seeds: { [[0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18)] }
    ) {
        bytes in
        guard var archive = try? ZIPArchive(bytes) else { return }
        for name in archive.names {
            require(!name.hasPrefix("/") && !name.split(separator: "/").contains(".."), "a name leads out")
            _ = try? archive.file(name)
        }
    }

    private static let office = FuzzTarget(
        "document-office", seeds: { [[0x50, 0x4B, 5, 6] + Array(repeating: 0, count: 18)] }
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
}
