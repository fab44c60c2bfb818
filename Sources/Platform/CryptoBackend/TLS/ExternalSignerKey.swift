internal import CPaviseOpenSSL
internal import PavisePrimitives

/// Keys of OpenSSL's whose private operation is done by a ``PavisePrimitives/ClientIdentity``.
enum ExternalSignerKey {
    /// A key for the public key of a certificate; the caller frees it. `nil` for a kind that cannot sign this way.
    static func make(for certificate: OpaquePointer, _ identity: ClientIdentity) -> OpaquePointer? {
        guard let publicKey = unsafe X509_get0_pubkey(certificate) else { return nil }
        let owned = unsafe Unmanaged.passRetained(identity)
        let key: OpaquePointer? =
            switch unsafe EVP_PKEY_get_base_id(publicKey) {
            case EVP_PKEY_EC: unsafe pavise_foreign_ec(publicKey, methodEC, slotEC, owned.toOpaque())
            case EVP_PKEY_RSA: unsafe pavise_foreign_rsa(publicKey, methodRSA, slotRSA, owned.toOpaque())
            default: nil
            }
        if unsafe key == nil { unsafe owned.release() }
        return unsafe key
    }
}

// Safe to share: filled once before the first use and never changed; OpenSSL keeps pointers to them.
private nonisolated(unsafe) let methodEC = unsafe pavise_ec_method(signEC)
private nonisolated(unsafe) let methodRSA = unsafe pavise_rsa_method(signRSA)
private let slotEC = slot(CRYPTO_EX_INDEX_EC_KEY)
private let slotRSA = slot(CRYPTO_EX_INDEX_RSA)

// A copy of a key is one more owner of its identity.
private func slot(_ kind: Int32) -> Int32 {
    unsafe CRYPTO_get_ex_new_index(
        kind, 0, nil, nil,
        { _, _, from, _, _, _ in
            if let pointer = unsafe from?.pointee { _ = unsafe Unmanaged<ClientIdentity>.fromOpaque(pointer).retain() }
            return 1
        },
        { _, pointer, _, _, _, _ in
            guard let pointer = unsafe pointer else { return }
            unsafe Unmanaged<ClientIdentity>.fromOpaque(pointer).release()
        })
}

private func identity(_ user: UnsafeMutableRawPointer?) -> ClientIdentity? {
    unsafe user.map { unsafe Unmanaged<ClientIdentity>.fromOpaque($0).takeUnretainedValue() }
}

private let signEC: pavise_ec_sign = { _, digest, count, signature, size, _, _, key in
    guard let key = unsafe key, let digest = unsafe digest, let signature = unsafe signature, count > 0,
        let identity = unsafe identity(pavise_ec_user(key, slotEC)),
        let made = identity.answer(
            to: .ecdsa(unsafe Array(UnsafeBufferPointer(start: digest, count: Int(count))))),
        made.count <= Int(unsafe pavise_ec_bytes(key))
    else { return 0 }
    unsafe signature.update(from: made, count: made.count)
    unsafe size?.pointee = UInt32(made.count)
    return 1
}

private let signRSA: pavise_rsa_sign = { count, block, signature, key, padding in
    guard let key = unsafe key, let block = unsafe block, let signature = unsafe signature, count > 0,
        let identity = unsafe identity(pavise_rsa_user(key, slotRSA))
    else { return -1 }
    let bytes = unsafe Array(UnsafeBufferPointer(start: block, count: Int(count)))
    let made: [UInt8]? =
        switch padding {
        case RSA_PKCS1_PADDING: identity.answer(to: .rsaPKCS1(bytes))
        case RSA_NO_PADDING: identity.answer(to: .rsa(bytes))
        default: nil
        }
    guard let made, made.count == Int(unsafe pavise_rsa_bytes(key)) else { return -1 }
    unsafe signature.update(from: made, count: made.count)
    return Int32(made.count)
}
