import AuditCore
import Foundation
import Testing

/// Project files, manifests of packages, and what once was a false alarm in other people's apps.
@Suite struct ProjectTests {
    private func rules(_ text: String, _ file: String = "App/A.swift") -> Set<String> {
        Set(Analyzer.analyze(Data(text.utf8), file: file).findings.map(\.rule))
    }

    @Test(arguments: Catalogue.rules.filter { $0.kind == .project }.map(\.id))
    func `a rule over project files finds its bad example and is silent about its good one`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        for text in [rule.bad, rule.bad.replacing("\n", with: "\n\t\t"), "// !$*UTF8*$!\n{\n" + rule.bad + "\n}"] {
            #expect(rules(text, rule.kind.example).contains(id))
        }
        #expect(!rules(rule.good, rule.kind.example).contains(id))
    }

    @Test(arguments: [
        ("SWIFT_OPTIMIZATION_LEVEL = \"-Onone\";", "Release", true),
        ("SWIFT_OPTIMIZATION_LEVEL = \"-O\";", "Release", false),
        ("ENABLE_TESTABILITY = YES;", "AppStore", true), ("ENABLE_TESTABILITY = YES;", "Debug", false),
        ("SWIFT_ACTIVE_COMPILATION_CONDITIONS = DEBUG;", "Release", true),
        ("SWIFT_ACTIVE_COMPILATION_CONDITIONS = NODEBUG;", "Release", false),
    ])
    func `a debug setting counts in a release only`(_ setting: String, _ name: String, _ isFound: Bool) {
        let text = "isa = XCBuildConfiguration;\nbuildSettings = {\n\t\(setting)\n};\nname = \(name);\n"
        #expect(rules(text, "A.xcodeproj/project.pbxproj").contains("DEBUG-SWITCH") == isFound)
    }

    @Test(arguments: [
        ("STRIP_INSTALLED_PRODUCT = NO;", true), ("STRIP_SWIFT_SYMBOLS = NO;", true),
        ("STRIP_SWIFT_SYMBOLS = YES;", false),
    ])
    func `symbols that a release keeps are a note`(_ setting: String, _ isFound: Bool) {
        let text = "buildSettings = {\n\t\(setting)\n};\nname = Release;\n"
        let report = Analyzer.analyze(Data(text.utf8), file: "A.xcodeproj/project.pbxproj")
        #expect(report.findings.map(\.severity) == (isFound ? [.note] : []))
    }

    @Test(arguments: [
        ("Release", Severity.warning), ("\"Release Test\"", .note), ("\"Release-Staging\"", .note),
        ("AppStore", .warning),
    ])
    func `a release for testers may be built like a debug build`(_ name: String, _ told: Severity) {
        let text = "buildSettings = {\n\tENABLE_TESTABILITY = YES;\n};\nname = \(name);\n"
        let report = Analyzer.analyze(Data(text.utf8), file: "A.xcodeproj/project.pbxproj")
        #expect(report.findings.map(\.severity) == [told])
    }

    @Test(arguments: [
        ("let d = attributes[.modificationDate]", true), ("let d = a[FileAttributeKey.modificationDate]", true),
        ("let d = note.modificationDate", false), ("let d = super.modificationDate", false),
        ("let d = notes[0].modificationDate", false), ("let b = file[.systemFreeSize]", true),
    ])
    func `a property that is called like an attribute of files needs no reason`(_ source: String, _ isFound: Bool) {
        for text in [source, source + String(repeating: "\nlet a = 1", count: 200)] {
            let facts = Analyzer.analyze(Data(text.utf8), file: "App/A.swift").facts
            #expect(facts.contains { $0.hasPrefix("uses:NSPrivacyAccessedAPICategory") } == isFound)
        }
    }

    @Test func `the list of a framework sets nothing for an app`() {
        let text =
            "<plist><dict><key>NSAppTransportSecurity</key><dict><key>NSAllowsArbitraryLoads</key><true/></dict></dict></plist>"
        #expect(rules(text, "App/Info.plist").contains("ATS-ARBITRARY"))
        #expect(rules(text, "App/Ads.framework/Info.plist").isEmpty)
        let kind = "<plist><dict><key>CFBundlePackageType</key><string>FMWK</string>"
        #expect(rules(text.replacing("<plist><dict>", with: kind), "Kit/Info.plist").isEmpty)
    }

    @Test func `a package that follows a branch is named in a manifest too`() {
        #expect(
            rules("let p = Package(dependencies: [.package(url: \"https://a.example/b\", branch: \"main\")])").contains(
                "DEP-UNPINNED"))
        #expect(
            !rules("let p = Package(dependencies: [.package(url: \"https://a.example/b\", from: \"1.0.0\")])").contains(
                "DEP-UNPINNED"))
    }

    @Test(arguments: [
        ("func f(q: CFDictionary) -> OSStatus { run { SecItemCopyMatching(q, $0) } }", "KEYCHAIN-STATUS"),
        ("let pemHeader = \"-----BEGIN PRIVATE KEY-----\"", "SECRET-LITERAL"),
        ("func f() { log.verbose(State.ENCRYPTION_KEY_UNKNOWN) }", "LOG-SENSITIVE"),
        (
            "func f(text: String, r: NSRegularExpression) { let n = text as NSString; let a = NSRange(location: 0, length: n.length) }",
            "LENGTH"
        ),
        ("let p = CommandLine.arguments[1]; try FileManager.default.removeItem(atPath: p)", "PATH"),
    ])
    func `what was a false alarm is silent`(_ source: String, _ rule: String) {
        #expect(!rules(source).contains(rule))
    }

    @Test func `an obfuscated constant is judged by what it becomes`() {
        let masked =
            "let apiKey = String(bytes: [108, 62, 95, 118, 53, 75, 106, 87, 48].map { $0 ^ 7 }, encoding: .utf8)"
        #expect(rules(masked).contains("SECRET-OBFUSCATED"))
        #expect(!rules("let apiKey = String(bytes: [1, 2], encoding: .utf8)").contains("SECRET-OBFUSCATED"))
    }

    @Test func `an attribute in a property list does not hide it`() {
        let text =
            "<plist><dict>\n<key>A</key><string octype=\"app\">b</string>\n<key>UIFileSharingEnabled</key><true/></dict></plist>"
        #expect(rules(text, "App/Info.plist").contains("FILE-SHARED"))
    }
}
