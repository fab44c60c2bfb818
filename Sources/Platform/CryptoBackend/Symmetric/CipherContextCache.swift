internal import CPaviseOpenSSL
internal import PavisePrimitives
internal import Synchronization

/// Places for two cipher contexts, each lent to one caller at a time; whoever comes meanwhile gets one that goes away
/// after its use.
///
/// What failed is not used again.
// Safe to share: one exchange gives a context to exactly one caller, who alone writes its place until it is back. A
// lock, or counting references, would cost as much as a tenth of sealing 1 KiB.
@safe
final class CipherContextCache: Sendable {
    // The address of a context, or one of the two states. The second place is for a second thread.
    private let first = Atomic<UInt>(CipherContextCache.vacant)
    private let second = Atomic<UInt>(CipherContextCache.vacant)
    private static let lent: UInt = 0
    private static let vacant: UInt = 1

    /// Where a context goes back to.
    enum Position { case first, second, none }

    /// - Parameter keyCount: 16 or 32, the same each time.
    func take(_ keyCount: Int) -> CipherContext {
        let address = first.exchange(Self.lent, ordering: .acquiring)
        if address != Self.lent { return Self.context(address, keyCount, .first) }
        let other = second.exchange(Self.lent, ordering: .acquiring)
        return Self.context(other, keyCount, other == Self.lent ? .none : .second)
    }

    @inline(__always)
    private static func context(_ address: UInt, _ keyCount: Int, _ place: Position) -> CipherContext {
        guard address != lent, address != vacant,
            let state = unsafe UnsafeMutablePointer<CipherState>(bitPattern: address)
        else { return CipherContext(keyCount, place) }
        return unsafe CipherContext(state: state, place)
    }

    /// Takes a context back.
    func put(_ context: consuming CipherContext) {
        switch context.place {
        case .first: first.store(UInt(bitPattern: unsafe context.release()), ordering: .releasing)
        case .second: second.store(UInt(bitPattern: unsafe context.release()), ordering: .releasing)
        case .none: break
        }
    }

    /// Takes a context back that is not to be used again.
    func drop(_ context: consuming CipherContext) {
        switch context.place {
        case .first: first.store(Self.vacant, ordering: .releasing)
        case .second: second.store(Self.vacant, ordering: .releasing)
        case .none: break
        }
    }

    deinit {
        for address in [first.load(ordering: .acquiring), second.load(ordering: .acquiring)]
        where address != Self.vacant {
            guard let state = unsafe UnsafeMutablePointer<CipherState>(bitPattern: address) else { continue }
            _ = unsafe CipherContext(state: state, .none)
        }
    }
}

@safe
struct CipherState {
    fileprivate let pointer: OpaquePointer?
    fileprivate var holdsKey = false
    fileprivate var nonceCount = 12
    // OpenSSL writes lengths that nobody asks for, and final calls want an address although GCM writes nothing there.
    fileprivate let length = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
    fileprivate let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
}

/// Owns OpenSSL's context and the key schedule in it; OpenSSL wipes both.
@safe
struct CipherContext: ~Copyable {
    private let state: UnsafeMutablePointer<CipherState>
    fileprivate let place: CipherContextCache.Position

    private static let aes128 = EVPCipher("AES-128-GCM")
    private static let aes256 = EVPCipher("AES-256-GCM")

    fileprivate init(state: UnsafeMutablePointer<CipherState>, _ place: CipherContextCache.Position) {
        unsafe self.state = state
        self.place = place
    }

    fileprivate init(_ keyCount: Int, _ place: CipherContextCache.Position) {
        let pointer = unsafe EVP_CIPHER_CTX_new()
        let method = unsafe keyCount == 16 ? Self.aes128.pointer : Self.aes256.pointer
        // A failure shows at the first key, which such a context does not take.
        _ = unsafe EVP_CipherInit_ex(pointer, method, nil, nil, nil, 1)
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(to: CipherState(pointer: pointer))
        self.place = place
    }

