internal import CPaviseTSS

/// What an index of the TPM's own memory is for; eight bytes each.
enum TPMIndexKind {
    /// Counts up only. A value that was once left never comes back, even when the index is removed and made again.
    case eraseCounter
    /// Counts wrong authorisation values, and refuses all beyond a limit.
    case pinFailures

    fileprivate var number: pavise_tpm_index_kind {
        switch self {
        case .eraseCounter: pavise_tpm_erase_counter
        case .pinFailures: pavise_tpm_pin_failures
        }
    }
}

extension TPMContext {
    /// Makes an index with an authorisation value of its own and, unless empty, a policy for writing.
    func define(
        _ kind: TPMIndexKind, _ index: UInt32, value: Span<UInt8>, policy: [UInt8], session: TPMHandle
    ) throws(TPMFailure) -> TPMHandle {
        var handle: UInt32 = 0
        let code = unsafe value.withUnsafeBytes {
            unsafe pavise_tpm_nv_define(
                pointer, session.number, kind.number, index, $0.bindMemory(to: UInt8.self).baseAddress, $0.count,
                policy,
                policy.count, &handle)
        }
        try check(code)
        return TPMHandle(number: handle)
    }

    /// Finds an index; `nil` when it is not defined.
    func find(_ index: UInt32) throws(TPMFailure) -> TPMHandle? {
        var handle: UInt32 = 0
        do throws(TPMFailure) {
            try check(unsafe pavise_tpm_nv_find(pointer, index, &handle))
        } catch  where error.kind == .unknownHandle {
            return nil
        }
        return TPMHandle(number: handle)
    }

    /// Removes an index.
    func undefine(_ index: TPMHandle, session: TPMHandle) throws(TPMFailure) {
        try check(unsafe pavise_tpm_nv_undefine(pointer, session.number, index.number))
    }

    /// The eight bytes of an index, big-endian.
    func read(_ index: TPMHandle, session: TPMHandle) throws(TPMFailure) -> UInt64 {
        var bytes = [UInt8](repeating: 0, count: 8)
        try check(unsafe pavise_tpm_nv_read(pointer, session.number, index.number, &bytes))
        return bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Writes the eight bytes of an index under a policy session.
    func write(_ value: UInt64, to index: TPMHandle, policy: TPMHandle) throws(TPMFailure) {
        let bytes = (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) }
        try check(unsafe pavise_tpm_nv_write(pointer, policy.number, index.number, bytes))
    }

    /// Forgets what this connection knows of an index.
    func forget(_ index: TPMHandle) { unsafe pavise_tpm_forget(pointer, index.number) }
}
