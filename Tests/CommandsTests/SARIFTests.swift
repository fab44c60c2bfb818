import PaviseLab
import PavisePrimitives
import TestSupport
import Testing

/// The logs of `lint --sarif` and `diagnose --sarif`, held against what the schema of SARIF 2.1.0 says.
@Suite struct `Logs in SARIF` {
    private static let insecure = "<key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"

    private static let lists: [String] = [
        "<dict/>", "<string>no dictionary</string>", "<dict><key>NSAllowsArbitraryLoads</key><true/></dict>",
        "<dict><key>NSExceptionDomains</key><dict><key>A.example</key><dict>\(insecure)</dict></dict></dict>",
        "<dict><key>NSExceptionDomains</key><dict><key>\u{1F511}: %zz#</key><dict>\(insecure)</dict></dict></dict>",
        "<dict><key>NSPinnedDomains</key><dict><key>a.example</key><dict/></dict></dict>",
    ]

    @Test(arguments: lists, ["Info.plist", "My App/Über: 100 %#?/Info.plist"])
    func `of the linter keep the schema`(_ body: String, _ name: String) async throws {
        let stage = try ATSStage()
        let result = await stage.run("lint", try stage.plist(body, name: name), "--sarif")
        #expect(SARIFSchema.problems(try #require(result.json)).isEmpty)
    }

    @Test func `of a file that is no property list keep the schema`() async throws {
        let stage = try ATSStage()
        for text in ["", "bplist00", "<plist><dict><key>a", "{}"] {
            let result = await stage.run("lint", try stage.file("Info.plist", text), "--sarif")
            let log = try #require(result.json)
            #expect(SARIFSchema.problems(log).isEmpty)
            #expect(log["runs"]?.array?.first?["results"]?.array?.isEmpty == false)
        }
    }

    @Test func `of the diagnosis keep the schema, whatever was found`() async throws {
        let authority = try CertificateAuthority()
        let old = LabTLS(minimum: .tls11, maximum: .tls11, securityLevel: 0)
        let servers = try [
            LabServer.start(try authority.issue()) { _ in .text("hello") },
            LabServer.start(try authority.issue(), tls: old) { _ in .text("hello") },
            LabServer.start(try CertificateAuthority().issue()) { _ in .text("hello") },
        ]
        defer { servers.forEach { $0.stop() } }
        let nobody = try TCPListener.listen().port
        let stage = try ATSStage()
        let anchors = try stage.file("ca.pem", authority.anchorPEM)
        let urls = servers.map { "https://localhost:\($0.port)/a%20b?c=d&e" }
        let result = await stage.run(["diagnose"] + urls + ["--anchors", anchors, "--sarif"])
        let log = try #require(result.json)
        #expect(SARIFSchema.problems(log).isEmpty)
        let ids = log["runs"]?.array?.first?["results"]?.array?.compactMap { $0["ruleId"]?.string }
        #expect(ids == ["ATS-DIAGNOSE-EXCEPTION", "ATS-DIAGNOSE-REFUSED"])
        let none = await stage.run("diagnose", "https://localhost:\(nobody)", "--sarif")
        #expect(SARIFSchema.problems(try #require(none.json)).isEmpty)
    }

    @Test(arguments: [
        (#"{"version": "2.1.0"}"#, "$: none of"), (#"{"version": "2.0.0", "runs": []}"#, "$.version"),
        (#"{"version": "2.1.0", "runs": [{}]}"#, "$.runs[0]: none of"),
        (#"{"version": "2.1.0", "runs": [], "more": 1}"#, "$.more"),
        (#"{"version": "2.1.0", "runs": [{"tool": {"driver": {}}}]}"#, "$.runs[0].tool.driver"),
        (#"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": 1}}}]}"#, "driver.name: no text"),
        (
            #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "a"}}, "results": [{"message": {}}]}]}"#,
            "message: none of"
        ),
        (#"{"version": "2.1.0", "runs": [], "$schema": "a b"}"#, "$schema: no URI"),
        (
            #"{"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "a"}}, "results": [{"message": {"text": ""}, "#
                + #""level": "bad", "locations": [{"physicalLocation": {"region": {"startLine": 0}}}]}]}]}"#,
            "startLine: no integer"
        ),
    ])
    func `the check finds what the schema forbids`(_ text: String, _ part: String) throws {
        let problems = SARIFSchema.problems(try JSONValue.parse(Array(text.utf8)))
        #expect(problems.contains { $0.contains(part) }, "\(problems)")
    }
}
