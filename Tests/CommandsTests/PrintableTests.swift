import PavisePrimitives
import Testing

@testable import PaviseCommands

/// What a terminal is given of texts that somebody else wrote.
@Suite struct PrintableTests {
    @Test func `JSON has nothing that a terminal obeys, and its value is the same`() throws {
        let value = JSONValue.fields(["name": .string("a\u{9B}2Jb\u{202E}c\u{E0001}d\u{7F}é")])
        let text = Renderer(asJSON: true, usesColour: false).render(Report(data: value))
        #expect(text == "{\n  \"name\": \"a\\u009b2Jb\\u202ec\\udb40\\udc01d\\u007fé\"\n}\n")
        #expect(try JSONValue.parse(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("a\r\nb\tc\n", "a\r\nb\tc\n"), ("safe\revil", "safe\u{FFFD}evil"), ("end\r", "end\u{FFFD}"),
        ("\r\r\n", "\u{FFFD}\r\n"), ("\u{1B}[2J\u{9B}2J", "\u{FFFD}[2J\u{FFFD}2J"),
    ])
    func `a return that ends no line is no layout`(_ given: String, _ shown: String) {
        #expect(Array(shown.utf8) == Printable.body(Array(given.utf8)))
    }

    // Unicode Standard Annex 9, 2: the twelve marks that turn the direction of text.
    @Test(
        arguments: [
            0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069,
        ] as [UInt32])
    func `no mark of direction reaches a terminal`(_ value: UInt32) throws {
        let mark = try #require(Unicode.Scalar(value))
        #expect(Printable.text("a\(mark)b") == "a\u{FFFD}b")
        #expect(Printable.body(Array("a\(mark)b".utf8)) == Array("a\u{FFFD}b".utf8))
        #expect(!Printable.json("\"a\(mark)b\"").unicodeScalars.contains(mark))
        #expect(mark.shownAsNumber == "\\u{\(String(value, radix: 16))}")
    }

    @Test func `what XML would read is escaped, whatever follows it`() {
        let shown = DiagnosisReport.escaped("a<\u{338}b>\u{301}\"\u{301}&\u{301}")
        #expect(Array(shown.utf8) == Array("a&lt;\u{338}b&gt;\u{301}&quot;\u{301}&amp;\u{301}".utf8))
    }

    @Test func `a line's end that is cut in two is one, and a return at the end of a piece is none`() throws {
        let sink = MemorySink()
        sink.becomeTerminal()
        var printer = ContentPrinter(sink)
        for piece in ["one\r", "\ntwo\r", "three", "\r"] { try printer.write(Array(piece.utf8)) }
        try printer.finish()
        #expect(Array(sink.text.utf8) == Array("one\r\ntwo\u{FFFD}three\u{FFFD}".utf8))
    }
}
