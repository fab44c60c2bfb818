internal import CPaviseTSS

/// What a session is for.
enum TPMSessionKind {
    /// It authorises commands.
    case authorization
    /// It collects the conditions of a policy, and authorises with them.
    case policy
    /// It computes the digest of a policy.
    case trial

    // TPM 2.0 part 2, TPM_SE.
    fileprivate var number: UInt8 {
        switch self {
        case .authorization: 0x00
        case .policy: 0x01
        case .trial: 0x03
        }
    }
}

extension TPMContext {
    /// Starts a session whose secret only `key` can read; it encrypts the first parameter of commands and answers.
    func session(_ kind: TPMSessionKind, saltedBy key: TPMHandle) throws(TPMFailure) -> TPMHandle {
        var session: UInt32 = 0
        try check(unsafe pavise_tpm_session(pointer, key.number, kind.number, &session))
        return TPMHandle(number: session)
    }

    /// Adds: the authorisation of `entity` was shown (TPM2_PolicySecret). A PIN index counts the try.
    func requireSecret(of entity: TPMHandle, in policy: TPMHandle, session: TPMHandle) throws(TPMFailure) {
        try check(unsafe pavise_tpm_policy_secret(pointer, policy.number, entity.number, session.number))
    }

    /// Adds: the object's own authorisation value is shown (TPM2_PolicyAuthValue).
    func requireOwnValue(in policy: TPMHandle) throws(TPMFailure) {
        try check(unsafe pavise_tpm_policy_own_value(pointer, policy.number))
    }

    /// Adds: the holder of `key` signed this session's nonce (TPM2_PolicySigned).
    ///
    /// - Parameter signature: r ‖ s, 64 bytes.
    func requireSignature(
        by key: TPMHandle, _ signature: [UInt8], nonce: [UInt8], in policy: TPMHandle
    ) throws(TPMFailure) {
        guard signature.count == 64 else { throw TPMFailure(.other) }
        try check(
            unsafe pavise_tpm_policy_signed(
                pointer, policy.number, key.number, nonce, nonce.count, signature))
    }

    /// The TPM's nonce in a session.
    func nonce(of session: TPMHandle) throws(TPMFailure) -> [UInt8] {
        try unsafe bytes { unsafe pavise_tpm_nonce(pointer, session.number, $0, $1) }
    }

    /// The digest of what a policy or trial session collected, 32 bytes.
    func digest(of policy: TPMHandle) throws(TPMFailure) -> [UInt8] {
        try unsafe bytes { unsafe pavise_tpm_policy_digest(pointer, policy.number, $0, $1) }
    }
}
