import PavisePrimitives
import PaviseValidation
import Testing

@Suite struct PassphraseRuleTests {
    private func form(_ bytes: [UInt8]) -> String? {
        guard let text = try? PassphraseRule.standard.text(in: SecretBytes(copying: bytes.span)) else { return nil }
        return text.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }
    }

    private func problem(_ text: String, _ rule: PassphraseRule = .standard) -> PassphraseProblem? {
        do throws(PassphraseProblem) {
            try rule.checkNew(rule.text(in: SecretBytes(utf8: text)))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: ["teapot8gr", "Zwölf Boxkämpfer", "четыре лошади", "正しい馬の電池ホチキス", "كلمة المرور ٨٣٠"])
    func `eight characters of any script are taken`(_ text: String) { #expect(problem(text) == nil) }

    // Composed and decomposed letters, ligatures, full width, blanks of other widths, digits of other scripts.
    @Test(arguments: [
        ("Zw\u{F6}lf K\u{E4}mpfe", "Zwo\u{308}lf Ka\u{308}mpfe"), ("e\u{FB03}cient tea", "efficient tea"),
        ("ｔｅａｐｏｔ ｃａｓｅ", "teapot case"), ("teapot\u{A0}\u{2003}case", "teapot  case"),
        ("teapot ٨٣٠", "teapot 830"), ("teapot ８３०", "teapot 830"),
        ("\u{212B}ngstr\u{F6}m rule", "\u{C5}ngstr\u{F6}m rule"),
        ("\u{1E9B}\u{323} long tail", "\u{1E69} long tail"),
    ])
    func `what looks the same is the same, however it was typed`(_ one: String, _ other: String) {
        let form = form(Array(one.utf8))
        #expect(form != nil && form == self.form(Array(other.utf8)))
        // The bytes, since texts compare by their meaning.
        #expect(form.map { Array($0.utf8) } == self.form(Array(other.utf8)).map { Array($0.utf8) })
        #expect(form.map { Array($0.utf8) } == form.flatMap { self.form(Array($0.utf8)) }.map { Array($0.utf8) })
    }

    @Test(arguments: [("Teapot case", "teapot case"), ("teapot case", "teapot  case"), ("teapot case", " teapot case")])
    func `capitals and blanks count`(_ one: String, _ other: String) {
        #expect(form(Array(one.utf8)) != form(Array(other.utf8)))
    }

    @Test func `what is too short, too long, of no letters, or first on a thief's list is not taken`() {
        #expect(problem("teapot8") == .tooShort(least: 8))
        #expect(problem("äöüßäöü") == .tooShort(least: 8))
        #expect(problem("") == .tooShort(least: 8))
        #expect(
            problem("83059714") == .noLetter && problem("٨٣٠٥٩٧١٤") == .noLetter && problem("8305-9714!") == .noLetter)
        #expect(problem("password") == .weak(.known) && problem("ＰＡＳＳＷＯＲＤ") == .weak(.known))
        #expect(problem("Password2024!") == .weak(.known))
        #expect(problem("abababab") == .weak(.repetition) && problem("abcdefgh") == .weak(.run))
        #expect(problem(String(repeating: "xy7 ", count: 65)) == .tooLong)
        #expect(problem(String(repeating: "ä", count: 257)) == .tooLong)
        #expect(problem("newword\u{378}x") == .unreadable)
        let rule = PassphraseRule(least: 15, words: ["Pavise"])
        #expect(rule.flatMap { problem("teapot case 1", $0) } == .tooShort(least: 15))
        #expect(
            PassphraseRule(least: 8, words: ["Margarethe"]).flatMap { problem("margarethe1", $0) } == .weak(.personal))
        #expect(PassphraseRule(least: 7) == nil && PassphraseRule(least: 65) == nil)
    }

    @Test(
        arguments: [
            [], [0xFF, 0xFE, 0x41, 0x42, 0x43, 0x44, 0x45, 0x46], Array("teapot\ncase".utf8),
            Array("teapot\u{0}case".utf8),
            Array("tea\u{7F}pot case".utf8), [0xED, 0xA0, 0x80, 0x41, 0x42, 0x43, 0x44, 0x45],
            [UInt8](repeating: 0x41, count: 1025),
            // One character that becomes eighteen.
            Array(String(repeating: "\u{FDFA}", count: 20).utf8),
        ] as [[UInt8]])
    func `anything else is no passphrase`(_ bytes: [UInt8]) { #expect(form(bytes) == nil) }
}
