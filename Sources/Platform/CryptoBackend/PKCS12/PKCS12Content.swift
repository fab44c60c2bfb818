/// A private key from outside, of a kind that Pavise has.
package enum PrivateKey: Sendable {
    case rsa(RSAPrivateKey)
    case ec(ECPrivateKey)
    case curve25519(Curve25519PrivateKey)
}

/// What a PKCS#12 file (RFC 7292) holds, in its order.
package struct PKCS12Content: Sendable {
    /// One bag.
    package struct Bag<Value: Sendable>: Sendable {
        package let value: Value
        /// The friendly name (RFC 2985 §5.5.1).
        package let name: String?
        /// The local key identifier (RFC 2985 §5.5.2), which a key and its certificate share.
        package let identifier: [UInt8]?

        /// The same bag with its value read further; `nil` where `read` gives nothing.
        package func map<Other: Sendable>(_ read: (Value) -> Other?) -> Bag<Other>? {
            read(value).map { Bag<Other>(value: $0, name: name, identifier: identifier) }
        }
    }

    /// The private keys.
    package var keys: [Bag<PrivateKey>] = []
    /// The certificates, DER.
    package var certificates: [Bag<[UInt8]>] = []
}

/// Why a PKCS#12 file was not read.
package enum PKCS12Failure: Error, Hashable, Sendable {
    /// The bytes are no such file.
    case malformed
    /// The passphrase is another one, or the file was changed: both look the same.
    case passphrase
    /// The file has no code that shows a change. It is not read.
    case unauthenticated
    /// A cipher, hash or key that this version does not have.
    case unsupported
    /// Larger, or more work, than any honest file.
    case excessive
}

/// How much a PKCS#12 file from outside may cost.
package struct PKCS12Limits: Sendable {
    /// The largest file in bytes.
    package var size = 4 << 20
    /// The rounds of all key derivations together; a file says itself how many it wants.
    package var rounds = 4_000_000
    /// The number of bags.
    package var bags = 200
    /// How deep bags may lie in bags.
    package var depth = 4

    package init() {}
}
