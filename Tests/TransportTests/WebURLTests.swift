import PaviseTransport
import Testing

@Suite struct WebURLTests {
    @Test(arguments: [
        ("https://example.org", "https://example.org/"), ("HTTPS://Example.ORG:443/", "https://example.org/"),
        ("https://example.org:8443/a?b=c#d", "https://example.org:8443/a?b=c"),
        ("http://127.0.0.1/", "http://127.0.0.1/"),
        ("https://[::1]:8443/", "https://[::1]:8443/"), ("https://[2001:DB8:0:0:0:0:0:1]/", "https://[2001:db8::1]/"),
        ("https://[1:0:0:2:0:0:0:3]/", "https://[1:0:0:2::3]/"),
        ("https://0x7f000001.example/", "https://0x7f000001.example/"),
        ("https://xn--bcher-kva.example/", "https://xn--bcher-kva.example/"),
        ("https://a_b.example/%20", "https://a_b.example/%20"), ("https://example.org.", "https://example.org/"),
        ("https://example.org?q", "https://example.org/?q"),
        ("https://example.org/a/../b", "https://example.org/a/../b"),
    ])
    func `with one reading is used as it is`(_ text: String, _ wanted: String) throws {
        #expect(try WebURL(text).description == wanted)
    }

    @Test(arguments: [
        "", " https://example.org", "https://example.org ", "example.org", "//example.org", "ftp://example.org",
        "file:///etc/passwd",
        "javascript://example.org/%0aalert(1)", "https:/example.org", "https:example.org", "https://", "https:///path",
        "https://?q",
        "https://user@example.org", "https://user:pass@example.org", "https://good.example@evil.example/",
        "https://good.example:pw@evil.example/", "https://example.org\\@evil.example/", "https:\\\\example.org",
        "https://ex ample.org",
        "https://example.org\n", "https://exa\tmple.org", "https://example.org\u{0}.evil.example",
        "https://bücher.example",
        "https://example.org:0", "https://example.org:65536", "https://example.org:", "https://example.org:80:80",
        "https://example.org:+1",
        "https://example.org:1e3", "https://[::1", "https://::1/", "https://[::1]x/", "https://[fe80::1%25eth0]/",
        "https://[1::2::3]/",
        "https://[:::]/", "https://[12345::]/", "https://[::ffff:127.0.0.1]/", "https://256.1.1.1/", "https://127.1/",
        "https://0x7f.0.0.1/", "https://0x7f000001/", "https://127.0.0.0x1/", "https://0X7F000001/", "https://0x/",
        "https://a.0x1/", "https://1.0x/", "https://127.0.0.1./", "https://127.0.0.0x1./", "https://example.org../",
        "https://./", "https://../", "https://[::ffff:7f00:1]/", "https://[::ffff:127.0.0.1%25lo]/",
        "https://[::1.2.3.4]/",
        "https://[::1.]/", "https://[::1]./",
        "https://2130706433/", "https://017700000001/", "https://0177.0.0.1/", "https://1.2.3.4.5/",
        "https://1.2.3.4./",
        "https://%65xample.org/", "https://exa%00mple.org/",
        "https://.example.org/", "https://example..org/", "https://-a.example/", "https://a-.example/",
        "https://*.example/",
        "https://example.org/<script>", "https://example.org/{a}", "https://example.org/`", "https://example.org/\"",
        "https://example.org,evil.example/", "https://example.org;evil.example/", "https://a!b.example/",
        "https://" + String(repeating: "a", count: 64) + ".example/",
        "https://" + String(repeating: "a.", count: 127) + "example/",
        "https://example.org/" + String(repeating: "a", count: 8192),
    ])
    func `that parsers could read in two ways is refused`(_ text: String) {
        #expect(throws: WebURL.Problem.self) { try WebURL(text) }
    }

    @Test(
        arguments: [
            ("g", "/b/c/g"), ("./g", "/b/c/g"), ("g/", "/b/c/g/"), ("/g", "/g"), ("?y", "/b/c/d;p?y"),
            ("g?y", "/b/c/g?y"),
            (";x", "/b/c/;x"), ("", "/b/c/d;p?q"), (".", "/b/c/"), ("./", "/b/c/"), ("..", "/b/"), ("../", "/b/"),
            ("../g", "/b/g"),
            ("../..", "/"), ("../../g", "/g"), ("../../../g", "/g"), ("/./g", "/g"), ("/../g", "/g"), ("g.", "/b/c/g."),
            ("..g", "/b/c/..g"), ("./../g", "/b/g"), ("g/./h", "/b/c/g/h"), ("g/../h", "/b/c/h"),
            ("g?y/../x", "/b/c/g?y/../x"),
            ("/login?next=https://evil.example/", "/login?next=https://evil.example/"), ("a:b/c", nil),
            ("./a:b", "/b/c/a:b"),
        ] as [(String, String?)])
    func `resolves a reference as RFC 3986 section 5.4 says`(_ reference: String, _ wanted: String?) throws {
        let base = try WebURL("https://a.example/b/c/d;p?q")
        #expect((try? base.resolving(reference).description) == wanted.map { "https://a.example\($0)" })
    }

