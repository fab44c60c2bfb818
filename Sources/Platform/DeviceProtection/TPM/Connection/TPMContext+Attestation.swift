internal import CPaviseTSS

/// A primary key of the endorsement hierarchy, by its template.
enum TPMEndorsedKey {
    case endorsementRSA
    case endorsementP256
    case attestation
    /// For tests of verifiers: it signs anything.
    case unrestricted

    fileprivate var number: pavise_tpm_endorsed_kind {
        switch self {
        case .endorsementRSA: pavise_tpm_endorsement_rsa
        case .endorsementP256: pavise_tpm_endorsement_p256
        case .attestation: pavise_tpm_attestation
        case .unrestricted: pavise_tpm_attestation_unrestricted
        }
    }

    /// Where a maker's certificate for it lies (TCG EK Credential Profile, §2.2.1.4).
    var certificateIndex: UInt32? {
        switch self {
        case .endorsementRSA: 0x01C0_0002
        case .endorsementP256: 0x01C0_000A
        case .attestation, .unrestricted: nil
        }
    }
}

extension TPMContext {
    /// Makes a primary key; the same each time. The caller flushes it.
    ///
    /// - Parameter label: 32 bytes that set an attestation key apart from others.
    /// - Returns: Its handle and its public area (TPMT_PUBLIC).
    func endorsed(_ key: TPMEndorsedKey, label: [UInt8]) throws(TPMFailure) -> (handle: TPMHandle, area: [UInt8]) {
        guard label.count == 32 else { throw TPMFailure(.other) }
        var handle: UInt32 = 0
        let area = try endorsing { () throws(TPMFailure) in
            try unsafe bytes { unsafe pavise_tpm_endorsed(pointer, key.number, label, &handle, $0, $1) }
        }
        return (TPMHandle(number: handle), area)
    }

    /// Adds: the authorisation of the endorsement hierarchy was shown.
    func requireEndorsement(in policy: TPMHandle, session: TPMHandle) throws(TPMFailure) {
        try endorsing { () throws(TPMFailure) in
            try check(unsafe pavise_tpm_policy_endorsement(pointer, policy.number, session.number))
        }
    }

    // Its authorisation is empty unless somebody set one.
    private func endorsing<Result>(_ body: () throws(TPMFailure) -> Result) throws(TPMFailure) -> Result {
        do throws(TPMFailure) { return try body() } catch  where error.kind == .wrongAuthorization {
            throw error.meaning(.endorsementAuthorization)
        }
    }

    /// Opens a credential about `object` (TPM2_ActivateCredential).
    func activate(
        _ credential: [UInt8], seed: [UInt8], about object: TPMHandle, with endorsement: TPMHandle, policy: TPMHandle
    ) throws(TPMFailure) -> [UInt8] {
        try unsafe bytes {
            unsafe pavise_tpm_activate(
                pointer, object.number, endorsement.number, policy.number, credential, credential.count, seed,
                seed.count, $0, $1)
        }
    }

    /// A quote of registers of the SHA-256 bank.
    func quote(
        _ registers: Set<Int>, nonce: [UInt8], by key: TPMHandle, session: TPMHandle
    ) throws(TPMFailure) -> (quote: [UInt8], signature: [UInt8]) {
        let mask = registers.reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
        var signature = [UInt8](repeating: 0, count: 512)
        var count = signature.count
        let quote = try unsafe bytes {
            unsafe pavise_tpm_quote(
                pointer, key.number, session.number, nonce, nonce.count, mask, $0, $1, &signature, &count)
        }
        return (quote, Array(signature.prefix(count)))
    }

    /// One register of the SHA-256 bank.
    func register(_ number: Int) throws(TPMFailure) -> [UInt8] {
        var value = [UInt8](repeating: 0, count: 32)
        try check(unsafe pavise_tpm_register(pointer, Int32(number), &value))
        return value
    }

    /// All bytes of an index that everybody may read, at most 8,192.
    func content(of index: TPMHandle, session: TPMHandle) throws(TPMFailure) -> [UInt8] {
        var content = [UInt8](repeating: 0, count: 8_192)
        var count = content.count
        try check(unsafe pavise_tpm_nv_content(pointer, session.number, index.number, &content, &count))
        return Array(content.prefix(count))
    }
}
