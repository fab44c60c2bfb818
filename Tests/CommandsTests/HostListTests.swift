import PavisePrimitives
import PaviseTransport
import Testing

@testable import PaviseCommands

@Suite struct HostListTests {
    /// A line, and the address that it stands for; nothing when the line is left out.
    @Test(arguments: [
        ("example.org", "https://example.org/"), ("  example.org\t", "https://example.org/"),
        ("example.org:8443", "https://example.org:8443/"), ("http://example.org", "http://example.org/"),
        ("example.org # ours", "https://example.org/"), ("https://example.org/#top", "https://example.org/"),
        ("bücher.example", "https://xn--bcher-kva.example/"),
        ("BÜCHER.example:444", "https://xn--bcher-kva.example:444/"),
        ("https://例え.jp/a", "https://xn--r8jz45g.jp/a"), ("[::1]:443", "https://[::1]/"),
    ])
    func `reads an address as a person writes it`(line: String, url: String) {
        let list = HostList(Array(line.utf8))
        #expect(list.urls.map { "\($0)" } == [url] && list.badLines.isEmpty)
    }

    @Test(arguments: [
        "a b", "ftp://example.org", "https://", "example.org:0", "example.org:99999", "user:secret@example.org",
        "user@bücher.example", "bü cher.example", "ex\u{FF0F}ample.org", "exa\u{0}mple.org",
        String(repeating: "ü", count: 9_000), String(repeating: "a", count: 70_000), "-example.org", "1.2.3",
        "xn--\u{FC}",
    ])
    func `leaves out what is no address, and says so with its line`(line: String) {
        let list = HostList(Array("good.example\n\n\(line)\nother.example".utf8))
        #expect(list.urls.map(\.origin.host) == ["good.example", "other.example"])
        #expect(list.badLines.map(\.number) == [3])
        #expect(list.badLines.allSatisfy { !$0.reason.contains("secret") && $0.reason.utf8.count < 300 })
    }

    @Test func `asks a server once that stands in the list twice, and stops at its longest list`() {
        let twice = HostList(Array("\u{FEFF}example.org\r\nhttps://EXAMPLE.org:443/\nexample.org.\n".utf8))
        #expect(twice.urls.map { "\($0)" } == ["https://example.org/"])
        let long = HostList(Array((0...HostList.count + 5).map { "h\($0).example" }.joined(separator: "\n").utf8))
        #expect(long.urls.count == HostList.count && long.badLines.count == 1)
    }
}
