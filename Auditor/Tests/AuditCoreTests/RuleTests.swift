import AuditCore
import Foundation
import Testing

/// The examples that `explain` prints, hostile sources, and what a finding may say.
@Suite struct RuleTests {
    private func rules(_ source: String) -> Set<String> {
        Set(Analyzer.analyze(Data(source.utf8), file: "App/A.swift").findings.map(\.rule))
    }

    @Test(arguments: Catalogue.rules.filter { $0.kind == .swift && !$0.isAbsence }.map(\.id))
    func `a rule finds its bad example and is silent about its good one`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        #expect(rules(rule.bad).contains(id))
        #expect(!rules(rule.good).contains(id))
    }

    @Test(arguments: Catalogue.rules.filter { $0.kind == .swift && !$0.isAbsence }.map(\.id))
    func `other spellings of the bad example are found too`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        let inType = "final class Owner {\n    static func nothing() {}\n" + rule.bad + "\n}"
        let inCondition = "#if os(iOS)\n" + rule.bad + "\n#else\nlet other = 1\n#endif"
        #expect(rules(inType).contains(id))
        #expect(rules(inCondition).contains(id))
        #expect(!rules("final class Owner {\n    static func nothing() {}\n" + rule.good + "\n}").contains(id))
        #expect(!rules("#if os(iOS)\n" + rule.good + "\n#else\nlet other = 1\n#endif").contains(id))
    }

    @Test(arguments: Catalogue.rules.filter { $0.kind == .swift && !$0.isAbsence }.map(\.id))
    func `a comment tells the auditor nothing`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        let commented = rule.bad.split(separator: "\n").map { $0 + " // GOOD, not a finding: safe" }.joined(
            separator: "\n")
        #expect(rules(commented) == rules(rule.bad))
    }

    @Test func `each rule says where it belongs and how it is mended`() {
        for rule in Catalogue.rules {
            #expect(rule.cwe > 0 && !rule.tr.isEmpty && rule.masvs.hasPrefix("MASVS-") && !rule.mend.isEmpty)
        }
        #expect(Set(Catalogue.rules.map(\.id)).count == Catalogue.rules.count)
    }

    @Test func `each rule names tests of MASTG for iOS, or says none`() {
        #expect(Set(Catalogue.tests.keys) == Set(Catalogue.rules.map(\.id)))
        for rule in Catalogue.rules {
            #expect(rule.mastg.allSatisfy { $0.wholeMatch(of: /MASTG-TEST-0[2-4]\d\d/) != nil })
            #expect(rule.mastgText == (rule.mastg.isEmpty ? "none" : rule.mastg.joined(separator: ", ")))
        }
        #expect(Catalogue.byID["HASH-WEAK"]?.mastg == ["MASTG-TEST-0211"])
        #expect(Catalogue.byID["ZIP-SLIP"]?.mastgText == "none")
    }

    @Test func `a value is followed through locals, functions and properties`() {
        let source = """
            func make() -> String { return readPassword() }
            func show(_ text: String) {
                print(text)
            }
            func start() {
                let a = make()
                let b = a + "!"
                show(b)
            }
            """
        #expect(rules(source).contains("LOG-SENSITIVE"))
        let replaced = """
            func start(password: String) {
                var a = password
                a = "nothing"
                print(a)
            }
            """
        #expect(!rules(replaced).contains("LOG-SENSITIVE"))
    }

    @Test func `a suppression needs a reason, and stays in the report`() throws {
        let reasoned = "func f(password: String) {\n    print(password) // pavise:ignore LOG-SENSITIVE a demo\n}"
        let bare = "func f(password: String) {\n    print(password) // pavise:ignore LOG-SENSITIVE\n}"
        let all = Analyzer.analyze(Data(reasoned.utf8), file: "a").findings
        let first = try #require(all.first { $0.rule == "LOG-SENSITIVE" })
        #expect(first.suppressed == "a demo")
        #expect(Analyzer.analyze(Data(bare.utf8), file: "a").findings.allSatisfy { $0.suppressed == nil })
    }

    @Test(arguments: [
        "/* pavise:ignore LOG-SENSITIVE */", "// pavise:ignore LOG-SENSITIVE  ", "// pavise:ignore LOG-SENSITIVE -",
    ])
    func `the end of a comment, blanks and signs are no reason`(_ comment: String) {
        let source = "func f(password: String) {\n    print(password) \(comment)\n}\n"
        let report = Analyzer.analyze(Data(source.utf8), file: "a")
        let found = report.findings.filter { $0.rule == "LOG-SENSITIVE" }
        #expect(found.count == 1 && found.allSatisfy { $0.suppressed == nil })
        #expect(report.idle == ["2: LOG-SENSITIVE: it gives no reason"])
    }

    @Test(
        arguments: [
            ("    print(password) // pavise:ignore LOG-SENSITIVE a demo\n    print(password)\n", ["a demo", nil]),
            ("    print(password) /* pavise:ignore LOG-SENSITIVE demo */\n    print(password)\n", ["demo */", nil]),
            ("    // pavise:ignore LOG-SENSITIVE a demo\n    print(password)\n    print(password)\n", ["a demo", nil]),
            ("    let a = 1 // pavise:ignore LOG-SENSITIVE a demo\n    print(password)\n", [nil]),
            ("/* pavise:ignore LOG-SENSITIVE a demo */\n    print(password)\n", ["a demo */"]),
            ("    print(password) // pavise:ignore LOG-SENSITIVE a demo\r    print(password)\r", ["a demo", nil]),
            ("    print(password) // pavise:ignore LOG-SENSITIVE a demo\r\n    print(password)\r\n", ["a demo", nil]),
        ] as [(String, [String?])])
    func `a suppression behind code speaks of its line alone`(_ body: String, _ reasons: [String?]) {
        let source = "func f(password: String) {\n" + body + "}\n"
        let found = Analyzer.analyze(Data(source.utf8), file: "a").findings.filter { $0.rule == "LOG-SENSITIVE" }
        #expect(found.map(\.suppressed) == reasons)
    }

    @Test func `a finding does not repeat the secret`() throws {
        let source = "let apiKey = \"k9Xq2LmP7vRt5w8Zb\""
        let finding = try #require(Analyzer.analyze(Data(source.utf8), file: "a").findings.first)
        #expect(!finding.excerpt.contains("k9Xq2LmP7vRt5w8Zb") && !finding.message.contains("k9Xq2LmP7vRt5w8Zb"))
    }

    @Test(arguments: [
        "func f(password: String) { if password == \"HIDDEN1\" { print(password, \"HIDDEN1\") } }",
        "func f(password: String) { print(password, 4711) /* HIDDEN1 */ } // HIDDEN1",
        "func f(password: String) { print(password, #\"HIDDEN1\"#, \"a \\(password) HIDDEN1\") }",
        "func f(password: String) {\n print(password, \"\"\"\n HIDDEN1\n \"\"\") }",
        "func f(v: String) { UserDefaults.standard.set(v, forKey: \"passwordHIDDEN1\") }",
        "func f(v: String) { print([\"passwordHIDDEN1\": v]) }",
        "func f() { UserDefaults.standard.set(\"k9Xq2LmP7\", forKey: \"passwordHIDDEN1\") }",
        "let d = [\"passwordHIDDEN1\": \"k9Xq2LmP7\"]", "func f() { keychain[\"passwordHIDDEN1\"] = \"k9Xq2LmP7\" }",
    ])
    func `no literal and no comment stands in a finding, however short`(_ source: String) throws {
        let findings = Analyzer.analyze(Data(source.utf8), file: "a").findings
        #expect(!findings.isEmpty)
        for finding in findings {
            let said = String(decoding: try JSONEncoder().encode(finding), as: UTF8.self)
            #expect(!said.contains("HIDDEN1") && !finding.excerpt.contains("4711"))
        }
    }

    @Test func `a buffer that is written to is no file`() {
        #expect(!rules("func f(passcode: Data, w: inout Writer) { passcode.write(to: &w) }").contains("STORE-FILE"))
    }

    @Test func `SHA-256 is the standard's`() {
        #expect(SHA256.hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    }

    @Test func `the identity of a finding has no line number in it`() {
        let source = "func f(password: String) { print(password) }"
        let first = Analyzer.analyze(Data(source.utf8), file: "a").findings.map(\.identity)
        #expect(first == Analyzer.analyze(Data(("\n\n" + source).utf8), file: "a").findings.map(\.identity))
    }

    @Test func `hostile sources are refused before they are parsed`() {
        let brackets = String(repeating: "[", count: 18) + String(repeating: "]", count: 18)
        #expect(SourceGuard.refusal(Array(("let a: " + brackets).utf8)) == "BRACKETS")
        #expect(SourceGuard.refusal(Array(String(repeating: "#if A\n", count: 501).utf8)) == "CONDITIONS")
        for opening in ["#if(A)", "#if!A", "#if\tA", "#if"] {
            #expect(SourceGuard.refusal(Array(String(repeating: opening + "\n", count: 501).utf8)) == "CONDITIONS")
        }
        #expect(SourceGuard.refusal(Array(String(repeating: "#iffy\n", count: 501).utf8)) == nil)
        #expect(SourceGuard.refusal(Array(repeating: 32, count: 2_000_001)) == "TOO-LARGE")
        #expect(SourceGuard.refusal(Array("let a = [[1], [2]]".utf8)) == nil)
    }

    @Test func `brackets in plain texts and comments have no weight, those in interpolations have`() {
        let many = String(repeating: "[", count: 20)
        #expect(SourceGuard.refusal(Array("let a = \"\(many)\" // \(many)\nlet b = 1".utf8)) == nil)
        #expect(SourceGuard.refusal(Array("let a = \"\\(\(many))\"".utf8)) == "BRACKETS")
        #expect(SourceGuard.refusal(Array("let a = \"\"\nlet b = \(many)".utf8)) == "BRACKETS")
        for end in ["\n", "\r", "\r\n"] {
            #expect(SourceGuard.refusal(Array("let a = \"open\(end)\(many)\"".utf8)) == "BRACKETS")
            #expect(SourceGuard.refusal(Array("// a comment\(end)let b = \(many)".utf8)) == "BRACKETS")
        }
    }

    @Test(arguments: [
        ("\"\\(", ")\""), ("\"\\(f(\")\") + ", ")\""), ("#\"\\(\\#(", ")\"#"), ("\"\"\"\n\\(", ")\n\"\"\""),
        ("\"\\\"\\(/*)*/", "//)\n)\""),
    ])
    func `texts in interpolations of texts are refused beyond 500`(_ opening: String, _ closing: String) {
        func nested(_ depth: Int) -> [UInt8] {
            Array(
                ("let a = " + String(repeating: opening, count: depth) + String(repeating: closing, count: depth)).utf8)
        }
        #expect(SourceGuard.refusal(nested(501)) == "INTERPOLATIONS")
        #expect(SourceGuard.refusal(nested(500)) == nil)
    }

    @Test(arguments: [
        "let a = \"\\(b)\\(c(1))\"", "let a = \"\\(b) is open", "let a = \"\\\\(\\\\(\"",
        "let a = #\"\\(\"# + \"\"",
        "let a = \"\"\"\n  \\(b ? \"yes\" : \"\")\n  \"\"\"", "// \"\\(", "/* \"\\( /* \" */ */",
    ])
    func `many texts with interpolations, one after the other, are read`(_ line: String) {
        #expect(SourceGuard.refusal(Array(String(repeating: line + "\n", count: 600).utf8)) == nil)
    }

    @Test(arguments: [
        "let passwordKeychainKey = \"camera_stream_password1\"", "let getAccessToken = \"getAccessToken\"",
    ])
    func `a name of a key is no secret`(_ source: String) {
        #expect(!rules(source).contains("SECRET-LITERAL"))
    }
}
