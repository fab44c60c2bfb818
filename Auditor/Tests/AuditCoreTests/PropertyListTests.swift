import AuditCore
import Foundation
import Testing

/// Rules over property lists, entitlements and privacy manifests, in three spellings each.
@Suite struct PropertyListTests {
    static let ids = Catalogue.rules.filter { $0.kind != .swift && $0.kind != .project && $0.id != "PRIVACY-MANIFEST" }
        .map(\.id)

    private func rules(_ data: Data, _ kind: FileKind) throws -> Set<String> {
        let report = Analyzer.analyze(data, file: kind.example)
        try #require(report.notAnalysed == nil)
        return Set(report.findings.map(\.rule))
    }

    private func spellings(_ text: String) throws -> [Data] {
        let value = try unsafe PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        return [
            Data(text.utf8), Data(text.replacing("><", with: ">\n\t<").utf8),
            try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0),
        ]
    }

    @Test(arguments: ids)
    func `a rule finds its bad example and is silent about its good one`(_ id: String) throws {
        let rule = try #require(Catalogue.byID[id])
        for data in try spellings(rule.bad) { #expect(try rules(data, rule.kind).contains(id)) }
        for data in try spellings(rule.good) { #expect(try !rules(data, rule.kind).contains(id)) }
    }

    @Test func `a finding names the line of its key and no value`() throws {
        let text =
            "<plist><dict>\n<key>A</key><string>b</string>\n<key>ShopAPIKey</key><string>k9Xq2LmP7vRt5w8Zb</string>\n</dict></plist>"
        let finding = try #require(Analyzer.analyze(Data(text.utf8), file: "App/Info.plist").findings.first)
        #expect(finding.line == 3)
        #expect(!String(decoding: try JSONEncoder().encode(finding), as: UTF8.self).contains("k9Xq"))
    }

    @Test func `a folder that an app shares with its group is a note`() {
        func told(_ groups: String) -> [String] {
            let key = "com.apple.security.application-groups"
            let text = "<plist><dict><key>\(key)</key><array>\(groups)</array></dict></plist>"
            let found = Analyzer.analyze(Data(text.utf8), file: "App/App.entitlements").findings
            return found.map { "\($0.rule) \($0.severity.rawValue)" }
        }
        #expect(told("<string>group.example</string>") == ["FILE-SHARED note"] && told("") == [])
    }

    @Test func `what cannot be read, is too deep or too large is said`() {
        func reason(_ text: String) -> String? { Analyzer.analyze(Data(text.utf8), file: "Info.plist").notAnalysed }
        #expect(reason("<plist><dict><key>") == "PARSE-ERROR")
        #expect(reason("<plist>" + String(repeating: "<array>", count: 65)) == "BRACKETS")
        #expect(reason(String(repeating: " ", count: 1_000_001)) == "TOO-LARGE")
        let many = String(repeating: "<string>a</string>", count: 20_001)
        #expect(reason("<plist><dict><key>A</key><array>\(many)</array></dict></plist>") == "TOO-LARGE")
    }
}
