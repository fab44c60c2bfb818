package import PavisePrimitives
internal import SecurityFramework

/// A verifier and its S256 challenge (RFC 7636 §4). There is no `plain`, and no way to leave the challenge out.
package struct ProofKey: Sendable {
    /// 43 characters of the unreserved set, from 256 random bits. It leaves only with the code it belongs to.
    package let verifier: SharedSecretBytes
    /// The unpadded base64url form of the verifier's SHA-256.
    package let challenge: String

    /// A fresh pair.
    package init(entropy: Entropy = .kernel) throws(EntropyFailure) {
        self.init(verifier: try Self.randomText(entropy))
    }

    /// The pair of a known verifier, for the vector of RFC 7636 appendix B.
    package init(verifier text: String) {
        verifier = SharedSecretBytes(text)
        challenge = Base64URL.encode(MessageDigest.sha256(Array(text.utf8)))
    }

    /// 256 random bits as 43 characters: a verifier, a state, a nonce.
    package static func randomText(_ entropy: Entropy) throws(EntropyFailure) -> String {
        Base64URL.encode(try entropy.bytes(32))
    }
}
