internal import CPaviseOpenSSL

/// SHA-256 over public bytes: certificates and keys.
package enum Fingerprint {
    /// 32 bytes.
    package static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        unsafe SHA256(bytes, bytes.count, &digest)
        return digest
    }
}
