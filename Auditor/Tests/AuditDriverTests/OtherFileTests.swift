import AuditCore
import AuditDriver
import Foundation
import Testing

/// Functions of other files that hand their arguments on.
@Suite struct OtherFileTests {
    /// What is found in the first file beside the others, each read and read again as workers do.
    private func found(_ source: String, _ others: String..., name: String = "A.swift") -> [Finding] {
        let texts = [source] + others
        let files = Dictionary(
            uniqueKeysWithValues: texts.enumerated().map {
                ($0.offset == 0 ? "/r/" + name : "/r/B\($0.offset).swift", $0.element)
            })
        func read(_ file: String, _ foreign: ForeignCalls? = nil) -> FileReport {
            Analyzer.analyze(Data((files[file] ?? "").utf8), file: file, root: "/r/", foreign: foreign)
        }
        var pass = SecondPass(files.keys.sorted().map { read($0) }, root: "/r/")
        let reports = pass.run { requests in requests.map { read($0.key, $0.value) } }
        return reports.filter { $0.file == "/r/" + name }.flatMap(\.findings).filter { $0.elsewhere != nil }
    }

    private func rules(_ source: String, _ others: String...) -> [String] {
        switch others.count {
        case 1: found(source, others[0]).map { "\($0.severity.rawValue) \($0.rule)" }
        default: found(source, others[0], others[1]).map { "\($0.severity.rawValue) \($0.rule)" }
        }
    }

    private static let journal = "enum Journal { static func write(_ text: String) { print(text) } }"
    private static let keeps = """
        func keepIt(_ value: String, at name: String) { UserDefaults.standard.set(value, forKey: name) }
        """
    private static let box = """
        struct Box { func lock(_ d: Data, with k: [UInt8]) throws -> Data { try AES(key: k, blockMode: m).encrypt(d) } }
        """
    private static let vault = """
        final class Vault { func read(_ s: Session) -> String { let found = keychain.password; return found } }
        """

