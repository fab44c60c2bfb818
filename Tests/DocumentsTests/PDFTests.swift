import Foundation
import PavisePrimitives
import TestSupport
import Testing

@testable import PaviseDocuments

/// PDF through poppler's programs in confinement; where a machine has neither, the refusal.
@Suite(
    .enabled(
        if: ConfinedProcess.isOffered && DurableFile.exists("/usr/bin/pdftoppm"),
        "a kernel that cannot confine, or no poppler-utils"))
struct PDFTests {
    private static let sets = (UInt32(0)...ConfinedProcess.Layers.all.rawValue).map {
        ConfinedProcess.Layers(rawValue: $0)
    }
    private static let offered = ConfinedProcess.Layers.offered

    /// A file of so many pages with a line of text each, and further entries of its catalog.
    private func document(_ texts: [String], catalog: String = "", box: String = "0 0 300 200") -> [UInt8] {
        let kids = texts.indices.map { "\(10 + 2 * $0) 0 R" }.joined(separator: " ")
        var text = """
            %PDF-1.7
            1 0 obj << /Type /Catalog /Pages 2 0 R \(catalog) >> endobj
            2 0 obj << /Type /Pages /Kids [\(kids)] /Count \(texts.count) >> endobj
            3 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj

            """
        for (index, line) in texts.enumerated() {
            let content = "BT /F1 18 Tf 20 100 Td (\(line)) Tj ET"
            text += """
                \(10 + 2 * index) 0 obj << /Type /Page /Parent 2 0 R /MediaBox [\(box)] \
                /Contents \(11 + 2 * index) 0 R /Resources << /Font << /F1 3 0 R >> >> >> endobj
                \(11 + 2 * index) 0 obj << /Length \(content.utf8.count) >> stream
                \(content)
                endstream endobj

                """
        }
        return Array((text + "trailer << /Root 1 0 R >>\n%%EOF\n").utf8)
    }

    @Test func `E4: each page is a picture, and the text is there for a screen reader`() throws {
        let page = try DocumentPage(document(["first line", "second line"]), named: "a.pdf")
        #expect(page.kind == .pdf && page.omissions.isEmpty)
        #expect(page.text.contains("first line") && page.text.contains("second line"))
        let html = String(decoding: page.html(notice: false), as: UTF8.self)
        #expect(html.components(separatedBy: "data:image/png;base64,").count == 3)
        var grammar = PageGrammar(page.body)
        #expect(grammar.problem() == nil)
    }

    @Test(arguments: sets)
    func `E4: pages are shown in layers that are enough, and refused in others`(
        _ layers: ConfinedProcess.Layers
    ) throws {
        let bytes = document(["first line"])
        let isFileless = !layers.intersection(Self.offered).isDisjoint(with: [.landlock, .namespaces])
        guard isFileless, layers.contains([.filter, .noNewRights]) else {
            let error = #expect(throws: DocumentFailure.self) {
                try PDFPages.drawn(bytes, .standard, layers: layers)
            }
            guard case .unprotected(let missing) = error else { return #expect(error == .unprotected([])) }
            #expect(isFileless || missing.contains(.files))
            #expect(layers.contains(.filter) || missing.isSuperset(of: [.network, .processes]))
            return #expect(layers.contains(.noNewRights) || missing.contains(.rights))
        }
        let drawn = try PDFPages.drawn(bytes, .standard, layers: layers)
        let usual = try PDFPages.drawn(bytes, .standard)
        #expect(drawn.pages.count == 1 && drawn.text?.contains("first line") == true)
        #expect(drawn.pages == usual.pages, "the fonts are there, whichever layers")
    }

    @Test func `E4: a refusal says what a PDF's program would not be kept from`() {
        #expect(PDFPages.failure(.notConfined([.files, .network])) == .unprotected([.network, .files]))
        let words = DocumentFailure.unprotected([.files, .network]).description
        #expect(words.contains("does not keep it from: the network, files. That needs a kernel with seccomp filters"))
        #expect(DocumentFailure.unprotected([]).description.contains("could not confine it"))
        #expect(PDFPages.failure(.missing) == .pdf && DocumentFailure.pdf.description.contains("poppler-utils"))
        let all = Set(ConfinedProcess.Gap.allCases)
        #expect(PDFPages.failure(.notConfined(all)) == .unprotected(Set(DocumentFailure.Protection.allCases)))
    }

