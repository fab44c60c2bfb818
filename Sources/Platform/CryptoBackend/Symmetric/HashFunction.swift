internal import CPaviseOpenSSL

/// The hash functions of FIPS 180-4 that Pavise uses. SHA-1 is for identifiers that Apple's formats fix, never for
/// trust.
package enum HashFunction: String, CaseIterable, Sendable {
    case sha1
    case sha224
    case sha256
    case sha384
    case sha512

    /// The length of a digest in bytes.
    package var byteCount: Int {
        switch self {
        case .sha1: 20
        case .sha224: 28
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }

    // Fetched once: an implicit fetch at each use costs more than hashing a short text. Never freed, immutable.
    private static let sha1Method = FetchedDigest("SHA1")
    private static let sha224Method = FetchedDigest("SHA224")
    private static let sha256Method = FetchedDigest("SHA256")
    private static let sha384Method = FetchedDigest("SHA384")
    private static let sha512Method = FetchedDigest("SHA512")

    var method: OpaquePointer? {
        switch self {
        case .sha1: unsafe Self.sha1Method.pointer
        case .sha224: unsafe Self.sha224Method.pointer
        case .sha256: unsafe Self.sha256Method.pointer
        case .sha384: unsafe Self.sha384Method.pointer
        case .sha512: unsafe Self.sha512Method.pointer
        }
    }
}

// Safe to share: OpenSSL's method tables are immutable once fetched and live until the process ends.
@safe
struct FetchedDigest: @unchecked Sendable {
    let pointer: OpaquePointer?
    init(_ name: String) { unsafe pointer = EVP_MD_fetch(nil, name, nil) }
}

/// Digests of bytes that are all there.
package enum Hash {
    /// The digest of `bytes`.
    package static func digest(_ function: HashFunction, _ bytes: Span<UInt8>) -> [UInt8] {
        var stream = IncrementalHash(function)
        stream.update(bytes)
        return stream.finalize()
    }

    /// The digest of `bytes`.
    package static func digest(_ function: HashFunction, _ bytes: [UInt8]) -> [UInt8] { digest(function, bytes.span) }
}

/// A digest of bytes that arrive piece by piece.
@safe
package struct IncrementalHash: ~Copyable {
    private let context: OpaquePointer
    private let function: HashFunction

    /// Starts an empty message.
    package init(_ function: HashFunction) {
        // Both calls fail only when memory is exhausted, where Swift itself stops the process too.
        guard let context = unsafe EVP_MD_CTX_new(), unsafe EVP_DigestInit_ex(context, function.method, nil) == 1 else {
            preconditionFailure("out of memory")
        }
        unsafe self.context = context
        self.function = function
    }

    /// Appends `bytes` to the message.
    package mutating func update(_ bytes: Span<UInt8>) {
        let isFed = unsafe bytes.withUnsafeBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        // As above. A digest without these bytes would be another text's.
        precondition(isFed, "the hash took no bytes")
    }

    /// The digest of all that was appended.
    package consuming func finalize() -> [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: function.byteCount) { buffer, count in
            var length: UInt32 = 0
            let isDone = unsafe EVP_DigestFinal_ex(context, buffer.baseAddress, &length) == 1
            precondition(isDone, "the hash gave no digest")
            count = Int(length)
        }
    }

    deinit { unsafe EVP_MD_CTX_free(context) }
}
