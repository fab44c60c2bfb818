import Foundation
import PaviseCommands
import PavisePrimitives
import TestSupport
import Testing

/// `pavise document show|convert`.
@Suite struct DocumentCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func `a document is shown with its links and with what was left out`() async throws {
        let path = try file("a.html", "<h1>T\u{1B}[31m</h1><script>x</script><a href=https://example.org/a>go</a>")
        let stage = Stage()
        #expect(await stage.run("document", "show", path) == .done)
        let said = stage.output.text
        #expect(said.contains("# T[31m") && said.contains("go[1]") && !said.contains("\u{1B}"), "\(said)")
        #expect(said.contains("example.org") && said.contains("Left out: 1 script, 1 control character."), "\(said)")
        let json = Stage()
        #expect(await json.run("document", "show", path, "--json") == .done)
        #expect(json.output.text.contains(#""kind":"html""#) || json.output.text.contains(#""kind": "html""#))
        let answer = try JSONValue.parse(json.output.all)
        #expect(answer["links"]?.array?.map { $0["host"]?.string } == ["example.org"], "\(json.output.text)")
    }

    @Test func `a page is written once, and never over a file that is there`() async throws {
        let path = try file("a.md", "# Title")
        let page = folder.path + "/page.html"
        #expect(await Stage().run("document", "convert", path, page) == .done)
        let written = try String(contentsOfFile: page, encoding: .utf8)
        #expect(written.hasPrefix("<!DOCTYPE html>") && written.contains("<h1>Title</h1>"))
        let again = Stage()
        #expect(await again.run("document", "convert", path, page) == .failed)
        #expect(again.messages.text.contains("is there already"))
        #expect(try String(contentsOfFile: page, encoding: .utf8) == written)
    }

    @Test func `a link that leads nowhere is not taken for a place to write, and nobody is told so`() async throws {
        let path = try file("a.md", "# Title")
        let page = folder.path + "/page.html"
        try FileManager.default.createSymbolicLink(atPath: page, withDestinationPath: folder.path + "/nowhere")
        let stage = Stage()
        #expect(await stage.run("document", "convert", path, page) == .failed)
        #expect(stage.messages.text.contains("nothing was written"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/nowhere"))
    }

    @Test func `a document that is refused and one that is not there are told apart`() async throws {
        #expect(await Stage().run("document", "show", try file("a.pdf", "%PDF-1.7")) == .refused)
        #expect(await Stage().run("document", "show", try file("b", "PK\u{3}\u{4}")) == .refused)
        #expect(await Stage().run("document", "show", folder.path + "/none") == .failed)
    }
}
