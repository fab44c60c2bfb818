internal import PaviseCrypto
package import PavisePrimitives

/// Small boxes closed with a key of 32 bytes, for the Kit: AES-256-GCM (SP 800-38D), nonce ‖ ciphertext ‖ tag.
package enum BoxBridge {
    /// Bytes of a box beyond its content.
    package static let overhead = 28

    /// Closes a box under a fresh random nonce of 12 bytes.
    ///
    /// - Parameters:
    ///   - key: 32 bytes. At most 2^32 boxes may be closed with it.
    ///   - label: Is needed again to open; it is not part of the box.
    /// - Returns: `nil` when the random generator or the library refuses.
    package static func seal(_ plain: Span<UInt8>, key: borrowing SecretBytes, label: [UInt8]) -> [UInt8]? {
        guard let nonce = try? Entropy.kernel.bytes(12) else { return nil }
        guard let sealed = try? AESGCM.sealOnce(plain, key: key, nonce: nonce, associatedData: label) else {
            return nil
        }
        return nonce + sealed
    }

    /// Opens a box.
    ///
    /// - Returns: `nil` for another key, another label, or changed bytes.
    package static func open(_ box: [UInt8], key: borrowing SecretBytes, label: [UInt8]) -> SecretBytes? {
        guard box.count >= overhead else { return nil }
        let sealed = Array(box.dropFirst(12))
        do {
            return try AESGCM.openOnce(
                sealed.span, key: key, nonce: Array(box.prefix(12)), associatedData: label)
        } catch {
            return nil
        }
    }

    /// The tag of bytes that stay readable: GMAC (SP 800-38D §3), 16 bytes.
    ///
    /// - Parameters:
    ///   - key: 32 bytes.
    ///   - nonce: 12 bytes, another one for each text under the key.
    /// - Returns: `nil` when the library refuses.
    package static func tag(of bytes: [UInt8], key: borrowing SecretBytes, nonce: [UInt8]) -> [UInt8]? {
        let nothing: [UInt8] = []
        return try? AESGCM.sealOnce(nothing.span, key: key, nonce: nonce, associatedData: bytes)
    }

    /// A key of 32 bytes for one use, from another key (HKDF with SHA-256, RFC 5869).
    package static func derive(_ key: borrowing SecretBytes, use: String) -> SecretBytes? {
        key.withBytes { try? KDF.hkdf($0, salt: [], info: Array(use.utf8), count: 32) }
    }
}
