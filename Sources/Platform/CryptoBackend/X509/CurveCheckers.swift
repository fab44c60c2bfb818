internal import CPaviseOpenSSL
internal import Synchronization

/// Objects that check ECDSA signatures on one curve, handed out one check at a time.
///
/// Making a key object and a context is a large part of a check in OpenSSL 3.0 (Documentation/Benchmarks.md), so both
/// are kept and get the point of each new key instead. There are never more of them than checks at the same time.
final class CurveCheckers: Sendable {
    private let curve: Curve
    private let idle = Mutex<[CurveChecker]>([])

    private init(_ curve: Curve) { self.curve = curve }

    private static let all = Dictionary(uniqueKeysWithValues: Curve.allCases.map { ($0, CurveCheckers($0)) })

    /// Those of a curve.
    static func of(_ curve: Curve) -> CurveCheckers? { all[curve] }

    /// Whether the key with this point, uncompressed, made `signature` (two numbers in DER) over `digest`.
    func isSignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], by point: [UInt8]) -> Bool {
        guard curve.isRight, let checker = idle.withLock({ $0.popLast() }) ?? CurveChecker(curve) else { return false }
        defer { idle.withLock { $0.append(checker) } }
        return checker.isSignature(signature, digest: digest, by: point)
    }
}

/// A key object and a context that checks with it.
// Safe to hand from thread to thread: it is taken out of its list before use, so it has one user at a time.
@safe
private final class CurveChecker: @unchecked Sendable {
    private let key: KeyHandle
    private let context: OpaquePointer

    init?(_ curve: Curve) {
        // Of the public half alone, so that no object has a private one.
        guard let pair = try? ECPrivateKey(generating: curve),
            let half = try? ECPublicKey(x963: pair.publicKey.x963, curve: curve),
            let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, half.handle.pointer, nil)
        else { return nil }
        key = half.handle
        unsafe self.context = context
        guard unsafe EVP_PKEY_verify_init(context) == 1 else {
            ERR_clear_error()
            return nil
        }
    }

    deinit { unsafe EVP_PKEY_CTX_free(context) }

    // Setting the point checks that it is on the curve; the point before it never remains for a check.
    func isSignature(_ signature: ArraySlice<UInt8>, digest: [UInt8], by point: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard unsafe EVP_PKEY_set1_encoded_public_key(key.pointer, point, point.count) == 1 else { return false }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe EVP_PKEY_verify(context, signature.baseAddress, signature.count, digest, digest.count) == 1
        }
    }
}
