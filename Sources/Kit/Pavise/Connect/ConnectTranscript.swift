public import PaviseTransport
internal import Synchronization

extension ReviewedServer {
    /// A server that was looked at on the way of a sign-in: before the first byte of a request went there (connections
    /// C1, C25).
    public struct Hop: Hashable, Sendable {
        /// Where.
        public let origin: Origin
        /// What it was looked at for: `server` is the given address, `webfinger` the server of the person's address,
        /// `issuer` the authority; all else are the metadata's names, for example `token_endpoint`.
        public let purposes: [String]
        /// What it showed in its last handshake, also where that satisfies every rule; `nil` where that could not be
        /// read.
        public let certificate: CertificateSummary?
        /// Whether the rules, or an approval, allowed that.
        public let isTrusted: Bool
    }
}

/// The servers that a sign-in came to, in the order in which it came to them.
package final class ConnectTranscript: Sendable {
    private let kept = Mutex<[ReviewedServer.Hop]>([])

    package init() {}

    /// Each server once; one that was looked at again has what it showed last, and all its purposes.
    package var hops: [ReviewedServer.Hop] { kept.withLock { $0 } }

    package func contains(_ origin: Origin) -> Bool { kept.withLock { $0.contains { $0.origin == origin } } }

    package func note(_ origin: Origin, _ purposes: [String], _ certificate: CertificateSummary?, isTrusted: Bool) {
        kept.withLock { hops in
            let index = hops.firstIndex { $0.origin == origin }
            let known = index.map { hops[$0].purposes } ?? []
            let hop = ReviewedServer.Hop(
                origin: origin, purposes: known + purposes.filter { !known.contains($0) }, certificate: certificate,
                isTrusted: isTrusted)
            if let index { hops[index] = hop } else { hops.append(hop) }
        }
    }
}
