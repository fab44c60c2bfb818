internal import PavisePrimitives
package import PaviseTransport

/// The nonces that servers handed out, one for each origin (RFC 9449 §8.2). A value.
package struct ProofNonces: Sendable {
    /// How many origins are remembered.
    private static let limit = 64
    private var known: [Origin: String] = [:]
    // How many proofs carry it.
    private var uses: [Origin: Int] = [:]

    package init() {}

    /// The nonce that `origin` gave last.
    package subscript(origin: Origin) -> String? { known[origin] }

    /// The same, for a proof that is about to be sent.
    package mutating func use(at origin: Origin) -> String? {
        uses[origin, default: 0] += 1
        return self[origin]
    }

    /// Whether other requests carry `nonce` as well, or have brought a newer one meanwhile. A server may let each serve
    /// a few proofs only: then a refusal does not mean that it is never content.
    package func isShared(_ nonce: String?, at origin: Origin) -> Bool {
        self[origin] != nonce || uses[origin, default: 0] > 1
    }

    /// Takes the nonce of an answer, and says whether the request is worth a second try: the server demands a nonce,
    /// and names another than the one it got.
    package mutating func take(_ response: HTTPResponse, from origin: Origin, used: String?) -> Bool {
        let values = response.fields.all("DPoP-Nonce")
        guard values.count == 1, Self.isNonce(values[0]) else { return false }
        if known[origin] == nil, known.count >= Self.limit { (known, uses) = ([:], [:]) }
        if known[origin] != values[0] { uses[origin] = 0 }
        known[origin] = values[0]
        return ProofRefusal(response) == .nonce && values[0] != used
    }

    // RFC 9449 §8.1: visible ASCII without quote and backslash; a length that fits a header line.
    private static func isNonce(_ text: String) -> Bool {
        (1...1024).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
}