    @Test(
        arguments: [
            ("//b.example/x", "https://b.example/x"), ("http://b.example", "http://b.example/"), ("https:g", nil),
            ("javascript:alert(1)", nil),
            ("data:text/html,x", nil), ("//user@b.example/", nil), ("/\\evil.example", nil), ("\\\\evil.example", nil),
        ] as [(String, String?)])
    func `resolves a reference to another origin or refuses it`(_ reference: String, _ wanted: String?) throws {
        let base = try WebURL("https://a.example/b")
        #expect((try? base.resolving(reference).description) == wanted)
    }

    // A browser reads the first two as another server's address; the others lie in a segment that a later `..` takes
    // away.
    @Test(arguments: [
        "/\\evil.example/../login", "\\\\evil.example/..", "/a\\b/../login", "/a\t/../login", "/a\u{0}/../login",
        "/a\r\nLocation: x/../login", "/a\n/../login", "/a\r/../login", "/ä/../login", "/\u{202E}/../login",
        "/a b/../login",
        "/a\u{7F}/../login", "a\\../login", "../\\evil.example", "\t//evil.example", " //evil.example", "/<a>/../login",
        "?a\\b", "#a\\b", "#a\n", "/x/..?\\", "./..\\..//evil.example/x",
    ])
    func `is looked at before a later part takes something away`(_ reference: String) throws {
        let base = try WebURL("https://a.example/b")
        #expect(throws: WebURL.Problem.forbiddenCharacter) { try base.resolving(reference) }
        // A line break and the like are refused by the reader of the head already.
        var head = HTTPFields()
        guard head.append("Location", reference) else { return }
        #expect(RedirectReport(status: 302, fields: head, from: base)?.target == nil)
    }

    @Test func `that is too long is none, though parts of it go away`() throws {
        let base = try WebURL("https://a.example/b")
        let long = String(repeating: "a/../", count: 2_000)
        #expect(throws: WebURL.Problem.tooLong(limit: 8192)) { try base.resolving("/\(long)") }
    }

    // A password with a slash, a question mark or a number sign ends the authority in the middle of it.
    @Test(arguments: [
        "https://alice:canary#secret@example.org/", "https://alice:canary/secret@example.org/",
        "https://alice:canary?secret@example.org/", "https://canary:99999/secret@example.org/",
        "https://alice:canary", "https://example.org:canary/", "canary-secret", "canary", "alice:canary@example.org",
        "Bearer:canary", "canarysecretcanary://example.org", "canary-1://example.org",
    ])
    func `that is none is not repeated where it may hold a secret`(_ text: String) {
        do throws(WebURL.Problem) {
            let url = try WebURL(text)
            Issue.record("\(url)")
        } catch {
            #expect(!"\(error)".contains("canary"))
            #expect(!String(reflecting: error).contains("canary"))
        }
    }

    @Test func `that is none says what is wrong with it`() {
        func problem(_ text: String) -> WebURL.Problem? {
            do throws(WebURL.Problem) { _ = try WebURL(text) } catch { return error }
            return nil
        }
        #expect(problem("ftp://example.org") == .scheme("ftp"))
        #expect(problem("example.org/path") == .scheme(""))
        #expect(problem("https://alice:pa/ss@example.org/") == .userInformation)
        #expect(problem("https://example.org:99999/") == .port("99999"))
        #expect(problem("https://example.org:1e3/") == .port(""))
        #expect(problem("https://exa%00mple.org/") == .host("exa%00mple.org"))
        for unnamed in [WebURL.Problem.scheme(""), .port("")] { #expect(!"\(unnamed)".contains("“”")) }
        #expect((try? WebURL("https://example.org/@alice"))?.path == "/@alice")
    }

    @Test func `without a host says so`() {
        #expect(throws: WebURL.Problem.host("")) { try WebURL("https:///path") }
        #expect(
            WebURL.Problem.host("").description == "The address names no host. Write it like https://example.org/path.")
    }
}
