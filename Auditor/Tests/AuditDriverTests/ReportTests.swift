import AuditCore
import AuditDriver
import Foundation
import Testing

/// What the reports say beside the open findings.
@Suite struct ReportTests {
    private func result(_ files: [String: String], isPartial: Bool = false) -> AuditResult {
        let reports = files.sorted { $0.key < $1.key }.map { name, text in
            Analyzer.analyze(Data(text.utf8), file: "/r/" + name, root: "/r/")
        }
        return AuditResult(reports: reports, root: "/r/", seconds: 0, isPartial: isPartial)
    }

    private func run(_ result: AuditResult) throws -> [String: Any] {
        let text = SARIFLog(result).text()
        let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        return try #require((log["runs"] as? [[String: Any]])?.first)
    }

    private let leak = "func f(password: String) {\n    let a = password\n    print(a)\n}\n"

    @Test(arguments: [
        ("Vendor/Kit/A.swift", "vendored"), ("ThirdParty/A.swift", "vendored"), ("A.generated.swift", "generated"),
        ("Generated/A.swift", "generated"), ("A.pb.swift", "generated"),
    ])
    func `findings in code that is not the app's own are counted, and do not decide`(_ file: String, _ origin: String)
        throws
    {
        let found = result([file: leak])
        #expect(found.all.contains { $0.rule == "LOG-SENSITIVE" && $0.origin == origin } && found.open.isEmpty)
        #expect(
            found.status(failOn: .note) == 0 && found.text().contains(" \(found.all.count) in vendored or generated"))
        let row = try #require((try run(found)["results"] as? [[String: Any]])?.first)
        #expect((row["suppressions"] as? [[String: String]])?.first?["justification"] == origin + " code")
        // A secret in it is the app's.
        #expect(!result([file: "let apiKey = \"k9Xq2LmP7vRt5w8Zb\"\n"]).open.isEmpty)
        #expect(!result(["Vendored.swift": leak, "generate/A.swift": leak]).open.isEmpty)
    }

    @Test func `a suppression that suppresses nothing is told, with why`() {
        let source = """
            func f(password: String) {
                print(password) // pavise:ignore LOG-SENSITIVE a demo
                show(1) // pavise:ignore LOG-SENSITIVE nothing is here
                // pavise:ignore LOG-NOTHING no rule of that name
                print(password) // pavise:ignore LOG-SENSITIVE
            }
            // As in `pavise:ignore RULE reason`.
            """
        let found = result(["A.swift": source])
        #expect(
            found.idle == [
                "A.swift:3: LOG-SENSITIVE: nothing is found there", "A.swift:4: LOG-NOTHING: there is no such rule",
                "A.swift:5: LOG-SENSITIVE: it gives no reason",
            ])
        #expect(found.text().contains("suppresses nothing: A.swift:4: LOG-NOTHING"))
    }

    @Test func `SARIF names what the rules belong to, and what addresses are relative to`() throws {
        let run = try run(result(["A.swift": leak]))
        let names = try #require(run["taxonomies"] as? [[String: Any]])
        #expect(names.compactMap { $0["name"] as? String } == ["CWE", "OWASP MASVS", "OWASP MASWE", "BSI TR-03161-1"])
        #expect(names[1]["guid"] as? String == "77cf1749-d61e-4cfe-98f7-a217e3b5448c")
        #expect((run["originalUriBaseIds"] as? [String: Any])?["SRCROOT"] != nil)
        let known = Set(
            names.flatMap { row in
                (row["taxa"] as? [[String: String]] ?? []).map { "\(row["name"] as? String ?? "") \($0["id"] ?? "")" }
            })
        let driver = (run["tool"] as? [String: Any])?["driver"] as? [String: Any]
        for rule in try #require(driver?["rules"] as? [[String: Any]]) {
            let targets = (rule["relationships"] as? [[String: Any]] ?? []).compactMap {
                $0["target"] as? [String: Any]
            }
            #expect(targets.count >= 4)
            for target in targets {
                let owner = (target["toolComponent"] as? [String: String])?["name"] ?? ""
                #expect(known.contains("\(owner) \(target["id"] as? String ?? "")"))
            }
        }
    }

    @Test func `a finding in test code is no open one in SARIF`() throws {
        let row = try #require((try run(result(["Tests/A.swift": leak]))["results"] as? [[String: Any]])?.first)
        #expect((row["suppressions"] as? [[String: String]])?.first?["justification"] == "test code")
    }

    @Test func `a report about changed files alone says so in each form`() throws {
        let found = result(["A.swift": leak], isPartial: true)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(found.json().utf8)) as? [String: Any])
        #expect(json["partial"] as? Bool == true)
        #expect((try run(found)["properties"] as? [String: Any])?["partial"] as? Bool == true)
        #expect(HTMLReport(found).text().contains("Only files changed"))
        #expect(found.text().contains("Only files changed"))
    }

    @Test func `the page shows the way of a value, and what was suppressed with its reason`() {
        let suppressed = "func g(token: String) {\n    print(token) // pavise:ignore LOG-SENSITIVE a <demo>\n}\n"
        let read =
            "func f(u: URL) throws {\n    let t = try String(contentsOf: u)\n    use(NSPredicate(format: t))\n}\n"
        let page = HTMLReport(result(["A.swift": read, "B.swift": suppressed])).text()
        #expect(page.contains("lines 2 → 3"))
        #expect(page.contains("B.swift:2 LOG-SENSITIVE: a &lt;demo&gt;"))
    }

    @Test func `lines of a baseline that fit no finding are counted`() throws {
        var found = result(["A.swift": leak])
        let identity = try #require(found.open.first?.identity)
        found.known = [identity, "gone"]
        #expect(found.stale == 1 && found.text().contains("2 in the baseline (1 of them found no more)"))
    }

    @Test func `no form repeats a secret of the source`() {
        let found = result([
            "A.swift": "let apiKey = \"k9Xq2LmP7vRt5w8Zb\"\nfunc f(password: String) { print(password) }\n"
        ])
        for text in [found.text(), found.json(), SARIFLog(found).text(), HTMLReport(found).text()] {
            #expect(!text.contains("k9Xq2") && text.contains("SECRET-LITERAL"))
        }
    }

    @Test func `AU3: names, keys and reasons of a folder move no cursor, and begin no line of the report`() {
        let source = """
            func f(password: String) { print(password) }
            func g(password: String) { print(password) } // pavise:ignore LOG-SENSITIVE a \u{1B}[2J\u{202E}demo
            """
        let name = "A\u{1B}]0;x\u{7}.swift"
        let read = Analyzer.analyze(Data(source.utf8), file: "/r/" + name, root: "/r/")
        let refused = FileReport(file: "/r/B\n1 files.swift", notAnalysed: "UNREADABLE")
        var found = AuditResult(reports: [read, refused], root: "/r/", seconds: 0)
        found.skipped = ["/r/C\u{9B}2J"]
        let text = found.text()
        #expect(text.contains("A\u{FFFD}]0;x\u{FFFD}.swift:1:"), "\(text)")
        #expect(text.contains("LOG-SENSITIVE suppressed: a \u{FFFD}[2J\u{FFFD}demo\n"), "\(text)")
        #expect(text.contains("\nB\u{FFFD}1 files.swift: not analysed: UNREADABLE\n"), "\(text)")
        #expect(text.contains("\nC\u{FFFD}2J: not read: SKIPPED-FOLDER\n"), "\(text)")
        let obeyed: Set<Unicode.GeneralCategory> = [.control, .format]
        #expect(!text.unicodeScalars.contains { $0 != "\n" && obeyed.contains($0.properties.generalCategory) })
    }

    @Test func `an item of the keychain whose attributes are not seen is counted`() {
        let found = result(["A.swift": "func f(q: CFDictionary) -> OSStatus { return SecItemAdd(q, nil) }\n"])
        #expect(found.undecided == 1 && found.text().contains("1 values not decided"))
    }
}
