import AuditCore
import Foundation
import Testing

/// Which files are parsed: all but those in which nothing stands that a rule speaks about.
@Suite struct VocabularyTests {
    private let filling = String(repeating: "let a = b + 1 // of no matter\n", count: 60)

    private func report(_ text: String, _ file: String = "App/A.swift") -> FileReport {
        Analyzer.analyze(Data(text.utf8), file: file)
    }

    @Test func `a file that concerns no rule is read, counted and not parsed`() {
        let report = report("import UIKit\n" + filling)
        #expect(report.isPlain == true && report.lines == 62 && report.notAnalysed == nil && report.digest != nil)
    }

    @Test(arguments: Catalogue.rules.filter { $0.kind == .swift && !$0.isAbsence }.map(\.id))
    func `a long file with the bad example of a rule is parsed`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        let report = report(filling + rule.bad + "\n" + filling)
        #expect(report.isPlain == nil && report.findings.contains { $0.rule == id })
    }

    @Test(arguments: SettingTests.transport + SettingTests.storage + SettingTests.secrets + SettingTests.input)
    func `a long file with another bad example is parsed`(_ twins: SettingTests.Twins) {
        #expect(report(filling + twins.bad + "\n" + filling).findings.contains { $0.rule == twins.rule })
    }

    @Test(arguments: [
        "// print(password)", "/* print(password) /* nested */ \"open */", "let t = \"a \\(b + \"c\") }\"",
        "let t = #\"a \"quoted\" \\(b) \"#", "let t = \"\"\"\n  a \" b\n  \\(c)\n  \"\"\"", "let t = a / b / c",
    ])
    func `comments and plain texts of all kinds do not make a file one for the parser`(_ text: String) {
        #expect(report(filling + text + "\n" + filling).isPlain == true)
    }

    @Test(arguments: [
        "let t = \"a \\(print(b)) c\"", "let t = #\"a \\#(print(b))\"#", "let t = \"\"\"\n \\(print(b))\n\"\"\"",
        "let t = \"AKIAIOSFODNN7EXAMPLE\"", "let t = \"first half \" + \"other half\"",
        "UserDefaults.standard.set(e, forKey: \"api-key\")", "let password = \"tenzing\"",
    ])
    func `what stands in an interpolation or a text counts`(_ text: String) {
        #expect(report(filling + text + "\n" + filling).isPlain == nil)
    }

    @Test(arguments: [
        "}", "let t = \"open", "/* open", "let r = /\"/", "let r = #/a\"/#", "#if A\nlet a = 1",
        "let t = " + String(repeating: "(", count: 70) + String(repeating: ")", count: 70),
        "let t = " + String(repeating: "A<", count: 120), String(repeating: "x", count: 2_100) + " = 1\nlet y = 2",
        "if a {} " + String(repeating: "else if a {}\n", count: 1_100),
    ])
    func `what people do not write is left to the parser`(_ text: String) {
        #expect(report(filling + text + "\n" + filling).isPlain == nil)
    }

    @Test(arguments: ["// a\rprint(password)", "let t = a // b\rprint(password)", "let t = \"a\rprint(password) // \""])
    func `what stands behind a carriage return alone is code on a line of its own`(_ text: String) throws {
        let report = report("func f(password: String) {\n" + text + "\n}\n" + filling)
        let finding = try #require(report.findings.first { $0.rule == "LOG-SENSITIVE" })
        #expect(finding.line == 3 && finding.suppressed == nil)
    }

    @Test(arguments: ["let password = read()", "case credentialField, email", "struct UserDefaultsView {}"])
    func `the name of a secret and a way out matter together alone`(_ text: String) {
        #expect(report(filling + text + "\n" + filling).isPlain == true)
        #expect(report(filling + text + "\nlog(email)\n" + filling).isPlain == nil)
    }

    @Test func `a file that is not parsed tells what the whole tree is asked about`() {
        let source = "import UIKit\nfinal class A: UIViewController { let s = \"URLSession\" } // NWConnection\n"
        let facts = report(source + filling).facts
        #expect(facts == ["has:screen:2"])
        #expect(report(source + filling, "ATests/A.swift").facts.isEmpty)
        #expect(report("#if os(Linux)\n" + filling + "#endif\n").facts == ["linux"])
    }

    @Test func `the words of a name are told apart, abbreviations too`() {
        #expect(Names.words("CVVTextField") == ["cvv", "text", "field"])
        #expect(Names.words("userIDToken") == ["user", "id", "token"])
        #expect(Names.words("PINs_of2users") == ["pins", "of", "users"])
    }
}
