import Glibc
import PaviseTransport
import TestSupport
import Testing

/// libcurl's own parser of addresses, opened as the client opens the library (curl_url(3)).
@safe
private struct LibcurlURL {
    struct Reading: Equatable {
        var scheme: String
        var host: String
        var port: String
        var path: String
        var query: String?

        var server: [String] { [scheme, host, port] }
    }

    private typealias Make = @convention(c) () -> OpaquePointer?
    private typealias Cleanup = @convention(c) (OpaquePointer?) -> Void
    private typealias Set = @convention(c) (OpaquePointer?, Int32, UnsafePointer<CChar>?, UInt32) -> Int32
    private typealias Get =
        @convention(c) (OpaquePointer?, Int32, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, UInt32) -> Int32
    private typealias Free = @convention(c) (UnsafeMutableRawPointer?) -> Void

    private let make: Make
    private let cleanup: Cleanup
    private let set: Set
    private let get: Get
    private let free: Free

    // CURLUPart and the flags of curl_url_set(3).
    private static let (whole, scheme, host, port, path, query): (Int32, Int32, Int32, Int32, Int32, Int32) = (
        0, 1, 5, 6, 7, 8
    )
    private static let (defaultPort, pathAsIs): (UInt32, UInt32) = (1, 1 << 4)

    init() throws {
        let library = try unsafe #require(dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL))
        unsafe make = unsafeBitCast(try #require(dlsym(library, "curl_url")), to: Make.self)
        unsafe cleanup = unsafeBitCast(try #require(dlsym(library, "curl_url_cleanup")), to: Cleanup.self)
        unsafe set = unsafeBitCast(try #require(dlsym(library, "curl_url_set")), to: Set.self)
        unsafe get = unsafeBitCast(try #require(dlsym(library, "curl_url_get")), to: Get.self)
        unsafe free = unsafeBitCast(try #require(dlsym(library, "curl_free")), to: Free.self)
    }

    /// What libcurl makes of `reference` in an answer from `base`, or of an address alone.
    func reading(_ text: String, from base: String? = nil, asIs: Bool) -> Reading? {
        let handle = unsafe make()
        defer { unsafe cleanup(handle) }
        let flags = asIs ? Self.pathAsIs : 0
        if let base { guard unsafe set(handle, Self.whole, base, flags) == 0 else { return nil } }
        guard unsafe set(handle, Self.whole, text, flags) == 0 else { return nil }
        func part(_ part: Int32) -> String? {
            var found: UnsafeMutablePointer<CChar>?
            guard unsafe get(handle, part, &found, Self.defaultPort) == 0, let found = unsafe found else { return nil }
            defer { unsafe free(found) }
            return unsafe String(cString: found)
        }
        guard let scheme = part(Self.scheme), let host = part(Self.host), let port = part(Self.port),
            let path = part(Self.path)
        else { return nil }
        return Reading(scheme: scheme, host: host, port: port, path: path, query: part(Self.query))
    }
}

extension LibcurlURL.Reading {
    init(_ url: WebURL) {
        let host = url.origin.host.contains(":") ? "[\(url.origin.host)]" : url.origin.host
        self.init(
            scheme: url.origin.scheme.rawValue, host: host, port: "\(url.origin.port)", path: url.path, query: url.query
        )
    }
}

private struct Dice: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite struct LibcurlURLTests {
    private static let pieces = [
        "/", "/", "/", "//", "\\", "..", ".", "../", "./", "?", "#", "@", ":", ";", "%2e", "%2F", "%5c", "%00", "a",
        "b.c", "login",
        "evil.example", "a.example", "A.Example", "a.example.", "127.0.0.1", "0x7f000001", "0x7f.1", "0177.1",
        "2130706433",
        "127.0.0.0x1", "[::1]", "[2001:DB8:0:0::1]", "[::ffff:127.0.0.1]", "xn--bcher-kva", "xn--a", ":80", ":443",
        ":0", ":65536",
        ":08443", "user:pw@", "\t", "\n", "\r", " ", "\u{0}", "é", "\u{202E}", "a_b", "-a", "a-", "=", "&", "+", ",",
        "~", "!", "|",
        "^", "{", "}", "\"", "<", "`", "'", "(", "*", "$",
    ]
    private static let hosts = [
        "a.example/", "A.Example./", "127.0.0.1:8080/", "[::1]/", "[2001:DB8:0:0::1]:443/", "xn--bcher-kva.example?",
        "a_b.c#", "b.c:",
        "0x7f000001/", "127.0.0.0x1/", "2130706433/", "127.1/", "0177.0.0.1/", "a.example",
    ]
    private static let starts = [
        "", "", "/", "//", "?", "#", "https://", "http://", "HTTPS://", "https:", "file://", "../", "///",
    ]

    private static func text(_ dice: inout Dice, starts: [String]) -> String {
        var text = starts.randomElement(using: &dice) ?? ""
        for _ in 0..<Int.random(in: 1...7, using: &dice) { text += pieces.randomElement(using: &dice) ?? "" }
        return text
    }

    @Test func `reads each address that is taken as Pavise reads it`() throws {
        let library = try LibcurlURL()
        var dice = Dice(state: 17)
        var taken = 0
        for _ in 0..<50_000 {
            // Half of them begin with a host, so that what follows is reached.
            let host = Bool.random(using: &dice) ? Self.hosts.randomElement(using: &dice) ?? "" : ""
            let text = Self.text(&dice, starts: ["https://\(host)", "http://\(host)", "HTTPS://\(host)"])
            guard let url = try? WebURL(text) else { continue }
            taken += 1
            // What the client is given, and the text that it was made of.
            let given = library.reading(url.description, asIs: true)
            #expect(given == LibcurlURL.Reading(url), "\(text.debugDescription)")
            var own = library.reading(text, asIs: true)
            if let host = own?.host { own?.host = Self.folded(host) }
            #expect(own == LibcurlURL.Reading(url), "\(text.debugDescription)")
        }
        #expect(taken > 5_000)
    }

    @Test func `resolves each redirect that is taken as Pavise resolves it`() throws {
        let library = try LibcurlURL()
        let base = try WebURL("https://a.example:8443/b/c/d;p?q")
        var dice = Dice(state: 18)
        var taken = 0
        for _ in 0..<50_000 {
            let text = Self.text(&dice, starts: Self.starts)
            guard let url = try? base.resolving(text) else { continue }
            // Which server it is has to be the same always. Which path, where libcurl goes by RFC 3986 §5.2 too: 7.88
            // resolves a relative path, an empty one and a query alone in a way of its own, and later versions read %2e
            // as a dot.
            guard var read = library.reading(text, from: base.description, asIs: text.hasPrefix("//")) else { continue }
            taken += 1
            read.host = Self.folded(read.host)
            let own = LibcurlURL.Reading(url)
            #expect(read.server == own.server, "\(text.debugDescription)")
            let isDefined = text.hasPrefix("/") && !text.lowercased().contains("%2e")
            #expect(!isDefined || read == own, "\(text.debugDescription)")
        }
        #expect(taken > 5_000)
    }

    // libcurl keeps the letters of a name and the dot at its end.
    private static func folded(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }
}
