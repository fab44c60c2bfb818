internal import CryptoKit
internal import Foundation
package import PavisePrimitives

/// Small boxes closed with a key of 32 bytes, for the Kit: AES-256-GCM (SP 800-38D), nonce ‖ ciphertext ‖ tag, from
/// CryptoKit.
package enum BoxBridge {
    /// Bytes of a box beyond its content.
    package static let overhead = 28

    /// Closes a box under a fresh random nonce of 12 bytes; `nil` when the library refuses.
    package static func seal(_ plain: Span<UInt8>, key: borrowing SecretBytes, label: [UInt8]) -> [UInt8]? {
        var copy = Array(plain)
        defer { Wipe.bytes(&copy) }
        let box = try? AES.GCM.seal(copy, using: symmetric(key), authenticating: label)
        return box?.combined.map { Array($0) }
    }

    /// Opens a box; `nil` for another key, another label, or changed bytes.
    package static func open(_ box: [UInt8], key: borrowing SecretBytes, label: [UInt8]) -> SecretBytes? {
        guard let sealed = try? AES.GCM.SealedBox(combined: box),
            var plain = try? AES.GCM.open(sealed, using: symmetric(key), authenticating: label)
        else { return nil }
        defer { plain.resetBytes(in: plain.startIndex..<plain.endIndex) }
        var bytes = Array(plain)
        defer { Wipe.bytes(&bytes) }
        return SecretBytes(copying: bytes)
    }

    /// The tag of bytes that stay readable: GMAC (SP 800-38D §3), 16 bytes, under a nonce of 12 bytes that no other
    /// text under the key has; `nil` when the library refuses.
    package static func tag(of bytes: [UInt8], key: borrowing SecretBytes, nonce: [UInt8]) -> [UInt8]? {
        guard let nonce = try? AES.GCM.Nonce(data: nonce) else { return nil }
        let box = try? AES.GCM.seal(Data(), using: symmetric(key), nonce: nonce, authenticating: bytes)
        return box.map { Array($0.tag) }
    }

    /// A key of 32 bytes for one use, from another key (HKDF with SHA-256, RFC 5869).
    package static func derive(_ key: borrowing SecretBytes, use: String) -> SecretBytes? {
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: symmetric(key), info: Array(use.utf8), outputByteCount: 32)
        var bytes = derived.withUnsafeBytes { unsafe Array($0) }
        defer { Wipe.bytes(&bytes) }
        return SecretBytes(copying: bytes)
    }

    static func symmetric(_ key: borrowing SecretBytes) -> SymmetricKey {
        key.withBytes { bytes in
            var copy = Array(bytes)
            defer { Wipe.bytes(&copy) }
            return SymmetricKey(data: copy)
        }
    }
}
