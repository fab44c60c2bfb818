internal import PaviseTransport

extension FuzzTarget {
    static let answers = [head, cookie, strictTransport, contentRange, proxies, pinnedDomains]

    private static let head = FuzzTarget(
        text: "head",
        seeds: [
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX: y\r\n", "HTTP/2 204\r\n", "HTTP/1.1 200 OK\r\n folded\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n",
        ]
    ) { text in
        guard let fields = try? HTTPFields(head: Array(text.utf8)) else { return }
        require(fields.fields.count <= 200, "more fields than the limit")
        for field in fields.fields {
            require(!field.value.utf8.contains { $0 == 10 || $0 == 13 || $0 == 0 }, "a line break got in")
        }
    }

    private static let cookie = FuzzTarget(
        text: "cookie",
        seeds: [
            "a=b; Path=/; Secure", "__Host-a=b; Secure; Path=/", "a=b; Max-Age=10; Domain=a.example",
            "a=b; Expires=Thu, 01 Jan 1970 00:00:10 GMT", "=;=;=",
        ]
    ) { text in
        guard let url = try? WebURL("https://a.example/x/y") else { return }
        guard let cookie = Cookie(text, from: url, at: 0) else { return }
        require(cookie.path.hasPrefix("/"), "a path without its first slash")
        let jar = CookieJar()
        var fields = HTTPFields()
        fields.append("Set-Cookie", text)
        jar.store(fields, from: url, at: 0)
        for other in ["https://b.example/x/y", "http://a.example/x/y", "https://a.example:444/x/y"] {
            guard let other = try? WebURL(other) else { continue }
            require(jar.cookies(for: other, at: 0).isEmpty, "a cookie crosses an origin")
        }
    }

    private static let strictTransport = FuzzTarget(
        text: "strict-transport",
        seeds: ["max-age=10; includeSubDomains", "max-age=\"1\"", ";;max-age=9;x", "max-age=0"]
    ) { text in
        guard let wish = HSTSPolicy(text) else { return }
        require(wish.maxAge >= 0, "a time below nothing")
    }

    private static let contentRange = FuzzTarget(
        text: "content-range", seeds: ["bytes 0-9/20", "bytes */20", "bytes 0-9/*", "bytes 5-4/3"]
    ) { text in
        guard let range = ContentRange(text), let first = range.first, let last = range.last else { return }
        require(first <= last && range.total.map { last < $0 } != false, "a range outside the whole")
    }

    // The proxy, a blank, the exceptions.
    private static let proxies = FuzzTarget(
        text: "proxies", seeds: ["http://p.example:1 a.example,.b.example", "p:1 *", "http://u:p@h [::1]:443"]
    ) { text in
        let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rules = ProxyRules.environment(["https_proxy": parts[0], "no_proxy": parts.count > 1 ? parts[1] : ""])
        guard let url = try? WebURL("https://a.example/"), case .proxy(let way) = rules.way(to: url.origin) else {
            return
        }
        require(way.hasPrefix("http://") && !way.contains(" "), "a proxy that is none")
    }

    private static let pinnedDomains = FuzzTarget(
        text: "pinned-domains",
        seeds: [
            """
            <?xml version="1.0"?><plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key>\
            <dict><key>a.example</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key>\
            <string>r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E=</string></dict></array></dict></dict></dict></dict></plist>
            """
        ]
    ) { text in
        guard let domains = try? PinnedDomains(infoPlist: Array(text.utf8)) else { return }
        for (host, entry) in domains.entries where entry.leaf?.isEmpty == true && !domains.isPinningRequired {
            require(domains.match(host: host, path: []) != .matched, "an empty list of pins is met")
        }
    }
}
