import PaviseValidation
import Testing

@Suite struct DeepLinkTests {
    enum Target: Hashable { case invitation, file, home }

    static let links = DeepLinks<Target>([
        .init(.invitation, scheme: "https", host: "app.example.org", path: "/invite/:code", query: ["from", "lang"]),
        .init(.file, scheme: "org.example.app", host: "open", path: "/file/:id"),
        .init(.home, scheme: "https", host: "app.example.org", path: "/"),
        .init(.home, scheme: "javascript", host: "app.example.org", path: "/"),
    ])

    private func problem(_ text: String) -> DeepLinkProblem? {
        do throws(DeepLinkProblem) {
            _ = try Self.links.read(text)
            return nil
        } catch {
            return error
        }
    }

    @Test func `what is on the list is read into types`() throws {
        let invitation = try Self.links.read("HTTPS://App.Example.Org/invite/a%C3%A9+b?from=ann%20b&lang=")
        #expect(invitation.target == .invitation)
        #expect(invitation["code"] == "aé+b")
        #expect(invitation["from"] == "ann b")
        #expect(invitation["lang"] == "")
        #expect(invitation["other"] == nil)
        #expect(try Self.links.read("org.example.app://open/file/42")["id"] == "42")
        #expect(try Self.links.read("https://app.example.org").target == .home)
        #expect(try Self.links.read("https://app.example.org/").target == .home)
    }

    @Test(
        arguments: [
            // User information, and what looks like it.
            ("https://app.example.org@evil.example/invite/1", .userInformation),
            ("https://user:secret@app.example.org/invite/1", .userInformation),
            ("https://app.example.org%40evil.example/invite/1", .host), ("https://@app.example.org/", .userInformation),
            // Backslashes, blanks and control characters.
            ("https:\\\\app.example.org/", .forbiddenCharacter),
            ("https://evil.example\\@app.example.org/", .forbiddenCharacter),
            ("https://app.example.org/invite\\..\\1", .forbiddenCharacter),
            (" https://app.example.org/", .forbiddenCharacter),
            ("https://app.example.org/\u{0}", .forbiddenCharacter),
            ("https://app.example.org/\r\nx", .forbiddenCharacter),
            ("java\tscript://app.example.org/", .forbiddenCharacter),
            ("https://app.example.org/in\u{200D}vite/1", .forbiddenCharacter),
            // Hosts that look like another one.
            ("https://аpp.example.org/", .forbiddenCharacter), ("https://app.example。org/", .forbiddenCharacter),
            ("https://xn--pp-6kc.example.org/", .unknown), ("https://app%2Eexample.org/", .host),
            ("https://%61pp.example.org/", .host), ("https://app.example.org./", .host),
            ("https://.app.example.org/", .host),
            ("https://app..example.org/", .host), ("https://127.0.0.1/", .host), ("https://0x7f000001/", .host),
            ("https://2130706433/", .host), ("https://[::1]/", .host),
            ("https://app.example.org.evil.example/", .unknown),
            ("https://evil-app.example.org/", .unknown), ("https://app_example.org/", .host), ("https:///", .authority),
            // Ports.
            ("https://app.example.org:443/", .port), ("https://app.example.org:65979/", .port),
            ("https://app.example.org:/", .port),
            ("https://app.example.org:99999999999999999999/", .port), ("https://app.example.org:-1/", .port),
            // Schemes.
            ("http://app.example.org/", .scheme), ("javascript://app.example.org/%0Aalert(1)", .scheme),
            ("JaVaScRiPt://app.example.org/", .scheme), ("data://app.example.org/", .scheme),
            ("file:///etc/passwd", .scheme),
            ("intent://app.example.org/", .scheme), ("//app.example.org/", .scheme), ("app.example.org/", .scheme),
            ("https:app.example.org/", .authority), ("https:/app.example.org/", .authority),
            ("https:////app.example.org/", .authority), ("1https://app.example.org/", .scheme),
            ("org.example.other://open/file/1", .unknown),
            ("https+x://app.example.org/", .unknown), ("view-source://app.example.org/", .scheme), (":", .scheme),
            ("https://open/file/42", .unknown),
            // Paths.
            ("https://app.example.org/invite/../invite/1", .path), ("https://app.example.org/invite/%2e%2e/x", .path),
            ("https://app.example.org/invite/%2E", .path), ("https://app.example.org/invite/a%2Fb", .path),
            ("https://app.example.org/invite/a%5Cb", .path), ("https://app.example.org/invite/a%252Fb", .path),
            ("https://app.example.org/invite/a%00b", .path), ("https://app.example.org/invite/a%0Ab", .path),
            ("https://app.example.org//invite/1", .path), ("https://app.example.org/invite/1/", .path),
            ("https://app.example.org/invite/%E2%80%AE1", .path), ("https://app.example.org/invite/%FF", .path),
            ("https://app.example.org/invite/%", .path), ("https://app.example.org/invite/%4", .path),
            ("https://app.example.org/invite/%zz", .path), ("https://app.example.org/Invite/1", .unknown),
            ("https://app.example.org/invite/1/2", .unknown), ("https://app.example.org/invite", .unknown),
            // Queries and fragments.
            ("https://app.example.org/invite/1?from=a&from=b", .query),
            ("https://app.example.org/invite/1?f%72om=a&from=b", .query),
            ("https://app.example.org/invite/1?next=https://evil.example", .unknownQuery),
            ("https://app.example.org/invite/1?from=%", .query), ("https://app.example.org/invite/1?=a", .query),
            ("https://app.example.org/invite/1?from=a%0D%0AX", .query), ("https://app.example.org/invite/1?&", .query),
            ("https://app.example.org/invite/1#from=a", .fragment), ("https://app.example.org/#", .fragment),
            ("", .length),
        ] as [(String, DeepLinkProblem)])
    func `every trick is refused, with its reason`(_ text: String, _ reason: DeepLinkProblem) {
        #expect(problem(text) == reason)
    }

    @Test func `length and number are bounded`() {
        #expect(problem("https://app.example.org/invite/" + String(repeating: "a", count: 2048)) == .length)
        let many = (0..<33).map { "a\($0)=1" }.joined(separator: "&")
        #expect(problem("https://app.example.org/invite/1?" + many) == .query)
    }
}
