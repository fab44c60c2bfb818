import Foundation
import Pavise
import PaviseCommands
import PaviseLab
import PavisePrimitives
import PaviseTransport
import TestSupport

/// Runs `pavise ats …` with a folder for its files and with servers of the lab.
struct ATSStage {
    /// What one run gave.
    struct Result {
        let status: ProgramStatus
        let output: String
        let messages: String
        /// The output as JSON.
        var json: JSONValue? { try? JSONValue.parse(Array(output.utf8), limit: 1 << 22, depth: 32) }
    }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Writes a file and gives its path.
    func file(_ name: String, _ text: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Writes an Info.plist with `body` as the value of `NSAppTransportSecurity`.
    func plist(_ body: String, name: String = "Info.plist") throws -> String {
        try file(
            name, "<plist version=\"1.0\">\n<dict>\n<key>NSAppTransportSecurity</key>\n\(body)\n</dict>\n</plist>\n")
    }

    func run(_ words: String...) async -> Result { await run(words) }

    func run(_ words: [String]) async -> Result {
        let output = MemorySink()
        let messages = MemorySink()
        let environment = Environment(
            console: Console(output: output, messages: messages, allowsColour: false), person: ScriptedPerson(),
            home: PaviseHome(path: folder.path + "/home"), time: .system, keychain: MemoryKeychain(),
            browser: SystemBrowser(), makeVault: Connections.platformVault,
            makeTransport: { policy throws(TransportFailure) in try HTTPClient(policy: policy) },
            links: { LocalLinks(prefixes: ["192.168.7.1/24"]) })
        let status = await Program.run(["ats"] + words, in: environment)
        return Result(status: status, output: output.text, messages: messages.text)
    }
}
