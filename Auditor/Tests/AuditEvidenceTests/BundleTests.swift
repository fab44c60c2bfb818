import AuditCore
import AuditDriver
import AuditEvidence
import Foundation
import Testing

/// Bundles of a small app with hostile names, made in two folders.
@Suite struct BundleTests {
    private let files: [String: String] = [
        "A<img onerror=alert(1)>.swift": "func f(password: String) { print(password) }\n",
        "B.swift": "func g(token: String) {\n    print(token) // pavise:ignore LOG-SENSITIVE a <b>demo</b>\n}\n",
        "Info.plist": "<plist version=\"1.0\"><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>\n",
    ]

    private func build(_ name: String, _ changes: [String: String] = [:], maker: MakerFile = MakerFile())
        -> EvidenceBuilder
    {
        let root = "/nowhere/\(name)/"
        let all = files.merging(changes) { $1 }
        let reports = all.sorted { $0.key < $1.key }.map { file, text in
            Analyzer.analyze(Data(text.utf8), file: root + file, root: root)
        }
        return EvidenceBuilder(AuditResult(reports: reports, root: root, seconds: 1), .init(), maker: maker)
    }

    private func folder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "evidence-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    @Test(arguments: Requirement.sets)
    func `the same files in two folders give the same bytes`(_ set: String) {
        let first = EvidenceBundle(build("one"), standard: set)
        let second = EvidenceBundle(build("two/Tests"), standard: set)
        #expect(first.files == second.files)
        #expect(first.manifest == second.manifest)
    }

    @Test func `a finding contradicts its row, a suppressed one stays in sight`() throws {
        let records = EvidenceBundle(build("one"), standard: "tr-03161-1").records
        let row = try #require(records.first { $0.requirement.id == "O.Source_3" })
        #expect(row.verdict == .contradicted)
        #expect(row.findings.contains { $0.suppressed == "a <b>demo</b>" })
        let transport = try #require(records.first { $0.requirement.id == "O.Ntwk_7" })
        #expect(transport.verdict == .supported)
    }

