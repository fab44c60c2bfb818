import Foundation
import SecurityFramework
import TestSupport
import Testing

@testable import PaviseDocuments

/// What becomes of HTML and other texts.
@Suite struct DocumentPageTests {
    private func page(_ html: String, _ name: String = "a.html") throws -> DocumentPage {
        try DocumentPage(Array(html.utf8), named: name)
    }

    private func problem(_ page: DocumentPage) -> String? {
        var grammar = PageGrammar(page.body)
        return grammar.problem()
    }

    @Test(arguments: Vectors.html)
    func `PR17: no vector gets anything but the closed alphabet through`(_ vector: String) throws {
        let page = try page(vector + "<p>end</p>")
        #expect(problem(page) == nil)
        #expect(!String(decoding: page.html(notice: false), as: UTF8.self).contains("tripwire"))
    }

    @Test func `PR20: each vector is told to have lost something`() throws {
        let silent = try Vectors.html.filter { try page($0).omissions.isEmpty }
        #expect(silent.isEmpty)
        #expect(Vectors.html.count == 63)
    }

    @Test func `PR20: a page that is read again has lost nothing, and a sheet that is not its own is told`() throws {
        let picture = "data:image/gif;base64,\(Data(Fixture.gif).base64EncodedString())"
        let first = try page(
            """
            <style>p{color:red}</style><p title=x>a <b>b</b><img src="\(picture)"><script>x</script>\
            <a href=https://h/>c</a>
            """)
        #expect(first.omissions[.style] == 1 && first.omissions[.script] == 1)
        let again = try DocumentPage(first.html(), named: "page.html")
        #expect(again.omissions.isEmpty, "\(again.omissions.sentence)")
        #expect(again.text.contains(first.omissions.sentence) && again.text.hasPrefix("a b[picture]"))
        let other = String(decoding: first.html(), as: UTF8.self)
            .replacingOccurrences(of: "</style>", with: "p{background:url(https://tripwire/)}</style>")
        #expect(try page(other).omissions[.style] == 1)
    }

