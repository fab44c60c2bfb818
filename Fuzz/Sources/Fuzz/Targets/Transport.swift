internal import PaviseTransport

extension FuzzTarget {
    static let transport = [webURL, location, form, headerValue]

    private static let webURL = FuzzTarget(
        text: "web-url",
        seeds: [
            "https://example.org/path?query#fragment", "https://[::1]:8443/", "http://127.0.0.1", "https://a@b/",
            "https://xn--bcher-kva.example./", "https://h:65536/", "https://0x7f.1/", "https://[1::2:3%25eth0]/",
        ]
    ) { text in
        guard let url = try? WebURL(text) else { return }
        guard let again = try? WebURL(url.description) else {
            return require(false, "an address does not read its own text")
        }
        require(
            again.origin == url.origin && again.path == url.path && again.query == url.query,
            "an address has two readings")
        require(!url.origin.host.contains("@") && !url.origin.host.contains("/"), "the host holds a delimiter")
    }

    private static let location = FuzzTarget(
        text: "location",
        seeds: [
            "/next", "//evil.example/", "https://other.example/x", "http://cloud.example/", "?q=1", "#f", "a/../b",
            "javascript:1",
        ]
    ) { text in
        guard let from = try? WebURL("https://cloud.example/dav/files/?a=b") else { return }
        var fields = HTTPFields()
        fields.append("Location", text)
        guard let report = RedirectReport(status: 302, fields: fields, from: from), let target = report.target else {
            return
        }
        require(
            report.concerns.contains(.otherOrigin) == (target.origin != from.origin), "another origin is not reported")
        require(target.origin.scheme == .https || report.concerns.contains(.downgrade), "a downgrade is not reported")
    }

    private static let form = FuzzTarget(text: "form", seeds: ["a=b&c=d", "a=%20+b", "=", "&&", "a=%GG", "a=%c3%a9"]) {
        text in
        guard let pairs = FormEncoding.decode(text) else { return }
        let again = FormEncoding.decode(FormEncoding.encode(pairs.map { ($0.name, $0.value) })) ?? []
        require(
            again.map(\.name) == pairs.map(\.name) && again.map(\.value) == pairs.map(\.value),
            "a form has two readings")
    }

    private static let headerValue = FuzzTarget(text: "header", seeds: ["Bearer x", "a\r\nb: c", "\u{7F}", "naïve"]) {
        text in
        var fields = HTTPFields()
        if fields.append("X", text) {
            require(!text.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }, "a line break got in")
        }
        if fields.append(text, "v") {
            require(!text.utf8.contains { $0 <= 32 || $0 == 58 || $0 >= 127 }, "a name is no token")
        }
    }
}
