import AuditCore
import AuditDriver
import AuditEvidence
import Foundation
import Testing

/// No verdict is above what was read, wherever the app lies and whatever lies in it.
@Suite struct CoverageTests {
    private static var worker: [String] {
        let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        return [own.appendingPathComponent("pavise-audit").path, "--worker"]
    }

    private static let template = """
        <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>a</string>
        <key>NSAppTransportSecurity</key><dict>KEYS</dict></dict></plist>
        """
    private static let list = template.replacing("KEYS", with: "")
    private static let open = template.replacing("KEYS", with: "<key>NSAllowsArbitraryLoads</key><true/>")

    private func folder(_ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "coverage-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func write(_ text: String, _ path: String) throws {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    /// The records that the program writes about a folder.
    private func records(_ app: String, _ out: String, _ more: [String] = []) throws -> [String: EvidenceRecord] {
        let program = EvidenceProgram(
            arguments: [app, "--standard", "tr-03161-1", "--out", out] + more, worker: Self.worker)
        try #require(program.run() != 2)
        let rows = try EvidenceBundle.read(out).map { ($0.requirement.id, $0) }
        return Dictionary(uniqueKeysWithValues: rows)
    }

    @Test func `an app below a folder called Tests is an app, and has the same evidence as elsewhere`() throws {
        try folder { path in
            for place in ["Tests/app", "b/app"] {
                try write(Self.open, path + "/\(place)/Info.plist")
                try write("func f(password: String) { print(password) }\n", path + "/\(place)/A.swift")
            }
            let first = try records(path + "/Tests/app", path + "/one")
            _ = try records(path + "/b/app", path + "/two")
            #expect(first["O.Ntwk_7"]?.verdict == .contradicted && first["O.Source_3"]?.verdict == .contradicted)
            for name in ["evidence.jsonl", "inputs.jsonl", "findings.sarif", "report.en.html", "manifest.json"] {
                let bytes = try ["one", "two"].map {
                    try Data(contentsOf: URL(fileURLWithPath: path + "/\($0)/\(name)"))
                }
                #expect(bytes[0] == bytes[1], "\(name)")
            }
        }
    }

    @Test func `evidence in the app's own folder is no input of the next run, and no change of its commit`() throws {
        try folder { path in
            try write("func f(password: String) { print(password) }\n", path + "/app/A.swift")
            try write("{\"a\": 1}\n", path + "/app/more.json")
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-ec",
                """
                export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
                cd '\(path)/app'; git init -q; git add -A
                git -c user.name=a -c user.email=a@example.org commit -qm one
                """,
            ]
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
            let outside = try records(path + "/app", path + "/out")
            #expect(outside["O.Source_3"]?.inputs.count == 2 && outside["O.Source_3"]?.subject.dirty == false)
            for _ in 1...2 {
                let inside = try records(path + "/app", path + "/app/evidence")
                #expect(inside == outside && EvidenceBundle.defects(path + "/app/evidence") == [])
            }
            // Another file there is the app's.
            try write("{\"b\": 1}\n", path + "/app/evidence/more.json")
            let more = try records(path + "/app", path + "/app/evidence")["O.Source_3"]
            #expect(more?.inputs.count == 3 && more?.subject.dirty == true)
            try FileManager.default.removeItem(atPath: path + "/app/evidence")
            for _ in 1...2 { #expect(try records(path + "/app", path + "/app") == outside) }
        }
    }

    @Test func `what was there and could not be read, or was not, supports nothing`() throws {
        try folder { path in
            try write(Self.list, path + "/app/Info.plist")
            try write("let a = 1\n", path + "/app/A.swift")
            #expect(try records(path + "/app", path + "/out")["O.Ntwk_7"]?.verdict == .supported)
            let changes: [(String, () throws -> Void)] = [
                (
                    "LINK",
                    {
                        try FileManager.default.createSymbolicLink(
                            atPath: path + "/app/B.swift", withDestinationPath: "/dev/zero")
                    }
                ),
                ("UNREADABLE", { unsafe mkfifo(path + "/app/B.swift", 0o600) }),
                (
                    "TOO-LARGE",
                    {
                        try write("", path + "/app/B.swift")
                        unsafe truncate(path + "/app/B.swift", 50 << 30)
                    }
                ),
                ("SKIPPED-FOLDER", { try write("let b = 1\n", path + "/app/Pods/B.swift") }),
                ("SKIPPED-FOLDER", { try write("let b = 1\n", path + "/app/DerivedData/B.swift") }),
                ("TOO-LARGE", { try write(String(repeating: "a = b\n", count: 200_000), path + "/app/B.xcconfig") }),
                ("LONG-LINE", { try write(String(repeating: "a", count: 5_000), path + "/app/B.json") }),
            ]
            for (reason, change) in changes {
                try change()
                let row = try #require(try records(path + "/app", path + "/out")["O.Ntwk_7"])
                #expect(row.verdict == .notAssessed, "\(reason)")
                let page = try String(contentsOfFile: path + "/out/report.en.html", encoding: .utf8)
                #expect(page.contains(reason))
                for name in ["B.swift", "Pods", "DerivedData", "B.xcconfig", "B.json"] {
                    try? FileManager.default.removeItem(atPath: path + "/app/" + name)
                }
            }
        }
    }

    @Test(arguments: [
        ("func f(q: CFDictionary) -> OSStatus { return SecItemAdd(q, nil) }\n", Verdict.notAssessed),
        ("let a = 1\n", .supported),
    ])
    func `a value that was not followed to a judgement supports no row of its rule`(
        _ source: String, _ verdict: Verdict
    ) throws {
        let files = [("/r/A.swift", source), ("/r/A.entitlements", "<plist><dict></dict></plist>")]
        let reports = files.map { Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/") }
        let results = ["kit-test", "app-test"].map {
            #"{"requirement":"O.Data_14","kind":"\#($0)","check":"T","outcome":"agrees"}"#
        }
        let builder = EvidenceBuilder(
            AuditResult(reports: reports, root: "/r/", seconds: 0), .init(),
            results: try CheckResult.read(results.joined(separator: "\n")))
        let row = try #require(builder.records("tr-03161-1").first { $0.requirement.id == "O.Data_14" })
        #expect(row.verdict == verdict, "\(row.reason)")
        #expect(row.reason.contains("1 value that could not be followed") == (verdict == .notAssessed))
    }

    @Test func `a finding that test code hides is in sight, and supports nothing`() {
        let files = [
            ("/r/Info.plist", Self.list), ("/r/Mocks/Info.plist", Self.open), ("/r/A.swift", "let a = 1\n"),
        ]
        let reports = files.map { Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/") }
        let builder = EvidenceBuilder(AuditResult(reports: reports, root: "/r/", seconds: 0), .init())
        let row = builder.records("tr-03161-1").first { $0.requirement.id == "O.Ntwk_7" }
        #expect(row?.verdict == .notAssessed && row?.coverage.inTests == 1)
        #expect(row?.reason.contains("1 finding in test code") == true)
    }

    @Test(arguments: [
        ("/r/Info.plist", "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>", ["O.Ntwk_7"]),
        ("/r/Own.plist", "<plist><dict><key>Colours</key><string>a</string></dict></plist>", []),
        ("/r/a.xcodeproj/project.pbxproj", "buildSettings = {\n};\n", []),
        ("/r/App.entitlements", "<plist><dict></dict></plist>", []),
        ("/r/PrivacyInfo.xcprivacy", "<plist><dict></dict></plist>", []),
        ("/r/A.xcconfig", "A = B\n", []), ("/r/B.swift", "let b = 1\n", []),
    ])
    func `one file of each kind supports no more than it shows`(_ file: String, _ text: String, _ rows: [String]) {
        let reports = [(file, text), ("/r/A.swift", "let a = 1\n")].map {
            Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/")
        }
        let builder = EvidenceBuilder(AuditResult(reports: reports, root: "/r/", seconds: 0), .init())
        for set in Requirement.sets where set != BillOfMaterials.set {
            let supported = builder.records(set).filter { $0.verdict == .supported }.map(\.requirement.id)
            #expect(supported == (set == "tr-03161-1" ? rows : []))
        }
    }

    @Test(arguments: ["pipe", "/dev/zero", "folder", "large"])
    func `a maker's file that is no plain one is refused, and not waited for`(_ kind: String) throws {
        try folder { path in
            try write("let a = 1\n", path + "/app/A.swift")
            let place = path + "/app/pavise-audit.json"
            switch kind {
            case "pipe": #expect(unsafe mkfifo(place, 0o600) == 0)
            case "folder": try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            case "large": try write(String(repeating: " ", count: 2 << 20), place)
            default: try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: kind)
            }
            let arguments = [path + "/app", "--standard", "masvs", "--out", path + "/out"]
            #expect(EvidenceProgram(arguments: arguments, worker: Self.worker).run() == 2)
        }
    }

    @Test(arguments: [("A.swift", "masvs"), ("bom.json", "tr-03183-2")])
    func `AU5: evidence about one file is refused, which would take the statements of wherever it is made`(
        _ name: String, _ standard: String
    ) throws {
        try folder { path in
            try write("{}", path + "/app/" + name)
            let arguments = [path + "/app/" + name, "--standard", standard, "--out", path + "/out"]
            #expect(EvidenceProgram(arguments: arguments, worker: Self.worker).run() == 2)
            #expect(!FileManager.default.fileExists(atPath: path + "/out"))
        }
    }

    private func accepted(_ review: String, on day: String) throws -> EvidenceBundle {
        let report = Analyzer.analyze(Data(Self.open.utf8), file: "/r/Info.plist", root: "/r/")
        let result = AuditResult(reports: [report], root: "/r/", seconds: 0)
        let finding = try #require(result.all.first { $0.rule == "ATS-ARBITRARY" })
        let text = """
            {"accepted":[{"fingerprint":"\(finding.identity)","reason":"old server","owner":"A. Person",
            "date":"2026-11-01","review":"\(review)"}]}
            """
        var around = EvidenceBuilder.Surroundings()
        around.day = day
        return EvidenceBundle(
            EvidenceBuilder(result, around, maker: try MakerFile(Data(text.utf8))), standard: "tr-03161-1")
    }

    @Test func `an accepted finding is marked in record and report, and is open from the day of its review on`() throws
    {
        let before = try accepted("2027-02-01", on: "2027-01-31")
        let row = try #require(before.records.first { $0.requirement.id == "O.Ntwk_7" })
        #expect(row.verdict == .notAssessed)
        #expect(row.findings.map(\.suppressed) == ["accepted until 2027-02-01: old server (A. Person)"])
        #expect(before.files["report.en.html"]?.contains("accepted until 2027-02-01: old server") == true)
        let after = try accepted("2027-02-01", on: "2027-02-01")
        let late = try #require(after.records.first { $0.requirement.id == "O.Ntwk_7" })
        #expect(late.verdict == .contradicted && late.findings.map(\.expired) == ["2027-02-01"])
        #expect(late.findings.allSatisfy { $0.suppressed == nil })
        #expect(after.files["report.en.html"]?.contains("the acceptance ended on 2027-02-01") == true)
        #expect(after.files["register.json"]?.contains("\"judgedOn\":\"2027-02-01\"") == true)
        #expect(throws: MakerFile.Failure.self) { try accepted("next year", on: "2027-01-31") }
        // Digits of another script are no day: behind them no acceptance would ever end.
        #expect(throws: MakerFile.Failure.self) { try accepted("\u{FF12}\u{FF10}27-02-01", on: "2027-03-01") }
    }

    @Test func `a check of a row of TR-03161-1 reaches the rows of other standards, and never fills them alone`() throws
    {
        func records(_ outcome: String) throws -> [EvidenceRecord] {
            let line =
                #"{"requirement":"O.Ntwk_5","kind":"kit-test","check":"T","claim":"c","version":"7","outcome":"\#(outcome)"}"#
            let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
            return EvidenceBuilder(
                AuditResult(reports: [report], root: "/r/", seconds: 0), .init(), results: try CheckResult.read(line)
            ).records("masvs")
        }
        let agreeing = try #require(try records("agrees").first { $0.requirement.id == "MASVS-NETWORK-1" })
        let check = try #require(agreeing.checks.first { $0.id == "T" })
        #expect(check.claim == "For O.Ntwk_5: c" && check.version == "7")
        #expect(agreeing.verdict == .notAssessed && agreeing.needs.contains("kit_test"))
        #expect(agreeing.checks.first { $0.kind == "scan" }?.version == "\(Catalogue.version)")
        let other = try #require(try records("disagrees").first { $0.requirement.id == "MASVS-NETWORK-1" })
        #expect(other.verdict == .contradicted)
    }

    static let servers: [(String, String, String, Bool)] = [
        ("noExceptionNeeded", "{}", "agrees", false), ("unreachable", "{}", "not run: unreachable", false),
        ("noExceptionHelps", "{}", "not run: noExceptionHelps", false),
        (
            "exceptionsSuffice",
            #"{"NSExceptionDomains":{"app.example":{"NSExceptionAllowsInsecureHTTPLoads":true}}}"#,
            "not run: exceptionsSuffice", false
        ),
        (
            "exceptionsSuffice", #"{"NSExceptionDomains":{"app.example":{"NSExceptionMinimumTLSVersion":"TLSv1.0"}}}"#,
            "disagrees", true
        ),
        (
            "exceptionsSuffice", #"{"NSExceptionDomains":{"a.example":{"NSExceptionRequiresForwardSecrecy":false}}}"#,
            "disagrees", true
        ),
    ]

    @Test(arguments: servers)
    func `AU5: what servers took speaks against a row, and never fills one`(
        _ conclusion: String, _ exceptions: String, _ outcome: String, _ isAgainst: Bool
    ) throws {
        let line = """
            {"schema":1,"asked":"2026-11-30T15:00:00Z","url":"https://app.example","rows":[],\
            "conclusion":"\(conclusion)","exceptions":\(exceptions)}

            """
        let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
        let builder = EvidenceBuilder(
            AuditResult(reports: [report], root: "/r/", seconds: 0), .init(),
            diagnosis: try ServerDiagnosis(Data(line.utf8)))
        let row = try #require(builder.records("tr-03161-1").first { $0.requirement.id == "O.Ntwk_2" })
        let check = try #require(row.checks.first { $0.kind == "probe" })
        #expect(check.id == "ats diagnose https://app.example" && check.outcome == outcome)
        #expect(check.claim.contains("2026-11-30T15:00:00Z") && check.claim.contains("sha256:"))
        #expect((row.verdict == .contradicted) == isAgainst)
        #expect(isAgainst || row.needs.contains("server_probe"))
        let other = try #require(builder.records("masvs").first { $0.requirement.id == "MASVS-NETWORK-1" })
        #expect((other.verdict == .contradicted) == isAgainst)
        #expect(EvidenceBundle(builder, standard: "masvs").files["diagnosis.jsonl"] == line)
    }

    @Test func `AU5: a diagnosis whose lines end with CR LF has each of its servers`() throws {
        let one = #"{"schema":1,"url":"https://a.example","conclusion":"noExceptionNeeded","exceptions":{}}"#
        let weak = #"{"NSExceptionDomains":{"b.example":{"NSExceptionMinimumTLSVersion":"TLSv1.0"}}}"#
        let other = #"{"schema":1,"url":"https://b.example","conclusion":"exceptionsSuffice","exceptions":\#(weak)}"#
        let text = [one, other, "", ""].joined(separator: "\r\n")
        let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
        let builder = EvidenceBuilder(
            AuditResult(reports: [report], root: "/r/", seconds: 0), .init(),
            diagnosis: try ServerDiagnosis(Data(text.utf8)))
        let row = try #require(builder.records("tr-03161-1").first { $0.requirement.id == "O.Ntwk_2" })
        #expect(row.checks.filter { $0.kind == "probe" }.map(\.outcome) == ["agrees", "disagrees"])
    }

    @Test(arguments: [
        "", "\n", "\r\n", "{}", "[]",
        #"{"schema":2,"url":"https://a.example","conclusion":"unreachable","exceptions":{}}"#,
        #"{"schema":1,"url":"https://a.example","conclusion":"fine","exceptions":{}}"#,
    ])
    func `AU5: what is no diagnosis is refused whole`(_ text: String) {
        #expect(throws: MakerFile.Failure.self) { try ServerDiagnosis(Data(text.utf8)) }
    }

    @Test func `a tag in a comment is a reference of the maker, and proves nothing`() throws {
        let source = "// REQ:BSI-eRp-ePA:O.Arch_1#3 as the concept says\nlet a = 1\n// REQ:other:A_19480#2\n"
        let report = Analyzer.analyze(Data(source.utf8), file: "/r/A.swift", root: "/r/")
        let builder = EvidenceBuilder(AuditResult(reports: [report], root: "/r/", seconds: 0), .init())
        let records = builder.records("tr-03161-1")
        let row = try #require(records.first { $0.requirement.id == "O.Arch_1" })
        #expect(row.references.map(\.title) == ["tag in A.swift:1"] && row.verdict == .notAssessed)
        #expect(records.flatMap(\.references).count == 1)
    }

    @Test func `a comparison names what was run, by whom, and what it said`() throws {
        func records(_ system: String, _ outcome: String) throws -> [EvidenceRecord] {
            let line = #"{"requirement":"O.Auth_15","kind":"kit-test","check":"T","outcome":"\#(outcome)"}"#
            var around = EvidenceBuilder.Surroundings()
            around.system = system
            around.subject.version = system
            let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
            return EvidenceBuilder(
                AuditResult(reports: [report], root: "/r/", seconds: 0), around, results: try CheckResult.read(line)
            ).records("tr-03161-1")
        }
        let lines = EvidenceComparison(try records("one", "agrees"), try records("two", "not run")).lines
        #expect(lines.contains("system: one → two") && lines.contains("subject: not named one → not named two"))
        #expect(lines.contains("O.Auth_15: kit-test T: agrees → not run"))
        #expect(lines.contains("O.Auth_15: verdict: supported → not assessed"))
    }

    @Test(arguments: [#","claim":"two""#, #","version":"2""#])
    func `a comparison never says that nothing changed of a record that is another`(_ more: String) throws {
        func records(_ more: String) throws -> [EvidenceRecord] {
            let line = #"{"requirement":"O.Auth_15","kind":"kit-test","check":"T","outcome":"agrees"\#(more)}"#
            let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
            return EvidenceBuilder(
                AuditResult(reports: [report], root: "/r/", seconds: 0), .init(), results: try CheckResult.read(line)
            ).records("tr-03161-1")
        }
        let same = EvidenceComparison(try records(more), try records(more)).lines
        #expect(same.isEmpty)
        let lines = EvidenceComparison(try records(""), try records(more)).lines
        #expect(lines == ["O.Auth_15: the words of its record, or versions in it"])
    }

    @Test(arguments: ["manifest.json", "evidence.jsonl", "inputs.jsonl", "report.en.html", "manifest.json.jws"])
    func `a pipe or a device in place of a bundle's file is a defect, and not waited for`(_ name: String) throws {
        try folder { path in
            let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
            let builder = EvidenceBuilder(AuditResult(reports: [report], root: "/r/", seconds: 0), .init())
            for target in [nil, "/dev/zero"] {
                try? FileManager.default.removeItem(atPath: path)
                try EvidenceBundle(builder, standard: "masvs").write(to: path)
                try? FileManager.default.removeItem(atPath: path + "/" + name)
                if let target {
                    try FileManager.default.createSymbolicLink(
                        atPath: path + "/" + name, withDestinationPath: target)
                } else {
                    #expect(unsafe mkfifo(path + "/" + name, 0o600) == 0)
                }
                let defects = EvidenceBundle.defects(path, signer: SigningKey(pem: Self.publicKey))
                #expect(defects.contains { $0.contains(name) })
            }
        }
    }

    // Of RFC 7515, Appendix A.3.
    private static let publicKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    @Test func `a file that the manifest does not name is told`() throws {
        try folder { path in
            let report = Analyzer.analyze(Data("let a = 1\n".utf8), file: "/r/A.swift", root: "/r/")
            let builder = EvidenceBuilder(AuditResult(reports: [report], root: "/r/", seconds: 0), .init())
            try EvidenceBundle(builder, standard: "masvs").write(to: path)
            #expect(EvidenceBundle.defects(path) == [])
            try write("more", path + "/extra.html")
            #expect(EvidenceBundle.defects(path) == ["extra.html is not in the manifest"])
        }
    }
}