    @Test(arguments: 0..<200)
    func `PR17: random and badly nested documents stay in the alphabet`(_ seed: UInt64) throws {
        var random = SplitMix(seed)
        let pieces = [
            "<", ">", "</", "/>", "<!--", "-->", "--!>", "<!", "<?", "&", "&#", "&#x", ";", "\"", "'", "=", "\0", "<p",
            "<td>",
            "</table>", "<table", "<svg>", "</svg>", "<math>", "<style>", "</style>", "<script>", "</script>", "<b>",
            "</p>",
            "<li>", "<ul>", "<a href=", "<img src=", "data:image/gif;base64,R0lGODlh", " onclick=x", "text",
            "<textarea>",
            "</textarea ", "<title>", "\u{202E}", "\u{E000}", "é", "<plaintext>", "<select>", "<template>",
            "<frameset>",
        ]
        let text = (0..<300).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }.joined()
        for kind in [DocumentKind.html, .markdown, .text, .mail] {
            #expect(problem(try DocumentPage(Array(text.utf8), as: kind)) == nil, "\(kind)")
        }
    }

    @Test(
        .long,
        arguments: [
            "<div>", "<p>", "<b><p>", "<table>", "<tr>", "<li>", "</p>", "</div></b>", "<svg>", "<style>", "<!--",
            "<a href=x>",
            "<![CDATA[", "<", "</", "&", "&#", "&amp", "<p a=\"", "<p a", "<a b=c ", "<script></scrip", "<textarea></",
            "<ul><li>",
            "<td><b>", "<!-", "-->", "<p a=b a=b", "\"'", "<div></span>", "<script><!--<script>", "<i></b>",
        ])
    func `PR19: the work grows with the size, whatever is repeated`(_ piece: String) throws {
        func work(_ count: Int) throws -> (steps: Int, bytes: Int) {
            let text = String(repeating: piece, count: count)
            let page = try page("<p>" + text)
            #expect(problem(page) == nil)
            return (page.steps, text.utf8.count + 3)
        }
        let (few, small) = try work(1_000)
        let (many, large) = try work(20_000)
        #expect(many <= large * 8 + 4_000, "\(piece): \(many) steps for \(large) bytes")
        // Twenty times the size, at most twenty-one times the work.
        #expect(many <= few * 21 + 4_000, "\(piece): \(few) for \(small), \(many) for \(large)")
    }

    @Test(.long, arguments: ["[", "![", "[](", "[a](", "*", "`", "\\", "> ", "- ", "# ", "```\n", "- a\n", "[a](b) "])
    func `PR19: the work of Markdown grows with the size, whatever is repeated`(_ piece: String) throws {
        func work(_ count: Int) throws -> (steps: Int, bytes: Int) {
            let text = Array(String(repeating: piece, count: count).utf8)
            let page = try DocumentPage(text, as: .markdown)
            #expect(problem(page) == nil)
            return (page.steps, text.count)
        }
        let (few, small) = try work(1_000)
        let (many, large) = try work(20_000)
        #expect(many <= large * 8 + 4_000, "\(piece): \(many) steps for \(large) bytes")
        #expect(many <= few * 21 + 4_000, "\(piece): \(few) for \(small), \(many) for \(large)")
    }

    @Test func `PR19: what is nested too deeply is cut at 256 and told`() throws {
        let page = try page(String(repeating: "<div>", count: 20_000) + "deep")
        var grammar = PageGrammar(page.body)
        #expect(grammar.problem() == nil)
        #expect(grammar.deepest == 256)
        #expect(page.omissions[.tooDeep] == 1)
        #expect(page.text == "deep\n")
    }

    @Test func `PR19: a document beyond the limit is refused, a page beyond it is cut and told`() throws {
        var limits = DocumentLimits()
        limits.bytes = 10
        #expect(throws: DocumentFailure.tooLarge(limit: 10)) {
            try DocumentPage(Array("12345678901".utf8), limits: limits)
        }
        limits = DocumentLimits()
        limits.page = 100
        let page = try DocumentPage(
            Array(String(repeating: "<p>word</p>", count: 100).utf8), named: "a.html", limits: limits)
        #expect(page.body.count < 300)
        #expect(page.omissions[.rest] == 1)
        #expect(problem(page) == nil)
    }

    @Test(arguments: [
        ("<p>one<p>two", "one\ntwo\n"), ("<ul><li>a<li>b</ul>", "- a\n- b\n"), ("<ol><li>a<li>b</ol>", "1. a\n2. b\n"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "a | b | \nc | \n"),
        ("a &lt;b&gt; &amp; &#x20AC; &auml;", "a <b> & € ä"),
        ("<pre>a\n  b</pre>", "a\n  b\n"), ("a<br>b", "a\nb"), ("<title>no</title>yes", "yes"),
        ("<script>no</script>yes", "yes"), ("<style>no</style>yes", "yes"), ("a<!-- no -->b", "ab"), ("<!-->a", "a"),
        ("a<!--->b", "ab"), ("1 < 2 > 0", "1 < 2 > 0"), ("<h2>x</h2>y", "# x\ny"), ("a\u{202E}b\u{7}", "ab"),
        ("<a href=https://example.org/x>y</a>", "y[1]"), ("&unknown; &", "&unknown; &"),
    ])
    func `the text is that of the document`(_ html: String, _ expected: String) throws {
        #expect(try page(html).text == expected)
    }

    @Test(arguments: [
        ("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>"),
        ("<dl><p>a<dt>b</dl>", "<dl><p>a</p><dt>b</dt></dl>"), ("<dl><p>a<dd>b</dl>", "<dl><p>a</p><dd>b</dd></dl>"),
        ("<ul><p>a<li>b</ul>", "<ul><p>a</p><li>b</li></ul>"),
        ("<table><tr><p>a<td>b</table>", "<table><tr><p>a</p><td>b</td></tr></table>"),
    ])
    func `a new item ends the paragraph before it`(_ html: String, _ expected: String) throws {
        #expect(String(decoding: try page(html).body, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        "<svg/>", "<svg width='1' />", "<math/>", "<svg><svg/></svg>", "<svg><style/></svg>", "<svg><title/><g/></svg>",
    ])
    func `PR20: a drawing that ends in its own tag hides nothing behind it`(_ drawing: String) throws {
        let page = try page("before\(drawing)<p>after</p>")
        #expect(page.text == "before\nafter\n" && page.omissions[.drawing] == 1, "\(page.text)")
        #expect(page.omissions.all.count == 1, "\(page.omissions.sentence)")
    }

    @Test(arguments: [
        "<svg>", "<svg width=1/>", "<object/>", "<title>", "<script>", "<!-- ", "<a href=\"x>", "<p id='",
    ])
    func `PR20: what stands behind something that never ends is told`(_ begun: String) throws {
        let page = try page("before\(begun)<p>after</p>")
        #expect(page.text == "before" && page.omissions[.rest] == 1, "\(page.text), \(page.omissions.sentence)")
    }

    // HTML, 13.2.5.80.
    @Test(arguments: [("&#150;", "–"), ("&#x80;", "€"), ("&#x93;a&#148;", "“a”"), ("&#x81;", "\u{FFFD}")])
    func `a number of Windows-1252 is its character, as in browsers`(_ reference: String, _ text: String) throws {
        let page = try page("<p>\(reference)</p>")
        #expect(page.text == text + "\n" && page.omissions.isEmpty)
    }

    @Test func `links are numbers, and lead nowhere from the page`() throws {
        let page = try page(
            """
            <a href="https://user@evil.example/a?b=1">good.example</a> <a href="mailto:a@example.org">m</a>
            <a href="javascript:alert(1)">j</a> <a href="&#106;avascript:x">k</a> <a href="java\tscript:x">l</a>
            <a href="data:text/html,x">d</a> <a href="file:///etc/passwd">f</a> <a href="//host/x">h</a>
            <a href="https:///evil.example/x">s</a> <a href="HTTP:////evil.example">t</a> <a href="https://a@/b">u</a>
            """)
        #expect(page.links.map(\.address) == ["https://user@evil.example/a?b=1", "mailto:a@example.org"])
        #expect(page.links.map(\.host) == ["evil.example", nil])
        #expect(page.omissions[.otherLink] == 9)
        #expect(!String(decoding: page.body, as: UTF8.self).contains("href"))
    }

    @Test(arguments: [
        ("https://a.example/?page=1&num=20&copy=2&colon", "https://a.example/?page=1&num=20&copy=2&colon"),
        ("https://a.example/?a=1&amp;copy=2&lt=3", "https://a.example/?a=1&copy=2&lt=3"),
        ("https://a.example/?a=&quot;&num;b&amp", "https://a.example/?a=\"#b&"),
    ])
    func `a link keeps what only looks like a reference in its address`(_ href: String, _ address: String) throws {
        #expect(try page("<a href='\(href)'>a</a>").links.map(\.address) == [address])
    }

    @Test func `an e-mail address leads to no host, whatever else stands in it`() throws {
        let page = try page(#"<a href="mailto:a@evil.example?body=https://good.example/">m</a>"#)
        #expect(page.links.count == 1 && page.links.map(\.host) == [nil])
    }

    @Test func `a picture is shown by its own bytes, whatever the document calls it`() throws {
        func image(_ type: String, _ bytes: [UInt8]) throws -> DocumentPage {
            try page("<img alt='a\"b' src='data:\(type);base64,\(Fixture.base64(bytes))'>")
        }
        #expect(
            String(decoding: try image("text/html", Fixture.gif).body, as: UTF8.self).contains("data:image/gif;base64,")
        )
        #expect(problem(try image("image/gif", Fixture.gif)) == nil)
        #expect(try image("image/svg+xml", Array("<svg onload=alert(1)>".utf8)).omissions[.unknownPicture] == 1)
        #expect(try image("image/png", Array("MZ".utf8)).omissions[.unknownPicture] == 1)
        #expect(try image("image/png", Fixture.png(1 << 31, 1)).omissions[.largePicture] == 1)
        #expect(try image("image/png", Fixture.png(.max, .max)).omissions[.largePicture] == 1)
        #expect(try image("image/png", Fixture.png(0, 5)).omissions[.largePicture] == 1)
        #expect(try image("image/png", Fixture.png(10, 10)).omissions.isEmpty)
    }

    @Test(arguments: ["\u{202E}", "&#x202e;", "\u{2066}", "&#x61C;", "\u{200B}", "\u{1B}", "\u{FEFF}"])
    func `PR20: the name of a picture has no control or direction character, as text has none, and it is told`(
        _ character: String
    ) throws {
        let page = try page("<img alt='a\(character)b\nc' src='data:image/gif;base64,\(Fixture.base64(Fixture.gif))'>")
        #expect(String(decoding: page.body, as: UTF8.self).hasPrefix("<img alt=\"ab c\" src="))
        #expect(page.omissions[.controlCharacter] == 1 && problem(page) == nil)
    }

    @Test func `a photograph is one, however much stands before its size`() {
        let segment: [UInt8] = [0xFF, 0xE2, 0xEA, 0x62] + [UInt8](repeating: 0, count: 60_000)
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0x0B, 0xB8, 0x0F, 0xA0, 1, 1, 0x11, 0]
        func size(_ segments: Int) -> [Int]? {
            let before = [[UInt8]](repeating: segment, count: segments).flatMap { $0 }
            return Picture(([0xFF, 0xD8] + before + frame)[...]).map { [$0.width, $0.height] }
        }
        for segments in [0, 1, 2, 16] { #expect(size(segments) == [4_000, 3_000], "\(segments)") }
        #expect(size(18) == nil)
    }

    @Test func `the whole page names its policy before anything that could load`() throws {
        let html = String(decoding: try page("<p>x</p>").html(), as: UTF8.self)
        let start = "<!DOCTYPE html><html><head><meta charset=\"utf-8\"><meta http-equiv=\"Content-Security-Policy\" "
        #expect(html.hasPrefix(start + "content=\"default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(!html.contains("script") && !html.contains("http:") && html.utf8.allSatisfy { $0 < 0x80 })
        #expect(
            DocumentPage.headers.contains { $0.name == "Content-Security-Policy" && $0.value.contains("; sandbox;") })
        let digest = MessageDigest.sha256(Array(DocumentPage.style.utf8))
        #expect(DocumentPage.contentSecurityPolicy.contains("'sha256-\(Fixture.base64(digest))'"))
    }

    @Test func `Markdown keeps its form, and raw HTML in it is text`() throws {
        let page = try page(
            """
            # Title
            A **bold** and *slanted* `code` [link](https://example.org/m) ![pic](http://tripwire.invalid/p.png)

            - one
            - two

            > said

            ```
            <b>raw</b>
            ```
            <script>alert(1)</script>
            """, "a.md")
        #expect(problem(page) == nil)
        #expect(page.text.contains("# Title\nA bold and slanted code link[1] pic\n- one\n- two\nsaid\n<b>raw</b>\n"))
        #expect(page.text.contains("<script>alert(1)</script>"))
        #expect(page.links.map(\.address) == ["https://example.org/m"])
        #expect(page.omissions[.remoteContent] == 1)
    }

    @Test(arguments: [
        ("2 * 3 * 4", "2 * 3 * 4"), ("2 ** 3", "2 ** 3"), ("a price* and", "a price* and"), ("*note", "*note"),
        (#"C:\Users\ada"#, #"C:\Users\ada"#), ("don`t", "don`t"), (#"*a* **b** `c` \*"#, "a b c *"),
        ("*a * b*", "a * b"), ("**a\nb**", "a b"),
    ])
    func `PR20: a sign of Markdown that marks nothing is text`(_ markdown: String, _ text: String) throws {
        let page = try page(markdown, "a.md")
        #expect(page.text == text + "\n" && problem(page) == nil, "\(page.text)")
    }

    @Test(arguments: [
        ("mixed", "on a list", "<p>moved to five</p>", "moved to five", 0),
        ("alternative", "moved to five", "<p>moved to five</p>", "moved to five", 1),
        ("alternative", "", "<p>moved to five</p>", "moved to five", 0),
    ])
    func `only forms of one text stand for each other in an e-mail, and none that is empty`(
        _ kind: String, _ plain: String, _ html: String, _ shown: String, _ omitted: Int
    ) throws {
        let mail = """
            From: a@example.org
            Subject: Test
            Content-Type: multipart/\(kind); boundary=b

            --b
            Content-Type: text/html

            \(html)
            --b
            Content-Type: text/plain

            \(plain)
            --b--
            """
        let page = try DocumentPage(Array(mail.utf8))
        #expect(page.text.contains(shown) && (plain.isEmpty || page.text.contains(plain)), "\(page.text)")
        #expect(page.omissions[.alternative] == omitted)
    }

    @Test func `an e-mail shows its plain text, and names what is attached without opening it`() throws {
        let mail = """
            From: =?utf-8?Q?J=C3=B6rg?= <a@example.org>
            Subject: Test
            MIME-Version: 1.0
            Content-Type: multipart/mixed; boundary="b"

            --b
            Content-Type: multipart/alternative; boundary=c

            --c
            Content-Type: text/plain; charset=utf-8
            Content-Transfer-Encoding: quoted-printable

            caf=C3=A9 soft=
            line
            --c
            Content-Type: text/html

            <img src="http://tripwire.invalid/x">
            --c--
            --b
            Content-Type: application/zip; name="a.zip"
            Content-Disposition: attachment; filename="a.zip"
            Content-Transfer-Encoding: base64

            UEs=
            --b--
            """
        let page = try DocumentPage(Array(mail.utf8))
        #expect(page.kind == .mail)
        #expect(problem(page) == nil)
        #expect(page.text.contains("from | Jörg <a@example.org> | "))
        #expect(page.text.contains("café softline"))
        #expect(page.text.contains("[a.zip, 2]"))
        #expect(page.omissions[.attachment] == 1)
        #expect(page.omissions[.alternative] == 1, "the HTML beside the plain text")
    }

    @Test(arguments: [
        (#"a/b; name=plain"#, "plain"), (#"a/b; x="1;2"; name="a; b.pdf"; y=2"#, "a; b.pdf"),
        (#"a/b; NAME = "say \"hi\".txt""#, #"say "hi".txt"#), (#"a/b; name="not ended; x=1"#, "not ended; x=1"),
        (#"a/b; x="; name=inside"; name=own"#, "own"), (#"a/b; name=first; name=second"#, "first"),
        ("a/b; name=old; name*=UTF-8''%e2%82%ac%20rates.pdf", "€ rates.pdf"),
        ("a/b; name*=iso-8859-1'en'%A3%20rates", "£ rates"), ("a/b; name*=no%20script", "no script"),
        ("a/b; name*0*=UTF-8''J%C3%B6; name*1=\"rg; 50%\"; name*2*=%2Epdf", "Jörg; 50%.pdf"),
        ("a/b; name*1=b; name*0=a; name*3=d", "ab"), ("a/b; name*=UTF-8''%", "%"),
        (#"a/b; name= my file.pdf ; x=1"#, "my file.pdf"), (#"a/b; name=" blank " "#, " blank "),
    ])
    func `a parameter of an e-mail may be quoted, in a script of its own, and in pieces`(
        _ field: String, _ value: String
    ) {
        #expect(MailReader.parameter("name", of: field) == value)
    }

    @Test(arguments: ["a/b", "a/b; name=", "a/b; other=x", "a/b; x=\"name=y\"", "a/b; name*1=x", "", ";;;"])
    func `a field without a parameter has none`(_ field: String) {
        #expect(MailReader.parameter("name", of: field) == nil)
    }

    @Test func `an e-mail whose boundary has a semicolon is read, and a file in it has its own name`() throws {
        let mail = """
            From: a@example.org
            Subject: Test
            Content-Type: multipart/mixed; boundary="a;b"

            --a;b
            Content-Type: text/plain

            hello
            --a;b
            Content-Type: application/zip; name="wrong.zip"
            Content-Disposition: attachment;
             filename*0*=UTF-8''J%C3%B6rg%27s;
             filename*1=" diary; 1.zip"

            PK
            --a;b--
            """
        let page = try DocumentPage(Array(mail.utf8))
        #expect(page.text.contains("hello") && page.text.contains("[Jörg's diary; 1.zip, "), "\(page.text)")
        #expect(!page.text.contains("--a;b"))
    }

    @Test(arguments: [
        ("=?UTF-8?Q?Termin_verein?= =?UTF-8?Q?barung?= am =?utf-8?B?TW9udGFn?=", "Termin vereinbarung am Montag"),
        ("a =?ISO-8859-1?q?=FCb?= b", "a üb b"), ("=?x?=", "=?x?="), ("a  =?UTF-8?B?!?= b", "a  b"), ("", ""),
    ])
    func `words of an e-mail that are encoded in pieces are one text`(_ field: String, _ text: String) {
        #expect(MailReader.words(field) == text)
    }

    @Test func `PR20: of an e-mail each text is shown that is no second form of another`() throws {
        let mail = """
            From: a@example.org
            Subject: Test
            Content-Type: multipart/mixed; boundary=b

            --b
            Content-Type: text/html

            <p>the letter</p>
            --b
            Content-Type: multipart/alternative; boundary=c

            --c
            Content-Type: text/plain

            plain form
            --c
            Content-Type: multipart/related; boundary=d

            --d
            Content-Type: text/html

            <p>rich form</p>
            --d--
            --c--
            --b
            Content-Type: text/plain

            footer of the list
            --b--
            """
        let page = try DocumentPage(Array(mail.utf8))
        for text in ["the letter", "plain form", "footer of the list"] { #expect(page.text.contains(text)) }
        #expect(!page.text.contains("rich form") && page.omissions[.alternative] == 1 && problem(page) == nil)
    }

    @Test func `PR20: a picture of an e-mail that its text does not name is told as attached`() throws {
        func mail(_ kind: String, _ text: String) throws -> DocumentPage {
            try DocumentPage(
                Array(
                    """
                    From: a@example.org
                    Subject: Test
                    Content-Type: multipart/related; boundary=b

                    --b
                    Content-Type: text/\(kind)

                    \(text)
                    --b
                    Content-Type: image/gif
                    Content-ID: <one>
                    Content-Transfer-Encoding: base64

                    \(Fixture.base64(Fixture.gif))
                    --b--
                    """.utf8))
        }
        let shown = try mail("html", "<img src='cid:one'>")
        #expect(shown.omissions.isEmpty && shown.text.contains("[picture]"), "\(shown.omissions.sentence)")
        for page in [try mail("html", "<p>no picture</p>"), try mail("plain", "no picture")] {
            #expect(page.omissions[.attachment] == 1 && page.text.contains("[one, "), "\(page.text)")
        }
    }

    @Test(arguments: ["noscript", "noembed", "noframes"])
    func `PR20: what a browser without scripts or frames would show is told`(_ name: String) throws {
        #expect(try page("<\(name)>text</\(name)>").omissions[.alternative] == 1)
    }

    @Test(arguments: ViewLayers.Layer.allCases)
    func `PR18: without any one layer nothing is shown`(_ left: ViewLayers.Layer) {
        var layers = ViewLayers()
        #expect(!layers.mayShow)
        for layer in ViewLayers.Layer.allCases where layer != left { layers.stands(layer) }
        #expect(!layers.mayShow)
        #expect(layers.missing == [left])
        layers.stands(left)
        #expect(layers.mayShow)
    }

    @Test func `PR18: the policy of a view has the sandbox, and the page's own has none, where it would do nothing`() {
        #expect(DocumentPage.sandboxedPolicy == DocumentPage.contentSecurityPolicy + "; sandbox")
        #expect(!DocumentPage.contentSecurityPolicy.contains("sandbox"))
    }

    @Test func `PR18: the rule list blocks every address, and lets what lies in the page through`() throws {
        struct Rule: Decodable, Equatable {
            let trigger: [String: String]
            let action: [String: String]

            init(_ filter: String, _ type: String) {
                trigger = ["url-filter": filter]
                action = ["type": type]
            }
        }
        let rules = try JSONDecoder().decode([Rule].self, from: Data(DocumentPage.blockingRules.utf8))
        #expect(
            rules == [
                Rule(".*", "block"), Rule("^data:", "ignore-previous-rules"),
                Rule("^about:", "ignore-previous-rules"),
            ])
    }
}

/// Numbers for documents that are made up (Steele, Lea and Flood, 2014); not for secrets.
struct SplitMix {
    private var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
