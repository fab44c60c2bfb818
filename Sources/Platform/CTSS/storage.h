// Indices in the TPM's own non-volatile memory.
#pragma once
#include "bytes.h"

enum pavise_tpm_index_kind {
    pavise_tpm_erase_counter = 1,  // counts up only, by its authorisation value
    pavise_tpm_pin_failures = 2,   // counts failures of its authorisation value; written once, by its policy
};

static inline TSS2_RC pavise_tpm_nv_define(
    ESYS_CONTEXT *context, uint32_t session, enum pavise_tpm_index_kind kind, uint32_t index, const uint8_t *value,
    size_t value_count, const uint8_t *policy, size_t policy_count, uint32_t *handle) {
    TPM2B_NV_PUBLIC area = {.nvPublic = {.nvIndex = index, .nameAlg = TPM2_ALG_SHA256, .dataSize = 8}};
    TPMA_NV common = TPMA_NV_AUTHREAD | TPMA_NV_OWNERREAD | TPMA_NV_NO_DA;
    area.nvPublic.attributes =
        kind == pavise_tpm_erase_counter
            ? common | TPMA_NV_AUTHWRITE | (TPM2_NT_COUNTER << TPMA_NV_TPM2_NT_SHIFT)
            : common | TPMA_NV_POLICYWRITE | (TPM2_NT_PIN_FAIL << TPMA_NV_TPM2_NT_SHIFT);
    TPM2B_AUTH own = {0};
    TPM2B_DIGEST *needed = &area.nvPublic.authPolicy;
    TSS2_RC status = pavise_tpm_take(value, value_count, own.buffer, sizeof own.buffer, &own.size);
    if (status == TSS2_RC_SUCCESS)
        status = pavise_tpm_take(policy, policy_count, needed->buffer, sizeof needed->buffer, &needed->size);
    ESYS_TR made = ESYS_TR_NONE;
    if (status == TSS2_RC_SUCCESS)
        status = Esys_NV_DefineSpace(
            context, ESYS_TR_RH_OWNER, session, ESYS_TR_NONE, ESYS_TR_NONE, &own, &area, &made);
    pavise_tpm_wipe(&own, sizeof own);
    if (status == TSS2_RC_SUCCESS) *handle = made;
    return status;
}

// Finds an index that is defined.
static inline TSS2_RC pavise_tpm_nv_find(ESYS_CONTEXT *context, uint32_t index, uint32_t *handle) {
    ESYS_TR found = ESYS_TR_NONE;
    TSS2_RC status = Esys_TR_FromTPMPublic(context, index, ESYS_TR_NONE, ESYS_TR_NONE, ESYS_TR_NONE, &found);
    if (status == TSS2_RC_SUCCESS) *handle = found;
    return status;
}

static inline TSS2_RC pavise_tpm_nv_undefine(ESYS_CONTEXT *context, uint32_t session, uint32_t handle) {
    return Esys_NV_UndefineSpace(context, ESYS_TR_RH_OWNER, handle, session, ESYS_TR_NONE, ESYS_TR_NONE);
}

static inline TSS2_RC pavise_tpm_nv_increment(ESYS_CONTEXT *context, uint32_t session, uint32_t handle) {
    return Esys_NV_Increment(context, handle, handle, session, ESYS_TR_NONE, ESYS_TR_NONE);
}

// The eight bytes of an index, by the owner's authorisation, which also sees what a passcode would unlock.
static inline TSS2_RC pavise_tpm_nv_read(ESYS_CONTEXT *context, uint32_t session, uint32_t handle, uint8_t *out) {
    TPM2B_MAX_NV_BUFFER *data = NULL;
    TSS2_RC status =
        Esys_NV_Read(context, ESYS_TR_RH_OWNER, handle, session, ESYS_TR_NONE, ESYS_TR_NONE, 8, 0, &data);
    if (status != TSS2_RC_SUCCESS) return status;
    if (data->size == 8) memcpy(out, data->buffer, 8);
    else status = PAVISE_TPM_BAD_BYTES;
    Esys_Free(data);
    return status;
}

// Writes the eight bytes of an index under a policy session.
static inline TSS2_RC pavise_tpm_nv_write(
    ESYS_CONTEXT *context, uint32_t policy, uint32_t handle, const uint8_t *bytes) {
    TPM2B_MAX_NV_BUFFER data = {.size = 8};
    memcpy(data.buffer, bytes, 8);
    return Esys_NV_Write(context, handle, handle, policy, ESYS_TR_NONE, ESYS_TR_NONE, &data, 0);
}
