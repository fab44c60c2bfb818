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
        try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/c/reports-1.jsonl"))
        #expect(ReportCache(folder: folder + "/c").report(file, below: root) == nil)
        #expect(!ReportCache(folder: "/dev/null/c").save([report], below: root))
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
