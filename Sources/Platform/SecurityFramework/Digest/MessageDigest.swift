internal import PaviseCrypto

/// The digests that the Kit needs by themselves (PKCE, a token's `at_hash`), from the system's own implementation.
package enum MessageDigest {
    /// SHA-256 (FIPS 180-4) of `bytes`: 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] { Hash.digest(.sha256, bytes) }
}