    @Test(arguments: [
        ("func f(password: String) { Journal.write(password) }", journal, "error LOG-SENSITIVE"),
        (
            "func f(password: String) { let line = \"p: \\(password)\"; Journal.write(line) }", journal,
            "error LOG-SENSITIVE"
        ),
        (
            "func f(j: Diary, password: String) { j.write(password) }",
            journal.replacing("enum Journal { static", with: "class Diary {"),
            "error LOG-SENSITIVE"
        ),
        (
            "func f(password: String) { Journal.two(1, with: password) }",
            "enum Journal { static func two(_ a: Int, with t: @autoclosure () -> String, c: Int = 1) { print(a, t()) } }",
            "error LOG-SENSITIVE"
        ),
        (
            "func f(password: String) { Journal.all(1, password) }",
            "enum Journal { static func all(_ items: Any...) { print(items) } }", "error LOG-SENSITIVE"
        ),
        (
            "func f(password: String) { _ = Line(password) }", "struct Line { init(_ text: String) { print(text) } }",
            "error LOG-SENSITIVE"
        ),
        ("func f(accessToken: String) { keepIt(accessToken, at: \"x\") }", keeps, "error STORE-DEFAULTS"),
        ("func f(b: Box, d: Data) throws { use(try b.lock(d, with: [1, 2, 3, 4])) }", box, "error CONST-KEY"),
        ("func f(v: Vault, s: Session) { print(v.read(s)) }", vault, "error LOG-SENSITIVE"),
        (
            "func f(d: Data) throws { use(try AES(key: Keys.first(), blockMode: m).encrypt(d)) }",
            "enum Keys { static func first() -> String { \"0123456789abcdef\" } }", "error CONST-KEY"
        ),
        (
            "func f(password: String) { copyIt(password) }",
            "func copyIt(_ text: String) { UIPasteboard.general.string = text }", "warning PASTE-GENERAL"
        ),
        (
            "func f(u: URL) throws { let page = try String(contentsOf: remote); showIt(page) }\nlet remote = URL(string: \"http://a.b\")!",
            "func showIt(_ page: String) { view.evaluateJavaScript(page) }", "error WEB-JS"
        ),
    ])
    func `a function of another file is judged by what it does`(_ source: String, _ other: String, _ told: String) {
        #expect(rules(source, other).contains(told))
        // The same with comments, and where neither file is so short that it is parsed in any case.
        let filling = String(repeating: "\n// Nothing (of) matter: { here", count: 60)
        // What a file gives back that is not parsed, and is no secret, is not known.
        let isParsed = source.contains("Keys.first")
        #expect(isParsed || rules(source + filling, "/* func keepIt(_ a: Int) */ " + other + filling).contains(told))
        #expect(
            found(
                source.replacing("password", with: "count").replacing("accessToken", with: "count")
                    .replacing("[1, 2, 3, 4]", with: "k").replacing("v.read(s)", with: "v.name(s)")
                    .replacing("Keys.first()", with: "k").replacing("contentsOf: remote", with: "count: 1"), other
            ).isEmpty)
    }

    @Test func `the way of a value names the other file and its line`() throws {
        let source = "func f(password: String) {\n  Journal.write(password)\n}"
        let told = try #require(found(source, "\n" + Self.journal).first)
        #expect(told.line == 2 && told.elsewhere == [Elsewhere(file: "B1.swift", line: 2)])
        #expect(told.way == "lines 2 → B1.swift:2" && told.message == "password is written to a log")
        var report = Analyzer.analyze(Data(source.utf8), file: "/r/A.swift", root: "/r/")
        report.findings = [told]
        let result = AuditResult(reports: [report], root: "/r/", seconds: 0)
        #expect(result.text().contains("way: lines 2 → B1.swift:2"))
        #expect(SARIFLog(result).text().contains("\"uri\" : \"B1.swift\""))
        #expect(HTMLReport(result).text().contains("B1.swift:2"))
    }

    @Test func `wrappers of wrappers are followed three files deep, and no deeper`() {
        let source = "func f(password: String) { one(password) }"
        let last = "func three(_ t: String) { print(t) }"
        let two = "func two(_ t: String) { three(t) }"
        #expect(found(source, "func one(_ t: String) { two(t) }", two, last).map(\.rule) == ["LOG-SENSITIVE"])
        #expect(found(source, "func one(_ t: String) { two(t) }", two, last).first?.elsewhere?.count == 3)
        let deeper = "func one(_ t: String) { zero(t) }"
        #expect(found(source, deeper, "func zero(_ t: String) { two(t) }", two, last).isEmpty)
    }

    @Test func `a name that several functions have is none, unless the type says which`() {
        let source = "func f(a: Any, password: String) { a.jot(password) }"
        let one = "class One { func jot(_ t: String) { print(t) } }"
        #expect(found(source, one).count == 1)
        #expect(found(source, one, "class Two { func jot(_ t: String) { count += 1 } }").isEmpty)
        #expect(found(source, one, "protocol Two { func jot(_ t: String) }").isEmpty)
        #expect(found(source, one, "class Two { func jot(with t: String) { count += 1 } }").count == 1)
        let typed = source.replacing("a: Any", with: "a: One")
        #expect(found(typed, one, "class Two { func jot(_ t: String) { count += 1 } }").count == 1)
        #expect(
            found(source.replacing("a: Any", with: "a: Two"), one, "class Two { func jot(_ t: String) {} }").isEmpty)
        #expect(found(typed, one, "class One { func jot(_ t: String) { count += 1 } }").isEmpty)
        // A name of the system's counts where the type is known alone.
        let writes = one.replacing("jot", with: "write")
        #expect(found(source.replacing("jot", with: "write"), writes).isEmpty)
        #expect(found(typed.replacing("jot", with: "write"), writes).count == 1)
    }

    @Test func `what is excused where it stands is excused for those who call it`() {
        let source = "func f(password: String) { Journal.write(password) }"
        func told(_ body: String) -> [String] {
            rules(source, "enum Journal { static func write(_ text: String) {\n\(body)\n} }")
        }
        #expect(told("print(text)") == ["error LOG-SENSITIVE"])
        #expect(told("#if DEBUG\nprint(text)\n#endif") == ["note LOG-SENSITIVE"])
        #expect(told("print(mask(text))") == [] && told("keychain.add(seal(text))") == [])
        #expect(told("UserDefaults.standard.set(encrypt(text), forKey: k)") == [])
        #expect(told("print(text) // pavise:ignore LOG-SENSITIVE words of the app alone") == [])
        #expect(rules(source, "enum Journal { private static func write(_ text: String) { print(text) } }") == [])
        #expect(
            rules(source, "import XCTest\nenum Journal { static func write(_ text: String) { print(text) } }") == [])
        // The function is told for its own name already.
        #expect(rules(source, "enum Journal { static func write(_ password: String) { print(password) } }") == [])
        #expect(rules("#if DEBUG\n\(source)\n#endif", Self.journal) == ["note LOG-SENSITIVE"])
        #expect(rules("// pavise:ignore LOG-SENSITIVE so\n" + source, Self.journal) == ["error LOG-SENSITIVE"])
        #expect(found("// pavise:ignore LOG-SENSITIVE so\n" + source, Self.journal).first?.suppressed == "so")
        let call = "func f(phoneNumber: String) { openIt(\"tel:\\(phoneNumber)\") }"
        #expect(rules(call, "func openIt(_ t: String) { use(URL(string: t)) }") == [])
    }

    @Test func `a file that could not be read again keeps what was said of it, and that is told`() {
        let texts = ["/r/A.swift": "func f(password: String) { Journal.write(password) }", "/r/B.swift": Self.journal]
        let reports = texts.keys.sorted().map { Analyzer.analyze(Data((texts[$0] ?? "").utf8), file: $0, root: "/r/") }
        var pass = SecondPass(reports, root: "/r/")
        let after = pass.run { _ in [FileReport(file: "/r/A.swift", notAnalysed: "TIME")] }
        #expect(after.first?.gaps == ["OTHER-FILES"] && after.first?.notAnalysed == nil)
    }

    @Test func `a cache knows a second reading by what the file was told`() throws {
        let folder = NSTemporaryDirectory() + "again-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let report = Analyzer.analyze(Data("let a = 1".utf8), file: "/r/A.swift", root: "/r/")
        #expect(ReportCache(folder: folder).save([report], again: [("told", report)], below: "/r/"))
        let cache = ReportCache(folder: folder)
        #expect(cache.report(report, told: "told", below: "/r/")?.file == "/r/A.swift")
        #expect(cache.report(report, told: "other", below: "/r/") == nil)
    }
}
