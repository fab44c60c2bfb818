internal import CPaviseOpenSSL
internal import PavisePrimitives

/// Owns an `EVP_PKEY`.
// Safe to share: the key is never changed after `init`, and OpenSSL counts references to it atomically.
@safe
final class KeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes over `pointer`.
    init(owning pointer: OpaquePointer) { unsafe self.pointer = pointer }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// Owns what a constructor of OpenSSL gave; `nil` is ``CryptoFailure/invalidKey``.
    static func adopting(_ pointer: OpaquePointer?) throws(CryptoFailure) -> KeyHandle {
        guard let pointer = unsafe pointer else {
            ERR_clear_error()
            throw .invalidKey
        }
        return unsafe KeyHandle(owning: pointer)
    }

    /// The bytes of an octet-string parameter.
    func octets(_ name: String, limit: Int = 1024) throws(CryptoFailure) -> [UInt8] {
        var length = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let status = unsafe EVP_PKEY_get_octet_string_param(pointer, name, buffer.baseAddress, limit, &length)
            count = status == 1 ? length : 0
        }
        guard !bytes.isEmpty else { throw .last(name) }
        return bytes
    }

    /// A number parameter, big-endian, left-padded to `width` bytes.
    func number(_ name: String, width: Int? = nil) throws(CryptoFailure) -> SecretBytes {
        var number: OpaquePointer?
        guard unsafe EVP_PKEY_get_bn_param(pointer, name, &number) == 1, let number = unsafe number else {
            throw .last(name)
        }
        defer { unsafe BN_clear_free(number) }
        let count = unsafe width ?? Int(BN_num_bits(number) + 7) / 8
        var status: Int32 = 0
        let bytes = SecretBytes(count: count) { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                status = unsafe BN_bn2binpad(
                    number, buffer.bindMemory(to: UInt8.self).baseAddress, Int32(count))
            }
        }
        guard status >= 0 else { throw .last(name) }
        return bytes
    }

    /// The 32 bytes of a private key on Curve25519.
    func raw25519() throws(CryptoFailure) -> SecretBytes {
        var length = 32
        var status: Int32 = 0
        let bytes = SecretBytes(count: length) { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                status = unsafe EVP_PKEY_get_raw_private_key(
                    pointer, buffer.bindMemory(to: UInt8.self).baseAddress, &length)
            }
        }
        guard status == 1, length == 32 else { throw .last("raw key") }
        return bytes
    }

    /// A signature over a finished digest.
    func sign(
        digest: [UInt8], configure: (OpaquePointer) -> Bool
    ) throws(CryptoFailure) -> [UInt8] {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { throw .last("sign") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var length = unsafe Int(EVP_PKEY_get_size(pointer))
        guard unsafe EVP_PKEY_sign_init(context) == 1, unsafe configure(context) else { throw .last("sign") }
        var status: Int32 = 0
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            status = unsafe EVP_PKEY_sign(context, buffer.baseAddress, &length, digest, digest.count)
            count = status == 1 ? length : 0
        }
        guard status == 1 else { throw .last("sign") }
        return signature
    }

    /// Whether `signature` belongs to the digest; anything unusual is `false`.
    func verify(signature: [UInt8], digest: [UInt8], configure: (OpaquePointer) -> Bool) -> Bool {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer {
            unsafe EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard unsafe EVP_PKEY_verify_init(context) == 1, unsafe configure(context) else { return false }
        return unsafe EVP_PKEY_verify(context, signature, signature.count, digest, digest.count) == 1
    }

    /// The secret that this private key and `peer` agree on, `count` bytes. The peer is not checked here.
    ///
    /// - Throws: ``CryptoFailure/invalidKey`` where the two keys give no secret.
    func derive(with peer: KeyHandle, count: Int) throws(CryptoFailure) -> SecretBytes {
        guard let context = unsafe EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { throw .last("agreement") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        guard unsafe EVP_PKEY_derive_init(context) == 1,
            unsafe EVP_PKEY_derive_set_peer_ex(context, peer.pointer, 0) == 1
        else {
            ERR_clear_error()
            throw .invalidKey
        }
        var length = count
        var status: Int32 = 0
        let secret = SecretBytes(count: count) { span in
            unsafe span.withUnsafeMutableBytes { buffer in
                status = unsafe EVP_PKEY_derive(context, buffer.bindMemory(to: UInt8.self).baseAddress, &length)
            }
        }
        guard status == 1, length == count else {
            ERR_clear_error()
            throw .invalidKey
        }
        return secret
    }

    /// The SubjectPublicKeyInfo, DER (RFC 5280 §4.1).
    func spki() throws(CryptoFailure) -> [UInt8] {
        let length = unsafe i2d_PUBKEY(pointer, nil)
        guard length > 0 else { throw .last("SubjectPublicKeyInfo") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(length)) { buffer, count in
            var next = buffer.baseAddress
            count = Int(unsafe i2d_PUBKEY(pointer, &next))
        }
    }

    /// The key of a SubjectPublicKeyInfo that holds nothing else.
    static func fromSPKI(_ der: [UInt8]) throws(CryptoFailure) -> KeyHandle {
        let key = unsafe der.withUnsafeBufferPointer { buffer -> OpaquePointer? in
            var next = buffer.baseAddress
            guard let key = unsafe d2i_PUBKEY(nil, &next, buffer.count) else { return nil }
            guard unsafe next == buffer.baseAddress.map({ unsafe $0 + buffer.count }) else {
                unsafe EVP_PKEY_free(key)
                return nil
            }
            return unsafe key
        }
        return try unsafe adopting(key)
    }
}
