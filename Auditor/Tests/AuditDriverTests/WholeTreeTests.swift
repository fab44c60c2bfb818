import AuditCore
import AuditDriver
import Foundation
import Testing

/// The pass over all files, the cache, and names of folders.
@Suite struct WholeTreeTests {
    private let app = "<plist><dict><key>CFBundleIdentifier</key><string>a</string></dict></plist>"

    private func rules(_ source: String, isPartial: Bool = false) -> Set<String> {
        let reports = [
            Analyzer.analyze(Data(app.utf8), file: "/r/Info.plist", root: "/r/"),
            Analyzer.analyze(Data(source.utf8), file: "/r/A.swift", root: "/r/"),
        ]
        let result = AuditResult(reports: reports, root: "/r/", seconds: 0, isPartial: isPartial)
        return Set(result.all.map(\.rule))
    }

    @Test(arguments: Catalogue.rules.filter(\.isAbsence).map(\.id))
    func `what is nowhere is told once, and not when it is somewhere`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        #expect(rules(rule.bad).contains(id))
        #expect(!rules(rule.good).contains(id))
        #expect(rules(rule.bad + "\n// " + rule.good.replacing("\n", with: " ")).contains(id))
        #expect(!rules(rule.bad, isPartial: true).contains(id))
    }

    @Test(arguments: Catalogue.rules.filter(\.isAbsence).map(\.id) + ["PRIVACY-MANIFEST"])
    func `what is nowhere is suppressed with a reason at the place where it is told`(_ id: String) throws {
        let source = try #require(Catalogue.byID[id]).bad
        func result(_ source: String) -> AuditResult {
            let reports = [
                Analyzer.analyze(Data(app.utf8), file: "/r/Info.plist", root: "/r/"),
                Analyzer.analyze(Data(source.utf8), file: "/r/A.swift", root: "/r/"),
            ]
            return AuditResult(reports: reports, root: "/r/", seconds: 0)
        }
        let told = try #require(result(source).open.first { $0.rule == id && $0.file == "/r/A.swift" })
        var lines = source.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines.insert("// pavise:ignore \(id) another layer does it", at: told.line - 1)
        let after = result(lines.joined(separator: "\n"))
        #expect(!after.open.contains { $0.rule == id })
        #expect(after.all.first { $0.rule == id }?.suppressed == "another layer does it")
        #expect(!after.idle.contains { $0.contains(id) })
    }

    @Test(arguments: [
        ("let p = Package(name: \"a\", products: [], targets: [b(.when(platforms: [.linux]))])", ""),
        ("let p = Package(name: \"a\")", "import Glibc\n"),
    ])
    func `a file option that Linux does not know is told in each file of a package for Linux`(
        _ manifest: String, _ other: String
    ) {
        let write = "func f(d: Data, u: URL) throws { try d.write(to: u, options: .completeFileProtection) }\n"
        func told(_ file: String, _ text: String, isPartial: Bool = false) -> Bool {
            let files = [
                ("/r/server/Package.swift", manifest), ("/r/server/Other.swift", other), (file, text),
                ("/r/App/Package.swift", "let p = Package(name: \"app\")"),
            ]
            let reports = files.map { Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/") }
            let result = AuditResult(reports: reports, root: "/r/", seconds: 0, isPartial: isPartial)
            return result.open.contains { $0.rule == "FILE-UNPROTECTED" && $0.message.contains("Linux") }
        }
        #expect(told("/r/server/Sources/A.swift", write))
        #expect(!told("/r/App/A.swift", write) && !told("/r/A.swift", write))
        #expect(!told("/r/server/Sources/A.swift", write, isPartial: true))
        #expect(!told("/r/server/Sources/A.swift", "import UIKit\n" + write))
        #expect(!told("/r/server/Sources/A.swift", "#if os(iOS)\n" + write + "#endif\n"))
        #expect(told("/r/server/Sources/A.swift", "#if os(iOS)\n#else\n" + write + "#endif\n"))
        #expect(!told("/r/server/Sources/A.swift", "// pavise:ignore FILE-UNPROTECTED nothing secret\n" + write))
        #expect(!told("/r/server/Tests/A.swift", write))
    }

    /// The severity of a value in a log, by what another file of the tree says.
    private func logged(_ source: String, beside other: String, isPartial: Bool = false) -> [Severity] {
        let reports = [("/r/A.swift", source), ("/r/B.swift", other)].map {
            Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/")
        }
        return AuditResult(reports: reports, root: "/r/", seconds: 0, isPartial: isPartial).all
            .filter { $0.rule == "LOG-SENSITIVE" }.map(\.severity)
    }

    @Test(arguments: [
        ("struct U { let email: EmailSheet }", Severity.note), ("struct U { var email: Bool }", .note),
        ("struct U { let email: (String) -> Void }", .note), ("struct U { let email: String? }", .error),
        ("struct U { let emails: Int }", .error),
        ("struct U { let email: String }\nstruct V { let email: Bool }", .error),
    ])
    func `a property that another file declares to hold no text is a note in a log`(_ other: String, _ told: Severity) {
        #expect(logged("func f(u: U) { print(u.email) }", beside: other) == [told])
        let filled = other + String(repeating: "\nlet a = b + 1 // of no matter", count: 60)
        #expect(logged("func f(u: U) { print(u.email) }", beside: filled) == [told])
        #expect(logged("func f(u: U) { print(u.email) }", beside: other, isPartial: true) == [.error])
    }

    @Test func `an object's word is an error in a log where another file declares it to be a text`() {
        let source = "func f(v: V) { print(v.diagnosis) }"
        #expect(logged(source, beside: "struct V { let diagnosis: String }") == [.error])
        #expect(logged(source, beside: "struct V { let diagnosis: Diagnosis }") == [.note])
        #expect(logged(source, beside: "struct V {}") == [.note])
    }

    @Test func `a type's own member is an error in a log where the tree declares it to be a text`() {
        let source = "func f() { print(Store.password) }"
        #expect(logged(source, beside: "enum Store { static var password: String { read() } }") == [.error])
        #expect(logged(source, beside: "enum Store { case password }\nstruct A { let password: String }") == [.note])
    }

    @Test(arguments: [
        ("import os\nlet logger = Logger(subsystem: a, category: b)", Severity.note),
        ("import OSLog\nlet logger: os.Logger = made()", .note),
        ("import Logging\nlet logger = Logger(label: a)", .error),
    ])
    func `a logger of the system keeps texts private wherever it is made`(_ other: String, _ told: Severity) {
        #expect(logged("func f(password: String) { logger.info(\"a \\(password)\") }", beside: other) == [told])
        #expect(logged("func f(password: String) { print(password) }", beside: other) == [.error])
    }

    @Test(arguments: [
        ("func debugLog(_ t: String) {\n#if DEBUG\nprint(t)\n#endif\n}", Severity.note),
        ("func debugLog(_ t: String) { print(t) }", .error),
        ("func debugLog(_ t: String) {\n#if DEBUG\nprint(t)\n#else\nNSLog(t)\n#endif\n}", .error),
        ("func debugLog(_ t: String) {\nlet name = #file\n#if DEBUG\nprint(name, t)\n#endif\n}", .note),
        ("func debugLog(_ t: String) {\nlet name = #file\nprint(name, t)\n}", .error),
    ])
    func `a function that writes in debug builds alone is no log of a release`(_ other: String, _ told: Severity) {
        let source = "func f(password: String) { logLine(password) }"
        let function = other.replacing("debugLog", with: "logLine")
        #expect(logged(source, beside: function) == [told])
        let method = "func f(password: String) { Logger.debug(password) }"
        #expect(
            logged(method, beside: "enum Logger { static " + other.replacing("debugLog", with: "debug") + " }") == [
                told
            ])
    }

    /// The rules that find something in two files, and in one that holds both, notes left out.
    private func judged(_ source: String, _ other: String) -> (apart: Set<String>, together: Set<String>) {
        func rules(_ files: [(String, String)]) -> Set<String> {
            let texts = Dictionary(uniqueKeysWithValues: files)
            func read(_ file: String, _ foreign: ForeignCalls? = nil) -> FileReport {
                Analyzer.analyze(Data((texts[file] ?? "").utf8), file: file, root: "/r/", foreign: foreign)
            }
            var pass = SecondPass(files.map { read($0.0) }, root: "/r/")
            let reports = pass.run { requests in requests.map { read($0.key, $0.value) } }
            let all = AuditResult(reports: reports, root: "/r/", seconds: 0).all
            return Set(all.filter { $0.severity != .note }.map(\.rule))
        }
        return (rules([("/r/A.swift", source), ("/r/B.swift", other)]), rules([("/r/A.swift", source + "\n" + other)]))
    }

    private static let box = """
        enum Box {
            static func lock(_ d: Data, LABEL k: [UInt8]) throws -> Data { try AES(key: k, blockMode: m).encrypt(d) }
        }
        """

    @Test func `a function of another file is looked into as one of the same file is`() {
        let log = judged(
            "func f(password: String) { Journal.write(password) }",
            "enum Journal { static func write(_ text: String) { print(text) } }")
        #expect(log.apart == ["LOG-SENSITIVE"] && log.together == ["LOG-SENSITIVE"])
        let given = judged("func f(s: S) { print(first(s)) }", "func first(_ s: S) -> String { s.password }")
        #expect(given.apart == [] && given.together == ["LOG-SENSITIVE"])
        let named = judged("func f(s: S) { print(firstOf(s)) }", "func firstOf(_ s: S) -> String { s.password }")
        #expect(named.apart == ["LOG-SENSITIVE"])
        let cipher = judged(
            "func f(d: Data) throws { use(try Box.lock(d, with: [1, 2, 3, 4])) }",
            Self.box.replacing("LABEL", with: "with"))
        #expect(cipher.apart == ["CONST-KEY"] && cipher.together == ["CONST-KEY"])
    }

    @Test func `a call of another file's function is judged by its name and its labels`() {
        let sends = "func logLine(_ text: String) { send(text) }"
        #expect(judged("func f(password: String) { logLine(password) }", sends).apart == ["LOG-SENSITIVE"])
        let nothing = "enum Logger { static func debug(_ text: String) { count += 1 } }"
        #expect(judged("func f(password: String) { Logger.debug(password) }", nothing).apart == ["LOG-SENSITIVE"])
        let loads = "func loadPassword(_ name: String) -> String { items[name] }"
        #expect(judged("func f() { print(loadPassword(n)) }", loads).apart == ["LOG-SENSITIVE"])
        let same = "func encrypt(_ text: String) -> String { text }"
        #expect(judged("func f(password: String) { print(encrypt(password)) }", same).apart == [])
        let labelled = "func f(d: Data) throws { use(try Box.lock(d, encryptionKey: [1, 2, 3, 4])) }"
        #expect(judged(labelled, Self.box.replacing("LABEL", with: "encryptionKey")).apart == ["CONST-KEY"])
    }

    @Test func `of another file's log its own body is known, and not what that calls`() {
        let quiet = "func inner(_ t: String) {\n#if DEBUG\nprint(t)\n#endif\n}"
        let source = "func f(password: String) { logLine(password) }"
        #expect(logged(source, beside: quiet.replacing("inner", with: "logLine")) == [.note])
        #expect(logged(source, beside: "func logLine(_ t: String) { inner(t) }\n" + quiet) == [.error])
        // Names are all that is compared: one such function of several is enough.
        let other = "enum Other { func logLine(_ t: Int) { print(t) } }\n"
        #expect(logged(source, beside: other + quiet.replacing("inner", with: "logLine")) == [.note])
    }

    @Test func `what a folder above the root is called makes nothing a test`() {
        let source = Data("func f(password: String) { print(password) }".utf8)
        let inside = Analyzer.analyze(source, file: "/Tests/app/Tests/A.swift", root: "/Tests/app/")
        let above = Analyzer.analyze(source, file: "/Tests/app/A.swift", root: "/Tests/app/")
        #expect(inside.findings.first?.testCode == true)
        #expect(above.findings.first != nil && above.findings.first?.testCode == nil)
    }

    @Test func `a cache gives back what was said of the same bytes at the same path, and nothing else`() throws {
        let folder = NSTemporaryDirectory() + "cache-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createDirectory(atPath: folder + "/app", withIntermediateDirectories: true)
        let file = folder + "/app/A.swift"
        try "func f(password: String) { print(password) }".write(toFile: file, atomically: true, encoding: .utf8)
        let root = folder + "/app/"
        let report = Analyzer.analyze(try Data(contentsOf: URL(fileURLWithPath: file)), file: file, root: root)
        #expect(ReportCache(folder: folder + "/c").report(file, below: root) == nil)
        #expect(ReportCache(folder: folder + "/c").save([report], below: root))
        let known = try #require(ReportCache(folder: folder + "/c").report(file, below: root))
        #expect(known.findings == report.findings)
        try "func f(password: String) { print(1) }".write(toFile: file, atomically: true, encoding: .utf8)
        #expect(ReportCache(folder: folder + "/c").report(file, below: root) == nil)
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/c/reports-2.jsonl"))
        #expect(ReportCache(folder: folder + "/c").report(file, below: root) == nil)
        #expect(!ReportCache(folder: "/dev/null/c").save([report], below: root))
    }

    @Test func `a folder that is made for the cache is marked for backups, one that was there is not`() throws {
        let folder = NSTemporaryDirectory() + "cache-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(ReportCache(folder: folder + "/new").save([], below: "/r/"))
        let tag = try String(contentsOfFile: folder + "/new/CACHEDIR.TAG", encoding: .utf8)
        // The form of https://bford.info/cachedir/: a reader compares these bytes and no more.
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
        try FileManager.default.createDirectory(atPath: folder + "/old", withIntermediateDirectories: true)
        #expect(ReportCache(folder: folder + "/old").save([], below: "/r/"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/old") == ["reports-2.jsonl"])
    }

    @Test func `a purpose that stands in the translations is given`() {
        let plist = "<plist><dict><key>NSCameraUsageDescription</key><string></string></dict></plist>"
        func rules(_ texts: String) -> [String] {
            let reports = [
                Analyzer.analyze(Data(plist.utf8), file: "/r/Info.plist", root: "/r/"),
                Analyzer.analyze(
                    Data(texts.utf8), file: "/r/de.lproj/InfoPlist.strings", root: "/r/"),
            ]
            return AuditResult(reports: reports, root: "/r/", seconds: 0).all.map(\.rule)
        }
        #expect(rules("\"NSCameraUsageDescription\" = \"Um zu lesen.\";\n") == [])
        #expect(rules("\"NSCameraUsageDescription\" = \"\";\n") == ["PRIVACY-PURPOSE"])
    }

    /// The regions of SARIF's results about `source`, as it says them.
    private func regions(_ source: String) throws -> [[String: Int]] {
        let report = Analyzer.analyze(Data(source.utf8), file: "/r/A.swift", root: "/r/")
        let text = SARIFLog(AuditResult(reports: [report], root: "/r/", seconds: 0)).text()
        let log = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        #expect(run["columnKind"] as? String == "utf16CodeUnits")
        return try (run["results"] as? [[String: Any]] ?? []).map { row in
            let place = (row["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
            return try #require(place?["region"] as? [String: Int])
        }
    }

    @Test(arguments: [
        ("func f(password: String) { print(password) }", "print(password)"),
        ("func f(password: String) { /* größe 😀 e\u{301} */ print(password) }", "print(password)"),
        ("func f(password: String) { print(\"größe 😀 👩‍🔬 \\(password)\") /* 😀 */ }", "print(\"größe 😀 👩‍🔬 \\(password)\")"),
        ("\u{FEFF}func f(password: String) { print(password) }", "print(password)"),
        ("// 😀\r\nfunc f(password: String) { /* 😀 */ print(password) }\r\n", "print(password)"),
    ])
    func `SARIF's region is the expression, in units of UTF-16`(_ source: String, _ expression: String) throws {
        let region = try #require(try regions(source).first)
        let lines = source.replacing("\u{FEFF}", with: "").split(separator: "\n", omittingEmptySubsequences: false)
        let line = Array(
            (source.contains("\r") ? "func f(password: String) { /* 😀 */ print(password) }" : lines[0]).utf16)
        #expect(region["startLine"] == region["endLine"] && region["startLine"] == (source.contains("\r") ? 2 : 1))
        let start = try #require(region["startColumn"]) - 1
        let end = try #require(region["endColumn"]) - 1
        #expect(String(decoding: line[start..<end], as: UTF16.self) == expression)
    }

    @Test func `SARIF's region ends on the line where the expression ends, and a whole line has no columns`() throws {
        let source = "func f(password: String) {\n    print(\n        \"ä\", password)\n}"
        #expect(
            try regions(source).first == ["startLine": 2, "startColumn": 5, "endLine": 3, "endColumn": 23])
        let list = "<plist><dict>\n<key>UIFileSharingEnabled</key><true/></dict></plist>"
        let report = Analyzer.analyze(Data(list.utf8), file: "/r/Info.plist", root: "/r/")
        #expect(report.findings.map(\.line) == [2] && report.findings.map(\.endColumn) == [nil])
    }

    @Test func `what one file opens and another declares is put together`() {
        func told(_ other: String) -> Bool {
            let files = [("/r/A.swift", "func f() throws { use(try Realm()) }"), ("/r/B.swift", other)]
            let reports = files.map { Analyzer.analyze(Data($0.1.utf8), file: $0.0, root: "/r/") }
            return AuditResult(reports: reports, root: "/r/", seconds: 0).open.contains { $0.rule == "STORE-NO-KEY" }
        }
        let declared = "class P: Object { @Persisted var diagnosis = \"\" }"
        #expect(told(declared))
        #expect(!told("class P: Object { @Persisted var title = \"\" }"))
        #expect(!told(declared + "\nlet c = Realm.Configuration(encryptionKey: k)"))
    }
}
