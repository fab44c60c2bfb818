internal import CPaviseOpenSSL
internal import Synchronization

/// Checks many signatures with one RSA key and one padding.
///
/// Making and setting up a context is a measurable part of a check in OpenSSL 3.0 (Documentation/Benchmarks.md), so
/// contexts are kept and handed out one check at a time. There are never more of them than checks at the same time.
package final class RSAChecker: Sendable {
    private let key: RSAPublicKey
    private let padding: RSASignaturePadding
    private let idle = Mutex<[RSACheck]>([])

    /// A checker for signatures of `key`.
    package init(_ key: RSAPublicKey, _ padding: RSASignaturePadding) {
        self.key = key
        self.padding = padding
    }

    /// Whether `signature`, as long as the modulus, belongs to `digest`; anything unusual is `false`.
    package func isSignature(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        guard padding.selfTest.isRight, digest.count == padding.hash?.byteCount ?? digest.count,
            signature.count == key.blockBytes,
            let check = idle.withLock({ $0.popLast() }) ?? RSACheck(key.handle, padding)
        else { return false }
        defer { idle.withLock { $0.append(check) } }
        return check.isSignature(signature, of: digest)
    }
}

/// A context that is set up for one key and padding.
// Safe to hand from thread to thread: it is taken out of its list before use, so it has one user at a time.
@safe
private final class RSACheck: @unchecked Sendable {
    private let key: KeyHandle
    private let context: OpaquePointer

    init?(_ key: KeyHandle, _ padding: RSASignaturePadding) {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, key.pointer, nil) else { return nil }
        self.key = key
        unsafe self.context = context
        guard unsafe EVP_PKEY_verify_init(context) == 1, unsafe padding.configure(context) else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    func isSignature(_ signature: [UInt8], of digest: [UInt8]) -> Bool {
        let status = unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count)
        if status != 1 { ERR_clear_error() }
        return status == 1
    }
}
