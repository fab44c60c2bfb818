internal import PaviseCrypto

/// The digests that the Kit needs by themselves (PKCE, a token's `at_hash`), from the system's own implementation.
package enum MessageDigest {
    /// SHA-256 (FIPS 180-4) of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Hash.digest(.sha256, bytes) }

    /// SHA-256 of bytes that come piece by piece.
    package struct Stream: ~Copyable {
        private var hash = IncrementalHash(.sha256)

        /// Begins an empty message.
        package init() {}

        /// Takes the next bytes.
        package mutating func add(_ bytes: [UInt8]) { hash.update(bytes.span) }

        /// 32 bytes.
        package consuming func finish() -> [UInt8] { hash.finalize() }
    }
}
