import PavisePrimitives
import PaviseTransport
import Testing

/// Each rule with keys that break it and keys that do not. The keys are the body of `NSAppTransportSecurity`, or a
/// whole list.
@Suite struct `The ATS linter` {
    private static func list(_ body: String, around more: String = "") -> [UInt8] {
        Array("<plist><dict>\(more)<key>NSAppTransportSecurity</key>\(body)</dict></plist>".utf8)
    }

    private static func rules(_ body: String, around more: String = "") throws -> Set<String> {
        let list = try PropertyListValue.parse(list(body, around: more))
        return Set(ATSLint.findings(in: list).map(\.rule.rawValue))
    }

    private static func dict(_ keys: String) -> String { "<dict>\(keys)</dict>" }
    private static func flag(_ name: String, _ value: Bool = true) -> String { "<key>\(name)</key><\(value)/>" }
    private static func entry(_ host: String, _ keys: String) -> String { "<key>\(host)</key><dict>\(keys)</dict>" }
    private static func exceptions(_ entries: String, _ more: String = "") -> String {
        dict("\(more)<key>NSExceptionDomains</key><dict>\(entries)</dict>")
    }
    private static func pinned(_ entries: String, _ more: String = "") -> String {
        dict("\(more)<key>NSPinnedDomains</key><dict>\(entries)</dict>")
    }
    private static func pins(_ kind: String, _ values: String...) -> String {
        let elements = values.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }
        return "<key>\(kind)</key><array>\(elements.joined())</array>"
    }
    private static func version(_ text: String) -> String {
        "<key>NSExceptionMinimumTLSVersion</key><string>\(text)</string>"
    }

    private static let all = "NSAllowsArbitraryLoads"
    private static let media = "NSAllowsArbitraryLoadsForMedia"
    private static let web = "NSAllowsArbitraryLoadsInWebContent"
    private static let near = "NSAllowsLocalNetworking"
    private static let insecure = flag("NSExceptionAllowsInsecureHTTPLoads")
    private static let below = flag("NSIncludesSubdomains")
    private static let one = Base64.encode([UInt8](repeating: 1, count: 32))
    private static let two = Base64.encode([UInt8](repeating: 2, count: 32))
    private static let leaves = "NSPinnedLeafIdentities"
    private static let authorities = "NSPinnedCAIdentities"
    private static let modern = "<key>MinimumOSVersion</key><string>17.0</string>"

    static let broken: [(String, String)] = [
        ("ATS-TYPE", "<string>YES</string>"), ("ATS-TYPE", dict("<key>\(all)</key><string>YES</string>")),
        ("ATS-TYPE", dict("<key>\(all)</key><integer>2</integer>")),
        ("ATS-TYPE", dict("<key>NSExceptionDomains</key><array/>")),
        ("ATS-TYPE", dict("<key>NSExceptionDomains</key><dict><key>a.example</key><true/></dict>")),
        ("ATS-TYPE", exceptions(entry("a.example", "<key>NSExceptionMinimumTLSVersion</key><real>1.2</real>"))),
        ("ATS-ARBITRARY", dict(flag(all))), ("ATS-ARBITRARY", dict("<key>\(all)</key><integer>1</integer>")),
        ("ATS-SHADOWED", dict(flag(all) + flag(web))), ("ATS-SHADOWED", dict(flag(all) + flag(near))),
        ("ATS-PRESENT-FALSE", dict(flag(all) + flag(media, false))), ("ATS-MEDIA", dict(flag(media))),
        ("ATS-WEB", dict(flag(web))), ("ATS-LOCAL", dict(flag(near))),
        ("ATS-INSECURE", exceptions(entry("a.example", insecure))),
        ("ATS-INSECURE-WIDE", exceptions(entry("com", insecure + below))),
        ("ATS-INSECURE-WIDE", exceptions(entry("co.uk", insecure + below))),
        ("ATS-INSECURE-WIDE", exceptions(entry("amazonaws.com", insecure + below))),
        ("ATS-INSECURE-WIDE", exceptions(entry("0.0.0.0/0", insecure))),
        ("ATS-INSECURE-WIDE", exceptions(entry("::/0", insecure))),
        ("ATS-FS-OFF", exceptions(entry("a.example", flag("NSExceptionRequiresForwardSecrecy", false)))),
        ("ATS-MIN-LOW", exceptions(entry("a.example", version("TLSv1.0")))),
        ("ATS-MIN-LOW", exceptions(entry("a.example", version("TLSv1.1")))),
        ("ATS-MIN-REDUNDANT", exceptions(entry("a.example", version("TLSv1.2")))),
        ("ATS-MIN-RAISED", exceptions(entry("a.example", version("TLSv1.3")))),
        ("ATS-MIN-UNKNOWN", exceptions(entry("a.example", version("1.2")))),
        ("ATS-MIN-UNKNOWN", exceptions(entry("a.example", version("TLSV1.2")))),
        ("ATS-MIN-UNKNOWN", exceptions(entry("a.example", version("DTLSv1.2")))),
        ("ATS-CT-DEAD", exceptions(entry("a.example", flag("NSRequiresCertificateTransparency")))),
        ("ATS-LEGACY", exceptions(entry("a.example", flag("NSThirdPartyExceptionAllowsInsecureHTTPLoads")))),
        ("ATS-LEGACY", exceptions(entry("a.example", flag("NSTemporaryExceptionAllowsInsecureHTTPLoads")))),
        ("ATS-LEGACY", dict(flag("NSAllowsArbitraryLoadsInMedia"))),
        ("ATS-UNKNOWN-KEY", dict(flag("NSAllowArbitraryLoads"))),
        ("ATS-UNKNOWN-KEY", exceptions(entry("a.example", flag("NSExceptionAllowsLocalNetworking")))),
        ("ATS-UNKNOWN-KEY", dict(insecure)), ("ATS-KEY-CASE", exceptions(entry("A.example", insecure))),
        ("ATS-KEY-PORT", exceptions(entry("localhost:8080", insecure))),
        ("ATS-KEY-WILDCARD", exceptions(entry("*.example.org", insecure))),
        ("ATS-KEY-SCHEME", exceptions(entry("https://a.example", insecure))),
        ("ATS-KEY-SPACE", exceptions(entry(" a.example", insecure))),
        ("ATS-KEY-NONASCII", exceptions(entry("bücher.example", insecure))),
        ("ATS-KEY-DOT", exceptions(entry(".example.org", insecure))),
        ("ATS-KEY-DOT", exceptions(entry("example.org.", insecure))),
        ("ATS-KEY-DOT", pinned(entry("a.example.", pins(leaves, one, two)))),
        ("ATS-INSECURE", exceptions(entry("example.org.", insecure))),
        ("ATS-KEY-ADDRESS", exceptions(entry("192.0.2.1", insecure))),
        ("ATS-KEY-ADDRESS", exceptions(entry("2001:0db8::1", insecure))),
        ("ATS-CIDR-DEAD", exceptions(entry("192.168.100.128/25", insecure))),
        ("ATS-CIDR-DEAD", exceptions(entry("example.org/path", insecure))),
        ("ATS-CIDR-OCTAL", exceptions(entry("10.0.0.0/08", insecure))),
        ("ATS-CIDR-TIE", exceptions(entry("10/8", insecure) + entry("10.1.0.0/8", ""))),
        ("ATS-SUBDOMAIN-DEPTH", exceptions(entry("b.example", insecure + below) + entry("x.y.b.example", ""))),
        ("ATS-SUBDOMAIN-ADDRESS", exceptions(entry("192.0.2.1", insecure + below))),
        ("ATS-ENTRY-EMPTY", exceptions(entry("a.example", ""), flag(all))),
        ("ATS-ENTRY-COVERED", exceptions(entry("b.example", insecure + below) + entry("a.b.example", insecure))),
        ("ATS-BUILTIN", exceptions(entry("apple.com", insecure))), ("ATS-JUSTIFY", dict(flag(all))),
        ("PIN-EMPTY", pinned(entry("a.example", "<key>\(leaves)</key><array/>"))),
        ("PIN-VALUE", pinned(entry("a.example", pins(leaves, "AAEC", one)))),
        ("PIN-VALUE", pinned(entry("a.example", pins(leaves, "not base64", one)))),
        ("PIN-VALUE", pinned(entry("a.example", "<key>\(leaves)</key><string>\(one)</string>"))),
        ("PIN-VALUE", pinned(entry("a.example", "<key>\(leaves)</key><array><string>\(one)</string></array>"))),
        ("PIN-DUPLICATE", pinned(entry("a.example", pins(leaves, one, two, one)))),
        ("PIN-NO-BACKUP", pinned(entry("a.example", pins(leaves, one)))),
        ("PIN-DEPTH", pinned(entry("a.example", below + pins(leaves, one, two)))),
        ("PIN-ADDRESS", pinned(entry("10/8", pins(leaves, one, two)))),
        (
            "PIN-HTTP",
            dict(
                "<key>NSExceptionDomains</key><dict>\(entry("a.example", insecure))</dict>"
                    + "<key>NSPinnedDomains</key><dict>\(entry("a.example", pins(leaves, one, two)))</dict>")
        ),
        // Pins are looked up without regard to case, and cover a label below; entries are compared byte for byte.
        (
            "PIN-HTTP",
            dict(
                "<key>NSExceptionDomains</key><dict>\(entry("a.example", insecure))</dict>"
                    + "<key>NSPinnedDomains</key><dict>\(entry("A.Example", pins(leaves, one, two)))</dict>")
        ),
        (
            "PIN-HTTP",
            dict(
                "<key>NSExceptionDomains</key><dict>\(entry("api.a.example", insecure))</dict>"
                    + "<key>NSPinnedDomains</key><dict>\(entry("a.example", below + pins(leaves, one, two)))</dict>")
        ),
        ("PIN-ARBITRARY", pinned(entry("a.example", pins(leaves, one, two)), flag(all))),
        (
            "PIN-MERGE",
            pinned(entry("b.example", below + pins(leaves, one, two)) + entry("a.b.example", pins(leaves, one, two)))
        ),
        ("PLIST-DUPLICATE-KEY", dict(flag(all) + flag(all, false))),
    ]

    @Test(arguments: broken) func `finds what each rule is about`(_ rule: String, _ body: String) throws {
        #expect(try Self.rules(body).contains(rule))
    }

    @Test func `finds dropped pins only where SecTrustPinningRequired is true`() throws {
        let body = Self.pinned(
            Self.entry("a.example", Self.pins(Self.leaves, Self.one) + Self.pins(Self.authorities, Self.two)))
        #expect(try Self.rules(body, around: Self.flag("SecTrustPinningRequired")).contains("PIN-REQUIRED"))
        #expect(try !Self.rules(body, around: Self.flag("SecTrustPinningRequired", false)).contains("PIN-REQUIRED"))
    }

    static let kept: [(String, String)] = [
        ("ATS-TYPE", dict("<key>\(all)</key><integer>1</integer>")), ("ATS-ARBITRARY", dict(flag(all, false))),
        ("ATS-ARBITRARY", dict(flag(all) + flag(media, false))),
        ("ATS-ARBITRARY", dict("<key>\(all)</key><string>YES</string>")),
        ("ATS-SHADOWED", dict(flag(web))), ("ATS-SHADOWED", dict(flag(all, false) + flag(web))),
        ("ATS-PRESENT-FALSE", dict(flag(media, false))), ("ATS-PRESENT-FALSE", dict(flag(all) + flag(media))),
        ("ATS-MEDIA", dict(flag(media, false))), ("ATS-WEB", dict(flag(web, false))),
        ("ATS-LOCAL", dict(flag(near, false))),
        ("ATS-INSECURE", exceptions(entry("a.example", flag("NSExceptionAllowsInsecureHTTPLoads", false)))),
        ("ATS-INSECURE", exceptions(entry("A.example", insecure))),
        ("ATS-INSECURE", exceptions(entry("https://a.example", insecure))),
        ("ATS-INSECURE", exceptions(entry("192.168.100.128/25", insecure))),
        ("ATS-MIN-LOW", exceptions(entry("*.a.example", version("TLSv1.0")))),
        ("ATS-FS-OFF", exceptions(entry("a.example:443", flag("NSExceptionRequiresForwardSecrecy", false)))),
        ("ATS-INSECURE-WIDE", exceptions(entry("example.org", insecure + below))),
        ("ATS-INSECURE-WIDE", exceptions(entry("amazonaws.com", insecure))),
        ("ATS-INSECURE-WIDE", exceptions(entry("10.0.0.0/8", insecure))),
        ("ATS-INSECURE-WIDE", exceptions(entry("localhost", insecure + below))),
        ("ATS-FS-OFF", exceptions(entry("a.example", flag("NSExceptionRequiresForwardSecrecy")))),
        ("ATS-MIN-LOW", exceptions(entry("a.example", version("TLSv1.2")))),
        ("ATS-MIN-UNKNOWN", exceptions(entry("a.example", version("TLSv1.3")))),
        ("ATS-UNKNOWN-KEY", exceptions(entry("a.example", insecure + below + version("TLSv1.2")))),
        ("ATS-KEY-CASE", exceptions(entry("2001:DB8::1", insecure))),
        ("ATS-KEY-PORT", exceptions(entry("2001:db8::1", insecure))),
        ("ATS-KEY-DOT", exceptions(entry("a.example", insecure))),
        ("ATS-CIDR-DEAD", exceptions(entry("10/8", insecure))),
        ("ATS-CIDR-OCTAL", exceptions(entry("0.0.0.0/0", insecure))),
        ("ATS-CIDR-TIE", exceptions(entry("10/8", insecure) + entry("10/16", ""))),
        ("ATS-SUBDOMAIN-DEPTH", exceptions(entry("b.example", insecure + below) + entry("y.b.example", ""))),
        ("ATS-SUBDOMAIN-DEPTH", exceptions(entry("b.example", insecure) + entry("x.y.b.example", ""))),
        ("ATS-SUBDOMAIN-ADDRESS", exceptions(entry("a.example", below + insecure))),
        ("ATS-ENTRY-EMPTY", exceptions(entry("a.example", version("TLSv1.2")))),
        (
            "ATS-ENTRY-COVERED",
            exceptions(entry("b.example", insecure + below) + entry("a.b.example", version("TLSv1.1")))
        ),
        ("ATS-ENTRY-COVERED", exceptions(entry("b.example", insecure) + entry("a.b.example", insecure))),
        ("ATS-BUILTIN", exceptions(entry("example.com", insecure))),
        ("ATS-JUSTIFY", dict(flag(near))),
        ("ATS-JUSTIFY", exceptions(entry("a.example", flag("NSExceptionRequiresForwardSecrecy", false)))),
        ("PIN-VALUE", pinned(entry("a.example", pins(leaves, one, two)))),
        ("PIN-NO-BACKUP", pinned(entry("a.example", pins(leaves, one, two)))),
        ("PIN-NO-BACKUP", pinned(entry("a.example", pins(authorities, one, two)))),
        ("PIN-DEPTH", pinned(entry("a.example", pins(leaves, one, two)))),
        ("PIN-HTTP", pinned(entry("a.example", pins(leaves, one, two)))),
        (
            "PIN-HTTP",
            dict(
                "<key>NSExceptionDomains</key><dict>\(entry("api.a.example", insecure))"
                    + "\(entry("b.api.a.example", insecure))</dict>"
                    + "<key>NSPinnedDomains</key><dict>\(entry("a.example", pins(leaves, one, two)))</dict>")
        ),
        (
            "PIN-ARBITRARY",
            dict(
                flag(all) + "<key>NSExceptionDomains</key><dict>\(entry("a.example", ""))</dict>"
                    + "<key>NSPinnedDomains</key><dict>\(entry("A.Example", pins(leaves, one, two)))</dict>")
        ),
        ("PIN-ARBITRARY", pinned(entry("a.example", pins(leaves, one, two)), flag(all) + flag(media, false))),
        (
            "PIN-MERGE",
            pinned(entry("b.example", pins(leaves, one, two)) + entry("a.b.example", pins(leaves, one, two)))
        ),
    ]

    @Test(arguments: kept) func `is silent where a rule is kept`(_ rule: String, _ body: String) throws {
        #expect(try !Self.rules(body).contains(rule))
    }

    @Test func `says nothing about an entry for an address when the app needs iOS 17`() throws {
        let body = Self.exceptions(Self.entry("192.0.2.1", Self.insecure))
        #expect(try !Self.rules(body, around: Self.modern).contains("ATS-KEY-ADDRESS"))
        let old = "<key>MinimumOSVersion</key><string>16.4</string>"
        #expect(try Self.rules(body, around: old).contains("ATS-KEY-ADDRESS"))
    }

    @Test func `has nothing to say about an app without ATS keys, or with good ones`() throws {
        #expect(ATSLint.findings(in: try PropertyListValue.parse(Array("<dict/>".utf8))).isEmpty)
        #expect(try Self.rules(Self.dict("")).isEmpty)
        let good = Self.pinned(Self.entry("a.example", Self.pins(Self.leaves, Self.one, Self.two)))
        #expect(try Self.rules(good).isEmpty)
    }

    @Test(arguments: [
        "<key>NSAllowsArbitraryLoads</key><true/>", "<key>NSExceptionDomains</key><dict/>",
        "<key>NSPinnedDomains</key><dict/>", "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>",
    ])
    func `reports a key that stands beside the dictionary it belongs into`(_ text: String) throws {
        #expect(try Self.rules(Self.dict(""), around: text) == ["ATS-UNKNOWN-KEY"])
        let alone = try PropertyListValue.parse(Array("<dict>\(text)</dict>".utf8))
        let finding = try #require(ATSLint.findings(in: alone).first)
        #expect(finding.rule == .unknownKey && !finding.keyPath.contains(":"))
        #expect(finding.alternative == "Move it into NSAppTransportSecurity, or delete it.")
    }

    @Test(arguments: [("a.b.example", "Delete this entry."), ("x.a.b.example", "Keep this entry")])
    func `does not advise to delete an entry that the documentation asks for`(_ host: String, _ advice: String) throws {
        let entries = Self.entry("b.example", Self.insecure + Self.below) + Self.entry(host, Self.insecure)
        let list = "<dict><key>NSAppTransportSecurity</key>\(Self.exceptions(entries))</dict>"
        let found = ATSLint.findings(in: try PropertyListValue.parse(Array(list.utf8))).filter {
            $0.rule == .entryCovered
        }
        #expect(found.count == 1 && found.first?.alternative?.hasPrefix(advice) == true)
    }

    @Test func `covers every rule`() {
        let tested = Set(Self.broken.map(\.0)).union(["PIN-REQUIRED", "PLIST-UNREADABLE"])
        #expect(Set(ATSLintRule.allCases.map(\.rawValue)) == tested)
        #expect(ATSLintRule.allCases.allSatisfy { !$0.summary.isEmpty })
    }

    @Test func `tells the line and the path of a key`() throws {
        let text = """
            <plist>
            <dict>
            <key>NSAppTransportSecurity</key>
            <dict>
            <key>NSExceptionDomains</key>
            <dict>
            <key>old.example</key>
            <dict>
            <key>NSExceptionMinimumTLSVersion</key>
            <string>TLSv1.1</string>
            </dict>
            </dict>
            </dict>
            </dict>
            </plist>
            """
        let finding = try #require(
            ATSLint.findings(in: try PropertyListValue.parse(Array(text.utf8))).first { $0.rule == .minimumLow })
        #expect(finding.line == 9)
        #expect(
            finding.keyPath == "NSAppTransportSecurity:NSExceptionDomains:old.example:NSExceptionMinimumTLSVersion")
        #expect(finding.needsJustification)
        #expect(finding.alternative != nil)
    }
}
