internal import CPaviseOpenSSL
package import PavisePrimitives
internal import Synchronization

/// A key that authenticates many short texts with HMAC-SHA-256 (RFC 2104).
///
/// The key's own part of the work, and OpenSSL's memory for it, are done once and used again.
package final class HMACKey: Sendable {
    private let key: SecretBytes
    // One for each thread that has lately worked at the same time, up to four.
    private let idle = Mutex<[KeyedContext]>([])

    /// - Parameter key: Any length; 32 bytes are usual.
    package init(_ key: consuming SecretBytes) { self.key = key }

    /// The code of `data`, 32 bytes.
    package func authenticate(_ data: [UInt8]) -> [UInt8] {
        let context = idle.withLock { $0.popLast() } ?? KeyedContext(key)
        let code = context.authenticate(data)
        idle.withLock { if $0.count < 4 { $0.append(context) } }
        return code
    }
}

/// Owns OpenSSL's context and the key in it; OpenSSL wipes both.
// Safe to share: `HMACKey` hands it to one caller at a time.
@safe
private final class KeyedContext: @unchecked Sendable {
    private let pointer: OpaquePointer?

    init(_ key: borrowing SecretBytes) {
        let pointer = unsafe EVP_MAC_CTX_dup(HMAC.template.pointer)
        unsafe self.pointer = pointer
        let isKeyed = key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe EVP_MAC_init(pointer, key.bindMemory(to: UInt8.self).baseAddress, key.count, nil) == 1
            }
        }
        // The calls fail only when memory is exhausted, where Swift itself stops the process too.
        precondition(isKeyed, "HMAC took no key")
    }

    func authenticate(_ data: [UInt8]) -> [UInt8] {
        var isDone = false
        let code = unsafe [UInt8](unsafeUninitializedCapacity: 32) { buffer, count in
            // Without a key, the one of the last time is used again.
            isDone =
                unsafe EVP_MAC_init(pointer, nil, 0, nil) == 1
                && (data.isEmpty || EVP_MAC_update(pointer, data, data.count) == 1)
                && EVP_MAC_final(pointer, buffer.baseAddress, &count, 32) == 1
        }
        precondition(isDone && code.count == 32, "HMAC gave no digest")
        return code
    }

    deinit { unsafe EVP_MAC_CTX_free(pointer) }
}
