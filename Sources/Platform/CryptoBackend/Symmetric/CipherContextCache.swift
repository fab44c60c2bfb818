internal import CPaviseOpenSSL
internal import PavisePrimitives
internal import Synchronization

/// One cipher context that is kept between messages, since the key schedule is most of the work for a short one
/// (Documentation/Benchmarks.md). A caller that comes while another has it gets a context for this message alone.
struct CipherContextCache: ~Copyable, Sendable {
    private let kept = Mutex<CipherContext?>(nil)

    /// Lends a context to `body`. What failed is not used again.
    ///
    /// - Parameter keyCount: 16 or 32, the same each time.
    func withContext(
        _ keyCount: Int, _ body: (inout CipherContext) throws(CryptoFailure) -> Void
    ) throws(CryptoFailure) {
        let outcome: Result<Void, CryptoFailure>? = kept.withLockIfAvailable { kept in
            var context: CipherContext
            if let known = kept.take() { context = known } else { context = CipherContext(keyCount) }
            do throws(CryptoFailure) { try body(&context) } catch { return .failure(error) }
            kept = consume context
            return .success(())
        }
        if let outcome { return try outcome.get() }
        var context = CipherContext(keyCount)
        try body(&context)
    }
}

/// Owns OpenSSL's context and the key schedule in it; OpenSSL wipes both.
@safe
struct CipherContext: ~Copyable {
    private let pointer: OpaquePointer?
    /// Whether a key is in it.
    private(set) var holdsKey = false
    private var nonceCount = 12
    // OpenSSL writes lengths that nobody asks for, and final calls want an address although GCM writes nothing there.
    private let length = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    private let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)

    private static let aes128 = EVPCipher("AES-128-GCM")
    private static let aes256 = EVPCipher("AES-256-GCM")

    fileprivate init(_ keyCount: Int) {
        unsafe pointer = EVP_CIPHER_CTX_new()
        let method = unsafe keyCount == 16 ? Self.aes128.pointer : Self.aes256.pointer
        // A failure shows at the first key, which such a context does not take.
        _ = unsafe EVP_CipherInit_ex(pointer, method, nil, nil, nil, 1)
    }

    /// Takes a key, which stays until another one comes.
    mutating func keep(_ key: borrowing SecretBytes) -> Bool {
        let pointer = unsafe pointer
        holdsKey = key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe EVP_CipherInit_ex(
                    pointer, nil, nil, key.bindMemory(to: UInt8.self).baseAddress, nil, 1) == 1
            }
        }
        return holdsKey
    }

    /// Writes the schedule of another key, which is no secret, over the key's own.
    mutating func forgetKey() -> Bool {
        holdsKey = false
        let pointer = unsafe pointer
        return unsafe withUnsafeBytes(of: (UInt64(0), UInt64(0), UInt64(0), UInt64(0))) { zeros in
            unsafe EVP_CipherInit_ex(pointer, nil, nil, zeros.bindMemory(to: UInt8.self).baseAddress, nil, 1) == 1
        }
    }

    /// Starts a message and takes what is only authenticated. A length other than the last one must be set before the
    /// nonce itself.
    @inline(__always)
    mutating func begin(_ nonce: [UInt8], _ associatedData: [UInt8], encrypting: Bool) -> Bool {
        if nonce.count != nonceCount {
            guard unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1 else {
                return false
            }
            nonceCount = nonce.count
        }
        guard unsafe EVP_CipherInit_ex(pointer, nil, nil, nil, nonce, encrypting ? 1 : 0) == 1 else { return false }
        return unsafe associatedData.isEmpty
            || EVP_CipherUpdate(pointer, nil, length, associatedData, Int32(associatedData.count)) == 1
    }

    /// Encrypts the whole message.
    @inline(__always)
    borrowing func seal(
        _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer
    ) -> Bool {
        unsafe update(plain, into: target) && EVP_EncryptFinal_ex(pointer, nowhere, length) == 1
            && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagCount), tag.baseAddress) == 1
    }

    /// Decrypts the whole message; `target` is overwritten with zeros when it is not what was sealed.
    @inline(__always)
    borrowing func open(
        _ sealed: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let tagBytes = unsafe UnsafeMutableRawPointer(mutating: tag.baseAddress)
        let isGenuine =
            unsafe update(sealed, into: target)
            && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagCount), tagBytes) == 1
            && EVP_DecryptFinal_ex(pointer, nowhere, length) == 1
        if !isGenuine { unsafe target.initializeMemory(as: UInt8.self, repeating: 0) }
        return isGenuine
    }

    @inline(__always)
    private borrowing func update(
        _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        unsafe source.isEmpty
            || EVP_CipherUpdate(
                pointer, target.bindMemory(to: UInt8.self).baseAddress, length,
                source.bindMemory(to: UInt8.self).baseAddress, Int32(source.count)) == 1
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(pointer)
        unsafe length.deallocate()
        unsafe nowhere.deallocate()
    }
}

// Safe to share: OpenSSL's method tables are immutable once fetched and live until the process ends.
@safe
struct EVPCipher: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }
}
