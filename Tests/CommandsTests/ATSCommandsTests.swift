import Foundation
import PaviseCommands
import PavisePrimitives
import TestSupport
import Testing

@Suite struct `pavise ats decide and lint` {
    private static let insecure = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"
    private static let below = "<key>NSIncludesSubdomains</key><true/>"

    @Test func `decide prints the fields that scripts read`() async throws {
        let result = try await ATSStage().run("decide", "https://example.org", "--json")
        #expect(result.status == .done)
        let json = try #require(result.json)
        #expect(
            json.members?.map(\.name) == [
                "url", "allowed", "minimumTLS", "forwardSecrecyRequired", "cipherSuites", "certificateRules",
                "exception",
                "reasons",
            ])
        #expect(json["allowed"]?.bool == true)
        #expect(json["minimumTLS"]?.string == "TLSv1.2")
        #expect(json["forwardSecrecyRequired"]?.bool == true)
        #expect(json["cipherSuites"]?.array?.count == 13)
        #expect(json["exception"] == .null)
        #expect(json["reasons"]?.array?.last?["code"]?.string == "https")
    }

    @Test func `decide follows the Info.plist, the client and the system`() async throws {
        let stage = try ATSStage()
        let plist = try stage.plist(
            """
            <dict><key>NSAllowsArbitraryLoadsForMedia</key><true/><key>NSAllowsArbitraryLoads</key><true/>
            <key>NSExceptionDomains</key><dict><key>example.org</key><dict>\(Self.insecure)\(Self.below)</dict></dict></dict>
            """)
        let cases: [([String], Bool)] = [
            (["http://a.example"], false), (["http://a.example", "--client", "media"], true),
            (["http://a.example", "--client", "webkit"], false), (["http://a.example", "--os", "ios9"], true),
            (["http://x.y.example.org"], true), (["http://nas.local"], true),
            (["http://nas.local", "--direct", "no"], false),
            (["http://192.168.7.9"], true), (["http://192.168.8.9"], false),
            (["http://192.168.8.9", "--os", "ios16"], true),
            (["http://192.168.8.9", "--direct", "yes"], true),
        ]
        for (words, isAllowed) in cases {
            let result = await stage.run(["decide"] + words + ["--plist", plist, "--json"])
            #expect(result.json?["allowed"]?.bool == isAllowed, "\(words)")
        }
        let deep = await stage.run("decide", "http://x.y.example.org", "--plist", plist, "--json")
        #expect(deep.json?["exception"]?.string == "example.org")
        #expect(deep.json?["reasons"]?.array?.contains { $0["code"]?.string == "documentation-differs" } == true)
        let text = await stage.run("decide", "http://a.example", "http://nas.local", "--plist", plist)
        #expect(text.output.contains("blocked  http://a.example/"))
        // The error that URLSession gives: once, for the one that is blocked.
        #expect(text.output.ranges(of: "-1022 ").count == 1)
        #expect(text.output.contains("allowed  http://nas.local/"))
    }

    @Test func `decide says what is wrong with a file`() async throws {
        let stage = try ATSStage()
        #expect(await stage.run("decide", "https://a.example", "--plist", "/nowhere/Info.plist").status == .failed)
        let damaged = try stage.file("Info.plist", "<plist>\n<dict>\n<key>a</key>\n</dict></plist>")
        let result = await stage.run("decide", "https://a.example", "--plist", damaged)
        #expect(result.status == .failed)
        #expect(result.messages.contains("Line 4"))
        #expect(await stage.run("decide", "not an address").status == .usage)
        #expect(await stage.run("decide").status == .usage)
        #expect(await stage.run("decide", "https://a.example", "--os", "beforeATS").status == .usage)
    }

    @Test func `lint prints the fields that scripts read`() async throws {
        let stage = try ATSStage()
        let plist = try stage.plist("<dict><key>NSAllowsArbitraryLoads</key>\n<true/></dict>")
        let result = await stage.run("lint", plist, "--json")
        #expect(result.status == .failed)
        let findings = try #require(result.json?["findings"]?.array)
        let first = try #require(findings.first { $0["rule"]?.string == "ATS-ARBITRARY" })
        #expect(
            first.members?.map(\.name) == [
                "rule", "severity", "file", "line", "keyPath", "text", "alternative", "needsJustification",
            ])
        #expect(first["severity"]?.string == "warning")
        #expect(first["line"]?.integer == 4)
        #expect(first["file"]?.string == plist)
        #expect(first["needsJustification"]?.bool == true)
        let text = await stage.run("lint", plist)
        #expect(text.output.contains("ATS-ARBITRARY"))
        #expect(text.output.contains("1 file: 0 errors, 1 warning, 1 hint"))
    }

    @Test func `lint searches folders and passes over other lists`() async throws {
        let stage = try ATSStage()
        _ = try stage.plist("<dict><key>NSAllowsArbitraryLoads</key><true/></dict>", name: "App/Info.plist")
        _ = try stage.plist("<dict><key>NSAllowsArbitraryLoads</key><true/></dict>", name: "App/Debug.plist")
        _ = try stage.file("App/Colours.plist", "<plist><dict><key>red</key><integer>7</integer></dict></plist>")
        _ = try stage.file("App/Old.plist", "{ a = b; }")
        _ = try stage.file("Share-Info.plist", "not a list")
        let result = await stage.run("lint", stage.folder.path, "--json")
        let files = Set((result.json?["findings"]?.array ?? []).compactMap { $0["file"]?.string })
        let wanted = ["App/Info.plist", "App/Debug.plist", "Share-Info.plist"].map { "\(stage.folder.path)/\($0)" }
        #expect(files == Set(wanted))
        #expect(result.json?["findings"]?.array?.contains { $0["rule"]?.string == "PLIST-UNREADABLE" } == true)
    }

    @Test func `CL2: lint does not pass over an Info.plist that it cannot read`() async throws {
        let stage = try ATSStage()
        _ = try stage.plist("<dict/>", name: "App/Info.plist")
        #expect(await stage.run("lint", stage.folder.path).status == .done)
        let large = try stage.file("Share/Info.plist", "")
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: large))
        try file.truncate(atOffset: UInt64(PropertyListLimits().bytes + 1))
        try file.close()
        let result = await stage.run("lint", stage.folder.path)
        #expect(result.status == .failed)
        #expect(result.messages.contains("“\(large)” cannot be read"))
        // What only might be one is another's.
        try FileManager.default.moveItem(atPath: large, toPath: stage.folder.path + "/Share/Large.plist")
        #expect(await stage.run("lint", stage.folder.path).status == .done)
    }

    @Test func `CL2: lint does not pass over a folder that it cannot read`() async throws {
        let stage = try ATSStage()
        _ = try stage.plist("<dict/>", name: "App/Info.plist")
        _ = try stage.plist(
            "<dict><key>NSAllowsArbitraryLoads</key><true/></dict>", name: "App/Inner.app/Private/Info.plist")
        let closed = stage.folder.path + "/App/Inner.app/Private"
        let observer = FileObserver(failure: { $0.call == .list && $0.path == closed ? 13 : nil })
        let result = await FileObserver.$current.withValue(observer) { await stage.run("lint", stage.folder.path) }
        #expect(result.status == .failed)
        #expect(result.messages.contains("“\(closed)” cannot be read"))
        #expect(await stage.run("lint", stage.folder.path).output.contains("ATS-ARBITRARY"))
    }

    @Test func `CL2: lint is not content with a folder in which it finds nothing to look at`() async throws {
        let stage = try ATSStage()
        _ = try stage.file("App/Colours.plist", "<plist><dict><key>red</key><integer>7</integer></dict></plist>")
        let good = try stage.plist("<dict/>", name: "Other/Info.plist")
        for words in [["App"], ["Other/Info.plist", "App"]] {
            let paths = words.map { "\(stage.folder.path)/\($0)" }
            let result = await stage.run(["lint"] + paths)
            #expect(result.status == .failed)
            #expect(result.messages.contains("/App” holds no Info.plist"), "\(result.messages)")
        }
        #expect(await stage.run("lint", good).status == .done)
    }

    @Test func `lint is content with a good file`() async throws {
        let stage = try ATSStage()
        let plist = try stage.plist("<dict/>")
        #expect(await stage.run("lint", plist).status == .done)
        let hints = try stage.plist("<dict><key>NSAllowsLocalNetworking</key><true/></dict>")
        #expect(await stage.run("lint", hints).status == .done)
        #expect(await stage.run("lint", "/nowhere").status == .failed)
        #expect(await stage.run("lint", plist, "--json", "--sarif").status == .usage)
    }

    @Test func `lint gives SARIF 2.1.0 with a rule for each result`() async throws {
        let stage = try ATSStage()
        let plist = try stage.plist(
            "<dict><key>NSExceptionDomains</key><dict><key>A.example</key><dict>\(Self.insecure)</dict></dict></dict>",
            name: "My App/Info.plist")
        let result = await stage.run("lint", plist, "--sarif")
        let log = try #require(result.json)
        #expect(log["version"]?.string == "2.1.0")
        let run = try #require(log["runs"]?.array?.first)
        let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
        let results = try #require(run["results"]?.array)
        #expect(!results.isEmpty)
        for result in results {
            let index = try #require(result["ruleIndex"]?.integer)
            #expect(rules[Int(index)]["id"]?.string == result["ruleId"]?.string)
            #expect(["error", "warning", "note"].contains(result["level"]?.string))
            let place = result["locations"]?.array?.first?["physicalLocation"]
            #expect(place?["artifactLocation"]?["uri"]?.string?.contains("My%20App/Info.plist") == true)
            #expect(place?["region"]?["startLine"]?.integer ?? 1 >= 1)
        }
    }
}
