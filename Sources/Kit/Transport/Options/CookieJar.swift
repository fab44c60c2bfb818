internal import PavisePrimitives
internal import Synchronization

/// The cookies of one client, in memory only. They are sent only to the origin that set them; another port or scheme is
/// another origin. Cookies for a whole domain are refused, so no list of public suffixes is needed.
///
/// At most 50 cookies for an origin and 1,000 in all; the oldest makes room.
public final class CookieJar: Sendable {
    private struct Entry: Sendable {
        let origin: Origin
        let cookie: Cookie
    }
    private let entries = Mutex<[Entry]>([])

    /// An empty jar.
    public init() {}

    /// Takes the cookies of an answer.
    public func store(_ fields: HTTPFields, from url: WebURL, at seconds: Int64) {
        let found = fields.all("Set-Cookie").prefix(50).compactMap { Cookie($0, from: url, at: seconds) }
        guard !found.isEmpty else { return }
        entries.withLock { entries in
            for cookie in found { Self.put(cookie, url.origin, in: &entries, at: seconds) }
        }
    }

    /// The cookies for a request, the longest path first (RFC 6265 §5.4).
    public func cookies(for url: WebURL, at seconds: Int64) -> [Cookie] {
        entries.withLock { entries in
            entries.removeAll { $0.cookie.isOver(at: seconds) }
            let fitting = entries.filter { $0.origin == url.origin && $0.cookie.fits(url.path) }.map(\.cookie)
            return fitting.enumerated()
                .sorted { ($1.element.path.utf8.count, $0.offset) < ($0.element.path.utf8.count, $1.offset) }
                .map(\.element)
        }
    }

    /// Forgets every cookie.
    public func removeAll() { entries.withLock { $0 = [] } }

    /// Forgets the cookies of these servers; others stay.
    public func removeAll(of origins: Set<Origin>) { entries.withLock { $0.removeAll { origins.contains($0.origin) } } }

    /// The value of the `Cookie` field; `nil` when there is none to send.
    func line(for url: WebURL, at seconds: Int64) -> String? {
        let found = cookies(for: url, at: seconds)
        return found.isEmpty
            ? nil : found.map { $0.name.isEmpty ? $0.value : "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    private static func put(_ cookie: Cookie, _ origin: Origin, in entries: inout [Entry], at seconds: Int64) {
        entries.removeAll { $0.origin == origin && $0.cookie.name == cookie.name && $0.cookie.path == cookie.path }
        guard !cookie.isOver(at: seconds) else { return }
        if entries.count(where: { $0.origin == origin }) >= 50,
            let old = entries.firstIndex(where: { $0.origin == origin })
        {
            entries.remove(at: old)
        }
        if entries.count >= 1000 { entries.removeFirst() }
        entries.append(Entry(origin: origin, cookie: cookie))
    }
}

extension Cookie {
    func isOver(at seconds: Int64) -> Bool { expires.map { $0 <= seconds } ?? false }
}