    @Test(arguments: [
        "/OpenAction << /S /JavaScript /JS (app.alert(1)) >>",
        "/OpenAction << /S /URI /URI (http://tripwire.example/) >>",
        "/OpenAction << /S /Launch /F (/usr/bin/touch) >>",
        "/AA << /WC << /S /SubmitForm /F (http://tripwire.example/) >> >>",
        "/AcroForm << /XFA [(template) 99 0 R] >>", "/Names << /EmbeddedFiles << /Names [(a) 99 0 R] >> >>",
        "/OpenAction << /S /GoToR /F (http://tripwire.example/a.pdf) /D [0 /Fit] >>",
    ])
    func `E4: what a PDF would do is not done, and nothing of it is in the page`(_ catalog: String) throws {
        let page = try DocumentPage(document(["text"], catalog: catalog))
        let html = String(decoding: page.html(notice: false), as: UTF8.self)
        #expect(!html.contains("tripwire") && !page.text.contains("tripwire"))
        var grammar = PageGrammar(page.body)
        #expect(grammar.problem() == nil)
    }

    @Test func `a text that is too long for the page is told as missing, and the pictures are there`() throws {
        var limits = DocumentLimits.standard
        limits.page = 8
        let drawn = try PDFPages.drawn(document([String(repeating: "word ", count: 40)]), limits)
        #expect(drawn.text == nil && drawn.pages.count == 1)
        let page = DocumentPage(pages: drawn.pages, of: .pdf, limits: .standard, text: drawn.text, isCut: false)
        #expect(page.text.isEmpty && page.omissions.sentence == "Left out: 1 text of the pages.")
    }

    @Test func `a long document is shown to its limit and says so, a huge page is no larger than others`() throws {
        let long = try DocumentPage(document((0..<(PDFPages.most + 5)).map { "page \($0)" }))
        #expect(long.omissions.all.contains { $0.kind == .rest })
        let html = String(decoding: long.html(notice: false), as: UTF8.self)
        #expect(html.components(separatedBy: "data:image/png;base64,").count == PDFPages.most + 1)
        let huge = try DocumentPage(document(["text"], box: "0 0 2000000 100"))
        #expect(huge.html(notice: false).count < 1 << 20)
    }

    @Test func `PR20: pages whose pictures are more than may be shown are cut and told, not refused`() throws {
        let bytes = document(["one", "two", "three", "four"])
        let all = try PDFPages.drawn(bytes, .standard)
        try #require(all.pages.count == 4 && !all.isCut)
        var limits = DocumentLimits.standard
        limits.pictures = all.pages[0].count + all.pages[1].count + 8
        let cut = try PDFPages.drawn(bytes, limits)
        #expect(cut.pages == Array(all.pages.prefix(2)) && cut.isCut && cut.text?.contains("four") == true)
        #expect(try DocumentPage(bytes, limits: limits).omissions[.rest] == 1)
        limits.pictures = 8
        #expect(throws: DocumentFailure.bomb) { try DocumentPage(bytes, limits: limits) }
    }

    @Test(arguments: ["%PDF-1.7\n", "%PDF-1.7\n%%EOF", "%PDF-1.4\ntrailer << /Root 1 0 R /Encrypt 9 0 R >>\n%%EOF"])
    func `what poppler cannot open is refused in words`(_ text: String) {
        #expect(throws: DocumentFailure.damaged(.content)) { try DocumentPage(Array(text.utf8)) }
    }

    @Test func `PR20: a PDF that takes too much work or time is told as that, and not as damaged`() {
        #expect(PDFPages.failure(.outOfWork) == .bomb && PDFPages.failure(.outOfBounds) == .bomb)
        #expect(DocumentFailure.bomb.description.contains("more work than is allowed"))
        for other in [ConfinedProcess.Failure.ended(1), .ended(-1)] {
            #expect(PDFPages.failure(other) == .damaged(.content))
        }
    }

    @Test func `pictures are taken up to the first byte that is none`() {
        let end: [UInt8] = [0, 0, 0, 0] + Array("IEND".utf8) + [1, 2, 3, 4]
        let one = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + end
        #expect(PDFPages.pictures(one + one) == [one, one])
        #expect(PDFPages.pictures(one + [1] + one) == [one])
        for count in 0..<one.count { #expect(PDFPages.pictures(Array(one.prefix(count))).isEmpty) }
        let long: [UInt8] = Array(one[..<8]) + [0xFF, 0xFF, 0xFF, 0xFF] + Array("IDAT".utf8) + [1, 2, 3, 4]
        #expect(PDFPages.pictures(long).isEmpty)
    }
}
