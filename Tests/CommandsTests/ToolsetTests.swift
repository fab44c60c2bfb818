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
        #expect(!options.contains("-enable-cross-import-overlays"))
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

    /// The options for the compiler, as `pavise toolset` writes them for `folder`; those of the linker are left out.
    private func options(_ folder: String, _ words: [String]) async throws -> [String] {
        let file = try TemporaryFolder()
        let path = file.path + "/pavise.json"
        #expect(await Stage().run(["toolset", "--library", folder, "-o", path] + words) == .done)
        let written = try JSONValue.parse(try DurableFile.read(path, limit: 65_536))
        let all = written["swiftCompiler"]?["extraCLIOptions"]?.array?.compactMap(\.string) ?? []
        return Array(all[..<(all.firstIndex(of: "-L") ?? 0)] + all[(all.firstIndex(of: "-module-alias") ?? 0)...])
    }

    /// A folder with the modules of this build and the files of Scripts/toolset-overlays.
    private func builtLibrary(in folder: TemporaryFolder) throws -> String {
        let path = try library(in: folder)
        try FileManager.default.removeItem(atPath: path + "/SecurityFramework.swiftmodule")
        let modules = CompilerCheck.modules
        for name in try FileManager.default.contentsOfDirectory(atPath: modules) where name.hasSuffix(".swiftmodule") {
            try FileManager.default.createSymbolicLink(
                atPath: path + "/" + name, withDestinationPath: modules + "/" + name)
        }
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Scripts/toolset-overlays")
        let writing = try Process.run(script, arguments: [path])
        writing.waitUntilExit()
        #expect(writing.terminationStatus == 0)
        return path
    }

    static let protections = [
        "try data.write(to: url, options: .completeFileProtection)",
        "try data.write(to: url, options: [.atomic, .completeFileProtectionUnlessOpen])",
        "try data.write(to: url, options: Data.WritingOptions.completeFileProtectionUntilFirstUserAuthentication)",
        "try FileManager.default.setAttributes([.protectionKey: FileProtectionType.complete], ofItemAtPath: url.path)",
    ]

    @Test(arguments: ["import Foundation", "import Foundation\nimport Security"])
    func `the compiler warns where a file asks for a protection that Linux has not`(_ imports: String) async throws {
        let folder = try TemporaryFolder()
        let path = try builtLibrary(in: folder)
        let head = "\(imports)\nfunc save(_ data: Data, _ url: URL) throws {\n"
        let source = head + Self.protections.joined(separator: "\n") + "\n}\n"
        let words = try await options(path, [])
        let warnings = try CompilerCheck.diagnostics(of: source, options: words)
        #expect(warnings.count == 4, "\(warnings)")
        #expect(warnings.allSatisfy { $0.contains("on Linux") && $0.contains(": warning: ") })
        let silent = head + "try data.write(to: url, options: [.atomic, .noFileProtection]); _ = errSecSuccess\n}\n"
        #expect(try CompilerCheck.diagnostics(of: silent, options: words) == [])
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
