/// What is asked about a chain: by which rules, for whom, when, and what is known beside the certificates.
package struct TrustRequest: Sendable {
    /// Whose chain it is.
    package enum Peer: Sendable {
        /// A TLS server; `host` is a name or an address, `nil` checks no name.
        case server(host: String?)
        /// A TLS client whose certificate must hold each of these mail addresses.
        case client(mail: [String])
        /// A TPM, whose maker certifies its endorsement key (TCG EK Credential Profile).
        case endorsementKey
        /// An app's key that Apple's App Attest vouches for.
        case attestedKey
    }

    /// DER, the peer's own certificate first, the others in any order.
    package var chain: [[UInt8]]
    /// Whose chain it is.
    package var peer: Peer
    /// The time to judge at, in seconds since 1970.
    package var seconds: Int64
    /// Where trust begins.
    package var anchors: TrustAnchors
    /// How many authorities may stand between the leaf and the anchor, self-issued ones not counted; `nil` sets no
    /// limit.
    package var maximumAuthorities: Int?
    /// What has to be known about revocation.
    package var revocation = RevocationDemand.ignored
    /// Lists and answers that are there.
    package var evidence = RevocationEvidence.none
    /// What has to be known about the logs of certificates; `nil` asks for nothing.
    package var transparency: TransparencyDemand?
    /// Whether a trusted path (DER, leaf first) is the one that is looked for. Where none is, the first one stays.
    package var isWanted: (@Sendable (_ path: [[UInt8]]) -> Bool)?

    package init(chain: [[UInt8]], peer: Peer, at seconds: Int64, anchors: TrustAnchors) {
        self.chain = chain
        self.peer = peer
        self.seconds = seconds
        self.anchors = anchors
    }

    var policy: ChainPolicy {
        var policy: ChainPolicy
        switch peer {
        case .server(let host): policy = .server(host: host)
        case .client(let mail):
            policy = ChainPolicy(purpose: .client, host: nil)
            policy.mail = mail
        case .endorsementKey: policy = ChainPolicy(purpose: .endorsementKey, host: nil)
        case .attestedKey: policy = ChainPolicy(purpose: .attestedKey, host: nil)
        }
        policy.maximumAuthorities = maximumAuthorities
        policy.revocation = revocation
        return policy
    }
}
