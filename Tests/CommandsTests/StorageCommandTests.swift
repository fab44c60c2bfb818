import Foundation
import PaviseCommands
import PavisePrimitives
import PaviseStorage
import TestSupport
import Testing

/// `pavise storage check`: what it says, and with which status.
@Suite struct StorageCommandTests {
    let stage: DeviceStage
    let folder: TemporaryFolder
    private static let secret = "hunter2-canary"

    init() throws {
        stage = try DeviceStage()
        folder = try TemporaryFolder()
        try put("theme = dark\n", "plain.ini")
    }

    private func put(_ text: String, _ name: String) throws {
        try DurableFile.write(Array(text.utf8), to: folder.path + "/" + name)
    }

    private func check(_ options: String...) async -> LabStage.Result {
        await stage.run(["storage", "check", folder.path] + options)
    }

    @Test func `DR24: a clean folder gives no finding and the status of success`() async {
        let result = await check()
        #expect(result.status == .done && result.output.contains("1 file, 0 findings"))
    }

    @Test(arguments: [[], ["--json"], ["--sarif"]])
    func `DR24: a planted secret is told by place and rule, with status 3, and never by its value`(
        _ options: [String]
    ) async throws {
        try put("name = a\npassword = \(Self.secret)\n", "config.ini")
        let result = await stage.run(["storage", "check", folder.path] + options)
        #expect(result.status == .refused)
        #expect(result.output.contains("config.ini") && result.output.contains(StorageRule.namedSecret.rawValue))
        #expect(!result.output.contains(Self.secret) && !result.messages.contains(Self.secret))
        guard !options.isEmpty else { return }
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        if options == ["--json"] {
            let findings = try #require(object["findings"] as? [[String: Any]])
            #expect(findings.count == 1 && findings[0]["line"] as? Int == 2)
        } else {
            #expect(object["version"] as? String == "2.1.0")
            let run = try #require((object["runs"] as? [[String: Any]])?.first)
            #expect((run["results"] as? [[String: Any]])?.count == 1)
        }
    }

    @Test func `a folder that is not there is a failure and no success, and both forms at once are a mistake`() async {
        #expect(await stage.run(["storage", "check", folder.path + "/nowhere"]).status == .failed)
        #expect(await check("--json", "--sarif").status == .usage)
    }
}
