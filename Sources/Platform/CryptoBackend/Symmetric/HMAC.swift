internal import CPaviseOpenSSL

/// Keyed digests (RFC 2104).
package enum HMAC {
    /// HMAC-SHA-256, 32 bytes.
    package static func sha256(key: Span<UInt8>, _ data: Span<UInt8>) -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            var length: UInt32 = 0
            unsafe key.withUnsafeBytes { key in
                unsafe data.withUnsafeBytes { data in
                    _ = unsafe CPaviseOpenSSL.HMAC(
                        EVP_sha256(), key.baseAddress ?? emptyBase, Int32(key.count),
                        data.bindMemory(to: UInt8.self).baseAddress, data.count, buffer.baseAddress, &length)
                }
            }
            count = Int(length)
        }
    }

    /// HMAC-SHA-256 of an array.
    package static func sha256(key: Span<UInt8>, _ data: [UInt8]) -> [UInt8] { sha256(key: key, data.span) }

    // OpenSSL reads a null key as "the key of the last call": an empty key needs an address.
    nonisolated(unsafe) private static let emptyBase = UnsafeRawPointer(
        UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))
}
