internal import CPaviseTSS

// The TPM counter: an index of its memory that only counts up, so that what was sealed at an earlier count never opens
// again (TPM 2.0 part 1, NV counters).
extension TPMContext {
    /// Adds one to a counter.
    func increment(_ counter: TPMHandle, session: TPMHandle) throws(TPMFailure) {
        try check(unsafe pavise_tpm_nv_increment(pointer, session.number, counter.number))
    }

    /// Adds to a policy: the counter has this value (TPM2_PolicyNV).
    func require(
        _ counter: TPMHandle, equals value: UInt64, in policy: TPMHandle, session: TPMHandle
    ) throws(TPMFailure) {
        try check(
            unsafe pavise_tpm_policy_counter(pointer, policy.number, counter.number, session.number, value))
    }
}
