internal import CPaviseOpenSSL
package import PavisePrimitives
internal import Synchronization

/// AES in Galois/Counter Mode (NIST SP 800-38D), 128 or 256 bits, tag of 16 bytes.
///
/// A nonce may never come twice under one key: use 12 random bytes and few enough messages, or a key that is fresh.
package struct AESGCM: ~Copyable, Sendable {
    /// The length of a tag in bytes.
    package static let tagCount = 16
    private let key: SecretBytes
    // The key schedule is most of the work for a short message: a context that is done waits here for the next use.
    private let idle = Shelf()

    /// - Parameter key: 16 or 32 bytes; copied.
    package init(key: Span<UInt8>) throws(CryptoFailure) {
        guard key.count == 16 || key.count == 32 else { throw .invalidKey }
        self.key = SecretBytes(copying: key)
    }

    /// Encrypts and authenticates.
    ///
    /// - Parameters:
    ///   - nonce: 12 bytes, or 16 where a format asks for it.
    ///   - associatedData: Authenticated, not encrypted.
    /// - Returns: The ciphertext, as long as `plain`, then the tag.
    package func seal(
        _ plain: Span<UInt8>, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        let count = plain.count
        // Encrypted in place. An array that is made of a given size, with zeros or without, looks up generic metadata each time,
        // which costs a third of the whole; one that reserves room and takes bytes does not.
        var sealed: [UInt8] = []
        sealed.reserveCapacity(count + Self.tagCount)
        unsafe plain.withUnsafeBytes { unsafe sealed.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: (UInt64(0), UInt64(0))) { unsafe sealed.append(contentsOf: $0) }
        var span = sealed.mutableSpan
        try unsafe span.withUnsafeMutableBytes { buffer throws(CryptoFailure) in
            let body = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
            try unsafe sealPage(
                UnsafeRawBufferPointer(body), into: body,
                tag: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]), nonce: nonce,
                associatedData: associatedData)
        }
        return sealed
    }

    /// Checks and decrypts what ``seal(_:nonce:associatedData:)`` gave.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for anything else, without saying what differs.
    package func open(
        _ sealed: Span<UInt8>, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) -> SecretBytes {
        let count = sealed.count - Self.tagCount
        guard count >= 0 else { throw .authentication }
        return try SecretBytes(count: count) { span throws(CryptoFailure) in
            try unsafe span.withUnsafeMutableBytes { target throws(CryptoFailure) in
                try unsafe sealed.withUnsafeBytes { source throws(CryptoFailure) in
                    try unsafe openPage(
                        UnsafeRawBufferPointer(rebasing: source[..<count]),
                        tag: UnsafeRawBufferPointer(rebasing: source[count...]), into: target, nonce: nonce,
                        associatedData: associatedData)
                }
            }
        }
    }

    /// ``seal(_:nonce:associatedData:)`` between buffers of the caller. `target` is as long as `plain` and may be the same memory.
    package func sealPage(
        _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) {
        let context = try context(nonce, encrypting: true)
        var length: Int32 = 0
        guard context.authenticate(associatedData) else { throw .last("AES-GCM") }
        if plain.count > 0 {
            guard
                unsafe EVP_EncryptUpdate(
                    context.pointer, target.bindMemory(to: UInt8.self).baseAddress, &length,
                    plain.bindMemory(to: UInt8.self).baseAddress, Int32(plain.count)) == 1
            else { throw .last("AES-GCM") }
        }
        guard unsafe EVP_EncryptFinal_ex(context.pointer, context.nowhere, &length) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context.pointer, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagCount), tag.baseAddress)
                == 1
        else { throw .last("AES-GCM") }
        idle.put(context)
    }

    /// ``open(_:nonce:associatedData:)`` between buffers of the caller. On failure `target` is overwritten with zeros.
    package func openPage(
        _ sealed: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) {
        let context = try context(nonce, encrypting: false)
        var length: Int32 = 0
        guard context.authenticate(associatedData) else { throw .last("AES-GCM") }
        if sealed.count > 0 {
            guard
                unsafe EVP_DecryptUpdate(
                    context.pointer, target.bindMemory(to: UInt8.self).baseAddress, &length,
                    sealed.bindMemory(to: UInt8.self).baseAddress, Int32(sealed.count)) == 1
            else { throw .last("AES-GCM") }
        }
        let tagSet = unsafe EVP_CIPHER_CTX_ctrl(
            context.pointer, EVP_CTRL_AEAD_SET_TAG, Int32(Self.tagCount),
            UnsafeMutableRawPointer(mutating: tag.baseAddress))
        guard tagSet == 1, unsafe EVP_DecryptFinal_ex(context.pointer, context.nowhere, &length) == 1 else {
            unsafe target.initializeMemory(as: UInt8.self, repeating: 0)
            ERR_clear_error()
            throw .authentication
        }
        idle.put(context)
    }

    // Nobody else has the context that is taken; a second thread makes one of its own. One that failed is dropped.
    private func context(_ nonce: [UInt8], encrypting: Bool) throws(CryptoFailure) -> CipherContext {
        guard nonce.count == 12 || nonce.count == 16 else { throw .invalidParameter("AES-GCM nonce") }
        let context = idle.take() ?? CipherContext(key)
        guard context.begin(nonce, encrypting: encrypting) else { throw .last("AES-GCM") }
        return context
    }
}

