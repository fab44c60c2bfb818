import Foundation
import PaviseCommands
import PavisePrimitives
import TestSupport
import Testing

@Suite struct ToolsetTests {
    /// A folder as `make toolset` leaves it.
    private func library(in folder: TemporaryFolder, with names: [String] = []) throws -> String {
        let path = folder.path + "/a library"
        try FileManager.default.createDirectory(atPath: path + "/include", withIntermediateDirectories: true)
        for name in ["libPaviseSecurity.so", "SecurityFramework.swiftmodule"] + names {
            #expect(FileManager.default.createFile(atPath: path + "/" + name, contents: nil))
        }
        return URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    @Test func `the toolset names the library and gives Apple's names`() async throws {
        let folder = try TemporaryFolder()
        let path = try library(in: folder)
        let file = folder.path + "/pavise.json"
        let stage = Stage()
        #expect(await stage.run("toolset", "--library", path, "-o", file) == .done)
        #expect(stage.output.text.contains("swift test --toolset"))
        let written = try JSONValue.parse(try DurableFile.read(file, limit: 65_536))
        #expect(written["schemaVersion"]?.string == "1.0")
        let options = written["swiftCompiler"]?["extraCLIOptions"]?.array?.compactMap(\.string) ?? []
        #expect(options.contains("Security=SecurityFramework"))
        #expect(options.contains("-lPaviseSecurity"))
        #expect(options.contains(path + "/include"))
        #expect(!options.contains("LocalAuthentication=PaviseLocalAuthentication"))
    }

    @Test func `LocalAuthentication is there when the library has it`() async throws {
        let folder = try TemporaryFolder()
        let path = try library(in: folder, with: ["PaviseLocalAuthentication.swiftmodule"])
        let file = folder.path + "/pavise.json"
        #expect(await Stage().run("toolset", "--library", path, "-o", file) == .done)
        let text = String(decoding: try DurableFile.read(file, limit: 65_536), as: UTF8.self)
        #expect(text.contains("LocalAuthentication=PaviseLocalAuthentication"))
    }

    @Test func `URLSession goes through Pavise when that is asked for, and the library has it`() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/pavise.json"
        let bare = try library(in: folder)
        let stage = Stage()
        #expect(await stage.run("toolset", "--urlsession", "--library", bare, "-o", file) == .failed)
        #expect(!FileManager.default.fileExists(atPath: file))
        let path = try library(in: folder, with: ["PaviseNetworking.swiftmodule", "networking.yaml"])
        #expect(await stage.run("toolset", "--urlsession", "--library", path, "-o", file) == .done)
        let text = String(decoding: try DurableFile.read(file, limit: 65_536), as: UTF8.self)
        #expect(text.contains("PaviseNetworking") && text.contains(path + "/networking.yaml"))
        #expect(await stage.run("toolset", "--library", path, "-o", file) == .done)
        #expect(try !String(decoding: DurableFile.read(file, limit: 65_536), as: UTF8.self).contains("Networking"))
    }

    @Test func `a folder without the library is refused`() async throws {
        let folder = try TemporaryFolder()
        let stage = Stage()
        #expect(await stage.run("toolset", "--library", folder.path, "-o", folder.path + "/x.json") == .failed)
        #expect(stage.messages.text.contains("make toolset"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/x.json"))
    }

    @Test(arguments: ["not JSON", "{\"name\": 1}"])
    func `a file of somebody else's stays, a toolset is replaced`(_ text: String) async throws {
        let folder = try TemporaryFolder()
        let path = try library(in: folder)
        let file = folder.path + "/pavise.json"
        #expect(FileManager.default.createFile(atPath: file, contents: Data(text.utf8)))
        #expect(await Stage().run("toolset", "--library", path, "-o", file) == .failed)
        #expect(FileManager.default.contents(atPath: file) == Data(text.utf8))
        #expect(await Stage().run("toolset", "--library", path, "-o", file + "2") == .done)
        #expect(await Stage().run("toolset", "--library", path, "-o", file + "2") == .done)
    }
}
