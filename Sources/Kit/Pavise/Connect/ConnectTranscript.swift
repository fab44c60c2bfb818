package import PaviseTransport
internal import Synchronization

/// The servers that a sign-in came to, in the order in which it came to them.
package final class ConnectTranscript: Sendable {
    /// One of them; ``ReviewedServer/Hop`` says the same to an app.
    package struct Hop: Sendable {
        package let origin: Origin
        package let purposes: [String]
        package let certificate: CertificateSummary?
        package let isTrusted: Bool
    }
    private let kept = Mutex<[Hop]>([])

    package init() {}

    /// Each server once; one that was looked at again has what it showed last, and all its purposes.
    package var hops: [Hop] { kept.withLock { $0 } }

    package func contains(_ origin: Origin) -> Bool { kept.withLock { $0.contains { $0.origin == origin } } }

    package func note(_ origin: Origin, _ purposes: [String], _ certificate: CertificateSummary?, isTrusted: Bool) {
        kept.withLock { hops in
            let index = hops.firstIndex { $0.origin == origin }
            let known = index.map { hops[$0].purposes } ?? []
            let hop = Hop(
                origin: origin, purposes: known + purposes.filter { !known.contains($0) }, certificate: certificate,
                isTrusted: isTrusted)
            if let index { hops[index] = hop } else { hops.append(hop) }
        }
    }
}
