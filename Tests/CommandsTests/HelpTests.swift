import Foundation
import PaviseCommands
import PaviseLabCommands
import PavisePrimitives
import Testing

/// The help texts are compared with the files in `Snapshots`. After a change that is meant, run the tests once with
/// `PAVISE_RECORD=1` and read the difference.
@Suite struct HelpTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Snapshots").path

    @Test(arguments: Program.paths)
    func `each help text is as it was`(_ path: [String]) throws {
        try compare(Program.help(for: path), with: ["pavise"] + path)
    }

    @Test(arguments: LabProgram.paths)
    func `each help text of the lab is as it was, and fits a terminal`(_ path: [String]) throws {
        let text = LabProgram.help(for: path)
        try compare(text, with: ["pavise-lab"] + path)
        #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.hasPrefix("  pavise") })
    }

    private func compare(_ text: String, with words: [String]) throws {
        let file = "\(Self.folder)/\(words.joined(separator: "-")).txt"
        if ProcessInfo.processInfo.environment["PAVISE_RECORD"] != nil {
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        }
        #expect(text == (try String(contentsOfFile: file, encoding: .utf8)))
    }

    @Test(arguments: Program.paths)
    func `each help text fits a terminal`(_ path: [String]) {
        let lines = Program.help(for: path).split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("  pavise") || $0.hasPrefix("  printf") })
    }

    @Test(arguments: Program.paths)
    func `CL12: “pavise help” prints the text that is compared`(_ path: [String]) async {
        let stage = Stage()
        #expect(await stage.run(["help"] + path) == .done)
        #expect(stage.output.text == Program.help(for: path))
    }

    @Test func `CL14: a line that is not understood is told as JSON where that is wanted`() async throws {
        let stage = Stage()
        #expect(await stage.run("keychain", "get", "--json") == .usage)
        let error = try JSONValue.parse(stage.output.all)["error"]
        #expect(error?["kind"]?.string == "usage" && error?["status"]?.integer == 2)
        #expect(error?["message"]?.string?.hasPrefix("SERVICE is missing.") == true)
        #expect(stage.messages.text.isEmpty)
        let plain = Stage()
        #expect(await plain.run("keychain", "get", "--", "--json") == .usage)
        #expect(plain.messages.text.contains("ACCOUNT is missing."))
    }

    @Test func `a name that is refused for its first character is told why`() async {
        let stage = Stage()
        #expect(await stage.run("connect", "https://cloud.example.org", "--name", ".work") == .usage)
        #expect(stage.messages.text.contains("no “-” or “.” in front"))
    }

    @Test func `the version is one line`() async {
        let stage = Stage()
        #expect(await stage.run("--version") == .done)
        #expect(stage.output.text == "pavise \(Program.version)\n")
    }

    @Test(arguments: [["lab"], ["lab", "authority"], ["demo"], ["demo", "--scene", "1", "--json"]])
    func `what is in the lab's program is told with its name`(_ words: [String]) async {
        let stage = Stage()
        #expect(await stage.run(words) == .usage)
        let said = stage.output.text + stage.messages.text
        #expect(said.contains(words[0] == "lab" ? "“pavise-lab”" : "“pavise-lab demo”"), "\(said)")
    }

    @Test func `colours are for terminals`() async {
        let stage = Stage()
        stage.messages.becomeTerminal()
        _ = await stage.run("keychain", "delete", "s", "a")
        #expect(stage.messages.text.hasPrefix("\u{1B}[31m"))
        let plain = Stage()
        _ = await plain.run("keychain", "delete", "s", "a")
        #expect(!plain.messages.text.contains("\u{1B}"))
    }
}
