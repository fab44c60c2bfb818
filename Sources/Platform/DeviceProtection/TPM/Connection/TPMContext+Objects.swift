internal import CPaviseTSS
internal import PavisePrimitives

/// An object outside the TPM: its public half and its encrypted private half, in the TPM's own encoding.
struct TPMObject: Hashable {
    let area: [UInt8]
    let hidden: [UInt8]
}

/// What an object is for; its template follows from that.
enum TPMObjectKind {
    case elementKey
    case guardKey
    case sealed

    fileprivate var number: pavise_tpm_kind {
        switch self {
        case .elementKey: pavise_tpm_element_key
        case .guardKey: pavise_tpm_guard_key
        case .sealed: pavise_tpm_sealed
        }
    }
}

extension TPMContext {
    /// Makes the storage key of the owner; the same each time.
    func primary() throws(TPMFailure) -> TPMHandle {
        var key: UInt32 = 0
        do throws(TPMFailure) {
            try check(unsafe pavise_tpm_primary(pointer, &key))
        } catch  where error.kind == .wrongAuthorization {
            throw error.meaning(.ownerAuthorization)
        }
        return TPMHandle(number: key)
    }

    /// Makes an object under `parent`.
    ///
    /// - Parameters:
    ///   - value: Its authorisation value, at most 32 bytes; may be empty.
    ///   - secret: What a sealed object holds, at most 128 bytes; empty for keys, which the TPM makes.
    ///   - policy: The digest of its policy; empty for none.
    func create(
        _ kind: TPMObjectKind, value: Span<UInt8>, secret: Span<UInt8>, policy: [UInt8], under parent: TPMHandle,
        session: TPMHandle
    ) throws(TPMFailure) -> TPMObject {
        var area = [UInt8](repeating: 0, count: 1024)
        var hidden = [UInt8](repeating: 0, count: 1024)
        var areaCount = area.count
        var hiddenCount = hidden.count
        let code = unsafe value.withUnsafeBytes { value in
            unsafe secret.withUnsafeBytes { secret in
                unsafe pavise_tpm_create(
                    pointer, parent.number, session.number, kind.number,
                    value.bindMemory(to: UInt8.self).baseAddress, value.count,
                    secret.bindMemory(to: UInt8.self).baseAddress, secret.count, policy, policy.count,
                    &area, &areaCount, &hidden, &hiddenCount)
            }
        }
        try check(code)
        return TPMObject(area: Array(area.prefix(areaCount)), hidden: Array(hidden.prefix(hiddenCount)))
    }

    /// Loads an object; the caller flushes it.
    func load(_ object: TPMObject, under parent: TPMHandle, session: TPMHandle) throws(TPMFailure) -> TPMHandle {
        var handle: UInt32 = 0
        try check(
            unsafe pavise_tpm_load(
                pointer, parent.number, session.number, object.area, object.area.count, object.hidden,
                object.hidden.count, &handle))
        return TPMHandle(number: handle)
    }

    /// Loads a public key that is not of this TPM (X963, 65 bytes); the caller flushes it.
    func load(point: [UInt8]) throws(TPMFailure) -> TPMHandle {
        guard point.count == 65, point[0] == 4 else { throw TPMFailure(.point) }
        var handle: UInt32 = 0
        try check(unsafe pavise_tpm_load_point(pointer, Array(point.dropFirst()), &handle))
        return TPMHandle(number: handle)
    }

    /// The public half of an element key, X9.63.
    static func point(of object: TPMObject) throws(TPMFailure) -> [UInt8] {
        var numbers = [UInt8](repeating: 0, count: 64)
        let code = unsafe pavise_tpm_point(object.area, object.area.count, &numbers)
        guard code == 0 else { throw TPMFailure(code: code) }
        return [4] + numbers
    }

    /// ECDSA over 32 bytes: r ‖ s.
    func sign(_ digest: [UInt8], with key: TPMHandle, session: TPMHandle) throws(TPMFailure) -> [UInt8] {
        guard digest.count == 32 else { throw TPMFailure(.other) }
        var signature = [UInt8](repeating: 0, count: 64)
        try check(unsafe pavise_tpm_sign(pointer, key.number, session.number, digest, &signature))
        return signature
    }

    /// The x coordinate of the shared point with `peer` (X9.63), 32 bytes.
    func agree(with peer: [UInt8], using key: TPMHandle, session: TPMHandle) throws(TPMFailure) -> SecretBytes {
        guard peer.count == 65, peer[0] == 4 else { throw TPMFailure(.point) }
        let numbers = Array(peer.dropFirst())
        return try unsafe secret(32) { unsafe pavise_tpm_agree(pointer, key.number, session.number, numbers, $0) }
    }

    /// HMAC-SHA256 of 32 bytes.
    func hmac(_ input: borrowing SecretBytes, with key: TPMHandle, session: TPMHandle) throws(TPMFailure) -> SecretBytes {
        guard input.count == 32 else { throw TPMFailure(.other) }
        return try input.withBytes { input throws(TPMFailure) in
            try unsafe secret(32) { out in
                unsafe input.withUnsafeBytes {
                    unsafe pavise_tpm_hmac(
                        pointer, key.number, session.number, $0.bindMemory(to: UInt8.self).baseAddress, out)
                }
            }
        }
    }

    /// What a sealed object holds, `count` bytes.
    func unseal(_ object: TPMHandle, policy: TPMHandle, count: Int) throws(TPMFailure) -> SecretBytes {
        try unsafe secret(count) { unsafe pavise_tpm_unseal(pointer, object.number, policy.number, $0, count) }
    }

    private func secret(
        _ count: Int, _ call: (UnsafeMutablePointer<UInt8>?) -> UInt32
    ) throws(TPMFailure) -> SecretBytes {
        try SecretBytes(count: count) { span throws(TPMFailure) in
            try check(
                unsafe span.withUnsafeMutableBytes { unsafe call($0.bindMemory(to: UInt8.self).baseAddress) })
        }
    }
}
