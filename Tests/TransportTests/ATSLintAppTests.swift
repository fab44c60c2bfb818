import Foundation
import PavisePrimitives
import PaviseTransport
import Testing

/// Property lists as real apps have them, written after public descriptions and templates: everything that is found in
/// each, and nothing else. A further finding would be a false alarm, a missing one a hole.
@Suite struct `The ATS linter over the lists of apps` {
    struct App: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The body of the top dictionary.
        let keys: String
        let rules: Set<String>

        init(_ name: String, _ keys: String, _ rules: Set<String>) {
            testDescription = name
            self.keys = keys
            self.rules = rules
        }
    }

    private static let common = """
        <key>CFBundleIdentifier</key><string>org.example.app</string>
        <key>CFBundlePackageType</key><string>APPL</string>
        <key>UILaunchStoryboardName</key><string>LaunchScreen</string>
        """

    private static func ats(_ keys: String, _ more: String = "") -> String {
        "\(more)<key>NSAppTransportSecurity</key><dict>\(keys)</dict>"
    }
    private static func on(_ names: String...) -> String { names.map { "<key>\($0)</key><true/>" }.joined() }
    private static func off(_ name: String) -> String { "<key>\(name)</key><false/>" }
    private static func hosts(_ hosts: [String], _ keys: String) -> String {
        let entries = hosts.map { "<key>\($0)</key><dict>\(keys)</dict>" }.joined()
        return "<key>NSExceptionDomains</key><dict>\(entries)</dict>"
    }
    private static func pins(_ kind: String, _ numbers: UInt8...) -> String {
        let values = numbers.map { Base64.encode([UInt8](repeating: $0, count: 32)) }
        let list = values.map { "<dict><key>SPKI-SHA256-BASE64</key><string>\($0)</string></dict>" }
        return "<key>\(kind)</key><array>\(list.joined())</array>"
    }

    private static let insecure = "NSExceptionAllowsInsecureHTTPLoads"
    private static let below = "NSIncludesSubdomains"
    private static let mac = "<key>LSMinimumSystemVersion</key><string>11.0</string>"

    static let apps: [App] = [
        App("an app that says nothing", "", []),
        App("an app with an empty dictionary", ats(""), []),
        App(
            "today's template of a cross-platform framework",
            ats(off("NSAllowsArbitraryLoads") + on("NSAllowsLocalNetworking")), ["ATS-LOCAL"]),
        App(
            "the same framework's template of some years ago", ats(hosts(["localhost"], on(insecure))),
            ["ATS-INSECURE", "ATS-JUSTIFY"]),
        App(
            "a client for servers that people run themselves", ats(on("NSAllowsArbitraryLoads")),
            ["ATS-ARBITRARY", "ATS-JUSTIFY"]),
        App(
            "a browser", ats(on("NSAllowsArbitraryLoadsInWebContent", "NSAllowsLocalNetworking")),
            ["ATS-WEB", "ATS-LOCAL", "ATS-JUSTIFY"]),
        App(
            "a media player", ats(on("NSAllowsArbitraryLoadsForMedia", "NSAllowsLocalNetworking")),
            ["ATS-MEDIA", "ATS-LOCAL", "ATS-JUSTIFY"]),
        App(
            "an app whose plug-in switches on all it can",
            ats(
                on(
                    "NSAllowsArbitraryLoads", "NSAllowsLocalNetworking", "NSAllowsArbitraryLoadsInWebContent",
                    "NSAllowsArbitraryLoadsForMedia")),
            ["ATS-SHADOWED", "ATS-WEB", "ATS-MEDIA", "ATS-LOCAL", "ATS-JUSTIFY"]),
        App(
            "an app that shows videos of one site", ats(hosts(["video.example"], on(below, insecure))),
            ["ATS-INSECURE", "ATS-JUSTIFY"]),
        App(
            "a desktop wrapper around a local web server",
            ats(on("NSAllowsLocalNetworking") + hosts(["127.0.0.1"], on(insecure, below)), mac),
            ["ATS-LOCAL", "ATS-INSECURE", "ATS-SUBDOMAIN-ADDRESS", "ATS-KEY-ADDRESS", "ATS-JUSTIFY"]),
        App(
            "an app that opens everything and one host besides",
            ats(on("NSAllowsArbitraryLoads") + hosts(["api.example"], on(insecure, below))),
            ["ATS-ARBITRARY", "ATS-INSECURE", "ATS-JUSTIFY"]),
        App(
            "a widget whose entry changes nothing", ats(hosts(["api.coins.example"], off(insecure) + on(below))), []),
        App(
            "a social network's kit of 2015",
            ats(
                hosts(
                    ["social.example", "pictures.example", "cdn.example"],
                    on(below) + off("NSThirdPartyExceptionRequiresForwardSecrecy"))), ["ATS-LEGACY"]),
        App(
            "an app for a bank, which pins its authorities",
            ats(
                "<key>NSPinnedDomains</key><dict><key>bank.example</key><dict>\(pins("NSPinnedCAIdentities", 1, 2))</dict></dict>"
            ),
            []),
        App(
            "an app for an insurer, which pins one leaf and all below",
            ats(
                "<key>NSPinnedDomains</key><dict><key>insurer.example</key><dict>"
                    + on(below) + pins("NSPinnedLeafIdentities", 1) + "</dict></dict>"),
            ["PIN-NO-BACKUP", "PIN-DEPTH"]),
        App(
            "an app for devices in the house",
            ats(
                on("NSAllowsLocalNetworking") + hosts(["192.168.0.0/16"], on(insecure)),
                "<key>MinimumOSVersion</key><string>17.0</string>"),
            ["ATS-LOCAL", "ATS-INSECURE", "ATS-JUSTIFY"]),
        App(
            "an app with an old server behind it",
            ats(
                hosts(
                    ["erp.example"],
                    off("NSExceptionRequiresForwardSecrecy")
                        + "<key>NSExceptionMinimumTLSVersion</key><string>TLSv1.0</string>")),
            ["ATS-FS-OFF", "ATS-MIN-LOW", "ATS-JUSTIFY"]),
        App(
            "an app whose list was filled in by hand",
            ats(
                "<key>NSAllowsArbitraryLoads</key><string>YES</string>"
                    + hosts(["http://api.example:8080"], on(insecure))),
            ["ATS-TYPE", "ATS-KEY-SCHEME"]),
    ]

    @Test(arguments: apps) func `finds what there is and nothing else`(_ app: App) throws {
        let text = "<plist version=\"1.0\"><dict>\(Self.common)\(app.keys)</dict></plist>"
        let findings = ATSLint.findings(in: try PropertyListValue.parse(Array(text.utf8)))
        #expect(Set(findings.map(\.rule.rawValue)) == app.rules, "\(findings.map { "\($0.rule) \($0.text)" })")
    }

    /// Where a toolchain for Swift has property lists of its own.
    private static let lists: [String] = {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        guard let programs = folders.first(where: { FileManager.default.fileExists(atPath: $0 + "/swift") }) else {
            return []
        }
        let folder =
            URL(fileURLWithPath: programs + "/swift").resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().path + "/share/pm"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".resources") }.map { "\(folder)/\($0)/Info.plist" }
            .filter { FileManager.default.fileExists(atPath: $0) }
    }()

    @Test(.enabled(if: !lists.isEmpty)) func `is silent about this machine's own lists`() throws {
        for path in Self.lists {
            let list = try PropertyListValue.parse(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
            #expect(ATSLint.findings(in: list).isEmpty, "\(path)")
        }
    }
}