    @Test(arguments: [
        ("Vendor/Kit/C.swift", Verdict.contradicted), ("third_party/C.swift", .contradicted),
        ("Generated/C.swift", .contradicted), ("C.pb.swift", .contradicted), ("Own/C.swift", .contradicted),
        ("Tests/C.swift", .notAssessed),
    ])
    func `a finding in vendored or generated code contradicts its row as the app's own does`(
        _ file: String, _ verdict: Verdict
    ) throws {
        let clean = ["A<img onerror=alert(1)>.swift": "let a = 1\n", "B.swift": "let b = 1\n"]
        let whole = try #require(
            EvidenceBundle(build("one", clean), standard: "tr-03161-1").records
                .first { $0.requirement.id == "O.Source_3" })
        #expect(whole.verdict != .contradicted && whole.findings.isEmpty)
        let leak = clean.merging([file: "func f(password: String) { print(password) }\n"]) { $1 }
        let row = try #require(
            EvidenceBundle(build("one", leak), standard: "tr-03161-1").records
                .first { $0.requirement.id == "O.Source_3" })
        #expect(row.verdict == verdict)
        #expect(row.findings.contains { $0.place == file + ":1" } == (verdict == .contradicted))
    }

    @Test(arguments: Requirement.sets)
    func `no output holds a word of a laboratory, and names are escaped`(_ set: String) {
        for (name, text) in EvidenceBundle(build("one"), standard: set).files {
            // SARIF's own member names are not ours to choose.
            for word in ["passed", "failed", "compliant", "certified", " secure "] where name != "findings.sarif" {
                #expect(!text.lowercased().contains(word), "\(name): \(word)")
            }
            if name.hasSuffix(".html") {
                #expect(!text.contains("<img") && !text.contains("<script") && !text.contains("<b>demo"))
                #expect(!text.contains("http://") && !text.contains("https://"))
            }
        }
    }

    @Test func `a bundle that was changed is told, file by file`() throws {
        try folder { path in
            try EvidenceBundle(build("one"), standard: "masvs").write(to: path)
            #expect(EvidenceBundle.defects(path) == [])
            let place = path + "/evidence.jsonl"
            let text = try String(contentsOfFile: place, encoding: .utf8)
            try text.replacing("not assessed", with: "supported").write(
                toFile: place, atomically: true, encoding: .utf8)
            let defects = EvidenceBundle.defects(path)
            #expect(defects.contains("evidence.jsonl was changed"))
            #expect(defects.contains { $0.hasPrefix("MASVS-") && $0.hasSuffix("the record’s digest is another") })
            try FileManager.default.removeItem(atPath: path + "/manifest.json")
            #expect(EvidenceBundle.defects(path).count == 1)
        }
    }

    @Test func `a comparison names what changed and nothing else`() {
        let old = EvidenceBundle(build("one"), standard: "tr-03161-1").records
        #expect(EvidenceComparison(old, EvidenceBundle(build("two"), standard: "tr-03161-1").records).lines.isEmpty)
        let mended = build("one", ["A<img onerror=alert(1)>.swift": "func f(password: String) { print(1) }\n"])
        let lines = EvidenceComparison(old, EvidenceBundle(mended, standard: "tr-03161-1").records).lines
        #expect(lines.contains("O.Source_3: verdict: contradicted → not assessed"))
        #expect(lines.contains { $0.hasPrefix("O.Source_3: finding gone LOG-SENSITIVE A<img") })
        #expect(lines.contains { $0.hasPrefix("inputs: sha256:") })
        #expect(!lines.contains { $0.hasPrefix("O.Ntwk_7") })
    }

    @Test(arguments: [
        ("en", "Contradicted", "All rows", "disagrees"), ("de", "Widersprochen", "Alle Zeilen", "widerspricht"),
    ])
    func `the report names build, commit and changes, and the test that contradicts a row`(
        _ language: String, _ title: String, _ end: String, _ word: String
    ) throws {
        var around = EvidenceBuilder.Surroundings()
        around.subject.name = "Diary <b>"
        around.subject.version = "1.4"
        around.subject.build = "210"
        around.subject.commit = "0123456789abcdef0123456789abcdef01234567"
        let result = AuditResult(
            reports: [Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")], root: "/r/",
            seconds: 0)
        let line = #"{"requirement":"O.Auth_15","kind":"kit-test","check":"Logout<i>Tests","outcome":"disagrees"}"#
        func report(_ isChanged: Bool) throws -> String {
            around.subject.dirty = isChanged
            let builder = EvidenceBuilder(result, around, results: try CheckResult.read(line))
            return try #require(EvidenceBundle(builder, standard: "tr-03161-1").files["report.\(language).html"])
        }
        let text = try report(true)
        let subject = "Diary &lt;b&gt; 1.4 (210). Commit <code>0123456789abcdef0123456789abcdef01234567</code>"
        #expect(text.contains(subject) && !text.contains(subject + "</p>"))
        #expect(try report(false).contains(subject + "</p>"))
        #expect(text.contains("--standard tr-03161-1 --out"))
        let rest = try #require(text.components(separatedBy: "<h2>\(title)</h2>").last)
        let section = try #require(rest.components(separatedBy: "<h2>\(end)</h2>").first)
        #expect(section.contains("kit-test Logout&lt;i&gt;Tests: \(word)") && section.utf8.count < rest.utf8.count)
    }

    @Test func `what the maker says is a reference, and not applicable has a person`() throws {
        let maker = try MakerFile(
            Data(
                """
                {"subject":{"name":"Diary","version":"1"},
                 "references":[{"requirement":"O.Arch_1","title":"Concept","digest":"sha256:0"}],
                 "notApplicable":[{"requirement":"O.Paid_1","reason":"nothing is sold","person":"A. Person","date":"2026-11-25"}]}
                """.utf8))
        let records = EvidenceBundle(build("one", maker: maker), standard: "tr-03161-1").records
        let paid = try #require(records.first { $0.requirement.id == "O.Paid_1" })
        #expect(paid.verdict == .notApplicable && paid.reason.contains("A. Person"))
        let concept = try #require(records.first { $0.requirement.id == "O.Arch_1" })
        #expect(concept.verdict == .notAssessed && concept.references.count == 1)
    }

    @Test(arguments: [
        #"{"notApplicable":[{"requirement":"O.Paid_1","reason":" ","person":"A","date":"1"}]}"#,
        #"{"notApplicable":[{"requirement":"O.Paid_1","reason":"b"}]}"#, #"{"notAplicable":[]}"#, "[]", "{",
        #"{"subject":{"name":"Diary","commit":"0123456789012345678901234567890123456789"}}"#,
        #"{"subject":{"name":"Diary","dirty":false}}"#,
        #"{"notApplicable":[{"requirement":"O.Payd_1","reason":"b","person":"A","date":"2026-11-25"}]}"#,
        #"{"references":[{"requirement":"Arch_1","title":"Concept"}]}"#,
        leftOut("O.Ntwk_5"), leftOut("MASVS-CODE-1"), leftOut("O.Data_77"), leftOut("O.Data_7", reason: " "),
        leftOut("O.Data_7", review: "soon"),
    ])
    func `a maker's file with a slip is refused`(_ text: String) {
        #expect(throws: MakerFile.Failure.self) { try MakerFile(Data(text.utf8)) }
    }

    private static func leftOut(
        _ row: String, reason: String = "works without a server <b>", review: String = "2027-02-01"
    ) -> String {
        """
        {"leftOut":[{"requirement":"\(row)","reason":"\(reason)","owner":"A. Person","date":"2026-11-25",
        "review":"\(review)"}]}
        """
    }

    @Test(arguments: [
        ("2027-01-31", "left out until 2027-02-01"), ("2027-02-01", "left out, and its review was due on 2027-02-01"),
    ])
    func `a SHOULD that is left out stands in record, report and register with its reason, and decides no verdict`(
        _ day: String, _ words: String
    ) throws {
        func bundle(_ text: String) throws -> EvidenceBundle {
            var around = EvidenceBuilder.Surroundings()
            around.day = day
            let reports = [Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")]
            return EvidenceBundle(
                EvidenceBuilder(
                    AuditResult(reports: reports, root: "/r/", seconds: 0), around,
                    maker: try MakerFile(Data(text.utf8))), standard: "tr-03161-1")
        }
        let before = try bundle("{}")
        let after = try bundle(Self.leftOut("O.Data_7"))
        let row = try #require(after.records.first { $0.requirement.id == "O.Data_7" })
        #expect(row.leftOut == words + ": works without a server <b> (A. Person, 2026-11-25)")
        #expect(row.verdict == before.records.first { $0.requirement.id == "O.Data_7" }?.verdict)
        #expect(after.records.count { $0.leftOut != nil } == 1 && before.records.allSatisfy { $0.leftOut == nil })
        for name in ["report.en.html", "report.de.html"] {
            let escaped = "O.Data_7: \(words): works without a server &lt;b&gt; (A. Person, 2026-11-25)</li>"
            #expect(after.files[name]?.contains(escaped) == true)
        }
        let register = try #require(after.files["register.json"])
        #expect(register.contains("\"leftOut\":[{") && register.contains("\"judgedOn\":\"\(day)\""))
        #expect(before.files["register.json"]?.contains("leftOut") == false)
        let lines = EvidenceComparison(before.records, after.records).lines
        #expect(lines == ["O.Data_7: left out: nothing → " + (row.leftOut ?? "")])
    }

    @Test func `a result for a row that no standard has is refused, as one that disagrees would be heard by none`()
        throws
    {
        for row in ["O.Ntwk_5", "MASVS-NETWORK-1", "TR-03183-2 3.1"] {
            let line = #"{"requirement":"\#(row)","kind":"kit-test","check":"T","outcome":"disagrees"}"#
            #expect(try CheckResult.read(line).count == 1)
            #expect(throws: MakerFile.Failure.self) { try CheckResult.read(line.replacing(row, with: row + "0x")) }
        }
    }

    @Test func `results of other inputs or that were not run support nothing`() throws {
        let own = build("one")
        func verdict(_ lines: String) throws -> Verdict {
            let builder = EvidenceBuilder(
                AuditResult(
                    reports: [Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")], root: "/r/",
                    seconds: 0),
                .init(), results: try CheckResult.read(lines))
            let row = try #require(builder.records("tr-03161-1").first { $0.requirement.id == "O.Auth_15" })
            return row.verdict
        }
        let agrees = #"{"requirement":"O.Auth_15","kind":"kit-test","check":"T","outcome":"agrees"}"#
        #expect(try verdict(agrees) == .supported)
        #expect(try verdict(agrees + "\n" + agrees.replacing("agrees", with: "not run")) == .notAssessed)
        #expect(try verdict(agrees.replacing("}", with: #","inputs":"sha256:1"}"#)) == .notAssessed)
        #expect(try verdict(agrees + "\n" + agrees.replacing("agrees", with: "disagrees")) == .contradicted)
        #expect(try verdict(agrees + "\r\n" + agrees.replacing("agrees", with: "disagrees") + "\r\n") == .contradicted)
        #expect(throws: MakerFile.Failure.self) {
            try CheckResult.read(#"{"requirement":"O.Auth_15","kind":"opinion"}"#)
        }
        #expect(!own.inputs().isEmpty)
    }
}
