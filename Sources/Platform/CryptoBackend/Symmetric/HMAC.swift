internal import CPaviseOpenSSL

/// Keyed digests (RFC 2104).
package enum HMAC {
    /// HMAC-SHA-256, 32 bytes.
    package static func sha256(key: Span<UInt8>, _ data: Span<UInt8>) -> [UInt8] {
        code(template, 32, key: key, data)
    }

    /// HMAC with one of SHA-256, SHA-384 and SHA-512, as long as the digest; `nil` for another hash.
    package static func code(_ hash: HashFunction, key: Span<UInt8>, _ data: Span<UInt8>) -> [UInt8]? {
        switch hash {
        case .sha256: code(template, 32, key: key, data)
        case .sha384: code(template384, 48, key: key, data)
        case .sha512: code(template512, 64, key: key, data)
        case .sha1, .sha224: nil
        }
    }

    private static func code(
        _ template: HMACTemplate, _ size: Int, key: Span<UInt8>, _ data: Span<UInt8>
    ) -> [UInt8] {
        // The calls fail only when memory is exhausted, where Swift itself stops the process too.
        guard let context = unsafe EVP_MAC_CTX_dup(template.pointer) else { preconditionFailure("out of memory") }
        defer { unsafe EVP_MAC_CTX_free(context) }
        var isDone = false
        let digest = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let isKeyed = unsafe key.withUnsafeBytes { key in
                // OpenSSL reads a null key as "no new key": an empty one needs an address.
                let address = unsafe key.bindMemory(to: UInt8.self).baseAddress ?? UnsafePointer(buffer.baseAddress)
                return unsafe EVP_MAC_init(context, address, key.count, nil) == 1
            }
            let isFed = unsafe data.withUnsafeBytes { data in
                unsafe data.isEmpty
                    || EVP_MAC_update(context, data.bindMemory(to: UInt8.self).baseAddress, data.count) == 1
            }
            isDone = unsafe isKeyed && isFed && EVP_MAC_final(context, buffer.baseAddress, &count, size) == 1
        }
        precondition(isDone && digest.count == size, "HMAC gave no digest")
        return digest
    }

    /// HMAC-SHA-256 of an array.
    package static func sha256(key: Span<UInt8>, _ data: [UInt8]) -> [UInt8] { sha256(key: key, data.span) }

    static let template = HMACTemplate("SHA256")
    private static let template384 = HMACTemplate("SHA384")
    private static let template512 = HMACTemplate("SHA512")
}

// Safe to share: the context is set up once and only copied from then on. It lives until the process ends.
@safe
struct HMACTemplate: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ hash: String) { unsafe pointer = pavise_hmac_template(hash) }
}