/// Room for one context that nobody uses now.
// Safe: the pointer in it is a counted reference that exactly one side owns.
@safe
private final class Shelf: Sendable {
    // One exchange each way: a lock would cost as much as a tenth of sealing 1 KiB.
    private let context = unsafe Atomic<Unmanaged<CipherContext>?>(nil)

    func put(_ context: consuming CipherContext) {
        let earlier = unsafe self.context.exchange(Unmanaged.passRetained(context), ordering: .acquiringAndReleasing)
        unsafe earlier?.release()
    }

    func take() -> CipherContext? { unsafe context.exchange(nil, ordering: .acquiring)?.takeRetainedValue() }

    deinit { unsafe context.exchange(nil, ordering: .acquiring)?.release() }
}

/// Owns OpenSSL's context and the key schedule in it; OpenSSL wipes both.
// Safe to share: `AESGCM` hands it to one caller at a time.
@safe
private final class CipherContext: @unchecked Sendable {
    let pointer: OpaquePointer?
    // Final calls want an address although GCM writes nothing there.
    let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
    private var nonceCount = 12
    private let isReady: Bool

    private static let aes128 = FetchedCipher("AES-128-GCM")
    private static let aes256 = FetchedCipher("AES-256-GCM")

    init(_ key: borrowing SecretBytes) {
        let pointer = unsafe EVP_CIPHER_CTX_new()
        unsafe self.pointer = pointer
        let method = unsafe key.count == 16 ? Self.aes128.pointer : Self.aes256.pointer
        isReady = key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe EVP_CipherInit_ex(pointer, method, nil, key.bindMemory(to: UInt8.self).baseAddress, nil, 1) == 1
            }
        }
    }

    /// Starts a message. A length other than the last one must be set before the nonce itself.
    func begin(_ nonce: [UInt8], encrypting: Bool) -> Bool {
        guard isReady else { return false }
        if nonce.count != nonceCount {
            guard unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1 else {
                return false
            }
            nonceCount = nonce.count
        }
        return unsafe EVP_CipherInit_ex(pointer, nil, nil, nil, nonce, encrypting ? 1 : 0) == 1
    }

    func authenticate(_ data: [UInt8]) -> Bool {
        guard !data.isEmpty else { return true }
        var length: Int32 = 0
        return unsafe EVP_CipherUpdate(pointer, nil, &length, data, Int32(data.count)) == 1
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
        unsafe nowhere.deallocate()
    }
}

// Safe to share: OpenSSL's method tables are immutable once fetched and live until the process ends.
@safe
struct FetchedCipher: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }
}
