internal import CryptoKit

/// The digests that the Kit needs by themselves (PKCE, a token's `at_hash`), from CryptoKit.
package enum MessageDigest {
    /// SHA-256 (FIPS 180-4) of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

    /// SHA-256 of bytes that come piece by piece.
    package struct Stream: ~Copyable {
        private var hash = SHA256()

        /// Begins an empty message.
        package init() {}

        /// Takes the next bytes.
        package mutating func add(_ bytes: [UInt8]) { hash.update(data: bytes) }

        /// 32 bytes.
        package consuming func finish() -> [UInt8] { Array(hash.finalize()) }
    }
}
