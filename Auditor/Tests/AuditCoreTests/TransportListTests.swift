import AuditCore
import Foundation
import Testing

/// What the audit says of transport security beside what `pavise ats lint` says of the same keys: they agree on what
/// opens a connection. The linter has rules about more than that.
@Suite struct TransportListTests {
    private static let all = "<key>NSAllowsArbitraryLoads</key><true/>"
    private static let media = "<key>NSAllowsArbitraryLoadsForMedia</key>"
    private static let web = "<key>NSAllowsArbitraryLoadsInWebContent</key>"
    private static let local = "<key>NSAllowsLocalNetworking</key>"
    private static let insecure = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"

    private static func entry(_ host: String, _ keys: String) -> String {
        "<key>NSExceptionDomains</key><dict><key>\(host)</key><dict>\(keys)</dict></dict>"
    }
    private static func version(_ text: String) -> String {
        entry("a.example", "<key>NSExceptionMinimumTLSVersion</key><string>\(text)</string>")
    }

    /// Keys, the linter's rule, and the audit's findings.
    static let table: [(keys: String, linter: String, audit: [String])] = [
        (all, "ATS-ARBITRARY", ["ATS-ARBITRARY error"]),
        ("<key>NSAllowsArbitraryLoads</key><integer>1</integer>", "ATS-ARBITRARY", ["ATS-ARBITRARY error"]),
        ("<key>NSAllowsArbitraryLoads</key><string>YES</string>", "ATS-TYPE", []),
        (all + web + "<true/>", "ATS-SHADOWED", ["ATS-CONTENT warning", "ATS-SHADOWED warning"]),
        (all + media + "<true/>", "ATS-SHADOWED", ["ATS-CONTENT warning", "ATS-SHADOWED warning"]),
        (all + local + "<true/>", "ATS-SHADOWED", ["ATS-SHADOWED warning"]),
        (all + media + "<false/>", "ATS-PRESENT-FALSE", ["ATS-SHADOWED warning"]),
        (all + web + "<string>YES</string>", "ATS-ARBITRARY", ["ATS-ARBITRARY error"]),
        (media + "<true/>", "ATS-MEDIA", ["ATS-CONTENT warning"]),
        (web + "<true/>", "ATS-WEB", ["ATS-CONTENT warning"]),
        (local + "<true/>", "ATS-LOCAL", []),
        (entry("a.example", insecure), "ATS-INSECURE", ["ATS-EXCEPTION warning"]),
        (entry("com", insecure), "ATS-INSECURE", ["ATS-EXCEPTION warning"]),
        (entry("A.example", insecure), "ATS-KEY-CASE", ["PLIST-MISPLACED note"]),
        (entry("localhost:8080", insecure), "ATS-KEY-PORT", ["PLIST-MISPLACED note"]),
        (entry("*.example.org", insecure), "ATS-KEY-WILDCARD", ["PLIST-MISPLACED note"]),
        (entry("https://a.example", insecure), "ATS-KEY-SCHEME", ["PLIST-MISPLACED note"]),
        (entry(" a.example", insecure), "ATS-KEY-SPACE", ["PLIST-MISPLACED note"]),
        (entry("ä.example", insecure), "ATS-KEY-NONASCII", ["PLIST-MISPLACED note"]),
        (entry(".a.example", insecure), "ATS-KEY-DOT", ["PLIST-MISPLACED note"]),
        (
            entry("a.example", "<key>NSExceptionRequiresForwardSecrecy</key><false/>"), "ATS-FS-OFF",
            ["ATS-EXCEPTION warning"]
        ),
        (version("TLSv1.0"), "ATS-MIN-LOW", ["ATS-EXCEPTION warning"]),
        (version("TLSv1.1"), "ATS-MIN-LOW", ["ATS-EXCEPTION warning"]), (version("TLSv1.2"), "ATS-MIN-REDUNDANT", []),
        (version("TLSv1.3"), "ATS-MIN-RAISED", []), (version("1.2"), "ATS-MIN-UNKNOWN", []),
        (entry("a.example", ""), "ATS-ENTRY-EMPTY", []),
    ]

    @Test(arguments: table.map(\.keys))
    func `audit and linter agree on what a key opens`(_ keys: String) throws {
        let row = try #require(Self.table.first { $0.keys == keys })
        let text = "<plist><dict><key>NSAppTransportSecurity</key><dict>\(keys)</dict></dict></plist>"
        let found = Analyzer.analyze(Data(text.utf8), file: "App/Info.plist").findings
        #expect(found.map { "\($0.rule) \($0.severity.rawValue)" }.sorted() == row.audit, "\(row.linter)")
    }
}
