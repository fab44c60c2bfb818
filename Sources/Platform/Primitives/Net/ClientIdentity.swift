/// A certificate of our own and a key that signs for it. The key may be anywhere: only digests and padded blocks go to
/// it.
package final class ClientIdentity: Sendable {
    /// What is asked of the key.
    package enum Operation: Hashable, Sendable {
        /// An ECDSA signature (DER) over this digest.
        case ecdsa([UInt8])
        /// An RSA signature with PKCS #1 v1.5 padding over this block, which names its hash already.
        case rsaPKCS1([UInt8])
        /// The bare RSA operation on this block, which is as long as the modulus and padded already.
        case rsa([UInt8])
    }

    /// DER, the own certificate first, then what the server needs to build a path.
    package let chain: [[UInt8]]
    private let signing: @Sendable (Operation) -> [UInt8]?

    /// An identity.
    ///
    /// - Parameter sign: Called on the thread that makes the handshake; `nil` when the key does not sign. It must not
    ///   ask a person: every other connection would wait.
    package init(chain: [[UInt8]], sign: @escaping @Sendable (Operation) -> [UInt8]?) {
        self.chain = chain
        signing = sign
    }

    /// The key's answer; `nil` when it does not sign.
    package func answer(to operation: Operation) -> [UInt8]? { signing(operation) }
}
