internal import PavisePrimitives
internal import Synchronization

/// The known HSTS hosts (RFC 6797 §8.1), which are reached over https only. At most 1,000 are kept; the one that
/// expires first is dropped for a new one.
///
/// A host is only noted after a connection without any TLS failure: a certificate that a person approved does not count
/// (RFC 6797 §8.1).
public final class HSTSStore: Sendable {
    /// One host's wish.
    public struct Entry: Hashable, Sendable {
        /// The host in lower case.
        public let host: String
        /// Seconds since 1970.
        public let expires: Int64
        /// Whether names below it are meant too.
        public let includesSubdomains: Bool

        /// An entry from its parts.
        public init(host: String, expires: Int64, includesSubdomains: Bool) {
            self.host = host
            self.expires = expires
            self.includesSubdomains = includesSubdomains
        }
    }

    private let known: Mutex<[String: Entry]>
    private static let limit = 1000

    /// A store in memory, empty or with what an earlier one held in ``entries``.
    public init(_ entries: [Entry] = []) {
        let start = entries.prefix(Self.limit).map { (Self.name($0.host), $0) }
        known = Mutex(Dictionary(start) { _, new in new })
    }

    /// All entries, for a file of the app's own; hosts a person visited are not for everybody's eyes.
    public var entries: [Entry] { known.withLock { $0.values.sorted { $0.host < $1.host } } }

    /// Learns from an answer of `origin` that came over TLS without failures.
    public func note(_ fields: HTTPFields, from origin: Origin, at seconds: Int64) {
        guard origin.scheme == .https, !origin.isAddress, let text = fields["Strict-Transport-Security"],
            let wish = HSTSPolicy(text)
        else { return }
        let host = Self.name(origin.host)
        known.withLock { known in
            known[host] = nil
            guard wish.maxAge > 0 else { return }
            known = known.filter { $0.value.expires > seconds }
            // By the name it is kept under: what an app gave back may spell its host in another way.
            if known.count >= Self.limit, let first = known.min(by: { $0.value.expires < $1.value.expires }) {
                known[first.key] = nil
            }
            known[host] = Entry(
                host: host, expires: seconds + wish.maxAge, includesSubdomains: wish.includesSubdomains)
        }
    }

    /// Whether plain http to `host` becomes https.
    public func covers(_ host: String, at seconds: Int64) -> Bool {
        let name = Self.name(host)
        return known.withLock { known in
            if let own = known[name], own.expires > seconds { return true }
            var rest = name[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                if let parent = known[String(rest)], parent.includesSubdomains, parent.expires > seconds { return true }
            }
            return false
        }
    }

    /// The address that is requested in place of `url` (RFC 6797 §8.3): https, and port 443 in place of 80.
    public func upgraded(_ url: WebURL, at seconds: Int64) -> WebURL {
        guard url.origin.scheme == .http, !url.origin.isAddress, covers(url.origin.host, at: seconds) else {
            return url
        }
        let port = url.origin.port == 80 ? 443 : url.origin.port
        return url.moved(to: Origin(scheme: .https, host: url.origin.host, port: port))
    }

    private static func name(_ host: String) -> String { CanonicalHost.of(host) ?? host }
}
