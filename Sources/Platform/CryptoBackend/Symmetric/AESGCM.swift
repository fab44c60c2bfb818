internal import CPaviseOpenSSL
package import PavisePrimitives

/// AES in Galois/Counter Mode (NIST SP 800-38D), 128 or 256 bits, tag of 16 bytes.
///
/// A nonce may never come twice under one key: use 12 random bytes and few enough messages, or a key that is fresh.
package struct AESGCM: ~Copyable, Sendable {
    /// The length of a tag in bytes.
    package static let tagCount = 16
    private let key: SecretBytes
    private let cache = CipherContextCache()

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
        try unsafe Self.sealed(plain) { plain, target, tag throws(CryptoFailure) in
            try unsafe sealPage(plain, into: target, tag: tag, nonce: nonce, associatedData: associatedData)
        }
    }

    /// Checks and decrypts what ``seal(_:nonce:associatedData:)`` gave.
    ///
    /// - Throws: ``CryptoFailure/authentication`` for anything else, without saying what differs.
    package func open(
        _ sealed: Span<UInt8>, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) -> SecretBytes {
        try unsafe Self.opened(sealed) { sealed, tag, target throws(CryptoFailure) in
            try unsafe openPage(sealed, tag: tag, into: target, nonce: nonce, associatedData: associatedData)
        }
    }

    /// ``seal(_:nonce:associatedData:)`` between buffers of the caller. `target` is as long as `plain` and may be the
    /// same memory.
    package func sealPage(
        _ plain: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        tag: UnsafeMutableRawBufferPointer, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) {
        try Self.check(nonce, associatedData, count: plain.count)
        try cache.withContext(key.count) { context throws(CryptoFailure) in
            guard context.holdsKey || context.keep(key), context.begin(nonce, associatedData, encrypting: true),
                unsafe context.seal(plain, into: target, tag: tag)
            else { throw .last("AES-GCM") }
        }
    }

    /// ``open(_:nonce:associatedData:)`` between buffers of the caller. On failure `target` is overwritten with zeros.
    package func openPage(
        _ sealed: UnsafeRawBufferPointer, tag: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
        nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) {
        try Self.check(nonce, associatedData, count: sealed.count)
        try cache.withContext(key.count) { context throws(CryptoFailure) in
            guard context.holdsKey || context.keep(key), context.begin(nonce, associatedData, encrypting: false)
            else { throw .last("AES-GCM") }
            guard unsafe context.open(sealed, tag: tag, into: target) else {
                ERR_clear_error()
                throw .authentication
            }
        }
    }
}

extension AESGCM {
    // The key is another one each time, and is taken out after each use.
    private static let once = CipherContextCache()

    /// ``seal(_:nonce:associatedData:)`` under a key of 32 bytes that is used for this message alone. Nothing is kept
    /// of the key.
    package static func sealOnce(
        _ plain: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) -> [UInt8] {
        guard key.count == 32 else { throw .invalidKey }
        try check(nonce, associatedData, count: plain.count)
        return try unsafe sealed(plain) { plain, target, tag throws(CryptoFailure) in
            try once.withContext(32) { context throws(CryptoFailure) in
                guard context.keep(key), context.begin(nonce, associatedData, encrypting: true),
                    unsafe context.seal(plain, into: target, tag: tag), context.forgetKey()
                else { throw .last("AES-GCM") }
            }
        }
    }

    /// ``open(_:nonce:associatedData:)`` for what ``sealOnce(_:key:nonce:associatedData:)`` gave.
    package static func openOnce(
        _ sealed: Span<UInt8>, key: borrowing SecretBytes, nonce: [UInt8], associatedData: [UInt8]
    ) throws(CryptoFailure) -> SecretBytes {
        guard key.count == 32 else { throw .invalidKey }
        try check(nonce, associatedData, count: sealed.count)
        return try unsafe opened(sealed) { sealed, tag, target throws(CryptoFailure) in
            try once.withContext(32) { context throws(CryptoFailure) in
                guard context.keep(key), context.begin(nonce, associatedData, encrypting: false)
                else { throw .last("AES-GCM") }
                guard unsafe context.open(sealed, tag: tag, into: target), context.forgetKey() else {
                    ERR_clear_error()
                    throw .authentication
                }
            }
        }
    }

    private static func check(_ nonce: [UInt8], _ associatedData: [UInt8], count: Int) throws(CryptoFailure) {
        guard nonce.count == 12 || nonce.count == 16 else { throw .invalidParameter("AES-GCM nonce") }
        // OpenSSL takes each of them in one piece, and counts it in 31 bits.
        guard count <= Int32.max, associatedData.count <= Int32.max else { throw .invalidParameter("AES-GCM length") }
    }

    private static func sealed(
        _ plain: Span<UInt8>,
        _ seal: (UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
            throws(CryptoFailure) -> Void
    ) throws(CryptoFailure) -> [UInt8] {
        let count = plain.count
        var sealed: [UInt8] = []
        // An array that is made of a given size, with zeros or without, looks up generic metadata each time, a large
        // part of a short message (Documentation/Benchmarks.md); one that grows does not.
        #if compiler(>=6.3)
        try sealed.append(addingCapacity: count + tagCount) { span throws(CryptoFailure) in
            try unsafe span.withUnsafeMutableBufferPointer { target, filled throws(CryptoFailure) in
                let target = UnsafeMutableRawBufferPointer(target)
                try unsafe plain.withUnsafeBytes { plain throws(CryptoFailure) in
                    try unsafe seal(
                        plain, UnsafeMutableRawBufferPointer(rebasing: target[..<count]),
                        UnsafeMutableRawBufferPointer(rebasing: target[count...]))
                }
                filled = target.count
            }
        }
        #else
        sealed.reserveCapacity(count + tagCount)
        unsafe plain.withUnsafeBytes { unsafe sealed.append(contentsOf: $0) }
        unsafe withUnsafeBytes(of: (UInt64(0), UInt64(0))) { unsafe sealed.append(contentsOf: $0) }
        var span = sealed.mutableSpan
        try unsafe span.withUnsafeMutableBytes { target throws(CryptoFailure) in
            let body = unsafe UnsafeMutableRawBufferPointer(rebasing: target[..<count])
            try unsafe seal(
                UnsafeRawBufferPointer(body), body, UnsafeMutableRawBufferPointer(rebasing: target[count...]))
        }
        #endif
        return sealed
    }

    private static func opened(
        _ sealed: Span<UInt8>,
        _ open: (UnsafeRawBufferPointer, UnsafeRawBufferPointer, UnsafeMutableRawBufferPointer)
            throws(CryptoFailure) -> Void
    ) throws(CryptoFailure) -> SecretBytes {
        let count = sealed.count - tagCount
        guard count >= 0 else { throw .authentication }
        return try SecretBytes(count: count) { span throws(CryptoFailure) in
            try unsafe span.withUnsafeMutableBytes { target throws(CryptoFailure) in
                try unsafe sealed.withUnsafeBytes { source throws(CryptoFailure) in
                    try unsafe open(
                        UnsafeRawBufferPointer(rebasing: source[..<count]),
                        UnsafeRawBufferPointer(rebasing: source[count...]), target)
                }
            }
        }
    }
}