    /// Whether a key is in it.
    var holdsKey: Bool { unsafe state.pointee.holdsKey }

    /// Takes a key, which stays until another one comes.
    func keep(_ key: borrowing SecretBytes) -> Bool {
        let isKept = key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                unsafe EVP_CipherInit_ex(
                    state.pointee.pointer, nil, nil, key.bindMemory(to: UInt8.self).baseAddress, nil, 1) == 1
            }
        }
        unsafe state.pointee.holdsKey = isKept
        return isKept
    }

    /// Writes the schedule of another key, which is no secret, over the key's own.
    func forgetKey() -> Bool {
        unsafe state.pointee.holdsKey = false
        return unsafe withUnsafeBytes(of: (UInt64(0), UInt64(0), UInt64(0), UInt64(0))) { zeros in
            unsafe EVP_CipherInit_ex(
                state.pointee.pointer, nil, nil, zeros.bindMemory(to: UInt8.self).baseAddress, nil, 1) == 1
        }
    }

    /// Starts a message and takes what is only authenticated. A length other than the last one must be set before the
    /// nonce itself.
    @inline(__always)
    func begin(_ nonce: [UInt8], _ associatedData: [UInt8], encrypting: Bool) -> Bool {
        let pointer = unsafe state.pointee.pointer
        if unsafe nonce.count != state.pointee.nonceCount {
            guard unsafe EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1 else {
                return false
            }
            unsafe state.pointee.nonceCount = nonce.count
        }
        guard unsafe EVP_CipherInit_ex(pointer, nil, nil, nil, nonce, encrypting ? 1 : 0) == 1 else { return false }
        return unsafe associatedData.isEmpty
            || EVP_CipherUpdate(pointer, nil, state.pointee.length, associatedData, Int32(associatedData.count)) == 1
    }

    /// Encrypts the whole message.
    @inline(__always)
    func seal(
        _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer, tag: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let (pointer, length) = unsafe (state.pointee.pointer, state.pointee.length)
        return unsafe update(plain, into: target) && EVP_EncryptFinal_ex(pointer, state.pointee.nowhere, length) == 1
            && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_GET_TAG, Int32(AESGCM.tagCount), tag.baseAddress) == 1
    }

    /// Decrypts the whole message; `target` is overwritten with zeros when it is not what was sealed.
    @inline(__always)
    func open(
        _ sealed: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer
    ) -> Bool {
        let (pointer, length) = unsafe (state.pointee.pointer, state.pointee.length)
        let tagBytes = unsafe UnsafeMutableRawPointer(mutating: tag.baseAddress)
        let isGenuine =
            unsafe update(sealed, into: target)
            && EVP_CIPHER_CTX_ctrl(pointer, EVP_CTRL_AEAD_SET_TAG, Int32(AESGCM.tagCount), tagBytes) == 1
            && EVP_DecryptFinal_ex(pointer, state.pointee.nowhere, length) == 1
        if !isGenuine { unsafe target.initializeMemory(as: UInt8.self, repeating: 0) }
        return isGenuine
    }

    @inline(__always)
    private func update(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) -> Bool {
        unsafe source.isEmpty
            || EVP_CipherUpdate(
                state.pointee.pointer, target.bindMemory(to: UInt8.self).baseAddress, state.pointee.length,
                source.bindMemory(to: UInt8.self).baseAddress, Int32(source.count)) == 1
    }

    /// Gives the context away without freeing it.
    fileprivate consuming func release() -> UnsafeMutablePointer<CipherState> {
        let state = unsafe state
        discard self
        return unsafe state
    }

    deinit {
        unsafe EVP_CIPHER_CTX_free(state.pointee.pointer)
        unsafe state.pointee.length.deallocate()
        unsafe state.pointee.nowhere.deallocate()
        unsafe state.deallocate()
    }
}

// Safe to share: OpenSSL's method tables are immutable once fetched and live until the process ends.
@safe
struct EVPCipher: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_CIPHER_fetch(nil, name, nil) }
}
