import PavisePrimitives
import PaviseValidation
import Testing

@Suite struct PINRuleTests {
    private func problem(_ text: String, _ rule: PINRule = .standard) -> PINProblem? {
        do throws(PINProblem) {
            try rule.checkNew(rule.digits(in: SecretBytes(utf8: text)))
            return nil
        } catch {
            return error
        }
    }

    private func digits(_ text: String) -> String? {
        guard let digits = try? PINRule.standard.digits(in: SecretBytes(utf8: text)) else { return nil }
        return digits.withBytes { bytes in String(decoding: Array(bytes), as: UTF8.self) }
    }

    @Test(arguments: ["8305", "83051", "830597"])
    func `four to six digits that nobody tries first are taken`(_ text: String) { #expect(problem(text) == nil) }

    @Test(arguments: [
        ("٨٣٠٥٩٧", "830597"), ("۸۳۰۵۹۷", "830597"), ("८३०५९७", "830597"), ("８３０５９７", "830597"), ("𝟖𝟑𝟎𝟓𝟗𝟕", "830597"),
        ("8٣0۵९7", "830597"),
    ])
    func `digits of every script are the same digits`(_ text: String, _ ascii: String) {
        #expect(digits(text) == ascii)
    }

    @Test(arguments: [
        "", "830", "83051a", " 8305", "8305 ", "8305\n", "+8305", "-8305", "8,305", "83.05", "①②③④", "⅓⅓⅓⅓", "四五六七",
        "8305\u{0}", "8305\u{200D}", "\u{202E}8305", "8\u{308}305", String(repeating: "8", count: 17),
        String(repeating: "٨", count: 400),
    ])
    func `anything else is no PIN`(_ text: String) { #expect(digits(text) == nil) }

    @Test(
        arguments: [
            [0xFF, 0xFF, 0xFF, 0xFF], [0xC0, 0xB8, 0xC0, 0xB8, 0xC0, 0xB8, 0xC0, 0xB8], [0xD9, 0xA1, 0xD9, 0xA2, 0xD9],
            [0xE0, 0x80, 0xB1, 0x31, 0x32, 0x33], [0xED, 0xA0, 0x80, 0x31, 0x32, 0x33, 0x34],
            [0xF4, 0x90, 0x80, 0x80, 0x31],
        ] as [[UInt8]])
    func `broken UTF-8 is no PIN, and nothing traps`(_ bytes: [UInt8]) {
        let typed = SecretBytes(copying: bytes.span)
        #expect(throws: PINProblem.self) { _ = try PINRule.standard.digits(in: typed) }
    }

    @Test(
        arguments: [
            ("0000", .oneDigit), ("999999", .oneDigit), ("1234", .run), ("9876", .run), ("7890", .run),
            ("012345", .run),
            ("1098", .run), ("1212", .repetition), ("123123", .repetition), ("1122", .repetition),
            ("445566", .repetition),
            ("3112", .date), ("1231", .date), ("1987", .date), ("2024", .date), ("1920", .date), ("2039", .date),
            ("240586", .date), ("052486", .date),
            ("860524", .date), ("2580", .common), ("1397", .common), ("159753", .common), ("147258", .common),
        ] as [(String, WeakPIN)])
    func `codes that are tried first are refused, in every script`(_ text: String, _ weakness: WeakPIN) {
        #expect(problem(text) == .weak(weakness))
        let arabic = String(
            String.UnicodeScalarView(text.unicodeScalars.compactMap { Unicode.Scalar($0.value + 0x630) }))
        #expect(problem(arabic) == .weak(weakness))
    }

    @Test func `most codes stay possible`() throws {
        let rule = try #require(PINRule(length: 4...6))
        let weak = (0...9999).count { number in
            let text = String(String(10_000 + number).dropFirst())
            return problem(text, rule) != nil
        }
        #expect((700...1100).contains(weak), "\(weak) of 10,000 are refused")
    }

    @Test func `the old PIN is no new PIN, and the length of a try is not judged by a newer rule`() throws {
        let six = try #require(PINRule(length: 6...8))
        let old = try six.digits(in: SecretBytes(utf8: "8305"))
        let new = try six.digits(in: SecretBytes(utf8: "830597"))
        #expect(throws: PINProblem.length(6...8)) { try six.checkNew(old) }
        #expect(throws: PINProblem.sameAsBefore) { try six.checkNew(new, replacing: new) }
        #expect(PINRule(length: 3...6) == nil)
        #expect(PINRule(length: 4...17) == nil)
    }
}
